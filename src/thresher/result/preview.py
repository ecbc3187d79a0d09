"""A result to look at, in a notebook or a browser: the extract with its facts, and the page with what was kept.

What a page's author wrote is shown and does nothing: the extract is rebuilt from an allow-list, without pictures; the
page stands in a frame without scripts, origin or network (`output.painting`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from thresher.output.painting import BlockMark, paint

if TYPE_CHECKING:
    from thresher.result.extraction import Extraction

__all__ = ["PagePreview", "block_marks", "notebook_html", "preview"]

_POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; base-uri 'none'\">"
)
_DOCTYPE = re.compile(r"<!DOCTYPE[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PagePreview:
    """The page with its kept and dropped blocks painted; a notebook shows it, `save` writes it for a browser."""

    html: str = field(repr=False)
    height: int = 600  # of the frame, in pixels

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox srcdoc="{escape(self.html)}" width="100%" height="{self.height}" '
            'style="border: 1px solid #8888"></iframe>'
        )

    def save(self, path: str | Path) -> None:
        """Write it as a file that a browser opens."""
        Path(path).write_text(self.html, encoding="utf-8", errors="replace")


def preview(result: Extraction, height: int = 600) -> PagePreview:
    """The page as its author laid it out, as far as it does that by itself: nothing is loaded."""
    painted = paint(result.page, block_marks(result)).html
    doctype = _DOCTYPE.match(painted)
    start = doctype.end() if doctype else 0
    return PagePreview(painted[:start] + _POLICY + painted[start:], int(height))


def block_marks(result: Extraction) -> dict[int, BlockMark]:
    """What is shown of every block: kept or dropped, score, reasons."""
    return {
        block.number: BlockMark(
            "kept" if block.kept else "dropped",
            "\n".join([f"{'kept' if block.kept else 'dropped'}, score {block.score:.2f}", *block.reasons]),
            opens=True,
        )
        for block in result.blocks
    }


def notebook_html(result: Extraction) -> str:
    """The extract below a line of facts: what a notebook shows of a result."""
    confidence = "" if result.confidence is None else f"confidence {result.confidence:.2f}"
    about = result.metadata
    facts = [result.status, confidence, about.author, about.date, about.language, f"{len(result.text.split()):,} words"]
    line = " · ".join(escape(str(fact)) for fact in facts if fact)
    warnings = "".join(f"<li>{escape(warning)}</li>" for warning in result.warnings)
    notes = f"<ul>{warnings}</ul>" if warnings else ""
    content = result.render("html", images=False) if result.keep.any() else "<p><em>Nothing was kept.</em></p>"
    return f"<div><p><strong>{escape(about.title or 'untitled')}</strong><br>{line}</p>{notes}<hr>{content}</div>"
