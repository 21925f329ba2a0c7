"""How the plain kernels reach the wild ones: a call through an address in the compiled ruleset.

Layer 0. The kernels for hands with wilds (:mod:`ddz_core.kernels.wild`) are compiled by themselves,
when a ruleset with wilds is first compiled, and their address stands in word ``ADDRESS`` of ``T``.
So callers have one set of kernels for all hands, and games without wilds compile nothing more.
"""

# numba generates the call: its arguments are types and builders of its own
# ruff: noqa: ANN401, ARG001

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types

from ddz_core.kernels.bits import intrinsic

WILD, ADDRESS = 8, 9
"""Words of ``T``: all cards that are wild, in their lanes; the address of the wild kernels."""
LIST, LIST_ALL, CAN_BEAT, READ = 0, 1, 2, 3
"""What can be asked of the wild kernels."""


@intrinsic
def call_wild(
    typingctx: Any,
    T: Any,  # noqa: N803
    W: Any,  # noqa: N803
    hand: Any,
    code: Any,
    limit: Any,
    what: Any,
    C: Any,  # noqa: N803
    K: Any,  # noqa: N803
    pos: Any,
    cap: Any,
) -> Any:
    """Ask the wild kernels of ``T``; arrays or pointers, and numbers as ``int64``."""
    given = (T, W, hand, code, limit, what, C, K, pos, cap)
    vectors = (0, 1, 6, 7)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(64)
        passed = []
        for place, (kind, value) in enumerate(zip(signature.args, args, strict=True)):
            if place not in vectors:
                passed.append(value)
                continue
            if isinstance(kind, types.Array):
                value = context.make_array(kind)(context, builder, value).data
            passed.append(builder.bitcast(value, byte))
        at = passed[0]
        words = builder.bitcast(at, word.as_pointer())
        address = builder.load(builder.gep(words, [ir.Constant(ir.IntType(32), ADDRESS)]))
        kinds = [byte if place in vectors else word for place in range(len(passed))]
        function = ir.FunctionType(word, kinds)
        return builder.call(builder.inttoptr(address, function.as_pointer()), passed)

    numbers = [types.uint64 if place == 2 else types.int64 for place in range(len(given))]
    kinds = [kind if place in vectors else numbers[place] for place, kind in enumerate(given)]
    return types.int64(*kinds), codegen
