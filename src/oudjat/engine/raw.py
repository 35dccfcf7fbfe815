"""Arrays handed to recursive kernels without their bookkeeping.

Numba counts references to every array that a compiled function is given, with locked instructions: in a search
that calls itself millions of times that was 40 % of all time. A *handle* is the bare address of an array; a
kernel makes a view of it that counts nothing. Whoever makes a handle keeps the array alive while it is used.

With ``NUMBA_DISABLE_JIT=1`` a handle is the array itself, so that everything can be stepped through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import config, types
from numba.extending import intrinsic
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from oudjat.engine.compiled import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]
Octets = NDArray[np.uint8]
Word: TypeAlias = Any
"""64 bits: an int, or NumPy's of either sign, between which compiled code does not tell."""
Handle: TypeAlias = Any
"""An address, or with the compiler switched off the array itself."""

MOST = (1 << 40,)
"""The length that views claim to have: bounds are the kernel's own business."""
COMPILING = not vars(config)["DISABLE_JIT"]


def handle(array: Ints | Floats | Words | Octets) -> Handle:
    """What a kernel takes in place of ``array``, which has to live as long as the kernel runs."""
    return array.ctypes.data if COMPILING else array


low_bit: Callable[[Word], int]
"""The number of the lowest bit that is set."""
fetch: Callable[[Handle, Word], None]
"""Have the processor bring near the word at this place of an array, given by its handle, and wait for nothing."""

if not COMPILING:

    def ints(address: Handle) -> Ints:
        """The array itself."""
        return address  # type: ignore[no-any-return]

    def floats(address: Handle) -> Floats:
        """The array itself."""
        return address  # type: ignore[no-any-return]

    def words(address: Handle) -> Words:
        """The array itself."""
        return address  # type: ignore[no-any-return]

    def octets(address: Handle) -> Octets:
        """The array itself."""
        return address  # type: ignore[no-any-return]

    def ints_from(address: Handle, place: int) -> Ints:
        """The array from this place on."""
        return address[place:]  # type: ignore[no-any-return]

    def floats_from(address: Handle, place: int) -> Floats:
        """The array from this place on."""
        return address[place:]  # type: ignore[no-any-return]

    def _zeros_below(bits: Word) -> int:
        return (int(bits) & -int(bits)).bit_length() - 1

    def _fetch_nothing(address: Handle, place: Word) -> None:
        """Nothing is far away."""

    low_bit, fetch = _zeros_below, _fetch_nothing

else:

    def _pointer_to(element: Any) -> Any:
        @intrinsic
        def pointer(_: Any, address: Any) -> Any:  # noqa: ARG001 - Numba reads the names
            signature = types.CPointer(element)(types.int64)  # type: ignore[no-untyped-call]

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

            return signature, generate

        return pointer

    _ints, _floats = _pointer_to(types.int64), _pointer_to(types.float64)
    _words, _octets = _pointer_to(types.uint64), _pointer_to(types.uint8)

    @intrinsic
    def _count_zeros_below(_: Any, bits: Any) -> Any:  # noqa: ARG001 - Numba reads the names
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            return builder.cttz(arguments[0], context.get_constant(types.boolean, 1))

        return types.int64(types.int64), generate

    @intrinsic
    def _prefetch(_: Any, address: Any, place: Any) -> Any:  # noqa: ARG001 - Numba reads the names
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
            octets = builder.add(arguments[0], builder.shl(arguments[1], arguments[1].type(3)))
            to_read, to_be_kept, as_data = number(0), number(3), number(1)
            builder.call(function, [builder.inttoptr(octets, pointer), to_read, to_be_kept, as_data])
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    low_bit = cast("Callable[[Word], int]", _count_zeros_below)
    fetch = cast("Callable[[Handle, Word], None]", _prefetch)

    @kernel
    def ints(address: Handle) -> Ints:
        """The int64 array behind a handle."""
        return carray(_ints(address), MOST)

    @kernel
    def floats(address: Handle) -> Floats:
        """The float64 array behind a handle."""
        return carray(_floats(address), MOST)

    @kernel
    def words(address: Handle) -> Words:
        """The uint64 array behind a handle."""
        return carray(_words(address), MOST)

    @kernel
    def octets(address: Handle) -> Octets:
        """The uint8 array behind a handle."""
        return carray(_octets(address), MOST)

    @kernel
    def ints_from(address: Handle, place: int) -> Ints:
        """The int64 array behind a handle, from this place on."""
        return carray(_ints(address + 8 * place), MOST)

    @kernel
    def floats_from(address: Handle, place: int) -> Floats:
        """The float64 array behind a handle, from this place on."""
        return carray(_floats(address + 8 * place), MOST)
