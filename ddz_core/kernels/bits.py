"""What every kernel file imports: the compiler, bit counting and raw pointers.

Layer 0. ``jit`` is numba's ``njit`` without the interpreter lock, cached on disk where some folder
is writable. Numba's cache does not notice a change in another file, so stale cache files beside
the sources are removed here, before anything is loaded from them.

With ``DDZ_KERNELS=arrays`` in the environment the kernels work on arrays instead of pointers and
nothing is cached, so that ``NUMBA_BOUNDSCHECK=1`` watches every access: slower, for tests.
"""

# numba generates these functions: their arguments are types and builders of its own
# ruff: noqa: ANN401, ARG001

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numba as nb
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic as typed_intrinsic

Vector: TypeAlias = Any
"""A vector of words: an array from Python, a pointer inside the kernels."""
Word: TypeAlias = Any
"""A ``uint64``: a packed hand or a mask."""
Count: TypeAlias = Any
"""An ``int64``."""

intrinsic: Any = typed_intrinsic
"""Untyped on purpose: an intrinsic is called without the first argument it is written with."""

ON_ARRAYS = os.environ.get("DDZ_KERNELS") == "arrays"

LOW = np.uint64(0x1111111111111111)
"""One bit in each lane: the mask of all lanes."""

_HERE = Path(__file__).parent
_IMPORTED = re.compile(r"^from ddz_core\.kernels\.(\w+) import", re.MULTILINE)


def _age(module: str, seen: frozenset[str] = frozenset()) -> float:
    """Return when a kernel file, or one that it imports, was changed last."""
    source = _HERE / f"{module}.py"
    imported = _IMPORTED.findall(source.read_text(encoding="utf-8"))
    below = [_age(name, seen | {module}) for name in imported if name not in seen]
    return max([source.stat().st_mtime, *below])


def _remove_stale() -> None:
    """Remove cached code beside the sources that is older than a source it was made from."""
    ages: dict[str, float] = {}
    for index in (_HERE / "__pycache__").glob("*.nb[ic]"):
        module = index.name.partition(".")[0]
        with contextlib.suppress(OSError):
            if module not in ages:
                ages[module] = _age(module)
            if index.stat().st_mtime < ages[module]:
                index.unlink()


with contextlib.suppress(OSError):
    _remove_stale()


def jit(function: Callable[..., Any]) -> Any:
    """Compile a kernel at its first call, one version for each kind of arguments."""
    try:
        return nb.njit(nogil=True, cache=not ON_ARRAYS)(function)
    except RuntimeError:  # numba found no folder to write its cache to
        return nb.njit(nogil=True)(function)


@intrinsic
def cttz(typingctx: Any, mask: Any) -> Any:
    """Return the number of zeros below the lowest bit of a mask, as ``int64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@intrinsic
def clz(typingctx: Any, mask: Any) -> Any:
    """Return the number of zeros above the highest bit of a mask, as ``int64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@intrinsic
def ctpop(typingctx: Any, mask: Any) -> Any:
    """Return the number of bits of a mask, as ``int64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def _data_of(typingctx: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), codegen  # type: ignore[no-untyped-call,unused-ignore]


if ON_ARRAYS:

    @jit
    def pointer(array: Any) -> Any:
        """Return the array itself: accesses are checked."""
        return array

else:

    @jit
    def pointer(array: Any) -> Any:
        """Return the address of an array's data; the array must be held by the Python caller."""
        return _data_of(array)


@jit
def u64(number: Any) -> Any:
    """Return an integer as ``uint64``; numba would make a float of mixed signs."""
    return np.uint64(number)
