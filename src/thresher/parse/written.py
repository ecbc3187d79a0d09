"""lexbor's written form of a tree, as bytes.

selectolax has it as a str, which is decoded for that and would be encoded again, for half the time of a parse.  Its
library shows lexbor's own function, too, nearly everywhere: that one writes the bytes into the memory of the tree.  It
is asked only in releases of which it is known that a node's `mem_id` is the address of lexbor's node.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
import selectolax
from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from thresher.page.types import Bytes

__all__ = ["NO_ROOM", "written"]

_KNOWN_RELEASES = "1."  # of selectolax
NO_ROOM: Bytes = np.zeros(0, np.uint8)
_MAX_LENGTH = (1 << 31) - 1  # bytes that can be copied
_TRIAL = "<!doctype html><p title='a&quot;<'>\N{EURO SIGN}\xa0&lt;<!-- b --><svg viewBox=0><template><i>c"


class _String(ctypes.Structure):
    """lexbor_str_t."""

    _fields_ = (("data", ctypes.c_void_p), ("length", ctypes.c_size_t))


def written(tree: LexborHTMLParser, room: Bytes = NO_ROOM) -> bytes | Bytes:
    """The whole tree in canonical form: the beginning of the room for it if it fits, and bytes if not.

    The tree of a large page is megabytes in the heap, which shrinks when the tree is gone only if nothing that stays
    stands behind it.  So room is made before the tree, and bytes of what is in it after.
    """
    write = _writer()
    form = write(tree, room) if write else None
    return (tree.html or "").encode() if form is None else form


@cache
def _writer() -> Callable[[LexborHTMLParser, Bytes], bytes | Bytes | None] | None:
    """What writes a tree without a detour; None where the library does not show the function, or it does other things
    than it should."""
    if not selectolax.__version__.startswith(_KNOWN_RELEASES):
        return None
    try:
        serialize = ctypes.CDLL(lexbor.__file__).lxb_html_serialize_tree_str
    except (AttributeError, OSError):
        return None
    serialize.argtypes = (ctypes.c_void_p, ctypes.POINTER(_String))
    serialize.restype = ctypes.c_uint

    def write(tree: LexborHTMLParser, room: Bytes) -> bytes | Bytes | None:
        document = tree.root.parent if tree.root else None
        string = _String()  # its bytes live as long as the tree
        if document is None or serialize(document.mem_id, ctypes.byref(string)) or not 0 < string.length <= _MAX_LENGTH:
            return None
        if len(room) < string.length:
            return ctypes.string_at(string.data, string.length)
        ctypes.memmove(room.ctypes.data, string.data, string.length)
        return room[: string.length]

    trial = LexborHTMLParser(_TRIAL)
    return write if write(trial, NO_ROOM) == (trial.html or "").encode() else None
