"""Style sheets made ready for pages: their selectors and declarations as columns.

A crawl sees the same sheets on page after page: those read last are kept, up to some megabytes.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from threading import Lock

from thresher.css.page_sheets import Source, written, written_at_length
from thresher.css.sheet import Sheet
from thresher.css.sheet_declarations import SheetDeclarations
from thresher.css.sheet_selectors import SheetSelectors
from thresher.css.tokeniser import IMPORTING, Properties

__all__ = ["CompiledSheet", "read_sheets"]

_MAX_KEPT_BYTES = 24_000_000  # of the sheets that were read last, with their columns
_OBJECT_BYTES = 20_000  # of the arrays and views of a sheet, and what is remembered of it, however short it is


class CompiledSheet(Sheet):
    """A sheet with its columns, and what they take of memory, roughly."""

    def __init__(self, sources: tuple[Source, ...], properties: Properties) -> None:
        super().__init__(list(map(written, sources)), properties)
        self.source = list(range(len(sources)))  # of which each sheet is
        if self._has_more_than_rules():
            sheets = [(text, number) for number, source in enumerate(sources) for text in written_at_length(source)]
            super().__init__([text for text, _ in sheets], properties)
            self.source = [number for _, number in sheets]
        self.selectors = SheetSelectors(self)
        self.declarations = SheetDeclarations(self)
        columns = self.structure.nbytes + self.selectors.nbytes + self.declarations.nbytes
        self.nbytes = columns + sum(sys.getsizeof(text) for text, _ in sources) + _OBJECT_BYTES

    def _has_more_than_rules(self) -> bool:
        """Whether a sheet has scopes, conditions, or imports of sheets that are written out in their addresses."""
        features = self.structure.features
        if features != IMPORTING:
            return features != 0
        start, stop = self.structure.statements[:2]
        places = zip(start.tolist(), stop.tolist(), strict=True)
        return any(b"data:text/css" in self.text[begin:end].lower() for begin, end in places)


class _Kept:
    """The sheets that were read last, by their texts: what is to be done to these is done once."""

    def __init__(self) -> None:
        self._sheets: OrderedDict[tuple[Source, ...], CompiledSheet] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def read(self, sources: tuple[Source, ...], properties: Properties) -> CompiledSheet:
        with self._lock:
            sheet = self._sheets.get(sources)
            if sheet is not None:
                self._sheets.move_to_end(sources)
                return sheet
        sheet = CompiledSheet(sources, properties)
        with self._lock:
            if sources not in self._sheets:
                self._sheets[sources] = sheet
                self._bytes += sheet.nbytes
            while self._bytes > _MAX_KEPT_BYTES:
                self._bytes -= self._sheets.popitem(last=False)[1].nbytes
        return sheet


_kept = _Kept()


def read_sheets(sources: tuple[Source, ...], properties: Properties) -> CompiledSheet:
    """Some style sheets, read as one; the same ones, always with the same properties, are read once."""
    return _kept.read(sources, properties)
