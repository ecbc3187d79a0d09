"""Where the blocks and declarations of style sheets stand, read by one pass over their bytes (tokeniser.py)."""

from __future__ import annotations

from typing import NamedTuple

from thresher.css.text import spelled_out
from thresher.css.tokeniser import Properties, Tokeniser
from thresher.page.types import Ints

__all__ = ["Declarations", "Definitions", "Statements", "Structure", "StyleBlocks"]


class StyleBlocks(NamedTuple):
    """What stands in braces; a block is text[open:…], the text before it text[prelude:open]."""

    open: Ints
    prelude: Ints
    parent: Ints  # the block around; -1 at the top
    depth: Ints  # how many blocks stand around it, itself counted


class Declarations(NamedTuple):
    """Declarations of known properties: each is text[start:stop], white space before it, its value text[value:stop]."""

    block: Ints
    name: Ints  # the number of its property
    start: Ints
    value: Ints
    stop: Ints
    flags: Ints  # MAY_HIDE, IMPORTANT, VARIABLE


class Definitions(NamedTuple):
    """The definitions of variables: the name is text[start:last], the value text[value:stop]."""

    block: Ints
    hash: Ints  # of the name, its lower 31 bits
    start: Ints
    value: Ints
    stop: Ints
    last: Ints


class Statements(NamedTuple):
    """At-rules: text[start:stop], the block around each and the one that it opens, or -1."""

    start: Ints
    stop: Ints
    block: Ints
    opened: Ints


class Structure:
    """The blocks and declarations of some sheets, one after the other."""

    def __init__(self, sheets: list[bytes], properties: Properties) -> None:
        sheets = [spelled_out(sheet) + b"\n;" for sheet in sheets]  # ends what the sheet left open
        self.sizes = list(map(len, sheets))
        self.text = b"".join((*sheets, b"\0"))
        (blocks, declared, defined, statements), self.features = Tokeniser(self.text, properties).read(self.sizes)
        self.blocks = StyleBlocks(*blocks)
        self.declared = Declarations(*declared)
        self.defined = Definitions(*defined)
        self.statements = Statements(*statements)

    @property
    def nbytes(self) -> int:
        """What it takes of memory, roughly."""
        tables = (*self.blocks, *self.declared, *self.defined, *self.statements)
        return len(self.text) + sum(column.nbytes for column in tables)
