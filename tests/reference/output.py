"""Plain text and media as one would explain them: text by text, ancestor by ancestor."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import BLOCK, HEADINGS
from thresher.output.media import media_mask
from thresher.output.tables import data_tables
from thresher.page import Page
from thresher.visible.readable import readable

_WORD_SIGNS = ["", " ", "\t", "\n", "\n\n"]  # from the weakest to the strongest
_ITEMS = ("li", "dt", "dd")
_LISTS = ("ul", "ol", "menu", "dir", "dl")
_CODE = ("code", "pre", "samp", "tt", "kbd")
_SPANS = ("code", "tt", "samp")
_ENTRIES = "a li td th dt dd figure summary details button label".split()
_WIDGETS = "form input select button iframe embed object canvas svg img video".split()
_VISITED = """b strong i em dfn var del s strike u ins mark sub sup kbd q rt code tt samp h1 h2 h3 h4 h5 h6 ul ol menu
    dir li dl dt dd table caption tr td th blockquote figure figcaption details summary a pre listing""".split()
_FORMATS = "b strong i em u s small big font mark var q ins del strike".split()


def unwanted(character: str) -> bool:
    """Control characters but tab and line feed, soft hyphens, byte order marks, operators, noncharacters, tags."""
    code = ord(character)
    return (
        (code < 32 and character not in "\t\n\v\f\r")
        or 0x7F <= code <= 0x9F
        or 0x2060 <= code <= 0x2064
        or 0x206A <= code <= 0x206F
        or 0xFFF9 <= code <= 0xFFFB
        or code in (0xAD, 0xFEFF, 0xFFFE, 0xFFFF)
        or 0xE0000 <= code <= 0xE007F
    )


def collapsed(text: str) -> str:
    return " ".join(wanted(text).split())


def wanted(text: str) -> str:
    """Without unwanted characters, and without zero-width spaces but between letters of Thai and its like."""
    left = "".join(character for character in text if not unwanted(character))
    kept = ""
    for place, character in enumerate(left):
        around = left[max(place - 1, 0) : place] + left[place + 1 : place + 2]
        if character != "\u200b" or (len(around) == 2 and all(map(_unspaced, around))):
            kept += character
    return kept


def _unspaced(character: str) -> bool:
    return any(low <= character <= high for low, high in ("\u0e00\u0eff", "\u1000\u109f", "\u1780\u17ff"))


def without_invisible_runs(text: str) -> str:
    """Without rows of joiners and selectors, and of direction marks."""
    joiners = ("\u200c", "\u200d")
    result, row = "", ""
    for character in (*text, ""):
        invisible = character != "" and (
            character in ("\u034f", *joiners)
            or "\ufe00" <= character <= "\ufe0f"
            or "\U000e0100" <= character <= "\U000e01ff"
        )
        if invisible:
            row += character
            continue
        if len(row) > 1 and not (len(row) == 2 and "\ufe00" <= row[0] <= "\ufe0f" and row[1] == "\u200d"):
            row = row[0] if set(row) in ({"\u200c"}, {"\u200d"}) else ""
        result += row + character
        row = ""
    return result


def without_buttons_of_code(page: Page, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without what stands on a button in a listing: "Copy"."""
    left = keep.copy()
    for row in range(len(page)):
        if page.name(row) == "button" and any(page.name(outer) in ("pre", "listing") for outer in page.ancestors(row)):
            left[page.first[row] : page.last[row]] = False
    return left


def unrepeated(page: Page, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without headings that say what the one right before them says; the lower of the two goes, or the second."""

    def kept_in(row: int) -> list[int]:
        return [k for k in range(page.first[row], page.last[row]) if keep[k]]

    def said(row: int) -> str:
        return " ".join("".join(page.text[k] for k in kept_in(row)).split())

    left = keep.copy()
    order = np.flatnonzero(keep).tolist()
    heads = [row for row in range(len(page)) if page.name(row) in HEADINGS and kept_in(row)]
    shown = {row: row for row in heads}
    for before, after in pairwise(heads):
        one = shown[before]
        if order.index(kept_in(before)[-1]) + 1 == order.index(kept_in(after)[0]) and said(one) == said(after):
            shown[after], gone = (after, one) if page.name(one) > page.name(after) else (one, after)
            left[page.first[gone] : page.last[gone]] = False
    return left


def without_empty_headings(page: Page, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without headings of which all under them was dropped, up to one of their rank or above, or the end."""
    heads = [
        row for row in range(len(page)) if page.name(row) in HEADINGS and keep[page.first[row] : page.last[row]].any()
    ]
    title = next((row for row in heads if page.name(row) == "h1"), heads[0] if heads else -1)
    bare = {}  # headings with no kept text up to the next one, and that one
    for place, row in enumerate(heads):
        behind = heads[place + 1] if place + 1 < len(heads) else None
        end = len(keep) if behind is None else page.first[behind]
        if keep[:end].sum() == keep[: page.last[row]].sum():
            bare[row] = behind
    gone: dict[int, int | None] = {}
    for row in sorted(bare, reverse=True):
        left = bare[row]
        while left in gone:
            left = gone[left]
        is_title = row <= title or page.name(row) == "h1" or row == bare.get(title)
        above = left is None or page.name(left) <= page.name(row)
        if above and not is_title and _has_lost(page, row, bare[row]) and _is_plain(page, keep, row):
            gone[row] = left
    if 2 * len(gone) > len(heads):
        return keep
    pictures = media_mask(page, keep)
    alone = [
        row
        for row in sorted(gone)
        if not any(pictures[r] and page.name(r) != "hr" for r in range(row, bare[row] or len(page)))
    ]
    runs = [(row, bare[row], bare.get(bare[row] or -1)) for row in alone]
    listed = {row for run in runs if all(other in alone for other in run) for row in run}  # three in a row are a list
    left_over = keep.copy()
    for row in alone:
        if row not in listed:
            left_over[page.first[row] : page.last[row]] = False
    return left_over


def _has_lost(page: Page, row: int, behind: int | None) -> bool:
    """Whether the page has a text or a widget under a heading, or the heading is its last."""
    if behind is None or page.last[row] < page.first[behind]:
        return True
    return any(page.name(between) in _WIDGETS for between in range(page.end[row], behind))


def _is_plain(page: Page, keep: NDArray[np.bool_], row: int) -> bool:
    """Whether a heading is no entry of a listing, and not long or a sentence."""
    if any(page.name(inner) == "a" for inner in range(row, page.end[row])):
        return False
    text = " ".join("".join(page.text[k] for k in range(page.first[row], page.last[row]) if keep[k]).split())
    in_entry = any(page.name(outer) in _ENTRIES for outer in page.ancestors(row))
    return not in_entry and len(text) <= 80 and not text.endswith(tuple(".!?…。！？؟।"))


def to_text(page: Page, keep: NDArray[np.bool_]) -> str:
    keep = without_empty_headings(page, unrepeated(page, without_buttons_of_code(page, keep)))
    kept = [k for k in range(len(page.text)) if keep[k]]
    result = ""
    waiting = ""  # the strongest separator since the last text that printed anything
    done = None  # the listing that was printed last
    for place, text in enumerate(kept):
        outer = listed(page, kept, text)
        if outer is not None and outer == done:
            continue
        separator = between(page, kept, place) if place else ""
        waiting = max(waiting, separator, key=_WORD_SIGNS.index)
        if outer is None:
            printed = collapsed(page.text[text])
        elif page.name(outer) in ("pre", "listing"):
            printed = listing(page, keep, outer)
        else:
            printed = code_lines(page, kept, outer)
        done = outer
        if printed:
            result += (waiting if result else "") + printed
            waiting = ""
    return without_invisible_runs(result)


def between(page: Page, kept: list[int], place: int) -> str:
    """What separates a kept text from the kept one before."""
    a, b = kept[place - 1], kept[place]
    table = nearest(page, b, None, data_tables(page))
    if table is not None and table == nearest(page, a, None, data_tables(page)):
        if nearest(page, a, ("tr",)) != nearest(page, b, ("tr",)):
            return "\n"
        if nearest(page, a, ("td", "th")) != nearest(page, b, ("td", "th")):
            return "\t"
        return " " if page.block[a] != page.block[b] or breaks(page, a, b) or apart(page, a, b) else ""
    if page.block[a] == page.block[b]:
        return "\n" if breaks(page, a, b) else " " if apart(page, a, b) else ""
    item_a, item_b = nearest(page, a, _ITEMS), nearest(page, b, _ITEMS)
    if item_a is None or item_b is None:
        return "\n\n"
    for item in (item_a, item_b):
        blocks = {int(page.block[k]) for k in kept if nearest(page, k, _ITEMS) == item}
        if len(blocks) > 1:
            return "\n\n"
    for one, other in ((item_a, item_b), (item_b, item_a)):
        around = int(page.parent[one])
        in_group = page.name(around) == "div" and page.name(int(page.parent[around])) == "dl"
        if around in page.ancestors(other) and (in_group or page.name(around) in _LISTS):
            return "\n"
    return "\n\n"


def breaks(page: Page, a: int, b: int) -> bool:
    return any(
        page.position[a] < page.tag_start[row] < page.position[b] for row in range(len(page)) if page.name(row) == "br"
    )


def apart(page: Page, a: int, b: int) -> bool:
    """White space, a dropped text, or two elements side by side that a style sheet must have set apart."""
    if any(page.spaced[k] for k in range(a + 1, b + 1)) or any(readable(page)[k] for k in range(a + 1, b)):
        return True
    left, right = page.text[a], page.text[b]
    if wanted(left)[-1:].isspace() or wanted(right)[:1].isspace():
        return True
    opened = [row for row in range(len(page)) if page.position[a] < page.tag_start[row] < page.position[b]]
    after_name = left[-1] == ":" and len(left) > 1 and (left[-2].isalpha() or ord(left[-2]) > 127)
    if not opened or not (in_word(left[-1]) or after_name) or not in_word(right[0]):
        return False
    if nearest(page, b, _CODE) is not None and nearest(page, b, _CODE) == nearest(page, a, _CODE):
        return False
    first = opened[0]
    around_b = [int(page.owner[b]), *page.ancestors(int(page.owner[b]))]
    around_a = [int(page.owner[a]), *page.ancestors(int(page.owner[a]))]
    if first not in around_b and page.name(first) in ("i", "img", "input", "svg"):
        return True
    later = first if first in around_b else around_b[0]
    if later not in opened or around_a[0] in around_b:
        return False
    if page.name(later) in ("sup", "sub", "rt", "rp"):
        return False
    if page.name(later) in _FORMATS and page.name(around_a[0]) in _FORMATS:
        return False
    one_letter = min(len(left.encode()), len(right.encode())) == 1
    return not one_letter or page.name(later) in ("a", "kbd", "label")


def in_word(character: str) -> bool:
    code = ord(character)
    if code < 128:
        return character.isalnum()
    return not (0x2000 <= code < 0x2080 or 0x3000 <= code < 0x3040)


def nearest(page: Page, text: int, names: tuple[str, ...] | None, mask: NDArray[np.bool_] | None = None) -> int | None:
    owner = int(page.owner[text])
    for row in (owner, *page.ancestors(owner)):
        if (mask is not None and mask[row]) or (names is not None and page.name(row) in names):
            return row
    return None


def listed(page: Page, kept: list[int], text: int) -> int | None:
    """The outermost element around a text that is a listing."""
    owner = int(page.owner[text])
    for row in reversed((owner, *page.ancestors(owner))):
        if page.name(row) in ("pre", "listing") or (page.name(row) in _SPANS and is_broken(page, kept, row)):
            return row
    return None


def is_broken(page: Page, kept: list[int], row: int) -> bool:
    """Whether an element has several lines and stands alone on them."""

    def parted(a: int, b: int) -> bool:
        return page.block[a] != page.block[b] or breaks(page, a, b)

    inside = [k for k in kept if page.first[row] <= k < page.last[row]]
    before = [k for k in kept if k < page.first[row]][-1:]
    after = [k for k in kept if k >= page.last[row]][:1]
    if any(page.name(inner) in BLOCK for inner in range(row, page.end[row])):
        return False
    return (
        any(parted(a, b) for a, b in pairwise(inside))
        and all(parted(k, inside[0]) for k in before)
        and all(parted(inside[-1], k) for k in after)
    )


def code_lines(page: Page, kept: list[int], row: int) -> str:
    result = ""
    before = None
    for k in kept:
        if not page.first[row] <= k < page.last[row]:
            continue
        if before is not None:
            result += "\n" * sum(
                bool(page.position[before] < page.tag_start[r] < page.position[k])
                for r in range(len(page))
                if page.name(r) == "br"
            )
        result += re.sub("[ \t\n\r\f]+", " ", page.text[k])
        before = k
    return cleaned_lines("\n".join(line.strip(" ") for line in result.split("\n")))


def listing(page: Page, keep: NDArray[np.bool_], row: int) -> str:
    result = ""
    before = None
    for k in range(page.first[row], page.last[row]):
        text = page.text[k]
        if not keep[k] and text.strip():
            continue
        if before is not None:
            ends = sum(
                bool(page.position[before] < page.tag_start[r] < page.position[k])
                for r in range(row, page.end[row])
                if page.name(r) == "br"
            )
            if not ends and page.block[before] != page.block[k] and not page.text[before].endswith("\n"):
                ends = 1
            result += "\n" * ends
        result += text
        before = k
    return cleaned_lines(result)


def cleaned_lines(result: str) -> str:
    for end in ("\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"):
        result = result.replace(end, "\n")
    result = wanted(result)
    for space in "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f":
        result = result.replace(space, " ")
    return "\n".join(line.rstrip() for line in result.split("\n")).strip("\n")


def events(page: Page, keep: NDArray[np.bool_], media: NDArray[np.bool_], wanted: NDArray[np.uint8]) -> list[int]:
    """What a walk through the content meets, by its place: rows, and kept texts as ~place among the kept ones."""

    def alive(row: int) -> bool:
        return bool(keep[page.first[row] : page.last[row]].any())

    def is_met(row: int) -> bool:
        name, above = page.name(row), int(page.parent[row])
        if media[row] or wanted[row] & 1 or (wanted[row] & 2 and alive(row)):
            return True
        if name in _VISITED and (alive(row) or media[row : page.end[row]].any()):
            return True
        if alive(row) or above < 0 or not alive(above):
            return False
        return name == "input" or (name in ("td", "th") and page.name(above) == "tr")

    places = [(int(page.tag_start[row]), row) for row in range(len(page)) if is_met(row)]
    places += [(int(page.position[text]), ~place) for place, text in enumerate(keep.nonzero()[0].tolist())]
    return [event for _, event in sorted(places)]


def in_content(page: Page, keep: NDArray[np.bool_], row: int) -> bool:
    """At least half of what can be read in the nearest element with anything to read is kept.  Captions that are not
    kept do not count."""
    seen = [bool(readable(page)[k]) and (bool(keep[k]) or not _in_caption(page, k)) for k in range(len(page.text))]
    for around in (row, *page.ancestors(row)):
        texts = [k for k in range(page.first[around], page.last[around]) if seen[k] and ink(page.text[k])]
        if texts:
            total = sum(ink(page.text[k]) for k in texts)
            return 2 * sum(ink(page.text[k]) for k in texts if keep[k]) >= total
    return False


def _in_caption(page: Page, text: int) -> bool:
    owner = int(page.owner[text])
    return any(_is_caption(page, row) for row in (owner, *page.ancestors(owner)))


def _is_caption(page: Page, row: int) -> bool:
    called = page.name(row) == "figcaption" or "wp-caption" in (page.attribute(row, "class") or "")
    return called and "img" not in map(page.name, range(row, page.end[row]))


def ink(text: str) -> int:
    return sum(character > " " and character != "\xa0" for character in text)


def is_data_table(page: Page, table: int) -> bool:
    """Whether an element is a table that holds data, going by its own rows and cells, none in a table in it."""
    if page.name(table) != "table" or (page.attribute(table, "role") or "").strip() in ("presentation", "none"):
        return False
    inside = [row for row in range(table + 1, page.end[table]) if _innermost(page, row, "table") == table]
    tables = [row for row in range(table + 1, page.end[table]) if page.name(row) == "table"]
    cells = [row for row in inside if page.name(row) in ("td", "th")]
    large = [cell for cell in cells if len({int(page.block[k]) for k in _texts_in(page, cell)}) > 3]
    if any(sum(len(page.text[k].encode()) for k in _texts_in(page, cell)) > 1000 for cell in large):
        return False
    filled = [row for row in range(len(page)) if page.name(row) in ("td", "th") and _is_filled(page, row)]
    lines = [(_innermost(page, one, "tr"), _innermost(page, other, "tr")) for one, other in pairwise(filled)]
    wide = [row for row in inside if page.name(row) == "tr" and (row, row) in lines]
    if any(page.name(row) == "th" or (page.name(row) == "caption" and page.parent[row] == table) for row in inside):
        return len(wide) > 0
    return len(wide) > 1 and not (large or tables or any(page.name(row) in HEADINGS for row in inside))


def _innermost(page: Page, row: int, name: str) -> int | None:
    return next((around for around in (row, *page.ancestors(row)) if page.name(around) == name), None)


def _texts_in(page: Page, row: int) -> range:
    return range(page.first[row], page.last[row])


def _is_filled(page: Page, row: int) -> bool:
    return len(_texts_in(page, row)) > 0 or "img" in map(page.name, range(row, page.end[row]))
