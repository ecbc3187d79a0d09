"""The declarations of the style attributes of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from thresher.css.cascade_entries import INLINE, CascadeEntries, Declared
from thresher.css.colour import colour_prefix, may_vanish
from thresher.css.conditionals import CONDITIONAL, without_conditionals
from thresher.css.hiding import Effect, effect_of, has_room, is_suspect, may_cut_off
from thresher.css.properties import NAMES, PROPERTIES, READERS, ROLES, SIZES_AND_LINES
from thresher.css.sheet import Sheet
from thresher.css.suspects import BACKGROUND, TEXT_COLOUR
from thresher.css.text import spelled_out, without_comments
from thresher.css.tokeniser import MAY_HIDE, Tokeniser
from thresher.css.values import Distinct
from thresher.css.variables import VAR_CALL, Variables, definitions
from thresher.page import Page, attributes, unescape
from thresher.page.types import Ints, Rows
from thresher.text.patterns import compile_later

__all__ = ["MAX_VALUES", "StyleAttributes"]

_MAX_BYTES = 1_000_000  # bytes of different style attributes
MAX_VALUES = 20_000  # different style attributes read per page
_MAX_ROWS_WITH_VARIABLES = 2_000  # for each of which the elements around are asked
_Place = tuple[int, int, int, int, int, int]  # a declaration, as the columns of the tokeniser have it
_PROPERTY = [READERS[name][0] for name in NAMES]
_CUTS = frozenset(number for number, name in enumerate(_PROPERTY) if name == "overflow")
_WITHOUT_ROOM = frozenset(number for number, name in enumerate(_PROPERTY) if name in SIZES_AND_LINES)


class StyleAttributes:
    """The declarations of all style attributes, those of equal ones once."""

    def __init__(self, page: Page, sheet: Sheet | None) -> None:
        numbered = attributes.numbered(page, "style")
        self.rows, self.number = numbered.row, numbered.code  # which of the values each row has that has any
        self.unread = False
        self._values: list[bytes] = []
        self._text = b""
        self._suspects: list[_Place] = []  # those that may hide
        self._others: list[_Place] = []
        self._backgrounds: list[_Place] = []
        self._roomy: dict[int, bool] = {}  # whether boxes with these values have room
        if not len(self.rows):
            return
        spans, markup = zip(numbered.start.tolist(), numbered.stop.tolist(), strict=True), page.markup
        self._values = [markup[start:stop] for start, stop in spans]
        text = b";".join(self._values)
        if len(text) > _MAX_BYTES or len(self._values) > MAX_VALUES or b"&" in text:
            self._values = self._read_values()
            text = b";".join(self._values)
        places = self._read_places()
        odd = self._odd(places) if b"\\" in text or b"(" in text else []
        if odd:
            self._spell_out(page, Variables(sheet), odd)
            places = self._read_places()
        for place in places:
            name = place[1]
            if ROLES[name] == BACKGROUND:
                self._backgrounds.append(place)
            if place[5] & MAY_HIDE or (name in _CUTS and self._text[place[3]] in b"hHcC"):
                self._suspects.append(place)
            else:
                self._others.append(place)

    def _read_places(self) -> list[_Place]:
        """Where the declarations stand in the text of all values."""
        self._text = b";".join((*self._values, b"\0"))
        sizes = [len(value) + 1 for value in self._values]
        return list(zip(*Tokeniser(self._text, PROPERTIES).read_attributes(sizes).tolist(), strict=True))

    def _odd(self, places: list[_Place]) -> list[int]:
        """The values in which something stands for something else: escapes, conditions, attributes, and variables in
        what is read."""
        odd = set()
        if any(map(self._text.__contains__, _ODD)):
            odd = {number for number, value in enumerate(self._values) if any(map(value.__contains__, _ODD))}
        if VAR_CALL in self._text:
            odd.update(place[0] for place in places if VAR_CALL in self._text[place[3] : place[4]])
        return sorted(odd)

    def _read_values(self) -> list[bytes]:
        """The values without the escapes of the markup, as many as are read."""
        left = _MAX_BYTES
        read: list[bytes] = []
        for value in self._values[:MAX_VALUES]:
            value = unescape(value.decode()).encode() if b"&" in value else value
            left -= len(value)
            if left < 0:
                break
            read.append(value)
        if len(read) < len(self._values):
            self.unread = True
            is_read = self.number < len(read)
            self.rows, self.number = self.rows[is_read], self.number[is_read]
        return read

    def _spell_out(self, page: Page, variables: Variables, odd: list[int]) -> None:
        """Replace in some values what stands for something else."""
        given = list(self._values)
        self.number = self.number.copy()
        same = Distinct(given, self.rows.astype(np.intp), self.number.astype(np.intp))
        around: _Around | None = None
        for number in odd:
            value = given[number]
            if CONDITIONAL in value:
                value = without_conditionals(value)
            if _ATTRIBUTE_CALL in value:
                self._replace(number, _with_attributes(page, value, same.of(number)))
            elif VAR_CALL not in value:
                self._values[number] = spelled_out(value)
            else:
                around = around or _Around(page, given, self.rows, self.number)
                if around.defined:
                    self._replace(number, around.expanded(variables, value, same.of(number)))
                else:
                    self._values[number] = spelled_out(variables.expanded_attribute(value))

    def _replace(self, number: int, read: Iterable[tuple[bytes, Rows]]) -> None:
        """Put in the place of a value those that its rows have, some one and some another."""
        self._values[number] = b""
        for value, rows in read:
            self.number[self.rows.searchsorted(rows)] = len(self._values)
            self._values.append(spelled_out(value))

    def backgrounds(self) -> set[int]:
        """The prefixes of all backgrounds."""
        return {colour_prefix(self._value(place)) for place in self._backgrounds}

    def enter_hiding(self, entries: CascadeEntries, backgrounds: set[int]) -> None:
        """Enter the declarations that hide, and the text colours that may be those of one of the backgrounds."""
        chosen: list[tuple[_Place, Effect]] = []
        for place in self._suspects:
            effect = self._effect(place) if self._may_hide(place, backgrounds) else None
            if effect is not None and is_suspect(effect):
                chosen.append((place, effect))
            else:
                self._others.append(place)
        self._enter(entries, chosen)

    def enter_answering(self, entries: CascadeEntries, in_play: set[str]) -> None:
        """Enter the others that set a property in play."""
        wanted = [name in in_play for name in _PROPERTY]
        read = ((place, self._effect(place)) for place in sorted(self._others) if wanted[place[1]])
        self._enter(entries, [(place, effect) for place, effect in read if effect is not None])

    def _enter(self, entries: CascadeEntries, chosen: list[tuple[_Place, Effect]]) -> None:
        if chosen:
            declared = [Declared(effect, self._text[place[2] : place[4]], INLINE) for place, effect in chosen]
            places = [(place[0], place[2]) for place, _ in chosen]
            entries.enter_attributes(declared, places, self.rows, self.number, len(self._values))

    def _may_hide(self, place: _Place, backgrounds: set[int]) -> bool:
        name = place[1]
        if ROLES[name] == TEXT_COLOUR:
            return may_vanish(self._value(place), backgrounds)
        return name not in _CUTS or may_cut_off(self._value(place), self._values[place[0]])

    def _effect(self, place: _Place) -> Effect | None:
        """What a declaration says; None where it says nothing."""
        number, name, start, _, stop, _ = place
        if name in _WITHOUT_ROOM:
            if number not in self._roomy:
                self._roomy[number] = has_room(self._values[number])
            if self._roomy[number]:
                return None
        return effect_of(self._text[start:stop])

    def _value(self, place: _Place) -> bytes:
        """What stands behind the colon."""
        value = self._text[place[3] : place[4]]
        return (without_comments(value, b" ") if b"/*" in value else value).strip().lower()


_ATTRIBUTE_CALL = b"attr("
_ATTRIBUTE = compile_later(rb"attr\(\s*([\w-]+)\s*(?:type\([^()]*\)|([a-z%]*))\s*(?:,\s*([^(),]*))?\)")
_ODD = (b"\\", _ATTRIBUTE_CALL, CONDITIONAL)
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

    def __init__(self, page: Page, values: list[bytes], rows: Ints, number: Ints) -> None:
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
