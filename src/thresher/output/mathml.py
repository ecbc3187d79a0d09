"""Presentation MathML -> TeX, for formulas that carry no TeX of their own (MathJax 3 leaves only this).

    mfrac a b       \\frac{a}{b}            msqrt a …        \\sqrt{a …}         mroot a n      \\sqrt[n]{a}
    msub a b        {a}_{b}                msup a b         {a}^{b}            msubsup        {a}_{b}^{c}
    munder a b      \\underset{b}{a}        mover a b        \\overset{b}{a}      mtable         \\begin{matrix} …
    mtext           \\text{…}               mi mn mo ms      as they are

Rows are read from the last to the first, so each element finds its children done: no recursion, each row once.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.page import Page
from thresher.text.characters import collapse
from thresher.text.patterns import compile_later

__all__ = ["to_tex"]

_LARGE_OPERATORS = "∑∏∐∫∬∭∮⋃⋂⋀⋁lim max min sup inf"
_SPECIAL = compile_later(r"([#$%&_{}])")
_INVISIBLE = compile_later("[\u2061-\u2064\u200b]")
_WORD = compile_later(r"[A-Za-z]{2,}")
_ACCENTS = {
    "¯": "bar", "‾": "bar", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "→": "vec", "⃗": "vec", "˙": "dot",
    "¨": "ddot", "_": "underline",
}  # fmt: skip
_SKIPPED = frozenset({"annotation", "annotation-xml", "mphantom"})
_MAX_ELEMENTS = 2000  # elements: larger than any formula a person wrote


def to_tex(page: Page, math: int) -> str:
    """The TeX of a `math` element; "" when there is nothing in it."""
    end = int(page.end[math])
    if end - math > _MAX_ELEMENTS:
        return ""
    children: dict[int, list[str]] = {}
    for row in range(end - 1, math, -1):
        parts = children.pop(row, [])
        parts.reverse()
        children.setdefault(int(page.parent[row]), []).append(_element(page, row, parts))
    parts = children.pop(math, [])
    return " ".join(part for part in reversed(parts) if part).strip()


def _element(page: Page, row: int, parts: list[str]) -> str:
    name = page.name(row)
    if name in _SKIPPED:
        return ""
    if name in ("mi", "mn", "mo", "ms", "mtext"):
        return _leaf(page, row, name)
    if name in _SHAPES and len(parts) == _SHAPES[name][0]:
        return _SHAPES[name][1].format(*parts)
    if name in ("munder", "mover") and len(parts) == 2:
        return _stacked(name, *parts)
    if name == "munderover" and len(parts) == 3:
        base, low, high = parts
        return f"{_base(base)}_{{{low}}}^{{{high}}}"
    if name in ("msub", "msup", "msubsup") and len(parts) >= 2:
        marks = {"msub": "_", "msup": "^", "msubsup": "_^"}[name]
        return _base(parts[0]) + "".join(f"{mark}{{{part}}}" for mark, part in zip(marks, parts[1:], strict=False))
    inside = " ".join(part for part in parts if part)
    if name == "msqrt":
        return f"\\sqrt{{{inside}}}"
    if name == "mtr":
        return " & ".join(parts) + r" \\"
    if name == "mtable":
        return f"\\begin{{matrix}} {inside.removesuffix(chr(92) * 2).rstrip()} \\end{{matrix}}"
    if name == "mfenced":
        names = page.attributes(row)
        separator = (names.get("separators", ",").strip() or " ")[:1]
        return names.get("open", "(") + separator.join(parts) + names.get("close", ")")
    return inside


_SHAPES = {"mfrac": (2, r"\frac{{{0}}}{{{1}}}"), "mroot": (2, r"\sqrt[{1}]{{{0}}}")}


def _leaf(page: Page, row: int, name: str) -> str:
    texts = page.cut(np.arange(page.first[row], page.last[row]))
    text = collapse(_INVISIBLE.sub("", "".join(texts))).replace("\\", r"\backslash ")
    text = _SPECIAL.sub(r"\\\1", text)
    if not text:
        return ""
    if name in ("mtext", "ms"):
        return f"\\text{{{text}}}"
    if name in ("mi", "mo") and _WORD.fullmatch(text):
        return f"\\operatorname{{{text}}}"
    return text


def _base(part: str) -> str:
    """What carries an index: braces where there is more than one character."""
    return part if len(part) == 1 or re.fullmatch(r"\\[a-z]+\{[^{}]*\}", part) else f"{{{part}}}"


def _stacked(name: str, base: str, mark: str) -> str:
    if mark.replace("\\", "") in _ACCENTS and (name == "mover" or "_" in mark):
        return f"\\{_ACCENTS[mark.replace(chr(92), '')]}{{{base}}}"
    if base in _LARGE_OPERATORS or base.removeprefix(r"\operatorname{").removesuffix("}") in _LARGE_OPERATORS.split():
        return f"{_base(base)}{'_' if name == 'munder' else '^'}{{{mark}}}"
    return f"\\{'underset' if name == 'munder' else 'overset'}{{{mark}}}{{{base}}}"
