"""lexbor's written form of a tree, as bytes.

selectolax has it as a str, which is decoded for that and would be encoded again, for half the time of a parse.  Its
library shows lexbor's own function, too, nearly everywhere: that one writes the bytes into the memory of the tree.  It
is asked only in releases of which it is known that a node's `mem_id` is the address of lexbor's node.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import selectolax
from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

__all__ = ["written"]

_KNOWN_RELEASES = "1."  # of selectolax
_MAX_LENGTH = (1 << 31) - 1  # bytes that can be copied
_TRIAL = "<!doctype html><p title='a&quot;<'>\N{EURO SIGN}\xa0&lt;<!-- b --><svg viewBox=0><template><i>c"


class _String(ctypes.Structure):
    """lexbor_str_t."""

    _fields_ = (("data", ctypes.c_void_p), ("length", ctypes.c_size_t))


def written(tree: LexborHTMLParser) -> bytes:
    """The whole tree in canonical form."""
    write = _writer()
    form = write(tree) if write else None
    return (tree.html or "").encode() if form is None else form


@cache
def _writer() -> Callable[[LexborHTMLParser], bytes | None] | None:
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

    def write(tree: LexborHTMLParser) -> bytes | None:
        document = tree.root.parent if tree.root else None
        form = _String()  # its bytes live as long as the tree
        if document is None or serialize(document.mem_id, ctypes.byref(form)) or not 0 < form.length <= _MAX_LENGTH:
            return None
        return ctypes.string_at(form.data, form.length)

    trial = LexborHTMLParser(_TRIAL)
    return write if write(trial) == (trial.html or "").encode() else None
