"""The selectors of a sheet's rules: one table of them, and whether and how strongly each rule applies."""

from __future__ import annotations

import numpy as np

from thresher.css.rule_kernels import APPLIES, DROPPED, UNKNOWN
from thresher.css.selector_reader import UNSURE, read_preludes, read_selectors
from thresher.css.selector_table import SelectorTable, table_room
from thresher.css.sheet import UNLAYERED, Sheet
from thresher.css.tokeniser import SCOPED
from thresher.page.types import Bools, Ints

__all__ = ["SheetSelectors"]

_MAX_WRITTEN_BYTES = 2_000_000  # of selectors that do not stand in the sheet as they are to be read


class SheetSelectors:
    """The selectors before the blocks with declarations; those of block b are first[b]:last[b] of the table."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        open_, prelude, parent, _ = sheet.structure.blocks
        count = len(open_)
        self._kinds = np.zeros(count, np.uint8)
        self._kinds[sheet.declared.block] = UNSURE
        self._around = np.empty(count, np.int32)
        table = table_room(int((open_ - prelude).sum()) + count + 1)
        if sheet.structure.features & SCOPED:
            prelude = np.where(self._in_limited_scopes(parent), np.int32(-1), prelude)  # to be written out
        bounds, self._is_free = np.empty((2, count), np.int32), np.empty(count, np.uint8)
        counts = read_preludes(
            sheet.text, prelude.data, open_.data, parent.data, self._around.data, self._kinds.data, bounds.data,
            self._is_free.data, table.data,
        )  # fmt: skip
        self.first, self.last = bounds
        written, blocks = self._written()
        text = sheet.text
        if written:
            last = -1
            for number, block in enumerate(blocks, counts[0]):
                if block != last:
                    self.first[block] = number
                self.last[block], last = number + 1, block
            text, table, counts = _add(text, table, counts, written, blocks)
        self.table = SelectorTable(text, table, counts, self._outer)
        self.state = self._is_free * (parent < 0)  # what is known of each rule: APPLIES or UNKNOWN
        self.strength = np.full(count, UNLAYERED, np.int32)

    def _in_limited_scopes(self, parent: Ints) -> Bools:
        """The blocks in scopes that end at some elements."""
        outer = {block: self._sheet.outer(block) for block in set(parent.tolist())}
        limited = [block for block, rule in outer.items() if rule is not None and rule.limits]
        return np.isin(parent, limited)

    @property
    def nbytes(self) -> int:
        """What it takes of memory, roughly."""
        return self.table.nbytes + 12 * len(self.first)

    def _written(self) -> tuple[list[bytes], list[int]]:
        """Selectors that are written otherwise than they are to be read, with comments in them or in a rule that they
        speak of, and their blocks."""
        written, blocks, left = [], [], _MAX_WRITTEN_BYTES
        for block in np.flatnonzero(self._kinds == UNSURE).tolist():
            rule = self._sheet.rule(block) if left > 0 else None
            for selector in () if rule is None else rule.selectors:
                left -= len(selector)
                written.append(selector)
                blocks.append(block)
        return written, blocks

    def _outer(self, block: int) -> bytes:
        rule = self._sheet.outer(block)
        return b"" if rule is None else b":is(" + b",".join(rule.selectors) + b")"

    def text(self, selector: int) -> bytes:
        """A selector; in a rule, with that rule."""
        begin, end = int(self.table.begin[selector]), int(self.table.end[selector])
        around, text = int(self._around[self.table.block[selector]]), self.table.text[begin:end]
        if around < 0 or begin >= len(self._sheet.text):
            return text
        outer = self._outer(around)
        return text.replace(b"&", outer) if b"&" in text else outer + b" " + text

    def decide(self, blocks: Ints) -> None:
        """Find out which of some blocks are those of rules that apply, and how strong these are."""
        state = self.state
        for block in set(blocks[state[blocks] == UNKNOWN].tolist()):
            sheet = self._sheet
            if self._is_free[block]:
                rule = sheet.outer(sheet.parent(block))
            else:
                rule = sheet.rule(block)
                if rule is not None and len(rule.selectors) > 1 and not sheet.is_valid(block):
                    rule = None
            if rule is not None:
                self.strength[block] = sheet.strength(rule)
            state[block] = DROPPED if rule is None else APPLIES


def _add(
    text: bytes, table: Ints, counts: tuple[int, int, int], selectors: list[bytes], blocks: list[int]
) -> tuple[bytes, Ints, tuple[int, int, int]]:
    """A text and the table of its selectors, with some more behind."""
    end = np.cumsum([len(selector) for selector in selectors], dtype=np.int32) + np.int32(len(text))
    begin = np.append(np.int32(len(text)), end[:-1])
    text += b"".join(selectors)
    filled = max(counts)
    larger = table_room(filled + int(end[-1] - begin[0]) + len(selectors) + 1)
    larger[:, :filled] = table[:, :filled]
    block = np.array(blocks, np.int32)
    return text, larger, read_selectors(text, begin.data, end.data, block.data, larger.data, counts)
