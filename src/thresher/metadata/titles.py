"""The title: what the page calls its subject, without the name of the site around it.

<title> and og:title often read "Subject | Section | Site"; the heading on the page is the subject alone.  So a heading
that is part of what the head says is the title, and where none is, the parts that name the site are cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from thresher.http.urls import without_www
from thresher.text.patterns import compile_later
from thresher.text.plain import LIMIT, plain, words_of

__all__ = ["MetadataClaim", "choose_title", "site_in_title", "site_marks", "without_site"]

# In Chinese, Japanese and Korean no spaces stand around it, and an underscore will do: "标题_频道_网站".
_SEPARATOR = compile_later(
    r"(\s+[-–—|·•»«›‹~/<>]+\s+|\s*[|｜]+\s*|\s*::+\s*|\s+[:：]\s+|(?<=[\u3000-\u9fff\uac00-\ud7a3\uff00-\uff60])[-_–—]+(?=\S))"
)
_COLON = compile_later(r"(:\s+|\.\s+(?=\w+\.\w+$))")  # "Site: title"; "Title. Site.com"
_BAR = compile_later(r"[|｜_]|::|»|«")
_MIN_MARK_LENGTH = 3  # letters; "US" in a title is not the site us.example
_MIN_LIKENESS, _MIN_COMMON_WORDS = 0.5, 3
_MIN_SHARE = 0.3  # of a claim: a section is often called by one of its words
_MAX_SITE_WORDS = 4  # a last part behind a bar with at most so many words is the site's name


class MetadataClaim(NamedTuple):
    """A value for a field, and the source that gives it."""

    source: str
    value: str


def choose_title(
    headline: MetadataClaim | None,
    stated: Sequence[MetadataClaim],
    headings: Sequence[str],
    marks: set[str],
    lesser: Callable[[], Sequence[str]] = tuple,
) -> MetadataClaim | None:
    """The title.  `headline`: of the page's main item; `stated`: by the head, best first; `headings`: the h1 elements;
    `lesser`: h2 and h3, asked for only when no h1 fits.

    In this order: a claim that equals a heading; the first heading, if it is part of a claim, or another that is a good
    part of one; a lesser one that opens a claim; a claim that is all of a heading but its label ("Title: …"); the first
    heading that says nearly the same as a claim (search engines get another wording than readers); the first claim; the
    first heading.
    """
    distinct: dict[str, MetadataClaim] = {}
    for claim in [headline, *stated] if headline else stated:
        distinct.setdefault(claim.value, claim)
    claims = list(distinct.values())
    keys = [_joined(claim.value) for claim in claims]
    if len(set(keys)) == 1:
        marks = marks - set(keys)  # a home page has the site's name for a title
    subjects = [MetadataClaim(claim.source, without_site(claim.value, marks)) for claim in claims]
    subject_keys = [_joined(subject.value) for subject in subjects]
    large = {_joined(heading): heading for heading in headings}
    large = {key: heading for key, heading in large.items() if key and key not in marks}
    for key, subject in zip(subject_keys, subjects, strict=True):
        if key in large:
            return subject
    parts = [_pieces(claim.value) for claim in claims]
    behind = {_joined(part) for pieces in parts for part in pieces[2::2]}  # "Chapter - The Whole Book"
    large = {key: heading for key, heading in large.items() if key not in behind}
    main = next(iter(large), "")
    for claim_key in keys:
        inside = [key for key in large if key in claim_key and (key == main or _is_much_of(key, claim_key))]
        if inside:
            first = [key for key in inside if claim_key.startswith(key)] or inside
            return MetadataClaim("page: h1", large[max(first, key=len)])
    small = {_joined(heading): heading for heading in lesser()}
    for pieces, key, subject in zip(parts, subject_keys, subjects, strict=True):
        if key in small:
            return subject
        openings = [_joined("".join(pieces[: end + 1])) for end in range(len(pieces) - 1, -1, -2)]
        opening = next((small[key] for key in openings if key in small and len(words_of(small[key])) > 1), None)
        if opening:
            return MetadataClaim("page: h2", opening)
    for key, subject in zip(subject_keys, subjects, strict=True):
        if key and any(_labels(heading, subject.value) for heading in large.values()):
            return subject
    for heading in large.values():
        if any(_likeness(subject.value, heading) >= _MIN_LIKENESS for subject in subjects):
            return MetadataClaim("page: h1", heading)
    for key, subject in zip(subject_keys, subjects, strict=True):
        if key and key not in marks:
            return subject
    for heading in large.values():
        return MetadataClaim("page: h1", heading)
    return next((claim for claim in claims if claim.value), None)


def _is_much_of(heading: str, claim: str) -> bool:
    return claim.startswith(heading) or len(heading) >= _MIN_SHARE * len(claim)


def _labels(heading: str, claim: str) -> bool:
    """Whether a heading is a word, a colon and a claim."""
    label, colon, rest = heading.partition(":")
    return bool(colon) and label.isalpha() and _joined(rest) == _joined(claim)


def _likeness(one: str, other: str) -> float:
    """Words in common / words of the shorter; 0 when they are too few to tell."""
    words, others = set(words_of(one)), set(words_of(other))
    common = len(words & others)
    return common / min(len(words), len(others)) if common >= _MIN_COMMON_WORDS else 0.0


def site_marks(sitenames: Iterable[str], url: str | None) -> set[str]:
    """The names a site goes by, as letters only: its name, the parts of it, its host with and without the ending."""
    marks = set()
    for name in sitenames:
        marks |= {_joined(part) for part in [name, *_pieces(name)]}
    try:
        host = without_www(urlsplit(url or "").hostname or "")
    except ValueError:
        host = ""
    labels = host.split(".")
    marks |= {_joined(host), *(_joined(label) for label in labels[:-1])}
    return {mark for mark in marks if len(mark) >= _MIN_MARK_LENGTH}


def site_in_title(title: str, url: str | None) -> MetadataClaim | None:
    """The part of a <title> that is the name of its host: "Moz" in "Beginner's guide - Moz" on moz.com."""
    marks = site_marks((), url)
    parts = _pieces(title[:LIMIT])[::2]
    named = [part.strip() for part in parts if _joined(part) in marks] if len(parts) > 1 else []
    return MetadataClaim("html: title", plain(named[-1])) if named else None


def without_site(title: str, marks: set[str]) -> str:
    """Cut the parts at the start or at the end that name the site.

    A part names the site when it, or its initials, are one of its names; behind a bar also when it is short.
    """
    pieces = [*_pieces(title)]
    while len(pieces) > 2 and _joined(pieces[0]) in marks and _joined(pieces[-1]) not in marks:
        del pieces[:2]
    while len(pieces) > 2 and _names_site(pieces[-1], pieces[-2], marks):
        del pieces[-2:]
    first, *rest = _COLON.split("".join(pieces), maxsplit=1)
    if rest and _joined(first) in marks and words_of(rest[1]):
        return rest[1].strip()
    if rest and _joined(rest[-1]) in marks:
        return first.strip()
    return "".join(pieces).strip() or title


@lru_cache(maxsize=64)
def _pieces(title: str) -> tuple[str, ...]:
    """Part, separator, part, …: of the same few titles of a page, again and again."""
    return tuple(_SEPARATOR.split(title))


def _names_site(part: str, separator: str, marks: set[str]) -> bool:
    joined = _joined(part)
    if not joined or joined in marks or _initials(part) in marks:
        return True
    return bool(_BAR.search(separator)) and len(part.split()) <= _MAX_SITE_WORDS


def _initials(part: str) -> str:
    """ "osha" of "Occupational Safety and Health Administration"; small words do not count."""
    return "".join(word[0] for word in part.split() if word[0].isupper()).lower()


def _joined(value: str) -> str:
    return "".join(words_of(value))
