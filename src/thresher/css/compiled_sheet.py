"""Style sheets made ready for pages: their selectors and declarations as columns.

A crawl sees the same sheets on page after page: those read last are kept, up to some megabytes.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from threading import Lock

from thresher.css.sheet import Sheet
from thresher.css.sheet_declarations import SheetDeclarations
from thresher.css.sheet_selectors import SheetSelectors
from thresher.css.tokeniser import Properties

__all__ = ["CompiledSheet", "read_sheets"]

_MAX_KEPT_BYTES = 24_000_000  # of the sheets that were read last, with their columns


class CompiledSheet(Sheet):
    """A sheet with its columns."""

    @cached_property
    def selectors(self) -> SheetSelectors:
        return SheetSelectors(self)

    @cached_property
    def declarations(self) -> SheetDeclarations:
        return SheetDeclarations(self)

    @property
    def nbytes(self) -> int:
        """What it takes of memory, roughly."""
        size = self.structure.nbytes + self.declarations.nbytes
        return size + (self.selectors.nbytes if "selectors" in vars(self) else 0)


class _Kept:
    """The sheets that were read last, by their texts."""

    def __init__(self) -> None:
        self._sheets: OrderedDict[tuple[bytes, ...], CompiledSheet] = OrderedDict()
        self._lock = Lock()

    def read(self, sheets: list[bytes], properties: Properties) -> CompiledSheet:
        key = tuple(sheets)
        with self._lock:
            if key in self._sheets:
                self._sheets.move_to_end(key)
                return self._sheets[key]
        sheet = CompiledSheet(sheets, properties)
        with self._lock:
            self._sheets.setdefault(key, sheet)
            size = sum(kept.nbytes for kept in self._sheets.values())
            while size > _MAX_KEPT_BYTES:
                size -= self._sheets.popitem(last=False)[1].nbytes
        return sheet


_kept = _Kept()


def read_sheets(sheets: list[bytes], properties: Properties) -> CompiledSheet:
    """Some style sheets, read as one; the same ones, always with the same properties, are read once."""
    return _kept.read(sheets, properties)
