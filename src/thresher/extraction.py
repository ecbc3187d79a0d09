"""One verdict, many forms: `extract` judges a page once, and everything else is read off that verdict.

    keep (texts)  ->  text · markdown · html · xml · to_dict()
                  ->  status, confidence, warnings, blocks with reasons

Forms are rendered when first asked for.  No output option can change what is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from thresher import __version__, methods, output
from thresher.columns import block_chars, chars, readable
from thresher.diagnosis import Status, diagnose
from thresher.invisible import without_invisible
from thresher.limits import LIMITS, Limits
from thresher.page import Page, Problem
from thresher.parse import parse
from thresher.tree import block_first, block_sum
from thresher.xpath import xpath

if TYPE_CHECKING:
    from thresher.metadata import Metadata
    from thresher.site.rules import SiteRules
    from thresher.site.ruling import Ruling

__all__ = ["Block", "Extraction", "Focus", "Status", "extract"]

Focus = Literal["precision", "balanced", "recall"]


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text with no block boundary inside, and what was decided about it."""

    text: str
    kept: bool
    score: float  # 0 … 1, how much it looks like main content
    reasons: tuple[str, ...]  # why, in words, the weightiest first
    xpath: str  # the innermost element around the whole block


@dataclass(frozen=True, slots=True, eq=False)
class Extraction:
    """The result of `extract`.  Everything is computed from the page and the one verdict `keep`."""

    page: Page
    keep: NDArray[np.bool_]  # over page.text
    method: str
    focus: Focus
    score: NDArray[np.float64]  # over blocks
    status: Status
    confidence: float  # 0 … 1
    problems: tuple[Problem, ...]
    elements: NDArray[np.bool_] | None = None  # the chosen DOM nodes, from methods that choose nodes
    ruling: Ruling | None = None  # what the site's own rules say
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def text(self) -> str:
        """Plain text: paragraphs separated by blank lines, list items and table rows on their lines."""
        return self._form("text", lambda: self.render("text"))

    @property
    def markdown(self) -> str:
        """GitHub-flavoured Markdown."""
        return self._form("markdown", lambda: self.render("markdown"))

    @property
    def html(self) -> str:
        """HTML rebuilt from an allow-list: it runs nothing and loads nothing but images."""
        return self._form("html", lambda: self.render("html"))

    @property
    def xml(self) -> str:
        """XML in the TEI vocabulary, with the metadata in its header."""
        return self._form("xml", lambda: self.render("xml"))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the reader should know, as `code: sentence`."""
        return tuple(str(problem) for problem in self.problems)

    @property
    def metadata(self) -> Metadata:
        """Title, author, date, language and so on, each with the source it came from."""
        from thresher.metadata import metadata  # loaded when asked for, as most callers want the text only

        if "metadata" not in self._memo:
            self._memo["metadata"] = metadata(self.page, self.text)
        found: Metadata = self._memo["metadata"]
        return found

    @property
    def hidden(self) -> str:
        """Text of the page that no reader sees: hidden elements and fallbacks for other readers."""
        return self._form("hidden", lambda: output.to_text(self.page, _in_body(self.page) & ~readable(self.page)))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Every readable block of the page with its verdict."""
        if "blocks" not in self._memo:
            self._memo["blocks"] = tuple(_blocks(self))
        blocks: tuple[Block, ...] = self._memo["blocks"]
        return blocks

    def render(
        self,
        form: Literal["text", "markdown", "html", "xml"] = "text",
        *,
        links: bool | None = None,
        images: bool | None = None,
        tables: bool = True,
    ) -> str:
        """One form of the result with or without links, images and tables; None means the form's own default."""
        wishes: dict[str, Any] = {"tables": tables, "elements": self.elements}
        wishes |= {name: value for name, value in (("links", links), ("images", images)) if value is not None}
        if form == "xml":
            return output.to_xml(self.page, self.keep, self.metadata.to_dict(), **wishes)
        render = {"text": output.to_text, "markdown": output.to_markdown, "html": output.to_html}.get(form)
        if render is None:
            raise ValueError(f"form is one of text, markdown, html, xml, not {form!r}")
        return render(self.page, self.keep, **wishes)

    def to_dict(self, *, blocks: bool = False) -> dict[str, Any]:
        """A JSON-ready dictionary; names as trafilatura's where the meaning is the same."""
        result: dict[str, Any] = {
            **self.metadata.to_dict(),
            "text": self.text,
            "markdown": self.markdown,
            "status": self.status,
            "confidence": round(self.confidence, 4),
            "warnings": list(self.warnings),
            "method": self.method,
            "focus": self.focus,
            "version": __version__,
        }
        if blocks:
            result["blocks"] = [
                {
                    "text": block.text,
                    "kept": block.kept,
                    "score": round(block.score, 4),
                    "reasons": list(block.reasons),
                    "xpath": block.xpath,
                }
                for block in self.blocks
            ]
        return result

    def _form(self, name: str, make: Any) -> str:
        if name not in self._memo:
            self._memo[name] = make()
        form: str = self._memo[name]
        return form


def extract(
    html: bytes | str | Page,
    method: str = "auto",
    url: str | None = None,
    encoding: str | None = None,
    focus: Focus = "balanced",
    siblings: Iterable[Page] = (),
    limits: Limits = LIMITS,
    options: Mapping[str, Any] | None = None,
    site: SiteRules | None = None,
) -> Extraction:
    """The main content of a page.

    html      the page, as bytes, text or an already parsed Page
    method    one of `thresher.methods.names()`
    url       where it came from; links and images are resolved against it
    encoding  what the transport said (the charset of the Content-Type header), for bytes
    focus     "precision" keeps less, "recall" keeps more
    siblings  pages of the same site, for methods that compare pages
    options   further options of the method, by name: its page in docs/methods lists them
    site      rules of the page's site, from `thresher site learn`; they decide first, the method about the rest
    """
    if focus not in get_args(Focus):
        raise ValueError(f"focus is one of {', '.join(get_args(Focus))}, not {focus!r}")
    module = methods.module(method)
    page = html if isinstance(html, Page) else parse(html, url=url, encoding=encoding, limits=limits)
    chosen, unused = _options(module, {"focus": focus, "siblings": tuple(siblings)}, options or {})
    keep = module.extract(page, chosen)
    score = module.scores(page, chosen) if hasattr(module, "scores") else _kept_share(page, keep)
    elements = module.elements(page, chosen) if hasattr(module, "elements") else None
    ruling = site.on(page) if site is not None else None
    if ruling is not None:
        keep, elements = ruling.keep(page, keep), ruling.elements(elements)
        score = ruling.score(page, score, keep)
    own = module.confidence(page, chosen) if hasattr(module, "confidence") else None
    status, confidence, problems = diagnose(page, keep, score, own)
    problems += tuple(Problem("unused", f"method {method} does not use {name}") for name in unused)
    problems += ruling.problems if ruling is not None else ()
    return Extraction(page, keep, method, focus, score, status, confidence, problems, elements, ruling)


def _options(module: Any, wanted: Mapping[str, Any], further: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """The method's options with what it can use of the caller's wishes, and the wishes it cannot use."""
    known = module.Options.__dataclass_fields__
    unknown = [name for name in further if name not in known]
    if unknown:
        raise ValueError(f"no option {unknown[0]!r} in this method; it has: {', '.join(known) or 'none'}")
    used = {name: value for name, value in wanted.items() if name in known}
    default = {"focus": "balanced", "siblings": ()}
    unused = [name for name, value in wanted.items() if name not in known and value != default[name]]
    return module.Options(**{**used, **further}), unused


def _kept_share(page: Page, keep: NDArray[np.bool_]) -> NDArray[np.float64]:
    """A score for methods that have none: the share of each block's characters that is kept."""
    share: NDArray[np.float64] = block_sum(page, chars(page) * keep) / np.maximum(block_sum(page, chars(page)), 1)
    return share


def _in_body(page: Page) -> NDArray[np.bool_]:
    from thresher.columns import tag_mask
    from thresher.tree import within

    return ~within(page, tag_mask(page, "head", "title"))[page.owner]


def _blocks(result: Extraction) -> Iterable[Block]:
    page, keep = result.page, result.keep
    first = block_first(page)
    last = np.append(first[1:], len(page.start))
    explain = getattr(methods.module(result.method), "reasons", None)
    seen = readable(page)
    for number in np.flatnonzero(block_chars(page)).tolist():
        texts = np.arange(first[number], last[number])
        texts = texts[seen[texts]]
        ruled = tuple(result.ruling.reasons(texts)) if result.ruling is not None else ()
        yield Block(
            text=_joined(page, texts),
            kept=bool(keep[texts].any()),
            score=float(result.score[number]),
            reasons=(*ruled, *(explain(page, number) if explain else ())),
            xpath=xpath(page, _common_ancestor(page, texts)),
        )


def _joined(page: Page, texts: NDArray[np.integer[Any]]) -> str:
    """The texts of a block on one line."""
    pieces = page.cut(texts)
    spaced = page.spaced[texts].tolist()
    joined = "".join(" " * gap + piece for gap, piece in zip(spaced, pieces, strict=True))
    return " ".join(without_invisible(joined).split())


def _common_ancestor(page: Page, texts: NDArray[np.integer[Any]]) -> int:
    """The innermost element that holds all these texts."""
    row = int(page.owner[texts[0]])
    while page.last[row] <= texts[-1]:
        row = int(page.parent[row])
    return row
