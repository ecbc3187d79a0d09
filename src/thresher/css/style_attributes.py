"""The declarations of the style attributes of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from thresher.css.cascade_entries import INLINE, CascadeEntries, Declared
from thresher.css.colour import colour_prefix, may_vanish
from thresher.css.hiding import Effect, InlineDeclaration, effect_of, inline_declarations, is_suspect
from thresher.css.text import spelled_out
from thresher.css.values import distinct
from thresher.css.variables import VAR_CALL, Variables, definitions
from thresher.page import Page
from thresher.page.types import Rows

__all__ = ["MAX_VALUES", "StyleAttributes"]

_MAX_BYTES = 1_000_000  # bytes of different style attributes
MAX_VALUES = 20_000  # different style attributes read per page
_MAX_ROWS_WITH_VARIABLES = 2_000  # for each of which the elements around are asked


class StyleAttributes:
    """The declarations of all style attributes, equal ones at the same place in their attribute taken together."""

    def __init__(self, page: Page, entries: CascadeEntries, variables: Variables) -> None:
        self.entries = entries
        self.style_values = distinct(page, "style")
        self.declarations: dict[tuple[int, InlineDeclaration], list[int]] = {}  # the values that have each
        self._others: list[Rows] = []  # the rows of values that are read otherwise by what is around them
        left = _MAX_BYTES
        values = self.style_values.values[:MAX_VALUES]
        around = _Around(page, values, self.style_values.rows, self.style_values.number)
        for number, value in enumerate(values):
            left -= len(value)
            if left < 0:
                break
            if VAR_CALL not in value:
                self._add(value, number)
            elif not around.defined:
                self._add(variables.expanded_attribute(value), number)
            else:
                for written, rows in around.expanded(variables, value, self.style_values.of(number)):
                    self._add(written, len(self.style_values.values) + len(self._others))
                    self._others.append(rows)
        self.unread = left < 0 or len(self.style_values.values) > MAX_VALUES

    def _add(self, value: bytes, number: int) -> None:
        for place in enumerate(inline_declarations(spelled_out(value))):
            self.declarations.setdefault(place, []).append(number)

    def backgrounds(self) -> set[int]:
        """The prefixes of all backgrounds."""
        return {
            colour_prefix(declaration.value)
            for _, declaration in self.declarations
            if declaration.property == "background"
        }

    def enter_hiding(self, backgrounds: set[int]) -> None:
        """Enter the declarations that hide, and the text colours that may be those of one of the backgrounds."""
        for (order, declaration), numbers in list(self.declarations.items()):
            coloured = declaration.property in ("color", "text-fill")
            if declaration.may_hide and (not coloured or may_vanish(declaration.value, backgrounds)):
                effect = effect_of(declaration.text)
                if effect is not None and is_suspect(effect):
                    self._enter(order, declaration, effect, numbers)
                    del self.declarations[order, declaration]

    def enter_answering(self, in_play: set[str]) -> None:
        """Enter the others that set a property in play."""
        for (order, declaration), numbers in self.declarations.items():
            effect = effect_of(declaration.text) if declaration.property in in_play else None
            if effect is not None:
                self._enter(order, declaration, effect, numbers)

    def _enter(self, order: int, declaration: InlineDeclaration, effect: Effect, numbers: list[int]) -> None:
        count = len(self.style_values.values)
        rows = self.style_values.of_any([number for number in numbers if number < count])
        others = [self._others[number - count] for number in numbers if number >= count]
        rows = np.sort(np.concatenate((rows, *others))) if others else rows
        self.entries.enter(Declared(effect, declaration.text, INLINE), rows, order)


class _Around:
    """The variables that style attributes define for what is inside."""

    def __init__(self, page: Page, values: list[bytes], rows: Rows, number: Rows) -> None:
        self._parent = page.parent
        defining = {place: definitions(value) for place, value in enumerate(values) if b"--" in value}
        self.defined = {}
        if any(defining.values()):
            pairs = zip(rows.tolist(), number.tolist(), strict=True)
            self.defined = {row: defining[place] for row, place in pairs if defining.get(place)}
        self._left = _MAX_ROWS_WITH_VARIABLES

    def expanded(self, variables: Variables, value: bytes, rows: Rows) -> Iterator[tuple[bytes, Rows]]:
        """A style attribute as it is to be read on some rows, and these."""
        groups: dict[bytes, list[int]] = {}
        for row in rows.tolist():
            self._left -= 1
            around = self._defining(row) if self._left > 0 else _NOWHERE
            groups.setdefault(variables.expanded_attribute(value, around), []).append(row)
        for written, some in groups.items():
            yield written, np.array(some, np.intp)

    def _defining(self, row: int) -> Callable[[bytes], bytes | None]:
        """What the elements around a row define."""

        def define(name: bytes) -> bytes | None:
            above = int(self._parent[row])
            for _ in range(_MAX_DEPTH):
                if above < 0 or name in self.defined.get(above, _NONE):
                    break
                above = int(self._parent[above])
            return self.defined.get(above, _NONE).get(name)

        return define


_NONE: dict[bytes, bytes] = {}
_NOWHERE = _NONE.get
_MAX_DEPTH = 200  # elements around one of which the nearest that defines a variable is looked for
