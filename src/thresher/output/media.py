"""What belongs to the content without being text: images, videos, sound, rules, formulas drawn as pictures."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from thresher.data.tags import LAZY_ADDRESSES, NUMBER, UNREAD, group
from thresher.output import permalinks
from thresher.output.captions import captions
from thresher.output.urls import Resolver, resolver
from thresher.output.walk_kernels import mark_content
from thresher.page import Page
from thresher.page.columns import chars, column, has
from thresher.page.tree import nearest, within
from thresher.page.types import Bools
from thresher.text.characters import collapse
from thresher.text.patterns import compile_later
from thresher.visible.hidden import hidden
from thresher.visible.readable import readable

__all__ = [
    "MEDIA", "Picture", "in_content", "is_symbol", "loadable", "media_mask", "picture", "shown_media", "video_or_audio",
]  # fmt: skip


MEDIA = ("img", "picture", "video", "audio", "iframe", "embed", "object", "hr", "math")  # elements
_MEDIA = group(MEDIA)
_FRAME = group(("iframe", "embed", "object"))
_UNREAD = group(UNREAD)
_IMG, _PICTURE, _SOURCE, _NOSCRIPT, _MATH, _LINK = (
    NUMBER[name] for name in ("img", "picture", "source", "noscript", "math", "a")
)
_FRAMES = ("iframe", "embed", "object")

_SRCSET_ATTRIBUTES = ("data-srcset", "data-lazy-srcset", "srcset")
# An image that only holds the place of another.
_PLACEHOLDER = compile_later(
    r"data:|about:|(?:.*[/_.-])?(?:blank|spacer|placeholder|trans(?:parent)?|shim|clear|pixel|loading|lazy(?:load)?|loader|1x1|dummy)"
    r"(?:[-_]?(?:image|img|gif|bg|\d+(?:x\d+)?))?\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
    re.IGNORECASE | re.DOTALL,
)
_PLACEHOLDER_WORDS = (
    "data:", "about:", "blank", "spacer", "placeholder", "trans", "shim", "clear", "pixel", "loading", "lazy", "loader",
    "1x1", "dummy",
)  # fmt: skip
_DESCRIPTOR = compile_later(r"(\d{1,6}(?:\.\d{1,6})?)([wxh]),?")
_MAX_SENSIBLE_WIDTH = 2048  # pixels: beyond this an image is for print
_USUAL_WIDTH = "1080"  # what a script would write for {width} in an address
_MAX_SRCSET_LENGTH = 20_000  # characters of a set of candidates
_MAX_SOURCES = 50  # elements looked at; real pictures have up to a dozen
_TINY = compile_later(r"\s*[01](?:\.0*)?\s*(?:px\s*)?")
_TINY_STYLE = compile_later(r"(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:!|;|$)", re.IGNORECASE)
_PIXELS = compile_later(r"\s*(\d{1,5}(?:\.\d{0,9})?)\s*(?:px\s*)?")
_STYLED_PIXELS = {
    side: compile_later(rf"(?:^|[;\s]){side}\s*:\s*(\d{{1,5}})px", re.IGNORECASE) for side in ("width", "height")
}
_MAX_ICON_SIZE = 32  # pixels

# Players that stand in frames: the host and path of the frame, and the page that shows the same video.
_PLAYERS = tuple(
    (compile_later(pattern, re.IGNORECASE), address)
    for pattern, address in (
        (r"//(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:embed|v|shorts)/(?!videoseries)([\w-]+)", r"https://www.youtube.com/watch?v=\1"),
        (r"//(?:www\.|m\.)?youtube(?:-nocookie)?\.com/embed/videoseries\?.*?\blist=([\w-]+)", r"https://www.youtube.com/playlist?list=\1"),
        (r"//player\.vimeo\.com/video/(\d+)", r"https://vimeo.com/\1"),
        (r"//(?:www\.|geo\.)?dailymotion\.com/(?:embed/video/|player[\w./]*\?video=)(\w+)", r"https://www.dailymotion.com/video/\1"),
        (r"//embed\.ted\.com/talks/([\w/]+)", r"https://www.ted.com/talks/\1"),
        (r"//(?:www\.)?loom\.com/embed/(\w+)", r"https://www.loom.com/share/\1"),
        (r"//player\.bilibili\.com/player\.html\?.*?\bbvid=(\w+)", r"https://www.bilibili.com/video/\1"),
        (r"//(?:fast\.wistia\.(?:net|com)/embed|player\.twitch\.tv/|clips\.twitch\.tv/embed|rutube\.ru/play/embed"
         r"|player\.youku\.com/embed|v\.qq\.com/txp/iframe|www\.facebook\.com/plugins/video|w\.soundcloud\.com/player"
         r"|open\.spotify\.com/embed|archive\.org/embed)", ""),
    )
)  # fmt: skip


class Picture(NamedTuple):
    """An image, or a video or sound with its title."""

    address: str
    description: str
    title: str


def media_mask(page: Page, keep: Bools, elements: Bools | None = None) -> Bools:
    """Which elements without text are content: images, pictures, videos, sound, rules, formulas without characters.

    An element goes with the nearest element around it that holds readable text, if at least half of that is kept:

        2 · Σ chars of kept texts ≥ Σ chars of readable texts > 0

    Captions that are not kept do not count: they are left out of most extracts, and the picture is still the article's.
    Where a method chose elements, `elements` says which, and is all that counts.
    """
    shown = shown_media(page)
    return loadable(page, shown & in_content(page, keep, elements)) if np.count_nonzero(shown) else shown


def in_content(page: Page, keep: Bools, elements: Bools | None = None) -> Bools:
    """Which elements would be content if they were media: the rule of `media_mask`."""
    if elements is not None:
        return elements
    caption: list[int] = captions(page).tolist()
    apart = np.zeros(len(keep) if caption else 0, np.uint8)
    for row in caption:
        apart[page.first[row] : page.last[row]] = 1
    content, sums = np.empty(len(page), bool), np.empty((2, len(keep) + 1), np.int64)
    mark_content(
        page.parent,
        page.first,
        page.last,
        chars(page),
        readable(page).view(np.uint8),
        keep.view(np.uint8),
        apart,
        sums,
        content.view(np.uint8),
    )
    return content


@column
def shown_media(page: Page) -> Bools:
    """Elements of the right kind that are to be seen."""
    rows = _MEDIA[page.tag].nonzero()[0]
    mask = np.zeros(len(page), bool)
    if not len(rows):
        return mask
    concealed = hidden(page)
    unseen = within(page, _UNREAD[page.tag] | concealed)
    above = page.parent[rows]
    mask[rows] = ~(concealed[rows] | ((above >= 0) & unseen[above]))
    if has(page, "math"):
        mask &= (page.tag != _MATH) | (page.first == page.last)
    if has(page, "noscript"):
        _swap_fallbacks(page, mask, resolver(page))
    return mask


def loadable(page: Page, media: Bools) -> Bools:
    """Of some media those that have something to load and are no part of a permalink or a logo.  It is looked at
    element by element, so what is no content should be left out before."""
    rows = media.nonzero()[0]
    if not len(rows):
        return media
    resolve, mask = resolver(page), media.copy()
    tags = page.tag[rows]
    for row in rows[_FRAME[tags]].tolist():
        mask[row] = video_or_audio(page, row, resolve) is not None
    for link in permalinks.find(page).links:
        mask[link : page.end[link]] = False
    if _IMG in tags.tolist():
        _drop_logos(page, mask, resolve)
    return mask


def _drop_logos(page: Page, mask: Bools, resolve: Resolver) -> None:
    """An image that is a link to the home page of its site, with no words, is a logo."""
    images = (mask & (page.tag == _IMG)).nonzero()[0]
    link = nearest(page, page.tag == _LINK)[images]
    link = link[(link >= 0) & (page.first[link] == page.last[link])]
    for row in sorted(set(link.tolist())):
        if resolve.is_home(page.attribute(row, "href")):
            mask[row : page.end[row]] = False


def _swap_fallbacks(page: Page, mask: Bools, resolve: Resolver) -> None:
    """An image in a `noscript` stands in for a placeholder beside it, or for nothing; never for a real image."""
    concealed = hidden(page)
    unseen = within(page, (_UNREAD[page.tag] & (page.tag != _NOSCRIPT)) | concealed)
    images = np.flatnonzero(page.tag == _IMG)
    for row in np.flatnonzero(page.tag == _NOSCRIPT).tolist():
        before = np.searchsorted(images, row) - 1
        after = np.searchsorted(images, page.end[row])
        if after - before != 2 or unseen[row] or page.first[row] != page.last[row]:  # one image and nothing else
            continue
        fallback = images[before + 1]
        if concealed[fallback]:  # a counter, as trackers set them where no script runs
            continue
        neighbours = []
        if before >= 0 and page.last[images[before]] == page.first[row]:
            neighbours.append(int(images[before]))
        if after < len(images) and page.first[images[after]] == page.last[row]:
            neighbours.append(int(images[after]))
        close = [image for image in neighbours if _beside(page, image, row) and mask[image]]
        if any(picture(page, image, resolve) is not None for image in close):
            continue
        mask[fallback] = True
        mask[close] = False


def _beside(page: Page, image: int, noscript: int) -> bool:
    """Whether the image stands right before or after the fallback: one of the two parents holds both, or nearly."""
    holder = page.parent[noscript]
    return bool(holder >= 0 and holder <= image < page.end[holder] and abs(int(image) - noscript) <= 6)


def is_symbol(description: str) -> bool:
    """Whether an image is described by a symbol and nothing else: forums and blogs draw emoji as images."""
    return bool(description) and not description.isascii() and not any(map(str.isalnum, description))


def picture(page: Page, row: int, resolve: Resolver) -> Picture | None:
    """The image of an `img`, with the best address it gives; None for placeholders, counting pixels, data, and
    icons that nothing describes."""
    names = page.attributes(row)
    for side in ("width", "height"):
        if side in names and _TINY.fullmatch(names[side]):
            return None
    style = names.get("style", "")[:_MAX_SRCSET_LENGTH]
    if style and _TINY_STYLE.search(style) and "min-" not in style:  # frameworks write `width:0;min-width:100%`
        return None
    description, title = collapse(names.get("alt", "")), collapse(names.get("title", ""))
    if not (description or title) and _is_icon(names, style):
        return None
    address = _source(page, row, names, resolve)
    return Picture(address, description, title) if address else None


def _is_icon(names: dict[str, str], style: str) -> bool:
    """Whether an image is as small as the icons beside lines are, by its attributes or its style."""
    for side in ("width", "height"):
        match = _PIXELS.fullmatch(names.get(side, "")) or _STYLED_PIXELS[side].search(style)
        if match is None or float(match[1]) > _MAX_ICON_SIZE:
            return False
    return "min-" not in style


def _source(page: Page, row: int, names: dict[str, str], resolve: Resolver) -> str:
    for name in (*LAZY_ADDRESSES, "src"):
        if name in names and (address := _real(names[name], resolve)):
            return address
    above = int(page.parent[row])
    address = _from_sets(names, resolve)
    if address or above < 0 or page.tag[above] != _PICTURE:
        return address
    if above not in resolve.pictures:
        offered = (_from_sets(page.attributes(source), resolve) for source in _sources(page, above))
        resolve.pictures[above] = next(filter(None, offered), "")
    return resolve.pictures[above]


def _from_sets(names: dict[str, str], resolve: Resolver) -> str:
    return next(filter(None, (_largest(names.get(name), resolve) for name in _SRCSET_ATTRIBUTES)), "")


def _sources(page: Page, row: int) -> list[int]:
    """The first `source` elements in a picture, video or sound."""
    end = min(int(page.end[row]), row + _MAX_SOURCES)
    sources: list[int] = (np.flatnonzero(page.tag[row:end] == _SOURCE) + row).tolist()
    return sources


def _real(address: str | None, resolve: Resolver) -> str:
    if not address or (_may_hold_place(address) and _PLACEHOLDER.match(address[:400].strip())):
        return ""
    # A late address may also be a list of candidates or a piece of JSON; neither has a place here.
    if address.lstrip()[:1] in "{[":
        return ""
    return resolve(address.replace("{width}", _USUAL_WIDTH))


def _may_hold_place(address: str) -> bool:
    """Whether one of the words of placeholders is in an address."""
    small = address.lower()
    return not small.isascii() or any(word in small for word in _PLACEHOLDER_WORDS)


def _largest(candidates: str | None, resolve: Resolver) -> str:
    """The candidate of a `srcset` for the widest screen that is sensible; densities count as hundreds of pixels."""
    offers: list[tuple[str, float]] = []
    for word in (candidates or "")[:_MAX_SRCSET_LENGTH].split():
        size = _DESCRIPTOR.fullmatch(word)
        if size is None:
            offers += [(word.strip(","), 100.0)]
        elif offers:
            offers[-1] = (offers[-1][0], float(size[1]) * (100 if size[2] == "x" else 1))
    sensible = sorted(
        offers, key=lambda candidate: -candidate[1] if candidate[1] <= _MAX_SENSIBLE_WIDTH else candidate[1]
    )
    return next(filter(None, (_real(address, resolve) for address, _ in sensible)), "")


def video_or_audio(page: Page, row: int, resolve: Resolver) -> Picture | None:
    """The video or sound of a `video`, an `audio` or a frame of a known player; None if there is nothing to link to."""
    names = page.attributes(row)
    name = page.name(row)
    title = collapse(names.get("title", "") or names.get("aria-label", ""))
    if name in _FRAMES:
        for attribute in ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data"):
            address = resolve(names.get(attribute))
            for pattern, watch in _PLAYERS:
                match = pattern.search(address)
                if match and match.start() <= 6:
                    return Picture(match.expand(watch) if watch else address, title or "Video", "")
        return None
    candidates = [names.get("src"), names.get("data-src")]
    candidates += [page.attribute(source, "src") for source in _sources(page, row)]
    for candidate in candidates:
        address = resolve(candidate)
        if address:
            return Picture(address, title or name.capitalize(), "")
    return None
