"""What the reader of a property's values says of one of them."""

from __future__ import annotations

from collections.abc import Callable

__all__ = [
    "BY_ELEMENT", "DOUBLE_SHIFT", "FROM_BEHIND", "IF_CUT", "IF_FIXED", "IF_NO_LARGER", "ONLY_UP", "Outcome",
    "ValueReader",
]  # fmt: skip

# Hides or not; a colour; a share; None: not valid, or nothing of its own.
Outcome = bool | int | bytes | float | None
ValueReader = Callable[[bytes], Outcome]

# Shares of values that hide in company: below 1, as those of an opacity that fades.
IF_FIXED = 0.5  # a side that is out of sight where the box is fixed to the window
IF_NO_LARGER = -3.0  # a side that is out of sight where the box is fixed and no larger than that
IF_CUT = 0.5  # what hides where the box cuts off what does not fit
ONLY_UP = 0.5  # margins that move a box up, but not a piece of a line
BY_ELEMENT = 0.5  # a mask or clip path that an element of the page says
FROM_BEHIND = -1.0  # a box that is turned to show its back
DOUBLE_SHIFT = -2.0  # a box that is shifted by twice its width to the left
