"""The language of a program listing, from what highlighters and generators write beside it."""

from __future__ import annotations

import re

from thresher.data.tags import NUMBER
from thresher.page import Page

__all__ = ["language"]

_CODE = NUMBER["code"]
_LANGUAGE = re.compile(
    r"(?:^|[\s-])(?:language|lang)[-:]\s*([\w+#.-]+)"  # mw-highlight-lang-lua
    r"|(?:^|\s)(?:highlight(?:-source|-text)?|brush|source|sourcecode|src|hl)[-:]\s*([\w+#.-]+)",
    re.IGNORECASE,
)
_LANGUAGE_NAMES = ("data-lang", "data-language", "data-code-lang", "data-enlighter-language", "data-mode-id")
_PLAIN_NAME = re.compile(r"[a-z][\w+#-]{0,19}", re.IGNORECASE)
_LANGUAGE_VALUES = ("class", "data-syntaxhighlighter-params")
# Names that a class says alone, on the `pre` or `code` itself: highlighters that guess the language leave it there.
_KNOWN_LANGUAGES = frozenset(
    """
    actionscript ada apache asm assembly awk bash c c# c++ clojure cmake cobol coffeescript console cpp cs csharp css
    d dart delphi diff dockerfile elixir elm erlang fortran fsharp glsl go golang gradle graphql groovy haskell hcl html
    http ini ipython ipython3 java javascript js json json5 jsonc jsx julia kotlin latex less lisp lua makefile markdown
    matlab mysql nginx nim nix objc objective-c objectivec ocaml pascal perl perl6 pgsql php plsql postgresql powershell
    prolog proto protobuf ps1 puppet py pycon python python3 r racket rb reason rs rst ruby rust sas sass scala scheme
    scss sh shell smalltalk solidity sparql sql svelte swift systemverilog tcl terraform tex toml ts tsx twig typescript
    vb vba vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh
    """.split()
)
# Class names beside which a bare word names the language: `hljs python`, `highlight js`, `sourceCode haskell`.
_HIGHLIGHTERS = frozenset("hljs highlight sourcecode prettyprint codehilite".split())
_NOT_A_LANGUAGE = _HIGHLIGHTERS | frozenset(
    """
    code source block wrapper linenums line lines copy copyable nohighlight no-highlight notranslate plain plaintext
    text none auto default numbersource numberlines lineno linenos linenodiv linenumber linenumbers lnt ln gutter
    """.split()
)  # fmt: skip


def language(page: Page, row: int) -> str:
    """The language of a listing, from the `pre`, the first `code` in it, or the two elements around; "" if unsaid."""
    around = [row]
    inside = (page.tag[row + 1 : page.end[row]] == _CODE).nonzero()[0]
    if len(inside):
        around.insert(0, row + 1 + int(inside[0]))
    for ancestor in page.ancestors(row):
        around.append(ancestor)
        if len(around) > 3:
            break
    for place, element in enumerate(around):
        name = _declared_language(page.attributes(element), own=element == row or place == 0)
        if name:
            return name
    return ""


def _declared_language(names: dict[str, str], own: bool) -> str:
    for attribute in (*_LANGUAGE_NAMES, *(("lang",) if own else ())):
        value = names.get(attribute, "").strip().lower()
        if _PLAIN_NAME.fullmatch(value) and value not in _NOT_A_LANGUAGE:
            return value
    for attribute in _LANGUAGE_VALUES:
        match = _LANGUAGE.search(names.get(attribute, ""))
        name = (match[1] or match[2]).lower()[:30] if match else ""
        if name and name not in _NOT_A_LANGUAGE:
            return name
    tokens = names.get("class", "").lower().split()
    if own:
        for token in tokens:
            if token in _KNOWN_LANGUAGES:
                return token
    if not _HIGHLIGHTERS.isdisjoint(tokens):
        for token in tokens:
            if token not in _NOT_A_LANGUAGE and _PLAIN_NAME.fullmatch(token) and "-" not in token:
                return token
    return ""
