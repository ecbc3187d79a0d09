"""The declarations of the style attributes of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from thresher.css.cascade_entries import INLINE, CascadeEntries, Declared
from thresher.css.colour import colour_prefix, may_vanish
from thresher.css.conditionals import CONDITIONAL, without_conditionals
from thresher.css.hiding import Effect, InlineDeclaration, effect_of, inline_declarations, is_suspect
from thresher.css.text import spelled_out
from thresher.css.values import distinct
from thresher.css.variables import VAR_CALL, Variables, definitions
from thresher.page import Page
from thresher.page.types import Rows
from thresher.text.patterns import compile_later

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
        self._others: list[Rows] = []  # the rows of values that are not read alike on all elements
        left = _MAX_BYTES
        values = self.style_values.values[:MAX_VALUES]
        around = _Around(page, values, self.style_values.rows, self.style_values.number)
        for number, value in enumerate(values):
            left -= len(value)
            if left < 0:
                break
            if CONDITIONAL in value:
                value = without_conditionals(value)
            if _ATTRIBUTE_CALL in value:
                self._add_for_rows(_with_attributes(page, value, self.style_values.of(number)))
            elif VAR_CALL not in value:
                self._add(value, number)
            elif not around.defined:
                self._add(variables.expanded_attribute(value), number)
            else:
                self._add_for_rows(around.expanded(variables, value, self.style_values.of(number)))
        self.unread = left < 0 or len(self.style_values.values) > MAX_VALUES

    def _add(self, value: bytes, number: int) -> None:
        for place in enumerate(inline_declarations(spelled_out(value))):
            self.declarations.setdefault(place, []).append(number)

    def _add_for_rows(self, read: Iterable[tuple[bytes, Rows]]) -> None:
        """Add a style attribute that some rows read in one way, and others in another."""
        for written, rows in read:
            self._add(written, len(self.style_values.values) + len(self._others))
            self._others.append(rows)

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


_ATTRIBUTE_CALL = b"attr("
_ATTRIBUTE = compile_later(rb"attr\(\s*([\w-]+)\s*(?:type\([^()]*\)|([a-z%]*))\s*(?:,\s*([^(),]*))?\)")
_MAX_ROWS_WITH_ATTRIBUTES = 200  # that have the same style attribute


def _with_attributes(page: Page, value: bytes, rows: Rows) -> Iterator[tuple[bytes, Rows]]:
    """A style attribute with what stands in the attributes of each row: `opacity: attr(data-x type(<number>))`."""
    for row in rows[:_MAX_ROWS_WITH_ATTRIBUTES].tolist():
        given = page.attributes(row)

        def read(match: re.Match[bytes], given: Mapping[str, str] = given) -> bytes:
            value = given.get(match[1].decode())
            if value is None:
                return match[3] if match[3] is not None else match[0]
            return value.strip().encode() + (match[2] or b"" if match[2] not in (b"number", b"string") else b"")

        yield _ATTRIBUTE.sub(read, value), np.array([row], np.intp)
    if len(rows) > _MAX_ROWS_WITH_ATTRIBUTES:
        yield value, rows[_MAX_ROWS_WITH_ATTRIBUTES:]


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
