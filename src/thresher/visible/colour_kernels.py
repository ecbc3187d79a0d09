"""The loop of `vanishing`: over the colours of texts and of what is behind them, from the root down.

Compiled (see thresher.kernels), bounds are not checked: the loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["find_vanishing"]

# Numbers of colours, and traits of entries: those of vanishing.
_NONE = cython.declare(cython.int, 0)
_ANY = cython.declare(cython.int, 1)
_CLEAR = cython.declare(cython.int, 2)
_CURRENT = cython.declare(cython.int, 3)
_WHITE = cython.declare(cython.int, 4)
_HIDES = cython.declare(cython.int, 1)
_FAR = cython.declare(cython.int, 2)
_MAX_LIKE_STEPS = cython.declare(cython.int, 4)  # of 255, in each channel: two colours that no eye tells apart

# What is known of each row, for those inside of it.
_TEXT = cython.declare(cython.int, 0)
_FILL = cython.declare(cython.int, 1)
_GROUND = cython.declare(cython.int, 2)
_PAINTED = cython.declare(cython.int, 3)
_SHADOW = cython.declare(cython.int, 4)
_STROKE = cython.declare(cython.int, 5)
_FLAGS = cython.declare(cython.int, 6)
_OWN_TEXTS = cython.declare(cython.int, 7)
_FAR_TEXT = cython.declare(cython.int, 1)
_FAR_FILL = cython.declare(cython.int, 2)
_IN_CURRENT = cython.declare(cython.int, 4)
_IN_CUT_OUT = cython.declare(cython.int, 8)


def find_vanishing(
    parent: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    owner: cython.const[cython.int][::1],
    color: cython.const[cython.int][::1],
    fill: cython.const[cython.int][::1],
    background: cython.const[cython.int][::1],
    clip: cython.const[cython.int][::1],
    shadow: cython.const[cython.int][::1],
    stroke: cython.const[cython.int][::1],
    number: cython.const[cython.int][::1],
    traits: cython.const[cython.uchar][::1],
    levels: cython.const[cython.int][::1],
    external: cython.bint,
    state: cython.int[:, ::1],
    vanishes: cython.uchar[:, ::1],
) -> None:
    """Mark the rows whose own text vanishes, and of these those on which a colour is declared.

    `color` to `stroke` are the winning entries of these properties, or empty; number and traits are those of each
    entry, levels the red, green and blue of each number, -1 for what is no plain colour.
    """
    row: cython.Py_ssize_t
    up: cython.Py_ssize_t
    text: cython.int
    own: cython.int
    ground: cython.int = _NONE if external else _WHITE
    around: cython.int
    flags: cython.int
    hit: cython.bint
    cuts: cython.bint
    size: cython.Py_ssize_t = len(parent)
    if not size == len(first) == len(last) == state.shape[1] == vanishes.shape[1] or len(number) != len(traits):
        raise ValueError("columns have not the lengths they need")
    if state.shape[0] < 8 or vanishes.shape[0] < 2:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(size):
            state[_OWN_TEXTS, row] = 0
        for row in range(len(owner)):
            if 0 <= owner[row] < size:
                state[_OWN_TEXTS, owner[row]] += 1
        for row in range(size):
            up = parent[row] if 0 <= parent[row] < row else -1
            flags = state[_FLAGS, up] if up >= 0 else 0
            text = _own(color, number, row)
            if text > _NONE:
                flags = flags & ~_FAR_TEXT | (_FAR_TEXT if _has(color, traits, row, _FAR) else 0)
            elif up >= 0:
                text = state[_TEXT, up]
            state[_TEXT, row] = text
            own = _own(fill, number, row)
            if own > _NONE:
                flags = flags & ~_FAR_FILL | (_FAR_FILL if _has(fill, traits, row, _FAR) else 0)
            elif up >= 0:
                own = state[_FILL, up]
            state[_FILL, row] = own
            if own > _NONE and own != _CURRENT:
                text = own
            own = _own(background, number, row)
            if own == _CURRENT:
                flags |= _IN_CURRENT
                own = text if text > _NONE else _ANY
            if own == _CLEAR:
                own = _NONE
            # A background that is cut out to the shape of the text, and can be told from what is behind it.
            cuts = _has(clip, traits, row, _HIDES)
            around = state[_PAINTED, up] if up >= 0 else _NONE
            if own > _NONE and not cuts:
                around = own
            state[_PAINTED, row] = around
            if cuts:
                if (own > _NONE or external) and not _alike(levels, own, around if around > _NONE else ground):
                    flags |= _IN_CUT_OUT
                else:
                    own = _NONE
            state[_FLAGS, row] = flags
            around = state[_GROUND, up] if up >= 0 else _NONE
            if own > _NONE:
                around = own
            state[_GROUND, row] = around
            if around == _NONE:
                around = ground
            if not (external and flags & (_FAR_TEXT | _FAR_FILL)):  # what other rules paint around it is not known
                own = around
            hit = (text > _NONE and (text == _CLEAR or _alike(levels, text, own))) or flags & _IN_CURRENT != 0
            hit = hit and not flags & _IN_CUT_OUT
            hit = _traced(shadow, number, levels, state, row, up, _SHADOW, around) and hit
            hit = _traced(stroke, number, levels, state, row, up, _STROKE, around) and hit
            if external:  # they may colour every element inside; but hardly the element's own text
                hit = hit and state[_OWN_TEXTS, row] == last[row] - first[row]
            vanishes[0, row] = hit
            hit = hit and (
                _wins(color, row)
                or _wins(fill, row)
                or (_has(background, traits, row, _HIDES) if external else _wins(background, row))
            )
            vanishes[1, row] = hit


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _wins(winner: cython.const[cython.int][::1], row: cython.Py_ssize_t) -> cython.bint:
    return row < len(winner) and winner[row] > 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _own(
    winner: cython.const[cython.int][::1], number: cython.const[cython.int][::1], row: cython.Py_ssize_t
) -> cython.int:
    """The number of the colour that a row has by itself."""
    return number[winner[row]] if row < len(winner) and 0 <= winner[row] < len(number) else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _has(
    winner: cython.const[cython.int][::1],
    traits: cython.const[cython.uchar][::1],
    row: cython.Py_ssize_t,
    trait: cython.int,
) -> cython.bint:
    """Whether the entry that wins on a row has a trait."""
    return row < len(winner) and 0 <= winner[row] < len(traits) and traits[winner[row]] & trait != 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _alike(levels: cython.const[cython.int][::1], one: cython.int, other: cython.int) -> cython.bint:
    """Whether two colours look the same."""
    shift: cython.int
    step: cython.int
    if one == _ANY:
        return False
    if one == other:
        return True
    if not (0 <= one < len(levels) and 0 <= other < len(levels)) or levels[one] < 0 or levels[other] < 0:
        return False
    for shift in range(0, 24, 8):
        step = (levels[one] >> shift & 255) - (levels[other] >> shift & 255)
        if step > _MAX_LIKE_STEPS or step < -_MAX_LIKE_STEPS:
            return False
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _traced(
    winner: cython.const[cython.int][::1],
    number: cython.const[cython.int][::1],
    levels: cython.const[cython.int][::1],
    state: cython.int[:, ::1],
    row: cython.Py_ssize_t,
    up: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
    around: cython.int,
) -> cython.bint:
    """Whether no shadow or outline shows a text."""
    colour: cython.int = _NONE
    if _wins(winner, row):
        colour = _own(winner, number, row)
    elif up >= 0:
        colour = state[at, up]
    state[at, row] = colour
    return colour in (_NONE, _CLEAR) or _alike(levels, colour, around)
