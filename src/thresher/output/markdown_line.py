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
from thresher.output.markdown_escape import PUNCTUATION, destination, escape, has_special

__all__ = ["line_to_markdown"]

_DELIMITERS = {"strong": "**", "em": "*", "del": "~~"}
_TAGS = ("sub", "sup", "kbd", "mark")  # no Markdown for these; GitHub and most others take the tag
_WITHOUT_NEIGHBOURS = {**_DELIMITERS, "link": "["}
_AROUND = {"q": "“”", "rt": "()"}


_Part = tuple[str, bool, bool]  # what stands in the line, whether it is text of the page, and in a link


@dataclass(slots=True)
class _Piece:
    """A piece of output.  `opens` and `closes` lead from the two ends of a mark to each other."""

    text: str
    mark: str = ""  # the kind of mark that this opens or closes
    opens: int = -1
    closes: int = -1
    plain: bool = False  # text of the page, not escaped yet
    in_link: bool = False


def line_to_markdown(runs: inline.Runs, *, in_cell: bool = False, dollars: bool = False) -> str:
    """The runs of a line.  `in_cell`: of a pipe table; `dollars`: the document has formulas, so `$` is escaped."""
    if len(runs) == 1 and runs[0].kind == inline.TEXT:
        text, marks = runs[0].value, runs[0].marks
        if not marks:
            return escape(text, in_cell=in_cell, dollars=dollars)
        if len(marks) == 1 and marks[0].kind == "link":
            return f"[{escape(text, in_link=True, in_cell=in_cell, dollars=dollars)}{_closing(marks[0])}"
    parts = _parts(runs, "<br>" if in_cell else "\\\n")
    return _with_escapes(parts, in_cell, dollars) if parts else _from_pieces(_pieces(runs, in_cell), in_cell, dollars)


def _from_pieces(pieces: list[_Piece], in_cell: bool, dollars: bool) -> str:
    """The line of some pieces."""
    if any(piece.mark in _DELIMITERS for piece in pieces):
        _unnest(pieces)
        _flank(pieces)
    parts = [(piece.text, piece.plain, piece.in_link) for piece in pieces if piece.text]
    return _with_escapes(parts, in_cell, dollars)


def _with_escapes(parts: list[_Part], in_cell: bool, dollars: bool) -> str:
    """The parts of a line in one string, the texts of the page escaped."""
    texts = []
    last = len(parts) - 1
    for place, (text, is_plain, in_link) in enumerate(parts):
        if is_plain and has_special(text):
            before = parts[place - 1][0][-1] if place else ""
            after = parts[place + 1][0][0] if place < last else ""
            text = escape(text, before, after, in_link=in_link, in_cell=in_cell, dollars=dollars)
        texts.append(text)
    return "".join(texts)


# ---- lines in which every mark works -------------------------------------------------------------------------


def _parts(runs: inline.Runs, break_: str) -> list[_Part]:
    """The parts of a line in which nothing need be moved or dropped: texts with a link or one emphasis at most, each of
    which begins and ends with a letter or digit and does not touch another.  None for any other."""
    parts: list[_Part] = []
    open_: tuple[inline.Mark, ...] = ()
    for run in runs:
        marks, text = run.marks, run.value
        if run.kind != inline.TEXT or len(marks) > 1 or not text:
            return []
        if marks != open_:
            closing = open_[0] if open_ else None
            open_ = marks
            if closing is not None:
                if run.gap == JOINED and marks:
                    return []
                parts.append((_closing(closing), False, False))
            if run.gap:
                parts.append((break_ if run.gap == LINE else " ", False, False))
            if marks:
                delimiter = _WITHOUT_NEIGHBOURS.get(marks[0].kind)
                if delimiter is None:
                    return []
                if delimiter != "[" and not (text[0].isalnum() and text[-1].isalnum()):
                    return []
                parts.append((delimiter, False, False))
        elif marks:
            return []
        elif run.gap:
            parts.append((break_ if run.gap == LINE else " ", False, False))
        parts.append((text, True, bool(marks) and marks[0].kind == "link"))
    if open_:
        parts.append((_closing(open_[0]), False, False))
    return parts


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
    if mark.kind == "link":
        return "["
    if mark.kind in _TAGS:
        return f"<{mark.kind}>"
    return _AROUND[mark.kind][0] if mark.kind in _AROUND else _DELIMITERS.get(mark.kind, "")


def _closing(mark: inline.Mark) -> str:
    if mark.kind == "link":
        return f"]({destination(mark.address)})"
    if mark.kind in _TAGS:
        return f"</{mark.kind}>"
    return _AROUND[mark.kind][1] if mark.kind in _AROUND else _DELIMITERS.get(mark.kind, "")


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
    description = escape(run.description, in_link=True, in_cell=in_cell)
    return _Piece(f"![{description}]({destination(run.value)})")


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
