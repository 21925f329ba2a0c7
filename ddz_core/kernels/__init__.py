"""Compiled kernels and the vector that they read (layer 0).

Nothing here is compiled by an import. :mod:`ddz_core.kernels.table` needs numpy only;
the other modules load numba and are imported at their first use. :func:`warm` compiles, or loads
from the cache, everything that a game needs.
"""

from __future__ import annotations
