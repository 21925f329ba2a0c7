"""Compiled kernels and the vector that they read (layer 0).

Nothing is compiled by an import: :mod:`ddz_core.kernels.table` needs numpy only, the others load
numba and are imported when they are first used. :func:`warm` compiles all that a game needs, or
loads it from the cache.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ddz_core.kernels.workspace import Workspace, warm, warm_wilds

__all__ = ["Workspace", "warm", "warm_wilds"]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load numba with the first use of a name that needs it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.workspace"), name)
