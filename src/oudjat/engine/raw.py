"""Arrays handed to recursive kernels without their bookkeeping.

Numba counts references to every array that a compiled function is given, with locked instructions: in a search
that calls itself millions of times that was 40 % of all time. A *handle* is the bare address of an array; a
kernel makes a view of it that counts nothing. Whoever makes a handle keeps the array alive while it is used.

With ``NUMBA_DISABLE_JIT=1`` a handle is the array itself, so that everything can be stepped through.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, config, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from oudjat.engine.compiled import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]
Handle = Any
"""An address, or with the compiler switched off the array itself."""

MOST = (1 << 40,)
"""The length that views claim to have: bounds are the kernel's own business."""


def handle(array: Ints | Floats | Words) -> Handle:
    """What a kernel takes in place of ``array``, which has to live as long as the kernel runs."""
    return array if config.DISABLE_JIT else array.ctypes.data


if config.DISABLE_JIT:

    def ints(address: Handle) -> Ints:
        """The int64 array behind a handle."""
        return address  # type: ignore[no-any-return]

    def floats(address: Handle) -> Floats:
        """The float64 array behind a handle."""
        return address  # type: ignore[no-any-return]

    def words(address: Handle) -> Words:
        """The uint64 array behind a handle."""
        return address  # type: ignore[no-any-return]

    def low_bit(bits: int) -> int:
        """The number of the lowest bit that is set."""
        return (int(bits) & -int(bits)).bit_length() - 1

else:

    def _pointer_to(element: Any) -> Any:
        @intrinsic  # type: ignore[untyped-decorator]
        def pointer(_: Any, address: Any) -> Any:  # noqa: ARG001 - Numba reads the names
            signature = types.CPointer(element)(types.int64)

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

            return signature, generate

        return pointer

    _ints, _floats, _words = map(_pointer_to, (types.int64, types.float64, types.uint64))

    @intrinsic  # type: ignore[untyped-decorator]
    def low_bit(_: Any, bits: Any) -> Any:  # noqa: ARG001 - Numba reads the names
        """The number of the lowest bit that is set."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            return builder.cttz(arguments[0], context.get_constant(types.boolean, 1))

        return types.int64(types.int64), generate

    @kernel
    def ints(address: Handle) -> Ints:
        """The int64 array behind a handle."""
        return carray(_ints(address), MOST)  # type: ignore[no-any-return]

    @kernel
    def floats(address: Handle) -> Floats:
        """The float64 array behind a handle."""
        return carray(_floats(address), MOST)  # type: ignore[no-any-return]

    @kernel
    def words(address: Handle) -> Words:
        """The uint64 array behind a handle."""
        return carray(_words(address), MOST)  # type: ignore[no-any-return]
