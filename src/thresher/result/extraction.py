"""One verdict, many forms: `extract` judges a page once, and everything else is read off that verdict.

    keep (texts)  ->  text · markdown · html · xml · to_dict()
                  ->  status, confidence, warnings, blocks with reasons

Forms are rendered when first asked for.  No output option can change what is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from thresher import __version__, methods, output
from thresher.methods.auto.comments import comments
from thresher.page import Page, Problem
from thresher.page.types import Bools, Floats
from thresher.page.verdict import Verdict
from thresher.parse import parse
from thresher.parse.limits import LIMITS, Limits
from thresher.result.diagnosis import Status, diagnose
from thresher.result.set_aside import hidden_texts, much_set_aside
from thresher.result.steps import STEPS, Focus, Hidden, Wishes, plain_text
from thresher.text.printing import plain
from thresher.visible.readable import readable

if TYPE_CHECKING:
    from thresher.metadata import Metadata
    from thresher.output.record import PageRow
    from thresher.output.references import ContentImage, ContentLink
    from thresher.result.appended import OtherArticle
    from thresher.result.blocks import Block
    from thresher.result.chunks import Chunk
    from thresher.result.preview import PagePreview
    from thresher.result.threads.posts import Comment, Post, Thread
    from thresher.rules.rules import SiteRules

__all__ = ["Extraction", "Focus", "Hidden", "Status", "extract"]


_FOCUSES, _HIDDEN = get_args(Focus), get_args(Hidden)


@dataclass(frozen=True, slots=True, eq=False)
class Extraction:
    """The result of `extract`.  Everything is computed from the page and the one verdict `keep`."""

    verdict: Verdict
    method: str
    focus: Focus
    status: Status
    confidence: float | None  # 0 … 1; None from a method without a model that would tell
    problems: tuple[Problem, ...]
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __str__(self) -> str:
        """One line: title, status, words, confidence."""
        confidence = "no confidence" if self.confidence is None else f"confidence {self.confidence:.2f}"
        facts = (self.title or "untitled", self.status, f"{len(self.text.split()):,} words", confidence)
        return plain(" · ".join(facts))

    def __repr__(self) -> str:
        return f"<Extraction {self}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: title, facts, the extract."""
        from thresher.result.preview import notebook_html

        return notebook_html(self)

    def show(self, height: int = 600) -> PagePreview:
        """The page with what was kept and what was dropped, for a notebook; `show().save(path)` for a browser."""
        from thresher.result.preview import preview

        return preview(self, height)

    @property
    def page(self) -> Page:
        """The page that the verdict is about."""
        return self.verdict.page

    @property
    def keep(self) -> Bools:
        """Which of `page.text` is kept."""
        return self.verdict.keep

    @property
    def score(self) -> Floats:
        """How much each block of the page looks like main content, 0 … 1."""
        return self.verdict.score

    @property
    def elements(self) -> Bools | None:
        """The chosen DOM nodes, from methods that choose nodes."""
        return self.verdict.elements

    @property
    def text(self) -> str:
        """Plain text: paragraphs separated by blank lines, list items and table rows on their lines."""
        verdict = self.verdict
        if verdict.elements is None:
            return self._form("text", lambda: plain_text(verdict.page, verdict.keep))
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
        """XML in the TEI vocabulary, with the metadata as attributes and comments in an element of their own."""
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
            from thresher.methods.auto import page_types

            types = page_types(self.page) if len(self.page.start) else {}
            self._memo["metadata"] = metadata(self.page, self.text, page_types=types)
        known: Metadata = self._memo["metadata"]
        return known

    @property
    def title(self) -> str | None:
        """The title of the page, as in `metadata`."""
        return self.metadata.title

    @property
    def fingerprint(self) -> str:
        """A simhash of the text, 16 hexadecimal digits (`thresher.text.simhash`): `thresher.similar` compares them."""
        from thresher.text.simhash import simhash

        return self._form("fingerprint", lambda: f"{simhash(self.text):016x}")

    @property
    def hidden(self) -> str:
        """Text of the page that no reader sees: hidden elements and fallbacks for other readers."""
        return self._form("hidden", lambda: output.to_text(self.page, hidden_texts(self.page) & ~self.keep))

    @property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a forum thread or of a question with answers; none on other pages."""
        return self._thread().posts

    @property
    def comments(self) -> tuple[Comment, ...]:
        """What readers wrote under the content, where it can be told and is no part of the result."""
        return self._comments().posts  # type: ignore[return-value]

    @property
    def others(self) -> tuple[OtherArticle, ...]:
        """The articles that the page appends to its own, as endless scrolling does: title, url, text and markdown."""
        if "others" not in self._memo:
            from thresher.result.appended import other_articles

            self._memo["others"] = tuple(other_articles(self.verdict))
        others: tuple[OtherArticle, ...] = self._memo["others"]
        return others

    @property
    def links(self) -> tuple[ContentLink, ...]:
        """The links of the content, each address once, with `text` and `url`."""
        return self._references()[0]

    @property
    def images(self) -> tuple[ContentImage, ...]:
        """The images of the content, each address once, with `url`, `alt` and `caption`."""
        return self._references()[1]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Every readable block of the page with its verdict, and what was recovered from hidden panels."""
        if "blocks" not in self._memo:
            from thresher.result.blocks import blocks as explained

            self._memo["blocks"] = tuple(explained(self))
        blocks: tuple[Block, ...] = self._memo["blocks"]
        return blocks

    def explain(self) -> None:
        """Print a table of the blocks: kept or not, score, text, reasons; `blocks` has them as objects."""
        from thresher.result.blocks import block_table

        print(block_table(self.blocks))

    def chunks(self, max_tokens: int = 500, tokenizer: Any = None) -> list[Chunk]:
        """The Markdown in pieces for language models, each with the headings above it and its place (`Chunk`).

        `tokenizer` is a function from a text to its tokens or their number, or has a method `encode`; without one a
        token is four bytes.
        """
        from thresher.result.chunks import chunks

        return chunks(self.markdown, max_tokens, tokenizer)

    def summary(self, sentences: int = 3) -> str:
        """A few whole sentences of the result that say most of it, in its order (`thresher.summary`)."""
        from thresher.text.summary import summarise

        return self._form(
            f"summary {sentences}",
            lambda: summarise(self.text, sentences=sentences, language=self.metadata.language),
        )

    def record(self, source: str = "", sentences: int = 3) -> PageRow:
        """Title, author, date, summary, text, links and images, for `output.record.to_table`."""
        from thresher.output.record import PageRow

        known = self.metadata
        return PageRow(
            known.title or "",
            known.author or "",
            known.date or "",
            self.summary(sentences),
            self.text,
            self.links,
            self.images,
            source,
        )

    def render(
        self,
        form: Literal["text", "markdown", "html", "xml"] = "text",
        *,
        links: bool | None = None,
        images: bool | None = None,
        tables: bool = True,
        captions: bool = True,
        comments: bool = False,
    ) -> str:
        """One form of the result with or without links, images, tables and captions of pictures; None means the form's
        own default.  `comments` of readers come after it; XML has them anyway."""
        wishes: dict[str, Any] = {"tables": tables, "captions": captions, "elements": self.elements}
        wishes |= {name: value for name, value in (("links", links), ("images", images)) if value is not None}
        if form not in ("text", "markdown", "html", "xml"):
            raise ValueError(f"form is one of text, markdown, html, xml, not {form!r}")
        if form == "text":
            return output.to_text(self.page, self.keep, **wishes) + (self._after(form, wishes) if comments else "")
        thread = self._thread()
        keep = self.keep & ~thread.labels if thread.nodes else self.keep  # a heading says what labels say
        wishes["posts"] = thread.nodes
        if form == "xml":
            apart = self._comments()
            return output.to_xml(
                self.page, keep, self.metadata.to_dict(), comments=(apart.texts, apart.nodes), **wishes
            )
        write: Callable[..., str] = getattr(output, f"to_{form}")
        return write(self.page, keep, **wishes) + (self._after(form, wishes) if comments else "")

    def _after(self, form: str, wishes: dict[str, Any]) -> str:
        """The comments of readers under a heading; nothing where there are none."""
        apart = self._comments()
        if not apart.nodes:
            return ""
        wishes = wishes | {"elements": None}
        if form == "text":
            return "\n\nComments\n\n" + output.to_text(self.page, apart.texts, **wishes)
        write: Callable[..., str] = getattr(output, f"to_{form}")
        heading = "\n\n## Comments\n\n" if form == "markdown" else "\n<h2>Comments</h2>\n"
        return heading + write(self.page, apart.texts & ~apart.labels, **wishes | {"posts": apart.nodes})

    def to_dict(self, *, blocks: bool = False) -> dict[str, Any]:
        """A JSON-ready dictionary; names as trafilatura's where the meaning is the same."""
        result: dict[str, Any] = {
            **self.metadata.to_dict(),
            "text": self.text,
            "markdown": self.markdown,
            "posts": [asdict(post) for post in self.posts],
            "comments": [asdict(comment) for comment in self.comments],
            "others": [asdict(other) for other in self.others],
            "status": self.status,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
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

    def _thread(self) -> Thread:
        from thresher.result.threads.page_kind import is_thread
        from thresher.result.threads.posts import no_thread, thread

        if "thread" not in self._memo:
            is_one = self.keep.any() and is_thread(self.page)
            self._memo["thread"] = thread(self.page, self.keep) if is_one else no_thread(self.page)
        posts: Thread = self._memo["thread"]
        return posts

    def _comments(self) -> Thread:
        from thresher.result.threads.posts import Comment, no_thread, thread

        if "comments" not in self._memo:
            texts = comments(self.page, self.keep) if not self._thread().nodes else self.keep & False
            self._memo["comments"] = thread(self.page, texts, Comment) if texts.any() else no_thread(self.page)
        apart: Thread = self._memo["comments"]
        return apart

    def _references(self) -> tuple[tuple[ContentLink, ...], tuple[ContentImage, ...]]:
        from thresher.output.references import references

        if "references" not in self._memo:
            self._memo["references"] = references(self.page, self.keep, self.elements)
        known: tuple[tuple[ContentLink, ...], tuple[ContentImage, ...]] = self._memo["references"]
        return known

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
    siblings: Iterable[bytes | str | Page] = (),
    limits: Limits = LIMITS,
    options: Mapping[str, Any] | None = None,
    site: SiteRules | None = None,
    plain_text: bool = False,
    hidden: Hidden = "default",
) -> Extraction:
    """The main content of a page.

    html        the page, as bytes, text or an already parsed Page
    method      one of `thresher.methods.names()`, with options of it if you like: "lqf:quota=0.75"
    url         where it came from; links and images are resolved against it
    encoding    what the transport said (the charset of the Content-Type header), for bytes
    focus       "precision" keeps less, "recall" keeps more, and reads closed tabs and accordions beside kept text;
                "balanced" reads them where the page is made of them
    siblings    other pages of the same site, for methods that compare pages; copies of the page are left out
    options     further options of the method, by name: its page in docs/methods lists them
    site        rules of the page's site, from `thresher site learn`; they decide first, the method about the rest
    plain_text  pass plain text and Markdown through as they are, instead of refusing them as `not_html`
    hidden      "strict" leaves out, with a warning, what may be hidden though nothing that was read says so: by style
                rules that were too many, by style sheets that were not loaded, until a script runs (docs/hostile.md)
    """
    module, further = methods.split(method)
    further |= methods.checked(module, options or {})
    focus = further.get("focus", focus)
    if focus not in _FOCUSES:
        raise ValueError(f"focus is one of {', '.join(_FOCUSES)}, not {focus!r}")
    if hidden not in _HIDDEN:
        raise ValueError(f"hidden is one of {', '.join(_HIDDEN)}, not {hidden!r}")
    page = (
        html
        if isinstance(html, Page)
        else parse(html, url, encoding, limits, plain_text, methods.reads_source(module, further))
    )
    if page.problems and any(problem.code == "plain_text" for problem in page.problems):
        return Extraction(Verdict(page, readable(page)), "plain", focus, "ok", 1.0, page.problems)
    if hidden == "strict":
        page = replace(page, strict=True)
    others = _pages(siblings, limits) if siblings != () else ()
    chosen, unused = _options(module, focus, others, further)
    verdict = module.judge(page, chosen)
    wishes = Wishes(focus, getattr(module, "RECOVERS", False), site)
    for step in STEPS:
        verdict = step(verdict, wishes)
    status, confidence, problems = diagnose(verdict, has_media=_is_gallery(verdict))
    problems += verdict.problems
    if status in ("ok", "partial") and not (problems and any(problem.code == "closed" for problem in problems)):
        problems += much_set_aside(verdict)
    if unused:
        problems += tuple(Problem("unused", f"method {method} does not use {name}") for name in unused)
    if others and "siblings" not in unused:
        problems += _of_siblings(page, verdict.keep, others)
    return Extraction(verdict, method, focus, status, confidence, problems)


def _is_gallery(verdict: Verdict) -> bool:
    """Whether a method chose pictures or videos, and no text."""
    if verdict.elements is None or verdict.keep.any() or not verdict.elements.any():
        return False
    from thresher.output.media import media_mask

    return bool(media_mask(verdict.page, verdict.keep, verdict.elements).any())


def _pages(siblings: Iterable[bytes | str | Page], limits: Limits) -> tuple[Page, ...]:
    if isinstance(siblings, (bytes, str, Page)):
        raise ValueError("siblings are several pages: siblings=[page, …]")
    return tuple(one if isinstance(one, Page) else parse(one, limits=limits) for one in siblings)


def _of_siblings(page: Page, keep: Bools, siblings: tuple[Page, ...]) -> tuple[Problem, ...]:
    """What is wrong with siblings that told nothing: they are copies, or have another template."""
    from thresher.template.nset import copies

    if copies(page, siblings).all():
        words = "the siblings are copies of the page, which tell nothing about its template"
    elif keep.any() and np.array_equal(keep, readable(page)):
        words = "comparing with the siblings left nothing out: do they share the page's template?"
    else:
        return ()
    return (Problem("unused", words),)


def _options(
    module: Any, focus: Focus, siblings: tuple[Page, ...], further: Mapping[str, Any]
) -> tuple[Any, list[str]]:
    """The method's options with what it can use of the caller's wishes, and the wishes it cannot use."""
    known = module.Options.__dataclass_fields__
    used: dict[str, Any] = {}
    unused = []
    for name, value, default in (("focus", focus, "balanced"), ("siblings", siblings, ())):
        if name in known:
            used[name] = value
        elif value != default:
            unused.append(name)
    return module.Options(**{**used, **further}), unused
