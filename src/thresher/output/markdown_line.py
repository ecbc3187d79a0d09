"""A line of text as CommonMark: marks, and the characters that would be taken for them.

Emphasis in CommonMark depends on its neighbours: `**` opens only where no letter stands before and no punctuation after
it ("flanking").  So a mark that could not work gives its outer punctuation away (`**Note:**text` becomes
`**Note**:text`), and where that does not help it is dropped, never the text.

Escapes are few: a character is escaped where it could be syntax and nowhere else.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from thresher.output import inline
from thresher.output.containers import JOINED, LINE
from thresher.output.markdown_escape import PUNCTUATION, destination, escape

__all__ = ["line_to_markdown"]

_DELIMITERS = {"strong": "**", "em": "*", "del": "~~"}
_TAGS = ("sub", "sup", "kbd", "mark")  # no Markdown for these; GitHub and most others take the tag
_AROUND = {"q": "“”", "rt": "()"}
_OPENING = {
    "link": "[",
    **_DELIMITERS,
    **{name: f"<{name}>" for name in _TAGS},
    **{kind: around[0] for kind, around in _AROUND.items()},
}
_CLOSING = {
    **_DELIMITERS,
    **{name: f"</{name}>" for name in _TAGS},
    **{kind: around[1] for kind, around in _AROUND.items()},
}

_Text = tuple[int, bool]  # which part of a line is text of the page, and whether it stands in a link


@dataclass(slots=True)
class _Piece:
    """A piece of output.  `opens` and `closes` lead from the two ends of a mark to each other."""

    text: str
    mark: str = ""  # the kind of mark that this opens or closes
    opens: int = -1
    closes: int = -1
    plain: bool = False  # text of the page, not escaped yet
    in_link: bool = False


def line_to_markdown(runs: inline.Runs, in_cell: bool = False, dollars: bool = False) -> str:
    """The runs of a line.  `in_cell`: of a pipe table; `dollars`: the document has formulas, so `$` is escaped."""
    if len(runs) == 1:
        _, marks, kind, value, _, _, _, safe = runs[0]
        if kind == inline.TEXT and not marks:
            return value if safe else escape(value, in_cell=in_cell, dollars=dollars)
    parts, texts = _parts(runs, in_cell)
    if not parts:
        return _from_pieces(_pieces(runs, in_cell), in_cell, dollars)
    return _with_escapes(parts, texts, in_cell, dollars) if texts else "".join(parts)


def _from_pieces(pieces: list[_Piece], in_cell: bool, dollars: bool) -> str:
    """The line of some pieces."""
    if any(piece.mark in _DELIMITERS for piece in pieces):
        _unnest(pieces)
        _flank(pieces)
    filled = [piece for piece in pieces if piece.text]
    texts = [(place, piece.in_link) for place, piece in enumerate(filled) if piece.plain]
    return _with_escapes([piece.text for piece in filled], texts, in_cell, dollars)


def _with_escapes(parts: list[str], texts: list[_Text], in_cell: bool, dollars: bool) -> str:
    """The parts of a line in one string, the texts of the page among them escaped."""
    written = parts.copy()
    for place, in_link in texts:
        before = parts[place - 1][-1] if place else ""
        after = parts[place + 1][0] if place + 1 < len(parts) else ""
        written[place] = escape(parts[place], before, after, in_link=in_link, in_cell=in_cell, dollars=dollars)
    return "".join(written)


# ---- lines in which every mark works -------------------------------------------------------------------------


def _parts(runs: inline.Runs, in_cell: bool) -> tuple[list[str], list[_Text]]:
    """The parts of a line in which nothing need be moved or dropped, and which of them may have to be escaped; none for
    any other line.

    No text has more than one mark or touches one with another.  Emphasis begins and ends with a letter or digit, or
    has a space or an end of the line on the other side.
    """
    parts: list[str] = []
    texts: list[_Text] = []
    open_: tuple[inline.Mark, ...] = ()
    closing = ""
    in_link = needs_gap = False
    for gap, marks, kind, value, description, _, _, safe in runs:
        if marks != open_:
            if closing:
                if gap == JOINED and (marks or needs_gap):
                    return [], []
                parts.append(closing)
            if gap:
                parts.append(" " if gap != LINE else "<br>" if in_cell else "\\\n")
            open_, closing, in_link, needs_gap = marks, "", False, False
            if marks:
                mark = marks[0]
                opening = _opening(mark)
                if len(marks) > 1 or not opening:
                    return [], []
                closing, in_link = _closing(mark), mark.kind == "link"
                touches = gap == JOINED and parts and not (kind == inline.TEXT and value[:1].isalnum())
                if touches and mark.kind in _DELIMITERS:
                    return [], []
                parts.append(opening)
        elif gap:
            parts.append(" " if gap != LINE else "<br>" if in_cell else "\\\n")
        if kind == inline.TEXT:
            if not safe:
                texts.append((len(parts), in_link))
            parts.append(value)
        elif kind == inline.CODE:
            parts.append(_code(value, in_cell))
        elif kind == inline.IMAGE:
            parts.append(_image(value, description, in_cell))
        else:
            return [], []
        if not value:
            return [], []
        if closing and open_[0].kind in _DELIMITERS:
            needs_gap = kind != inline.TEXT or not value[-1].isalnum()
    if closing:
        parts.append(closing)
    return parts, texts


# ---- pieces --------------------------------------------------------------------------------------------------


def _pieces(runs: inline.Runs, in_cell: bool) -> list[_Piece]:
    """The line in pieces.  Outside of each delimiter stands an empty one, for punctuation that it gives away."""
    pieces: list[_Piece] = []
    opened: list[int] = []
    in_link = False
    for step, mark, gap, run in inline.spans(runs):
        if run is not None:
            pieces.append(_run(run, in_link, in_cell))
        elif mark is None:
            pieces.append(_Piece(("<br>" if in_cell else "\\\n") if gap == LINE else " "))
        elif step == inline.OPEN:
            if mark.kind in _DELIMITERS:
                pieces.append(_Piece("", plain=True, in_link=in_link))
            opened.append(len(pieces))
            pieces.append(_Piece(_opening(mark), mark.kind))
            in_link = in_link or mark.kind == "link"
        else:
            start = opened.pop()
            pieces[start].opens = len(pieces)
            pieces.append(_Piece(_closing(mark), mark.kind, closes=start))
            in_link = in_link and mark.kind != "link"
            if mark.kind in _DELIMITERS:
                pieces.append(_Piece("", plain=True, in_link=in_link))
    return pieces


def _opening(mark: inline.Mark) -> str:
    return _OPENING.get(mark.kind, "")


def _closing(mark: inline.Mark) -> str:
    return f"]({destination(mark.address)})" if mark.kind == "link" else _CLOSING.get(mark.kind, "")


def _run(run: inline.Run, in_link: bool, in_cell: bool) -> _Piece:
    if run.kind == inline.TEXT:
        return _Piece(run.value, plain=True, in_link=in_link)
    if run.kind == inline.CODE:
        return _Piece(_code(run.value, in_cell))
    if run.kind == inline.FORMULA:
        return _Piece(f"${run.value.replace('|', chr(92) + 'vert ') if in_cell else run.value}$")
    if run.kind == inline.NOTE:
        return _Piece(f"[^{run.value}]")
    if run.kind == inline.TASK:
        return _Piece(f"[{run.value}]")
    return _Piece(_image(run.value, run.description, in_cell))


def _image(address: str, description: str, in_cell: bool) -> str:
    return f"![{escape(description, in_link=True, in_cell=in_cell)}]({destination(address)})"


def _code(value: str, in_cell: bool) -> str:
    """A code span: a fence of backticks longer than any inside, blanks where the code begins or ends with one."""
    longest = max((len(ticks) for ticks in re.findall("`+", value)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if value[:1] == "`" or value[-1:] == "`" else ""
    if in_cell:
        value = value.replace("|", r"\|")
    return f"{fence}{pad}{value}{pad}{fence}"


# ---- emphasis ------------------------------------------------------------------------------------------------


def _unnest(pieces: list[_Piece]) -> None:
    """Put emphasis around exactly one link inside of it: `[**text**](…)` works anywhere, `**[text](…)**` does not."""
    for place in range(len(pieces) - 1):
        outer, inner = pieces[place], pieces[place + 1]
        last = outer.opens
        if outer.mark in _DELIMITERS and last >= 0 and inner.mark == "link" and inner.opens == last - 1:
            pieces[place], pieces[place + 1] = inner, outer
            pieces[last - 1], pieces[last] = pieces[last], pieces[last - 1]
            inner.opens, outer.opens = last, last - 1
            pieces[last].closes, pieces[last - 1].closes = place, place + 1


def _flank(pieces: list[_Piece]) -> None:
    """Make every delimiter open or close what it should, moving punctuation out of it or dropping it.

    Openings from the first to the last, closings from the last to the first: so the outermost of several gives away
    what stands inside of all.
    """
    delimiters = [place for place, piece in enumerate(pieces) if piece.mark in _DELIMITERS]
    for place in delimiters:
        opening = pieces[place]
        if opening.opens < 0 or not opening.text:
            continue
        works = _open_sided(_beyond(pieces, place, -1)) or not _is_sign(_beyond(pieces, place, 1))
        if _runs_on(pieces, place) or not (works or _give_away(pieces, place, 1)):
            opening.text = pieces[opening.opens].text = ""
    for place in reversed(delimiters):
        closing = pieces[place]
        if closing.closes < 0 or not closing.text:
            continue
        works = _open_sided(_beyond(pieces, place, 1)) or not _is_sign(_beyond(pieces, place, -1))
        if not (works or _give_away(pieces, place, -1)):
            closing.text = pieces[closing.closes].text = ""


def _runs_on(pieces: list[_Piece], place: int) -> bool:
    """Whether a delimiter begins in a row of signs that reads otherwise.

    That is right where one of the same sign closed (`*a***b**`), or right where one opened that goes on longer: in
    `***a* b *c***` the asterisk before the c would close, too.
    """
    opening = pieces[place]
    before = _next_filled(pieces, place, -1)
    if before is None or before.mark not in _DELIMITERS or before.text[0] != opening.text[0]:
        return False
    return before.closes >= 0 or _next_filled(pieces, opening.opens, 1) is not pieces[before.opens]


def _next_filled(pieces: list[_Piece], place: int, step: int) -> _Piece | None:
    """The next piece in one direction that is not empty."""
    at = place + step
    while 0 <= at < len(pieces):
        if pieces[at].text:
            return pieces[at]
        at += step
    return None


def _beyond(pieces: list[_Piece], place: int, step: int) -> str:
    """The nearest character in one direction that is not of the same row of signs; "" at the end of the line."""
    at = _next(pieces, place, step)
    if not 0 <= at < len(pieces):
        return ""
    return pieces[at].text[0] if step > 0 else pieces[at].text[-1]


def _next(pieces: list[_Piece], place: int, step: int) -> int:
    """The next piece in one direction that is not empty and no delimiter of the same sign."""
    sign = pieces[place].text[0]
    at = place + step
    while 0 <= at < len(pieces) and (
        not pieces[at].text or (pieces[at].mark in _DELIMITERS and pieces[at].text[0] == sign)
    ):
        at += step
    return at


def _open_sided(character: str) -> bool:
    """Whether a delimiter works beside this, whatever is on its other side."""
    return not character or character.isspace() or character in PUNCTUATION or unicodedata.category(character)[0] == "P"


def _is_sign(character: str) -> bool:
    """Punctuation or symbol: some readers of CommonMark take symbols for punctuation, some do not."""
    return bool(character) and unicodedata.category(character)[0] in "PS"


def _give_away(pieces: list[_Piece], place: int, step: int) -> bool:
    """Move the punctuation inside of a delimiter outside; False where there is none to move, or nothing else.

    `step` leads inwards: 1 for an opening delimiter, -1 for a closing one.
    """
    at = _next(pieces, place, step)
    text = pieces[at].text
    inwards = text if step > 0 else text[::-1]
    size = next((size for size, character in enumerate(inwards) if not _is_sign(character)), len(text))
    if not pieces[at].plain or not 0 < size < len(text) or inwards[size].isspace():
        return False
    outside = pieces[place - step]
    if step > 0:
        outside.text, pieces[at].text = text[:size], text[size:]
    else:
        outside.text, pieces[at].text = text[-size:], text[:-size]
    return True
