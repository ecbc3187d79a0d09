"""The columns of a page, built by walking selectolax's tree node by node.

Slow and obvious; `thresher.parse` must give the same.  Comments and processing instructions are passed over,
script and style elements are left out (but in templates, where nothing takes them out), the inside of raw-text
elements is left out except for xmp; the tags of plaintext are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from thresher.data.tags import BLOCK, RAW

PRESERVED = {"pre", "textarea", "listing", "xmp", "plaintext", "thresher-tex"}
BLANK = " \t\n\r\f\xa0" + "".join(map(chr, range(32)))


@dataclass
class Columns:
    name: list[str] = field(default_factory=list)
    attributes: list[dict[str, str]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    block: list[int] = field(default_factory=list)
    spaced: list[bool] = field(default_factory=list)


def columns(html: str | bytes) -> Columns:
    tree = LexborHTMLParser(html)
    dirty = _has_raw_text(tree.root)
    out = Columns()
    state = _State()
    # ("enter" | "leave" | "space", node, row of the parent, inside svg or math, inside a template, inside pre)
    todo: list[tuple] = [("enter", tree.root, -1, False, False, False)]
    while todo:
        action, node, parent, foreign, template, preserved = todo.pop()
        if action == "leave":
            out.end[parent] = len(out.name)
            out.last[parent] = len(out.text)
            state.boundary(node.tag in BLOCK)
            continue
        if isinstance(node, str):
            _add_text(out, state, node, parent, preserved)
            continue
        if not node.is_element_node:
            continue
        name = node.tag
        row = len(out.name)
        shadow = name == "template" and "shadowrootmode" in node.attributes  # which shows what is in it
        out.name.append("div" if shadow else name.lower())
        out.attributes.append({key: value or "" for key, value in node.attributes.items()})
        out.parent.append(parent)
        out.depth.append(out.depth[parent] + 1 if parent >= 0 else 0)
        out.end.append(row + 1)
        out.first.append(len(out.text))
        out.last.append(len(out.text))
        state.boundary(name in BLOCK, line_break=name == "br")
        # A template's content is a tree of its own, whatever stands around the template.
        holds_tree = _is_template(node)
        foreign = not holds_tree and (foreign or name in ("svg", "math"))
        inside = _merged(_children(node), template or holds_tree, dirty and foreign)
        if name in RAW and name != "xmp":
            inside = []
        if not _is_void(node):
            todo.append(("leave", node, row, foreign, template, preserved))
        below = (row, foreign, template or holds_tree, preserved or name in PRESERVED)
        todo += [("enter", child, *below) for child in reversed(inside)]
    return out


class _State:
    """What stands between two texts: block boundaries, line breaks, white space."""

    def __init__(self) -> None:
        self.blocks = -1
        self.fresh = True  # the next text starts a block
        self.after_break = False  # nothing but white space since a br, no tag either
        self.space = False

    def boundary(self, block: bool, line_break: bool = False) -> None:
        if block or (line_break and self.after_break):
            self.fresh = True
        self.after_break = line_break


def _add_text(out: Columns, state: _State, text: str, owner: int, preserved: bool) -> None:
    blank = not text.strip(BLANK)
    if not text:
        return
    if blank and not preserved:
        state.space = bool(out.text)  # there is nothing before the first text
        return
    state.after_break = state.after_break and blank
    if state.fresh:
        state.blocks += 1
        state.fresh = False
    out.block.append(state.blocks)
    out.spaced.append(state.space or text[0] in BLANK)
    state.space = text[-1] in BLANK
    out.text.append(text)
    out.owner.append(owner)


def _merged(children: list[LexborNode], template: bool, forgers_go: bool) -> list[LexborNode | str]:
    """Children with texts as strings; texts that only a removed element separated are one."""
    merged: list[LexborNode | str] = []
    todo = children[::-1]
    while todo:
        child = todo.pop()
        if child.tag in ("script", "style") and not template:
            continue
        if forgers_go and child.tag in RAW:
            continue
        if child.tag == "plaintext":
            todo += _children(child)[::-1]
            continue
        if not child.is_text_node:
            merged.append(child)
        elif merged and isinstance(merged[-1], str):
            merged[-1] += child.text_content or ""
        else:
            merged.append(child.text_content or "")
    return merged


def _is_template(node: LexborNode) -> bool:
    """Whether an element holds a tree of its own; one of that name in svg does not."""
    return node.tag == "template" and bool(node.template_fragments())


def _children(node: LexborNode) -> list[LexborNode]:
    if _is_template(node):
        node = node.template_fragments()[0]
    children = []
    child = node.first_child
    while child is not None:
        children.append(child)
        child = child.next
    return children


def _is_void(node: LexborNode) -> bool:
    """Void in the written form: lexbor writes no end tag."""
    return not (node.html or "").endswith(f"</{node.tag}>")


def _has_raw_text(root: LexborNode) -> bool:
    """Whether the page has raw text that the written form could not tell from tags (see scan._raw_text)."""
    todo = [(root, False, False)]
    while todo:
        node, template, foreign = todo.pop()
        if not node.is_element_node or (node.tag in ("script", "style") and not template):
            continue
        children = _children(node)
        if node.tag in RAW and (children or foreign or node.tag == "plaintext"):
            return True
        foreign = foreign or node.tag in ("svg", "math")
        todo += [(child, template or _is_template(node), foreign) for child in children]
    return False
