"""Formulas as TeX: from MathML, KaTeX, MathJax 2 and 3, and images that carry TeX as their description.

A formula often stands in the page several times over: as TeX for the script, as MathML for readers' software, as spans
for the eye.  `find` gives the outermost element of each formula once, with its TeX; the copies inside are not to be
read.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

import numpy as np

from thresher.data.tags import BLOCK, NUMBER, group
from thresher.output.classes import class_prefixes, rows_with_class
from thresher.output.mathml import to_tex
from thresher.page import Page, attributes, memoised
from thresher.page.columns import has
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bools, Rows
from thresher.text.characters import clean
from thresher.text.patterns import compile_later
from thresher.visible.readable import readable

__all__ = [
    "Formula",
    "content_formulas",
    "find",
    "is_formula_container",
    "may_hold_tex",
    "split_formulas",
    "uses_dollars",
]

_MATH, _TEX, _IMG, _ANNOTATION = (NUMBER[name] for name in ("math", "thresher-tex", "img", "annotation"))
_SOURCES = ("math", "thresher-tex")
# Class names around a formula; with "display" in the name it is one on lines of its own.
_CONTAINER_CLASS = compile_later(
    r"katex(?:-display)?|mathjax(?:_display|_preview|_svg|_chtml)?|mathjax_svg_display|mwe-math-element|mjx-chtml"
)
_IMAGE_CLASSES = frozenset("latex tex mwe-math-fallback-image-inline mwe-math-fallback-image-display".split())
_CLASS_PREFIXES = class_prefixes("katex", "mathjax", "mwe-math", "mjx-", "latex", "tex")
_CLASS_PARTS = Parts(b"katex", b"mathjax", b"mwe-math", b"mjx-", b"latex")  # "tex" is in too many others
_BLOCK = group(BLOCK - {"svg"})
_MAX_ELEMENTS = 3000  # elements
_WRAPPED = compile_later(r"\{\\displaystyle\s(.*)\}", re.DOTALL)
_DELIMITED = compile_later(r"\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$([^$]*)\$", re.DOTALL)
# TeX in running text, left for a script to find: \\(…\\), \\[…\\], $$…$$, an environment, and $…$ where a command is in
# it, or anything on a page that writes several so.  None begins in another, so that a text of nothing but beginnings is
# read once.
_ENVIRONMENTS = r"(?:align|alignat|equation|eqnarray|gather|multline|flalign)\*?"
_DELIMITERS = (
    r"\\\(((?:[^\\]|\\[^(]){1,1000}?)\\\)"
    r"|(?:\\\[((?:[^\\]|\\[^\[]){1,5000}?)\\\]|(?<!\$)\$\$([^$]{1,5000}?)\$\$(?!\$))"
    rf"|(\\begin\{{(?P<name>{_ENVIRONMENTS})\}}(?:(?!\\begin\{{(?:{_ENVIRONMENTS})\}}).){{1,5000}}?\\end\{{(?P=name)\}})"
)
_COMMAND = r"\$(?=[^\s$])(?=[^$]{0,300}\\[a-zA-Z])([^$]{1,600})(?<=[^\s\\])\$(?!\d)"
_IN_TEXT = compile_later(f"{_DELIMITERS}|{_COMMAND}", re.DOTALL)
_IN_DOLLARS = compile_later(rf"{_DELIMITERS}|(?<![\w$])\$(?=[^\s$])([^$]{{1,300}}?)(?<=[^\s\\])\$(?![\w$])", re.DOTALL)
_COMMANDS = compile_later(_COMMAND.replace("[^$]", r"[^$\0]").encode(), re.DOTALL)
_FORMULA_CLASS = compile_later(r"(?:^|[\s-])(?:math|tex|latex|arithmatex)(?:$|[\s-])", re.IGNORECASE)
_MIN_COMMANDS = 2  # formulas with a command in it, for a page that writes its formulas between dollars
# Between double dollars stands one letter, or a sign of TeX among letters or digits: "$$ to $$" is a range of prices.
_FORMULA = compile_later(r"\s*[^\W\d_]\s*|(?=.*[\\^_={}+*/<>]).*[\w\\].*", re.DOTALL)
_STRUCTURE = compile_later(r"[\^_]|\\(?:frac|sqrt|binom|begin)\b")
_COMMENT = compile_later(r"(?<!\\)%.*")
# TeX is printed as it stands, so what HTML or Markdown could take for a tag or a delimiter is spelled otherwise.
_TAG_LIKE = compile_later(r"<(?=[a-zA-Z/!?])")
_DOLLAR = compile_later(r"(?<!\\)\$")


class Formula(NamedTuple):
    """TeX source; `display` says that it stands on lines of its own.  No source: a copy that is not to be printed."""

    tex: str
    display: bool
    flat: bool = False  # from MathML that reads as well without its tags: x ≤ y, but not a fraction or a power


@memoised
def find(page: Page) -> dict[int, Formula]:
    """The outermost row of each formula that has a TeX source, and the source."""
    around = _containers(page)
    if not around and not has(page, *_SOURCES):
        return {}
    sources = np.flatnonzero((page.tag == _MATH) | (page.tag == _TEX))
    formulas: dict[int, Formula] = {}
    scripts = np.flatnonzero(page.tag == _TEX)
    covered = 0
    for row in sorted({*around, *sources.tolist()}):
        if row < covered:
            continue
        covered = int(page.end[row])
        formula = _formula(page, row, around.get(row, ()), scripts)
        if formula is not None:
            formulas[row] = formula
    return formulas


def content_formulas(page: Page, keep: Bools, content: Bools) -> dict[int, Formula]:
    """The formulas that are content: some text of one is kept, or it has none that can be read and stands in kept text
    (an image of it, or spans for the eye beside MathML for the ear, each hidden from the other).

    `content` says of each element whether it would be content as a medium (`media.in_content`).
    """
    visible = readable(page)

    def shows(row: int) -> bool:
        texts = slice(page.first[row], page.last[row])
        return bool(keep[texts].any() or (content[row] and not visible[texts].any()))

    return {row: formula for row, formula in find(page).items() if shows(row)}


@memoised
def uses_dollars(page: Page) -> bool:
    """Whether the page writes its formulas between single dollars."""
    return b"$" in page.utf8 and sum(1 for _ in islice(_COMMANDS.finditer(page.utf8), _MIN_COMMANDS)) == _MIN_COMMANDS


def may_hold_tex(text: str) -> bool:
    """Whether formulas can be in a text: each has two dollars or a backslash."""
    return "\\" in text or text.count("$") > 1


def split_formulas(text: str, dollars: bool = False) -> list[str | Formula]:
    """A text in pieces: formulas written as TeX between delimiters, `dollars` among them, and what stands between."""
    pieces: list[str | Formula] = []
    done = 0
    for match in (_IN_DOLLARS if dollars else _IN_TEXT).finditer(text):
        if match[3] is not None and not _FORMULA.fullmatch(match[3]):
            continue
        formula = _source(next(part for part in match.groups() if part is not None), match[2] or match[3] or match[4])
        if formula is not None:
            pieces += (text[done : match.start()], formula)
            done = match.end()
    return [*pieces, text[done:]]


def is_formula_container(page: Page, text: int) -> bool:
    """Whether the element that holds a text says that it is a formula (`math-container`, `math-renderer`)."""
    row = int(page.owner[text])
    return page.name(row) == "math-renderer" or _FORMULA_CLASS.search(page.attribute(row, "class") or "") is not None


def _containers(page: Page) -> dict[int, tuple[str, ...]]:
    """The elements whose class says that a formula is inside, and their class tokens."""
    elements: dict[int, tuple[str, ...]] = {}
    if not (with_part(page, "class", _CLASS_PARTS) or _has_tex_image(page)):
        return elements
    is_container: dict[tuple[str, ...], bool] = {}  # `text` and its like are the class of many elements
    for element, tokens in rows_with_class(page, _CLASS_PREFIXES):
        if tokens not in is_container:
            is_container[tokens] = any(_CONTAINER_CLASS.fullmatch(token) for token in tokens)
        if is_container[tokens] or not _IMAGE_CLASSES.isdisjoint(tokens):
            if page.tag[element] == _IMG:
                if not _IMAGE_CLASSES.isdisjoint(tokens):
                    elements[element] = tokens
            elif is_container[tokens] and _is_single_formula(page, element, tokens):
                elements[element] = tokens
    return elements


def _has_tex_image(page: Page) -> bool:
    """Whether the class of an image begins with `tex`, or with a word like "text"."""
    if not has(page, "img"):
        return False
    values = attributes.numbered(page, "class")
    numbers = set(values.code[page.tag[values.row] == _IMG].tolist())
    starts = [int(values.start[number]) for number in numbers]
    return any(page.markup[start : start + 3].lower() == b"tex" for start in starts)


def _is_single_formula(page: Page, row: int, tokens: tuple[str, ...]) -> bool:
    """Whether the element is one formula and no article about them: `mathjax` may be a class of the whole page."""
    if page.end[row] - row > _MAX_ELEMENTS:
        return False
    return "mwe-math-element" in tokens or not _BLOCK[page.tag[row + 1 : page.end[row]]].any()


def _formula(page: Page, row: int, tokens: tuple[str, ...], scripts: Rows) -> Formula | None:
    names = page.attributes(row)
    display = (
        names.get("display", "") in ("block", "true")
        or names.get("mode", "") == "display"
        or any("display" in token for token in tokens)
    )
    if page.tag[row] == _TEX:
        return _source(page.inner_text(row) if not display else _text(page, row), display)
    if page.tag[row] == _IMG:
        return _source(names.get("alt", ""), display)
    following = scripts[np.searchsorted(scripts, page.end[row]) :][:1]
    # MathJax 2 leaves the TeX in a script right after what it drew from it.
    drawn = any("mathjax" in token for token in tokens) and len(following)
    if drawn and page.first[following[0]] == page.last[row]:
        return Formula("", display)
    rows = np.arange(row, page.end[row])
    covered = 0
    for math in rows[page.tag[rows] == _MATH].tolist():
        if math < covered:  # a formula in a formula is part of it
            continue
        covered = int(page.end[math])
        names = page.attributes(math)
        display = display or names.get("display", "") == "block" or names.get("mode", "") == "display"
        formula = _source(_annotated(page, math) or names.get("alttext", ""), display)
        if formula is None:
            formula = _source(to_tex(page, math), display)
            formula = None if formula is None else formula._replace(flat=not _STRUCTURE.search(formula.tex))
        if formula is not None:
            return formula
    for image in rows[page.tag[rows] == _IMG].tolist():
        return _source(page.attribute(image, "alt") or "", display)
    return None


def _annotated(page: Page, math: int) -> str:
    """The TeX in an `annotation` of MathML."""
    rows = np.arange(math, page.end[math])
    for row in rows[page.tag[rows] == _ANNOTATION].tolist():
        if "tex" in (page.attribute(row, "encoding") or "").lower():
            return _text(page, row)
    return ""


def _text(page: Page, row: int) -> str:
    return "".join(page.cut(np.arange(page.first[row], page.last[row])))


def _source(tex: str, display: object) -> Formula | None:
    """TeX fit for printing: without delimiters, comments and blank lines; None when nothing is left."""
    tex = _COMMENT.sub("", clean(tex).strip())
    for pattern in (_DELIMITED, _WRAPPED):
        match = pattern.fullmatch(tex)
        if match:
            tex = next(part for part in match.groups() if part is not None).strip()
    tex = _DOLLAR.sub(r"\\$", _TAG_LIKE.sub(r"\\lt ", tex))
    rows = [" ".join(line.split()) for line in tex.split("\n")]
    tex = ("\n" if display else " ").join(line for line in rows if line)
    if tex.endswith("\\") and not tex.endswith("\\\\"):
        tex += " "
    return Formula(tex, bool(display)) if tex.strip() else None
