"""Declarative shadow roots: `<div><template shadowrootmode="open">…</template>…</div>`, as a reader sees them.

A browser shows the content of the template below its host, and the host's own children where a slot takes them: that is
the flat tree, which rendered pages have too.  Canonical markup is written anew with

    the template where it stands, and its content in it;
    a slot that something is assigned to with that in it, and `slotted` on its tag;
    what no slot takes, and what stands in a slot for the case that nothing is assigned, in a plain template: unseen.

A style sheet in a shadow root holds for that root only; islands have its number, in the order of the new markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from thresher.data.tags import RAW, VOID
from thresher.page.page import Island
from thresher.text.patterns import compile_later

__all__ = ["SHADOW_ATTRIBUTE", "SLOTTED_ATTRIBUTE", "flatten_shadows"]

SHADOW_ATTRIBUTE, SLOTTED_ATTRIBUTE = "shadowrootmode", "slotted"
# Elements beside those with a hyphen in their name that may be hosts.
_HOSTS = frozenset(b"article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split())
_RAW = frozenset(name.encode() for name in RAW)
_VOID = frozenset(name.encode() for name in VOID)
_TAG = compile_later(rb"<!--.*?-->|<(/?)([a-zA-Z][^\s/>]*)((?:\s+[^\s=>]+(?:=\"[^\"]*\")?)*)\s*>", re.DOTALL)
_ATTRIBUTE = compile_later(rb"\s([^\s=>]+)(?:=\"([^\"]*)\")?")


@dataclass(eq=False, slots=True)
class _Element:
    """An element: its tag and what is in it, texts and comments as they stand."""

    name: bytes
    tag: bytes
    content: list[_Element | bytes] = field(default_factory=list)

    def attribute(self, name: bytes) -> bytes | None:
        found = (match[2] or b"" for match in _ATTRIBUTE.finditer(self.tag) if match[1] == name)
        return next(found, None)

    @property
    def shadow_root(self) -> _Element | None:
        """The first template in it that is its shadow root."""
        if self.name not in _HOSTS and b"-" not in self.name:
            return None
        return next((child for child in self.content if isinstance(child, _Element) and child.is_shadow_root), None)

    @property
    def is_shadow_root(self) -> bool:
        return self.name == b"template" and (self.attribute(_SHADOW) or b"").lower() in (b"open", b"closed")


_SHADOW, _SLOTTED = SHADOW_ATTRIBUTE.encode(), SLOTTED_ATTRIBUTE.encode()


class _Scope:
    """A shadow root: what its slots may take."""

    def __init__(self, number: int, around: _Scope | None, children: list[_Element | bytes]) -> None:
        self.number = number
        self.around = around  # where the host stands
        self.assigned: dict[bytes, list[_Element | bytes]] = {}
        for child in children:
            name = b"" if isinstance(child, bytes) else child.attribute(b"slot") or b""
            self.assigned.setdefault(name, []).append(child)


_Step = bytes | tuple["_Element | bytes", "_Scope | None"] | Callable[[], list["_Step"]]


class _Writer:
    """The flat tree on its way; steps that are left stand on a stack, the next one last."""

    def __init__(self) -> None:
        self.islands: list[Island] = []
        self._roots = 0

    def pieces(self, content: list[_Element | bytes]) -> Iterator[bytes]:
        stack: list[_Step] = [(node, None) for node in reversed(content)]
        while stack:
            step = stack.pop()
            if isinstance(step, bytes):
                yield step
            elif callable(step):
                stack += reversed(step())
            elif isinstance(step[0], bytes):
                yield step[0]
            else:
                stack += reversed(self._element(step[0], step[1]))

    def _element(self, element: _Element, scope: _Scope | None) -> list[_Step]:
        root = element.shadow_root
        if root is not None:
            return self._host(element, root, scope)
        if scope is not None and element.name in (b"style", b"script"):
            self._take_island(element, scope)
            return []
        tag, inside = element.tag, _within(element.content, scope)
        if element.is_shadow_root or element.attribute(_SLOTTED) is not None:  # no root, and nothing was assigned
            tag = _MARKS.sub(rb" data-\1", tag)
        if scope is not None and element.name == b"slot":
            taken = scope.assigned.pop(element.attribute(b"name") or b"", [])
            if any(not isinstance(node, bytes) or node.strip() for node in taken):
                tag = b"<slot " + _SLOTTED + b'=""' + tag[len(b"<slot") :]
                inside = [*_within(taken, scope.around), *_unseen(inside)]
        return [tag, *inside, *_closing(element)]

    def _host(self, host: _Element, root: _Element, scope: _Scope | None) -> list[_Step]:
        inner = _Scope(self._roots, scope, [node for node in host.content if node is not root])
        self._roots += 1

        def rest() -> list[_Step]:
            left = [node for nodes in inner.assigned.values() for node in nodes]
            return _unseen(_within(left, scope))

        return [host.tag, root.tag, *_within(root.content, inner), b"</template>", rest, *_closing(host)]

    def _take_island(self, element: _Element, scope: _Scope) -> None:
        if element.name == b"style":
            from html import unescape  # with a table of all names

            kind, media = (unescape((element.attribute(name) or b"").decode(errors="replace")) for name in _OF_SHEETS)
            text = b"".join(piece for piece in element.content if isinstance(piece, bytes)).decode(errors="replace")
            text = f"@media {media} {{ {text} }}" if media.strip() else text
            self.islands.append(Island("style", kind.strip().lower(), "", text, scope.number))


_OF_SHEETS = (b"type", b"media")
_MARKS = compile_later(rb"\s(shadowrootmode|slotted)(?==)")


def _within(content: list[_Element | bytes], scope: _Scope | None) -> list[_Step]:
    return [(node, scope) for node in content]


def _unseen(steps: list[_Step]) -> list[_Step]:
    return [b"<template>", *steps, b"</template>"] if steps else []


def _closing(element: _Element) -> list[_Step]:
    return [] if element.name in _VOID else [b"</" + element.name + b">"]


def _read(markup: bytes) -> list[_Element | bytes]:
    """The tree of canonical markup."""
    top: list[_Element | bytes] = []
    opened: list[_Element] = []
    at = 0
    while match := _TAG.search(markup, at):
        content = opened[-1].content if opened else top
        if match.start() > at:
            content.append(markup[at : match.start()])
        at = match.end()
        name = match[2]
        if name is None:
            content.append(match[0])
        elif match[1]:
            while name not in _VOID and opened and opened.pop().name != name:
                pass
        else:
            element = _Element(name, match[0])
            content.append(element)
            if name in _RAW:
                end = markup.find(b"</" + name + b">", at)
                end = len(markup) if end < 0 else end
                element.content.append(markup[at:end])
                at = end + len(name) + 3
            elif name not in _VOID:
                opened.append(element)
    return [*top, markup[at:]]


def flatten_shadows(markup: bytes) -> tuple[bytes, list[Island]]:
    """Canonical markup as the flat tree, and the style sheets that stood in its shadow roots."""
    writer = _Writer()
    return b"".join(writer.pieces(_read(markup))), writer.islands
