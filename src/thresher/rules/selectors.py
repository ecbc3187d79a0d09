"""CSS selectors for an element: by its id, its classes, its tag, or its path from an element that has these.

    nav#menu    div.sidebar    footer    div#main > ul > li

Names that only one page has (post-1234) are named here, too; who asks whether a selector matches other pages finds out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from thresher.page import Page, attributes

__all__ = ["ElementSelectors", "escape_name"]

# Elements whose tag says what they are for.
_SEMANTIC_TAGS = frozenset("nav header footer aside main article form menu dialog search address".split())
_MAX_CLASSES = 4  # in one selector
_MAX_STEPS = 4  # from an element up to one with an id or a class
_TAG = re.compile(r"[a-z][a-z0-9-]*")
_NAME = re.compile(r"[-\w:/.@%+!]{1,80}")  # others, `w-[3px]` and `a,b` among them, are awkward to read and to write
_TO_ESCAPE = re.compile(r"[:/.@%+!]")


class ElementSelectors:
    """Selectors for the elements of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._ids = attributes.values(page, "id")
        self._classes = attributes.values(page, "class")
        self._known: dict[int, list[str]] = {}

    def own(self, row: int) -> list[str]:
        """Selectors by the element's own id, classes and tag, the most telling first; none for one without a name."""
        if row not in self._known:
            self._known[row] = list(self._own(row))
        return self._known[row]

    def all(self, row: int) -> list[str]:
        """The same, and the path from the nearest ancestor that has an id, a class or a semantic tag."""
        return [*self.own(row), *self._by_ancestor(row)]

    def _own(self, row: int) -> Iterator[str]:
        tag = self.page.name(row)
        if not _TAG.fullmatch(tag):
            return
        name = self._ids.get(row, "")
        if _NAME.fullmatch(name):
            yield f"{tag}#{escape_name(name)}"
        classes = [
            f".{escape_name(name)}"
            for name in dict.fromkeys(self._classes.get(row, "").split())
            if _NAME.fullmatch(name)
        ]
        yield from (tag + name for name in classes)
        if 1 < len(classes) <= _MAX_CLASSES:
            yield tag + "".join(classes)
        if tag in _SEMANTIC_TAGS:
            yield tag

    def _by_ancestor(self, row: int) -> Iterator[str]:
        page = self.page
        steps = page.name(row)
        for above in list(page.ancestors(row))[:_MAX_STEPS]:
            if not _TAG.fullmatch(steps.partition(" ")[0]):
                return
            names = self.own(above) or (["body"] if page.name(above) == "body" else [])
            if names:
                yield from (f"{name} > {steps}" for name in names)
                return
            steps = f"{page.name(above)} > {steps}"


def escape_name(name: str) -> str:
    """A class or id as it is written in a selector: `md:flex` is `md\\:flex`, `2col` is `\\32 col`."""
    rest = _TO_ESCAPE.sub(lambda match: f"\\{match[0]}", name[1:])
    if "0" <= name[0] <= "9":
        return f"\\{ord(name[0]):x} {rest}"
    starts_number = name[0] == "-" and (not rest or "0" <= rest[0] <= "9")
    return f"\\{name[0]}{rest}" if starts_number or _TO_ESCAPE.match(name) else name[0] + rest
