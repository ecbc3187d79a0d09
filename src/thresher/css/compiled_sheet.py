"""Style sheets made ready for pages: their selectors and declarations as columns.

A crawl sees the same sheets on page after page: those read last are kept, up to some megabytes.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from thresher.css.sheet import Sheet
from thresher.css.sheet_declarations import SheetDeclarations
from thresher.css.sheet_selectors import SheetSelectors
from thresher.css.tokeniser import Properties

__all__ = ["CompiledSheet", "read_sheets"]

_MAX_KEPT_BYTES = 24_000_000  # of the sheets that were read last, with their columns
_OBJECT_BYTES = 20_000  # of the arrays and views of a sheet, and what is remembered of it, however short it is


class CompiledSheet(Sheet):
    """A sheet with its columns, and what they take of memory, roughly."""

    def __init__(self, sheets: list[bytes], properties: Properties) -> None:
        super().__init__(sheets, properties)
        self.selectors = SheetSelectors(self)
        self.declarations = SheetDeclarations(self)
        columns = self.structure.nbytes + self.selectors.nbytes + self.declarations.nbytes
        self.nbytes = columns + sum(map(len, sheets)) + _OBJECT_BYTES


class _Kept:
    """The sheets that were read last, by their texts."""

    def __init__(self) -> None:
        self._sheets: OrderedDict[tuple[bytes, ...], CompiledSheet] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def read(self, sheets: list[bytes], properties: Properties) -> CompiledSheet:
        key = tuple(sheets)
        with self._lock:
            if key in self._sheets:
                self._sheets.move_to_end(key)
                return self._sheets[key]
        sheet = CompiledSheet(sheets, properties)
        with self._lock:
            if key not in self._sheets:
                self._sheets[key] = sheet
                self._bytes += sheet.nbytes
            while self._bytes > _MAX_KEPT_BYTES:
                self._bytes -= self._sheets.popitem(last=False)[1].nbytes
        return sheet


_kept = _Kept()


def read_sheets(sheets: list[bytes], properties: Properties) -> CompiledSheet:
    """Some style sheets, read as one; the same ones, always with the same properties, are read once."""
    return _kept.read(sheets, properties)
