"""CSS selectors: the grammar.

Read: tags, `*`, classes, ids, attribute tests, all four combinators, `:not :is :where :root :scope :empty :first-child
:last-child :only-child :nth-child(an+b of …) :nth-last-child(an+b)`, the same of a type, `:checked :lang :dir`, `:has`
of a single step, what other selectors say as well (`:link` is `:is(a, area)[href]`), and the pseudo-classes of a user
who has done nothing yet (`:hover`, `:focus`, `:target`, … match no element, so `:not(:focus)` matches all).  Anything
else makes a selector None: what we cannot judge hides nothing.  In a list of `:is()` it is passed over.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from thresher.css.text import split_list, unescape
from thresher.text.patterns import compile_later

__all__ = [
    "CLASS",
    "ID",
    "IDENT",
    "KNOWN",
    "MAX_NESTING",
    "MAX_SELECTOR_BYTES",
    "NAME",
    "PLAIN_PSEUDOS",
    "STEP",
    "TAG",
    "Selector",
    "Simple",
    "bracketed",
    "parse_selector",
    "step_and_choice",
]


class Simple(NamedTuple):
    """One condition on an element."""

    kind: str  # tag, class, id, attribute, nearest, root, checked, empty, child, is, not, has, host, slotted, nothing
    name: bytes = b""
    operator: bytes = (
        b""  # of an attribute test: "", "=", "~=", …, with an "i" behind: in any case; of a child: "type"; of :has
    )
    value: bytes = b""
    inner: tuple[Selector, ...] = ()  # of :is, :not, :has and :nth-child(… of …)
    step: tuple[int, int] = (0, 0)  # the a and b of an+b
    from_end: bool = False


class Selector(NamedTuple):
    """Compounds with the combinator before each, and how specific they are together."""

    compounds: tuple[tuple[bytes, tuple[Simple, ...]], ...]
    specificity: int  # ids · 2²⁰ + classes · 2¹⁰ + tags


# How many digits an escape has is told in one way only, or a name of many could be read in 6^n.
_ESCAPE = rb"\\(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{1,5}(?![0-9a-fA-F]))[ \t\r\n\f]?"
NAME = rb"(?:[-\w\x80-\xff]|" + _ESCAPE + rb"|\\[^\r\n\f0-9a-fA-F])+"
IDENT = rb"(?!-?\d|-(?![-\w\x80-\xff\\]))" + NAME
_SIMPLE = compile_later(
    rb"(?P<kind>[.#]?)(?P<ident>" + IDENT + rb")|(?P<any>\*)"
    rb"|\[\s*(?P<name>" + IDENT + rb")\s*(?:(?P<operator>[~|^$*]?=)\s*"
    rb"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^'\\]|\\.)*)'|(?P<bare>" + IDENT + rb"))"
    rb"\s*(?P<flag>[iIsS]?)\s*)?\]"
    rb"|:(?P<pseudo>[-a-zA-Z]+)(?P<call>\()?",
    re.DOTALL,
)
_COMBINATOR = compile_later(rb"\s*([>+~])\s*|\s+")
STEP = compile_later(rb"\s*(?:([+-]?\d*)n\s*(?:([+-])\s*(\d+))?|([+-]?\d+))\s*")
_OF = compile_later(rb"\sof(?![-\w])", re.IGNORECASE)
_USER_ACTION = frozenset(
    b"""
    hover focus focus-within focus-visible active target visited popover-open fullscreen -webkit-full-screen modal
    picture-in-picture autofill -webkit-autofill user-valid user-invalid
    """.split()
)
# Pseudo-classes that other selectors say as well, before any script has run.
_EQUIVALENT = {
    b"only-child": b":first-child:last-child",
    b"only-of-type": b":first-of-type:last-of-type",
    b"link": b":is(a,area)[href]",
    b"any-link": b":is(a,area)[href]",
    b"-webkit-any-link": b":is(a,area)[href]",
    b"enabled": b":is(button,input,select,textarea,optgroup,option,fieldset):not([disabled])",
    b"disabled": b":is(button,input,select,textarea,optgroup,option,fieldset)[disabled]",
    b"required": b":is(input,select,textarea)[required]",
    b"optional": b":is(input,select,textarea):not([required])",
    b"read-write": b":is(input,textarea,[contenteditable],[contenteditable] *)",
    b"read-only": b":not(input,textarea,[contenteditable],[contenteditable] *)",
    b"placeholder-shown": b":is(input,textarea)[placeholder]:not([value])",
    b"open": b":is(details,dialog)[open]",
    b"defined": b"*",
}
_CHILD_STEPS = {
    b"first-child": ((0, 1), False),
    b"last-child": ((0, 1), True),
    b"first-of-type": ((0, 1), False),
    b"last-of-type": ((0, 1), True),
}
_NTH = frozenset(b"nth-child nth-last-child nth-of-type nth-last-of-type".split())
_CALLS = _NTH | frozenset(b"not is where lang dir has -webkit-any host slotted".split())
# Pseudo-classes by which an element may be chosen while the user has done nothing.
PLAIN_PSEUDOS = frozenset({*_CHILD_STEPS, *_EQUIVALENT, b"root", b"scope", b"checked", b"empty", b"host"})
KNOWN = _CALLS | PLAIN_PSEUDOS
MAX_SELECTOR_BYTES = 4_000  # bytes of a selector; longer ones are not read
MAX_NESTING = 4  # :not(:is(…)) inside each other


@lru_cache(1 << 10)
def parse_selector(text: bytes, depth: int = 0) -> Selector | None:
    """One selector without commas; None where it is wrong or says what we cannot judge."""
    text = text.strip()
    if not text or len(text) > MAX_SELECTOR_BYTES or depth > MAX_NESTING:
        return None
    compounds = []
    combinator = b""
    simples: list[Simple] = []
    specificity = at = 0
    while at < len(text):
        match = _SIMPLE.match(text, at)
        if match is None:
            between = _COMBINATOR.match(text, at)
            if between is None or not simples:
                return None
            compounds.append((combinator, tuple(simples)))
            combinator, simples = between[1] or b" ", []
            at = between.end()
            continue
        at = match.end()
        if match["call"]:
            inside = bracketed(text, at)
            if inside is None:
                return None
            at += len(inside) + 1
            read = _call(match["pseudo"].lower(), inside, depth)
        else:
            read = _simple(match, first=not simples)
        if read is None:
            return None
        simple, weight = read
        simples.append(simple)
        specificity = _add(specificity, weight)
    if not simples:
        return None
    return Selector((*compounds, (combinator, tuple(simples))), specificity)


ID, CLASS, TAG = 1 << 20, 1 << 10, 1


def _add(a: int, b: int) -> int:
    total = a + b
    if (a & 0xFFC00) + (b & 0xFFC00) > 0xFFC00 or (a & 0x3FF) + (b & 0x3FF) > 0x3FF:
        total = max(a, b)
    return total


def _simple(match: re.Match[bytes], first: bool) -> tuple[Simple, int] | None:
    if match["ident"]:
        name = unescape(match["ident"])
        if match["kind"] == b".":
            return Simple("class", name), CLASS
        if match["kind"] == b"#":
            return Simple("id", name), ID
        return (Simple("tag", name.lower()), TAG) if first else None
    if match["any"]:
        return (Simple("tag", b"*"), 0) if first else None
    if match["name"]:
        operator = match["operator"] or b""
        value = match["double"] if match["double"] is not None else match["single"]
        value = match["bare"] if value is None else value
        name = unescape(match["name"]).lower()
        if match["flag"] in (b"i", b"I"):
            operator += b"i"
        return Simple("attribute", name, operator, unescape(value or b"")), CLASS
    pseudo = match["pseudo"].lower()
    if pseudo in _USER_ACTION:
        return Simple("nothing"), CLASS
    if pseudo in _CHILD_STEPS:
        step, from_end = _CHILD_STEPS[pseudo]
        return Simple("child", operator=_of_type(pseudo), step=step, from_end=from_end), CLASS
    if pseudo in (b"root", b"scope", b"checked", b"empty", b"host"):
        return Simple("root" if pseudo == b"scope" else pseudo.decode()), CLASS
    equivalent = parse_selector(_EQUIVALENT[pseudo]) if pseudo in _EQUIVALENT else None
    return None if equivalent is None else (Simple("is", inner=(equivalent,)), CLASS)


def bracketed(text: bytes, at: int) -> bytes | None:
    """What stands up to the bracket that closes the one before `at`."""
    depth = 1
    for match in _BRACKET.finditer(text, at):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if not depth:
            return text[at : match.start()]
    return None


_BRACKET = compile_later(rb'\\.|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[()]', re.DOTALL)


def _call(name: bytes, inside: bytes, depth: int) -> tuple[Simple, int] | None:
    if name in _NTH:
        return _nth(name, inside, depth)
    if name in _INHERITED_ATTRIBUTE:  # by the nearest element, itself or around it, that says so
        attribute, operator = _INHERITED_ATTRIBUTE[name]
        value = inside.strip(b" \"'").lower()
        return (Simple("nearest", attribute, operator, value), CLASS) if value else None
    if name not in _CALLS:
        return None
    if name == b"has":
        return _having(split_list(inside), depth)
    inner = [parse_selector(part, depth + 1) for part in split_list(inside)]
    known = tuple(selector for selector in inner if selector is not None)
    if not known or (len(known) < len(inner) and (name == b"not" or depth)):
        return None
    weight = 0 if name == b"where" else max(selector.specificity for selector in known)
    if name in (b"host", b"slotted"):  # of a shadow root (shadow_scopes.py)
        return Simple(name.decode(), inner=known), weight + CLASS
    return Simple("not" if name == b"not" else "is", inner=known), weight


_INHERITED_ATTRIBUTE = {b"lang": (b"lang", b"|=i"), b"dir": (b"dir", b"=i")}


def _nth(name: bytes, inside: bytes, depth: int) -> tuple[Simple, int] | None:
    """`:nth-child(2n+1)`, `:nth-child(2 of .note)`."""
    place, choice = step_and_choice(inside)
    step = _step(place.lower())
    chosen = [] if choice is None else [parse_selector(part, depth + 1) for part in split_list(choice)]
    inner = tuple(selector for selector in chosen if selector is not None)
    if step is None or len(inner) < len(chosen) or (chosen and _of_type(name)):
        return None
    weight = CLASS + max((selector.specificity for selector in inner), default=0)
    return Simple("child", operator=_of_type(name), inner=inner, step=step, from_end=b"last" in name), weight


def step_and_choice(inside: bytes) -> tuple[bytes, bytes | None]:
    """The two sides of the `of` in `2n+1 of .note`."""
    of = _OF.search(inside)
    return (inside, None) if of is None else (inside[: of.start()], inside[of.end() :])


def _having(parts: list[bytes], depth: int) -> tuple[Simple, int] | None:
    """`:has(> img, .note)`: an element that has any of these, each a single compound with the step that leads to it."""
    choices = []
    for part in parts:
        step, rest = (part[:1], part[1:]) if part[:1] in (b">", b"+", b"~") else (b" ", part)
        selector = parse_selector(rest, depth + 1)
        if selector is None or len(selector.compounds) != 1 or b":has(" in rest.lower():
            return None
        simple = Simple("has", operator=step, inner=(selector,))
        choices.append(Selector(((b"", (simple,)),), selector.specificity))
    return Simple("is", inner=tuple(choices)), max(choice.specificity for choice in choices)


def _of_type(pseudo: bytes) -> bytes:
    return b"type" if pseudo.endswith(b"type") else b""


def _step(text: bytes) -> tuple[int, int] | None:
    text = {b"odd": b"2n+1", b"even": b"2n"}.get(text.strip(), text)
    match = STEP.fullmatch(text)
    if match is None or len(text) > 12:
        return None
    if match[4]:
        return 0, int(match[4])
    factor = int(match[1] + b"1") if match[1] in (b"", b"+", b"-") else int(match[1])
    return factor, int((match[2] or b"+") + (match[3] or b"0"))
