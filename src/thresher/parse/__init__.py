"""Bytes -> Page.

encoding/   bytes -> UTF-8: what encoding is it really?
kind        what an input is when it is no HTML page (fragment: a piece of a page is one)
plaintext   plain text and Markdown as a page, when asked for
limits      budgets for bytes, tags and depth
budget/     a source cut down to them before it is parsed
parse       lexbor builds the tree and writes it out once
scan        the columns of a page, read off that canonical form (tagnames: names of tags as numbers)
"""

from __future__ import annotations

from thresher.parse.parse import parse

__all__ = ["parse"]
