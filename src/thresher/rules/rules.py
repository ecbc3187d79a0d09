"""Rules of one site: what to drop and what to keep, in a file that people can read and change.

    {
      "format": 1,
      "site": "example.org",
      "learned": "2025-11-16",
      "pages": 20,
      "thresher": "0.2.0",
      "rules": [
        {"keep": "div.entry-content", "seen": 19, "of": 20, "example": "The mill at the river …"},
        {"drop": "nav#menu", "seen": 20, "of": 20, "example": "Home News Contact"},
        {"drop_text": "Share this page with your friends", "seen": 12, "of": 20}
      ]
    }

    keep, drop   a CSS selector that `css.selector` reads, several with commas: all text in the elements it matches
    drop_text    the whole text of a block, whatever the case, blanks and punctuation
    seen, of     on how many of the pages it was found; rules written by hand need neither
    example      how the matched text begins
    note         anything you want to remember

Only "rules" must be there.  For each text the rule on the nearest element around it decides, of two rules on one
element the later one, and a drop_text decides before any of them.  Where no rule decides, the method does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from thresher.css.selector import parse_selector
from thresher.css.text import split_list
from thresher.errors import RulesError

__all__ = ["Kind", "SiteRule", "SiteRules"]

Kind = Literal["keep", "drop", "drop_text"]

_KINDS: tuple[Kind, ...] = ("keep", "drop", "drop_text")
_NUMBERS = ("seen", "of")
_TEXTS = ("example", "note")
# Marks of direction and the like, which pages may hold, would show a terminal or an editor something else.
_NOT_PRINTABLE = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_FORMAT = 1
_MAX_BYTES = 1 << 20
_MAX_RULES = 1_000  # every rule costs time on every page
_ALWAYS_SHARE = 0.9  # a rule seen on this share of the pages should match every page
_MIN_PAGES = 3  # pages from which nobody can tell what every page has


@dataclass(frozen=True, slots=True)
class SiteRule:
    """One line of the file."""

    kind: Kind
    value: str  # a selector, or a text
    seen: int | None = None
    of: int | None = None
    example: str = ""
    note: str = ""

    @property
    def keeps(self) -> bool:
        return self.kind == "keep"

    @property
    def always(self) -> bool:
        """Whether the rule should match every page of the site."""
        known = self.kind != "drop_text" and self.seen is not None and self.of is not None
        return known and (self.of or 0) >= _MIN_PAGES and (self.seen or 0) >= _ALWAYS_SHARE * (self.of or 0)

    def __str__(self) -> str:
        return f"{self.kind.replace('_', ' ')} {self.value}"

    def to_dict(self) -> dict[str, Any]:
        numbers = {name: getattr(self, name) for name in _NUMBERS if getattr(self, name) is not None}
        words = {name: getattr(self, name) for name in _TEXTS if getattr(self, name)}
        return {self.kind: self.value, **numbers, **words}


@dataclass(frozen=True, slots=True)
class SiteRules:
    """The rules of a site, in the order of the file."""

    rules: tuple[SiteRule, ...]
    site: str | None = None  # the host
    learned: str | None = None  # the date, as in 2025-11-16
    pages: int | None = None  # how many were compared
    thresher: str | None = None  # the version that learned them
    _FIELDS: ClassVar[Mapping[str, type]] = {"site": str, "learned": str, "pages": int, "thresher": str}

    @classmethod
    def load(cls, path: str | Path) -> SiteRules:
        """Read a file; RulesError says what is wrong with it, and where."""
        path = Path(path)
        try:
            with path.open("rb") as stream:
                data = stream.read(_MAX_BYTES + 1)
        except OSError as error:
            raise RulesError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
        if len(data) > _MAX_BYTES:
            raise RulesError(f"{path} is too large for a file of site rules; `thresher site learn` writes a few KB")
        try:
            return cls.from_dict(json.loads(data.decode("utf-8-sig")))
        except UnicodeDecodeError:
            raise RulesError(f"{path} is not UTF-8 text") from None
        except json.JSONDecodeError as error:
            raise RulesError(f"{path} is not JSON, line {error.lineno}: {error.msg.lower()}") from None
        except (RecursionError, ValueError) as error:  # brackets without end, numbers of thousands of digits
            raise RulesError(f"{path} is no file of site rules: {error}") from None
        except RulesError as error:
            raise RulesError(f"{path}: {error}") from None

    @classmethod
    def from_dict(cls, data: Any) -> SiteRules:
        """Rules from what JSON gives; RulesError says what is wrong."""
        if not isinstance(data, dict) or not isinstance(data.get("rules"), list):
            raise RulesError('site rules look like {"rules": [{"drop": "nav.menu"}, …]}')
        known = ("format", "rules", *cls._FIELDS)
        for name in data:
            if name not in known:
                raise RulesError(f"unknown key {name!r}; beside the rules there are: {', '.join(known)}")
        if data.get("format", _FORMAT) != _FORMAT:
            raise RulesError(f"format {data['format']!r} is not known, only {_FORMAT}; a newer thresher may read it")
        for name, kind in cls._FIELDS.items():
            if data.get(name) is not None and type(data[name]) is not kind:
                raise RulesError(f"{name!r} must be {'a number' if kind is int else 'a text'}, not {data[name]!r}")
        if len(data["rules"]) > _MAX_RULES:
            raise RulesError(f"{len(data['rules']):,} rules are too many; {_MAX_RULES:,} are read")
        rules = tuple(_rule(number, entry) for number, entry in enumerate(data["rules"], 1))
        return cls(rules, **{name: data.get(name) for name in cls._FIELDS})

    def to_dict(self) -> dict[str, Any]:
        about = {name: getattr(self, name) for name in self._FIELDS if getattr(self, name) is not None}
        return {"format": _FORMAT, **about, "rules": [rule.to_dict() for rule in self.rules]}

    def to_json(self) -> str:
        """One line per rule, so that rules can be read, sorted, compared and taken out."""
        data = self.to_dict()
        lines = [f"    {json.dumps(rule, ensure_ascii=False)}" for rule in data.pop("rules")]
        head = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}," for name, value in data.items()]
        rules = ['  "rules": [', ",\n".join(lines), "  ]"] if lines else ['  "rules": []']
        return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", "\n".join(["{", *head, *rules, "}", ""]))

    def save(self, path: str | Path) -> None:
        """Write the file."""
        try:
            Path(path).write_text(self.to_json(), encoding="utf-8")
        except OSError as error:
            raise RulesError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


def _rule(number: int, entry: Any) -> SiteRule:
    """One entry of the list, checked."""
    allowed = (*_KINDS, *_NUMBERS, *_TEXTS)
    if not isinstance(entry, dict):
        raise RulesError(f'rule {number} is {entry!r}; a rule looks like {{"drop": "nav.menu"}}')
    for name in entry:
        if name not in allowed:
            raise RulesError(f"rule {number} has an unknown key {name!r}; there are: {', '.join(allowed)}")
    kinds = [kind for kind in _KINDS if kind in entry]
    if len(kinds) != 1:
        raise RulesError(f"rule {number} has {len(kinds)} of keep, drop, drop_text; a rule has one of them")
    kind, value = kinds[0], entry[kinds[0]]
    if not isinstance(value, str) or not value.strip():
        raise RulesError(f"rule {number}: {kind!r} must be a text, not {value!r}")
    for name in _NUMBERS:
        if entry.get(name) is not None and (type(entry[name]) is not int or entry[name] < 0):
            raise RulesError(f"rule {number}: {name!r} must be a number of pages, not {entry[name]!r}")
    for name in _TEXTS:
        if entry.get(name) is not None and not isinstance(entry[name], str):
            raise RulesError(f"rule {number}: {name!r} must be a text, not {entry[name]!r}")
    if kind != "drop_text":
        _check_selector(number, value)
    seen, of, example, note = (entry.get(name) for name in (*_NUMBERS, *_TEXTS))
    return SiteRule(kind, value, seen, of, example or "", note or "")


def _check_selector(number: int, value: str) -> None:
    try:
        parts = split_list(value.encode())
    except UnicodeEncodeError:
        raise RulesError(f"rule {number}: the selector {value!r} has characters that no page can have") from None
    for part in parts:
        if parse_selector(part) is None:
            raise RulesError(
                f"rule {number}: {part.decode()!r} is no selector that can be read; "
                "tags, .classes, #ids, [attributes], :not(), :nth-child() and the signs > + ~ can"
            )
