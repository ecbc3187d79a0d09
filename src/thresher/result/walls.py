"""Pages that stand in place of the content: bot checks, logins, consent, error pages that the server sends as if they
were none, and pages of which only the help for the keyboard is left.

What a page says in its title and headings is compared with data/walls.txt, whole; what it says in its text is
searched for there.  No single sign is enough, for articles have such titles too:

    sure       the title and a heading say it
    likely     one of them does, and the text speaks to the reader about it or is very short
    possible   the title is one that articles have too ("404 Not Found"): a short page that speaks to the reader

    login      a password is asked for as well
    consent    all that can be read is about cookies and partners, and a button consents
    controls   what was kept consists of names of keys and of parts of a player
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from thresher.data.tags import NUMBER
from thresher.page import Page
from thresher.page.columns import chars, chars_in, has, in_link, tag_mask
from thresher.page.tree import texts_within
from thresher.page.types import Bools
from thresher.page.verdict import Verdict
from thresher.text.patterns import compile_later
from thresher.text.phrases import find_phrase, phrases
from thresher.visible.readable import readable, sizes

__all__ = ["ADVICE", "Wall", "wall"]

WallStatus = Literal["blocked", "login", "consent", "unavailable", "not_found", "controls"]

ADVICE: dict[WallStatus, str] = {
    "blocked": "a bot check stands in front of the page; save the page from your browser, or read the site's feed",
    "consent": "the page asks for consent first; accept it in a browser and save the page, or fetch it from elsewhere",
    "login": "the page asks readers to log in; log in with a browser and save the page",
    "unavailable": "the site is down or under maintenance; try again later, or an archived copy",
    "not_found": "the server sent an error page as if it were none; check the address, or try an archived copy",
    "controls": "only help for the keyboard or a player is left; render the page in a browser (`thresher render`)",
}

_ERRORS: tuple[WallStatus, ...] = ("blocked", "unavailable", "not_found")
_FILE = "walls.txt"
_MAX_SPOKEN = 4_000  # characters of the text that are searched
_LIKELY_SIZE = 2_000  # characters kept of a page whose title or heading says it; of a longer one the title must
_BRIEF_SIZE = 400  # the same, of one whose text does not
_POSSIBLE_SIZE = 800  # characters of a page whose title articles have too
_LOGIN_SIZE = 1_500
_CONTROLS_SIZE = 1_500
_CONSENT_PROSE, _OTHER_PROSE = 120, 200  # characters about consent, and about other things
_HARDLY_ANYTHING = 250  # characters of a page of which one sentence of a bot check is enough
_SENTENCE = 40  # characters: what is shorter is no prose
_MOSTLY = 0.6  # share of the text that consists of keys
_HEADINGS = 3  # headings that are compared; what stands below prose that was kept is one of its sections
_MAX_TITLE = 300  # characters

_WORD = compile_later(r"\w+")  # what parts the pieces of a title is in none
_PIECES = compile_later(r"\s[|–—:·»«/•~-]+\s|[|»«•]|[.!?…:。！？]+(?:\s|$)|\s{2,}")
_OPENING = compile_later(r"(?:(?:error|http|oops|whoops|sorry|ups|hoppla|oh no|uh oh)\s+)*(?:[45]\d\d\s+)?")
_TO_COMMENT = compile_later(r"\s*to (?:\w+ (?:a|an|or) )?(?:post|reply|comment|leave|vote|review|rate|add|write)")
_KEY = compile_later(r"[←→↑↓⌘⇧⏎]|(?<!\w)\S(?!\w)")
_DATED = (b'"datePublished"', b"article:published_time", b"<time", b"DiscussionForumPosting", b"QAPage")


@dataclass(frozen=True, slots=True)
class Wall:
    """What stands there: its status, and the words of the page that tell."""

    status: WallStatus
    evidence: str


@dataclass(frozen=True)
class _Signs:
    """What a page says, as it is compared: in small letters, in pieces."""

    page: Page
    title: tuple[str, ...]
    headings: tuple[str, ...]
    own: Bools  # texts that may be said to the reader
    size: int  # characters kept, or beside links where nothing was
    seen: int  # characters that can be read

    @cached_property
    def spoken(self) -> str:
        """The beginning of what the page says to the reader, the title before it."""
        spoken: list[str] = []
        length = 0
        for text in self.page.cut(self.own.nonzero()[0][:_MAX_SPOKEN]):
            spoken.append(text)
            length += len(text)
            if length > _MAX_SPOKEN:
                break
        return _small(" ".join((*self.title[:1], *spoken)))

    def says(self, kind: str) -> tuple[str | None, str | None]:
        """What title and headings have of one kind."""
        known = _known(kind)
        return next((one for one in self.title if one in known), None), next(
            (one for one in self.headings if one in known), None
        )

    def speaks(self, status: str) -> str | None:
        """A phrase in the text that is said to the reader."""
        place = find_phrase(f"{status} text", self.spoken, _FILE)
        return self.spoken[place] if place else None


def wall(verdict: Verdict) -> Wall | None:
    """What stands in place of the content; None for a page of content, as nearly all are."""
    page, keep = verdict.page, verdict.keep
    title = _title(page)
    size = verdict.kept_chars or sizes(page).outside_links
    if size >= _LIKELY_SIZE and not page.guard and not _names_wall(title):
        return None
    signs = _signs(page, keep, tuple(_pieces(title)), size)
    if page.guard and _is_guarded(signs):
        return Wall("blocked", page.guard)
    if signs.seen < _HARDLY_ANYTHING:
        evidence = signs.speaks("blocked")
        if evidence:
            return Wall("blocked", evidence)
    for status in _ERRORS:
        evidence = _stands_there(page, signs, status)
        if evidence:
            return Wall(status, evidence)
    for other, tell in _OTHERS.items():
        evidence = tell(page, keep, signs)
        if evidence:
            return Wall(other, evidence)
    return None


def _signs(page: Page, keep: Bools, title: tuple[str, ...], size: int) -> _Signs:
    own = readable(page) & ~texts_within(page, tag_mask(page, "nav", "footer", "select", "option"))
    rows = (tag_mask(page, "h1", "h2", "h3") & (page.first < page.last)).nonzero()[0]
    rows = rows[own[page.first[rows]]][:_HEADINGS] if len(rows) else rows
    if len(rows) > 1:
        prose = (keep & (chars(page) >= _SENTENCE))[: page.first[rows[-1]]].nonzero()[0]
        rows = rows[(page.tag[rows] == NUMBER["h1"]) | (page.first[rows] <= prose[0])] if len(prose) else rows
    headings = tuple(piece for row in rows.tolist() for piece in _pieces(page.inner_text(row)))
    return _Signs(page, title, headings, own, size, sizes(page).seen)


def _title(page: Page) -> str:
    if not has(page, "title"):
        return ""
    return page.inner_text(int((page.tag == NUMBER["title"]).argmax()))


def _names_wall(title: str) -> bool:
    """Whether a piece of a title is one that walls of any length have.  Most titles have no word of these."""
    if _telling_words().isdisjoint(_WORD.findall(title[:_MAX_TITLE].lower().replace(",", ""))):
        return False
    return not _titles().isdisjoint(_pieces(title))


def _pieces(text: str) -> list[str]:
    """The whole, its pieces, and these without an opening such as "Oops" or "404"."""
    small = _small(text[:_MAX_TITLE])
    pieces = [small, *_PIECES.split(small)]
    stripped = [piece.strip(" \t.,;:!?…。！？\"'“”()[]-–—") for piece in pieces]
    stripped += [piece[match.end() :] for piece in stripped if (match := _OPENING.match(piece)) and match.end()]
    return [piece for piece in dict.fromkeys(stripped) if piece]


def _small(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").replace(",", "").replace("&", " & ").split())


def _is_guarded(signs: _Signs) -> bool:
    """The scripts are those of a bot check, and hardly anything else is there, or it is said."""
    if signs.seen < _POSSIBLE_SIZE:
        return True
    named = any(signs.says("blocked title")) or any(signs.says("blocked name"))
    return named or (signs.size < _LIKELY_SIZE and signs.speaks("blocked") is not None)


def _stands_there(page: Page, signs: _Signs, status: str) -> str | None:
    """The words that tell an error page or a bot check."""
    in_title, in_heading = signs.says(f"{status} title")
    evidence = in_title or in_heading
    if evidence:
        if in_title and in_heading and (signs.size < _LIKELY_SIZE or signs.speaks(status) or not _is_dated(page)):
            return evidence
        if signs.size < _BRIEF_SIZE and signs.seen < _LIKELY_SIZE and not _is_dated(page):
            return evidence
        if signs.size < _LIKELY_SIZE and not _is_dated(page) and signs.speaks(status):
            return evidence
    if signs.seen < _POSSIBLE_SIZE:
        named = next(filter(None, signs.says(f"{status} name")), None)
        if named and not _is_dated(page) and signs.speaks(status):
            return named
    return None


def _login(page: Page, keep: Bools, signs: _Signs) -> str | None:
    in_title, in_heading = signs.says("login title")
    first = signs.headings[:1]
    if in_title or (in_heading in first and signs.seen < _LOGIN_SIZE):
        asks = b'type="password"' in page.markup or signs.speaks("login")
        if asks and signs.size < _LOGIN_SIZE:
            return in_title or in_heading
    if signs.size < _BRIEF_SIZE and keep.any():
        kept = _small(" ".join(page.cut(keep.nonzero()[0])))
        place = find_phrase("login text", kept, _FILE)
        if place and not _TO_COMMENT.match(kept, place.stop) and not _is_dated(page):
            return kept[place]
    return None


def _consent(page: Page, keep: Bools, signs: _Signs) -> str | None:
    if any(signs.says("consent policy")):
        return None
    sizes = chars(page)
    about = kept_about = other = 0
    prose = readable(page) & ~in_link(page) & (sizes >= _SENTENCE)
    for text in (prose | keep).nonzero()[0].tolist():
        small, size = _small(page.utf8[page.start[text] : page.stop[text]].decode()), int(sizes[text])
        if find_phrase("consent text", small, _FILE):
            about += size if prose[text] else 0
            kept_about += size if keep[text] else 0
        elif small not in _known("consent button"):
            other += size
        if other >= _OTHER_PROSE:  # as on nearly all pages
            return None
    if about < _CONSENT_PROSE or 2 * kept_about < chars_in(page, keep):
        return None
    short = page.cut((sizes < _SENTENCE).nonzero()[0])
    return next((small for text in short if (small := _small(text).strip(" .!")) in _known("consent button")), None)


def _controls(page: Page, keep: Bools, signs: _Signs) -> str | None:
    if signs.size >= _CONTROLS_SIZE or not keep.any():
        return None
    known = _known("controls title")
    texts = [_small(text) for text in page.cut(keep.nonzero()[0])]
    named = next((text for text in texts if text.strip(" .:!?") in known), None)
    if named is None or any(phrase in piece for piece in signs.title for phrase in known):
        return None
    total = sum(map(len, texts))
    keys = sum(len(text) for text in texts if text in known or _KEY.search(text) or find_phrase("keys", text, _FILE))
    return named if keys >= _MOSTLY * total else None


def _is_dated(page: Page) -> bool:
    """Whether the page says when it was published, or that it is a thread: error pages have neither."""
    if any(mark in page.markup for mark in _DATED):
        return True
    return any("datePublished" in island.text for island in page.islands if "ld+json" in island.type)


@cache
def _known(kind: str) -> frozenset[str]:
    return frozenset(phrases(kind, _FILE))


@cache
def _titles() -> frozenset[str]:
    """Titles that walls of any length have."""
    return frozenset().union(*(_known(f"{status} title") for status in _ERRORS))


@cache
def _telling_words() -> frozenset[str]:
    """The longest word of each of these titles."""
    return frozenset(max(_WORD.findall(title), key=len) for title in _titles())


_OTHERS: dict[WallStatus, Callable[[Page, Bools, _Signs], str | None]] = {
    "login": _login,
    "consent": _consent,
    "controls": _controls,
}
