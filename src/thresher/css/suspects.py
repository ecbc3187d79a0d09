"""Which declarations of a sheet matter at all: those that may hide, and the backgrounds that text may vanish into."""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

import numpy as np

from thresher.css.structure import Structure
from thresher.css.tokeniser import MAY_HIDE
from thresher.page.types import Ints

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["BACKGROUND", "TEXT_COLOUR", "may_be_clear", "suspects"]

TEXT_COLOUR, BACKGROUND = 1, 2  # roles of properties
_TEXT_COLOUR = cython.declare(cython.int, 1)
_BACKGROUND = cython.declare(cython.int, 2)
_MAY_HIDE = cython.declare(cython.int, MAY_HIDE)


def suspects(structure: Structure, roles: bytes, external: bool) -> Ints:
    """The numbers of the declarations that may hide, and of the backgrounds; `roles` are those of the properties.

    Where other sheets paint too, a text colour tells something beside a background in its own block, or where it may be
    transparent: by itself, or by a variable; and a background tells something beside a text colour.
    """
    declared = structure.declared
    chosen = np.empty(len(declared.block), np.int32)
    seen = np.zeros(len(structure.blocks.open) + 1, np.uint8)
    count = _suspects(
        structure.text, declared.block.data, declared.name.data, declared.value.data, declared.stop.data,
        declared.flags.data, roles, external, seen.data, chosen.data,
    )  # fmt: skip
    return chosen[:count]


def may_be_clear(value: bytes) -> bool:
    """Whether a colour may be transparent: by name, by a last component of 0, or by a fourth hexadecimal one."""
    return bool(_may_be_clear(value, 0, len(value)))


def _suspects(
    text: cython.const[cython.uchar][::1],
    block: cython.const[cython.int][::1],
    name: cython.const[cython.int][::1],
    value: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    flags: cython.const[cython.int][::1],
    roles: cython.const[cython.uchar][::1],
    external: cython.bint,
    seen: cython.uchar[::1],
    chosen: cython.int[::1],
) -> cython.Py_ssize_t:
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    role: cython.int
    clear: cython.bint
    size: cython.Py_ssize_t = block.shape[0]
    with cython.nogil:
        if external:  # which blocks have text colours, and which backgrounds
            for at in range(size):
                role = roles[name[at]]
                if role == _BACKGROUND or (role == _TEXT_COLOUR and flags[at] & _MAY_HIDE):
                    seen[block[at]] |= role
        for at in range(size):
            role = roles[name[at]]
            if role == _BACKGROUND:
                if external and not seen[block[at]] & _TEXT_COLOUR:
                    continue
            elif not flags[at] & _MAY_HIDE:
                continue
            elif role == _TEXT_COLOUR and external and not seen[block[at]] & _BACKGROUND:
                clear = _may_be_clear(text, value[at], stop[at]) or _by_variable(text, value[at], stop[at])
                if not clear:
                    continue
            chosen[count] = at
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _by_variable(
    text: cython.const[cython.uchar][::1], value: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.bint:
    """Whether a colour may be a variable, `var(--x)`, or have one in it, `rgb(0 0 0 / var(--x))`."""
    if text[value] | 0x20 == 0x76:
        return True
    return stop - value >= 2 and text[stop - 1] == 0x29 and text[stop - 2] == 0x29


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_be_clear(
    text: cython.const[cython.uchar][::1], value: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.bint:
    size: cython.Py_ssize_t = stop - value
    last: cython.int
    second: cython.int
    third: cython.int
    if size < 4:
        return False
    last, second, third = text[stop - 1], text[stop - 2], text[stop - 3]
    if last == 0x29:  # 0) behind a comma, blank, slash or dot; .0x)
        if second == 0x30 and (third == 0x2C or third == 0x20 or third == 0x2F or third == 0x2E):
            return True
        if third == 0x30 and text[stop - 4] == 0x2E:
            return True
    if text[value] == 0x23 and last == 0x30 and (size == 5 or size == 9):
        return True
    return (
        text[value] | 0x20 == 0x74
        and text[value + 1] | 0x20 == 0x72
        and text[value + 2] | 0x20 == 0x61
        and text[value + 3] | 0x20 == 0x6E
    )
