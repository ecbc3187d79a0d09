"""Random pages with one sentence that is hidden, or not: what declares it, where, and what is around it."""

# ruff: noqa: E501  (a declaration or a page a line)
from __future__ import annotations

import html
from collections.abc import Iterator
from random import Random
from typing import NamedTuple
from urllib.parse import quote

from hidden_text.declarations import DECLARATIONS, filled
from hidden_text.markup import MARKUP

__all__ = ["SENTENCE", "Case", "cases"]

SENTENCE = "Wheat and barley of the northern valley were threshed before the rain came in."
_INTRODUCTION = (
    "<h1>A report on the harvest</h1><p>The farmers of the village have worked for three weeks, from early morning until "
    "late in the evening, and most of what they grew is stored by now in the barns near the river.</p>"
)
_END = (
    "<p>Next year they want to begin earlier. The mill has been repaired, there is a second machine, and everybody hopes "
    "that the weather will be as good as it was in the spring of this year.</p>"
)
_MARKUP_SHARE = 0.2  # of the cases hide by markup rather than by declarations
_TARGETS = ("p", "p", "div", "div", "section", "blockquote", "li", "h3", "article", "td", "span", "b")
_WRAPPERS = (
    "<div>{}</div>", "<section><div>{}</div></section>", '<div style="padding: 4px">{}</div>', '<main class="m">{}</main>',
    '<div class="row"><div class="col">{}</div></div>', '<div style="position: relative">{}</div>', "<article>{}</article>",
)  # fmt: skip
_KEYFRAMES = "@keyframes leave { to { opacity: 0 } } @keyframes enter { to { opacity: 1 } } "
_SELECTORS = (
    ".note", "#it", "[data-k]", "[data-k=v]", ".wrap .note", ".wrap > .note", "{tag}.note", ":is(.note, .other)",
    ":not(.other).note", "body .note", "html body .wrap #it", ".note:not([hidden])", ".note:first-child", ".other, .note",
    ":where(.note)", "h1 ~ .wrap .note", "[class^=no]", "[class~=note]", ".note:only-child", "*|*.note", ".NOTE, .note",
)  # fmt: skip
_NEVER_MATCHES = (
    ".other", ".note.other", "#that", ".note:hover", ".wrap + .note", ".note:empty", ".note::before", ".note:nth-child(9)",
    ".note:not(.note)", "[data-k=w]", ".note:has(img)", ".note, .note:hovr", ".absent .note",
)  # fmt: skip
_CONDITIONS = (
    "@media screen",
    "@media (min-width: 600px)",
    "@supports (display: grid)",
    "@media all and (max-width: 3000px)",
)
_FALSE_CONDITIONS = ("@media print", "@media (max-width: 300px)", "@supports (display: nonsense)", "@starting-style",
                     "@media (prefers-reduced-motion: reduce)", "@container (min-width: 1px)")  # fmt: skip


class Case(NamedTuple):
    """A page, and what it was made of."""

    about: str  # the property, attribute or element
    source: str  # where it is declared
    html: str


def cases(count: int, seed: int) -> Iterator[Case]:
    """So many pages, each made of its number and the seed."""
    for number in range(count):
        yield _case(Random(f"{seed} {number}"))


def _case(random: Random) -> Case:
    if random.random() < _MARKUP_SHARE:
        about = random.choice(list(MARKUP))
        hiding, showing = MARKUP[about]
        markup = random.choice(hiding if hiding and (not showing or random.random() < 0.5) else showing)
        body = markup.replace("{}", SENTENCE).replace("{{", "{").replace("}}", "}")
        return Case(about, "markup", _page(_wrapped(random, body), ""))
    about = random.choice(list(DECLARATIONS))
    hiding, showing = DECLARATIONS[about]
    declarations = filled(random.choice(hiding if hiding and random.random() < 0.55 else showing), random)
    return _SOURCES[random.choice(_SOURCE_NAMES)](random, about, declarations)


def _page(body: str, head: str) -> str:
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>Harvest</title>{head}</head>"
        f"<body>{_INTRODUCTION}{body}{_END}</body></html>"
    )


def _wrapped(random: Random, body: str) -> str:
    for _ in range(random.choice((0, 0, 0, 1, 1, 2))):
        body = random.choice(_WRAPPERS).replace("{}", body)
    return body


def _element(random: Random, attributes: str = "") -> tuple[str, str]:
    """The element that is styled, with the sentence in it or in something inside; and its name."""
    tag = random.choice(_TARGETS)
    inner = random.choice((SENTENCE, SENTENCE, f"<span>{SENTENCE}</span>", f"<em>{SENTENCE}</em>"))
    if tag in ("div", "section", "blockquote", "article") and random.random() < 0.5:
        inner = f"<p>{inner}</p>"
    element = f'<{tag} class="note" id="it" data-k="v"{attributes}>{inner}</{tag}>'
    around = {"li": "<ul>{}</ul>", "td": "<table><tr>{}</tr></table>", "span": "<p>{}</p>", "b": "<p>{}</p>"}
    return around.get(tag, "{}").replace("{}", element), tag


def _inline(random: Random, about: str, declarations: str) -> Case:
    element, _ = _element(random, f' style="{html.escape(declarations)}"')
    head = f"<style>{_KEYFRAMES}</style>" if about == "animation" else ""
    return Case(about, "inline", _page(_wrapped(random, element), head))


def _rule(random: Random, tag: str, declarations: str) -> str:
    selector = random.choice(_SELECTORS if random.random() < 0.85 else _NEVER_MATCHES)
    return f"{selector.replace('{tag}', tag)} {{ {declarations} }}"


def _body(random: Random) -> tuple[str, str]:
    element, tag = _element(random)
    return _wrapped(random, f'<div class="wrap">{element}</div>'), tag


def _sheet(random: Random, about: str, declarations: str) -> Case:
    body, tag = _body(random)
    return Case(about, "sheet", _page(body, f"<style>{_KEYFRAMES}{_rule(random, tag, declarations)}</style>"))


def _condition(random: Random, about: str, declarations: str) -> Case:
    body, tag = _body(random)
    condition = random.choice(_CONDITIONS if random.random() < 0.6 else _FALSE_CONDITIONS)
    css = f"{_KEYFRAMES}{condition} {{ {_rule(random, tag, declarations)} }}"
    return Case(about, "condition", _page(body, f"<style>{css}</style>"))


def _layer(random: Random, about: str, declarations: str) -> Case:
    body, tag = _body(random)
    css = f"@layer base, top; {_KEYFRAMES}@layer {random.choice(('base', 'top', 'base.deep'))} {{ {_rule(random, tag, declarations)} }}"
    return Case(about, "layer", _page(body, f"<style>{css}</style>"))


def _nested(random: Random, about: str, declarations: str) -> Case:
    body, _ = _body(random)
    rule = random.choice((".wrap {{ .note {{ {} }} }}", ".wrap {{ & > .note {{ {} }} }}", ".note {{ &#it {{ {} }} }}",
                          "@scope (.wrap) {{ .note {{ {} }} }}", ".wrap {{ color: black; > .note {{ {} }} }}"))  # fmt: skip
    return Case(about, "nested", _page(body, f"<style>{_KEYFRAMES}{rule.format(declarations)}</style>"))


def _import(random: Random, about: str, declarations: str) -> Case:
    body, tag = _body(random)
    css = quote(_KEYFRAMES + _rule(random, tag, declarations))
    head = random.choice((
        f'<style>@import url("data:text/css,{css}");</style>', f"<style>@import 'data:text/css,{css}' screen; p {{}}</style>",
        f'<style>@import url(data:text/css,{css});</style>',
        f'<link rel="stylesheet" href="data:text/css,{css}">', f'<style>@import "data:text/css,{css}" print;</style>',
    ))  # fmt: skip
    return Case(about, "import", _page(body, head))


def _shadow(random: Random, about: str, declarations: str) -> Case:
    element, tag = _element(random)
    if tag in ("li", "td"):
        element = f'<p class="note" id="it" data-k="v">{SENTENCE}</p>'
    css = f"<style>{_KEYFRAMES}.note {{ {declarations} }}</style>"
    inside, around = random.choice((
        (f"{css}{element}", ""), ("<slot></slot>", f"{element}"), (f"{css}<slot></slot>", element),
        (f"<style>::slotted(*) {{ {declarations} }}</style><slot></slot>", element),
        (f"<style>:host {{ display: block; {declarations} }}</style><slot></slot>", element),
    ))  # fmt: skip
    host = f'<div><template shadowrootmode="open">{inside}</template>{around}</div>'
    head = css if random.random() < 0.3 else ""
    return Case(about, "shadow", _page(_wrapped(random, host), head))


def _variable(random: Random, about: str, declarations: str) -> Case:
    body, _ = _body(random)
    name, _, value = declarations.rpartition(";")[2].partition(":")
    before = declarations.rpartition(";")[0]
    css = f".wrap {{ --v:{value} }} .note {{ {before + ';' if before else ''} {name.strip()}: var(--v) }}"
    return Case(about, "variable", _page(body, f"<style>{_KEYFRAMES}{css}</style>"))


def _contest(random: Random, about: str, declarations: str) -> Case:
    """Two rules that disagree: one of them wins."""
    body, _ = _body(random)
    names = [part.partition(":")[0].strip() for part in declarations.split(";") if ":" in part]
    undone = "; ".join(f"{name}: {random.choice(('initial', 'unset', 'revert'))}" for name in names)
    strong, weak = random.choice(((declarations, undone), (undone, declarations)))
    important = "; ".join(f"{part.strip()} !important" for part in strong.split(";") if part.strip())
    css = random.choice((
        f".note {{ {weak} }} #it {{ {strong} }}", f"#it {{ {strong} }} .note {{ {weak} }}", f".note {{ {weak} }} .note {{ {strong} }}",
        f".note {{ {important} }} #it {{ {weak} }}", f"@layer a {{ #it {{ {weak} }} }} .note {{ {strong} }}",
    ))  # fmt: skip
    return Case(about, "contest", _page(body, f"<style>{_KEYFRAMES}{css}</style>"))


def _around(random: Random, about: str, declarations: str) -> Case:
    """Declared on an element around the one with the sentence."""
    element, _ = _element(random)
    body = _wrapped(random, f'<div style="{html.escape(declarations)}">{element}</div>')
    head = f"<style>{_KEYFRAMES}</style>" if about == "animation" else ""
    return Case(about, "around", _page(body, head))


_SOURCES = {
    "inline": _inline, "sheet": _sheet, "condition": _condition, "layer": _layer, "nested": _nested, "import": _import,
    "shadow": _shadow, "variable": _variable, "contest": _contest, "around": _around,
}  # fmt: skip
_SOURCE_NAMES = (*_SOURCES, "inline", "inline", "sheet", "sheet", "around")
