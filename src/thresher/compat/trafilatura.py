"""trafilatura's functions with trafilatura's arguments, done by Thresher.

    from thresher.compat.trafilatura import extract, fetch_url        for: from trafilatura import extract, fetch_url

What an argument asks for and we do otherwise:

    fast, no_fallback, max_tree_size, tei_validation    nothing to choose here
    config, settingsfile, options, deduplicate, date_extraction_params, no_ssl      ignored, with a warning
    prune_xpath                                         an error that names site rules, which do the same

Plain text has an empty line between paragraphs.  The results are those of `thresher.extract`, so the confidence, the
warnings and the reasons that it gives are worth the change to it later (docs/migrate.md).
"""

from __future__ import annotations

import csv
import io
import json
import warnings
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from thresher.errors import FetchError
from thresher.metadata import Metadata
from thresher.result.extraction import Extraction
from thresher.result.extraction import extract as extract_content
from thresher.text.printing import json_line

if TYPE_CHECKING:
    from thresher.result.extraction import Focus

__all__ = ["TrafilaturaDocument", "bare_extraction", "extract", "extract_metadata", "fetch_url"]

_FORMATS = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")
_IGNORED = ("config", "settingsfile", "options", "deduplicate", "date_extraction_params", "date_config", "no_ssl")
_NOTHING_TO_CHOOSE = ("fast", "no_fallback", "max_tree_size", "tei_validation", "record_id", "extensive")
_OURS = {
    "prune_xpath": "site rules with CSS selectors to drop: thresher.extract(html, site=SiteRules(drop=(…)))",
    "focus": "favor_precision or favor_recall here, focus=… of thresher.extract",
    "method": "method=… of thresher.extract",
    "siblings": "siblings=… of thresher.extract",
    "encoding": "encoding=… of thresher.extract, or bytes, which are decoded here",
    "include_metadata": "with_metadata",
    "captions": "captions=… of thresher.extract(html).render",
}
_NO_CONTENT = ("not_html", "empty", "failed", "decode_error", "too_large", "too_deep")


@dataclass(slots=True)
class TrafilaturaDocument:
    """What a `Document` of trafilatura has: metadata, text and comments."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: Any = None  # an lxml element there; here the content as HTML
    comments: str | None = None
    commentsbody: Any = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def extract(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: Any = None,
    config: Any = None,
    options: Any = None,
    **unknown: Any,
) -> str | None:
    """The main content in one of trafilatura's formats; None where there is none, or where a filter leaves it out."""
    _check("extract", unknown, prune_xpath=prune_xpath)
    _warn(
        "extract",
        deduplicate=deduplicate,
        date_extraction_params=date_extraction_params,
        settingsfile=settingsfile,
        config=config,
        options=options,
    )
    if output_format not in _FORMATS or output_format == "python":
        raise AttributeError(f"Cannot set format, must be one of: {', '.join(_FORMATS)}")
    result = _content(filecontent, url, favor_precision, favor_recall)
    if result is None or not _wanted(result, url, target_language, url_blacklist, only_with_metadata):
        return None
    document = _document(result, record_id, author_blacklist, include_comments, include_tables)
    shown = {"tables": include_tables, "images": include_images, "links": include_links}
    if output_format == "json":
        return _json(document, with_metadata or only_with_metadata)
    if output_format == "csv":
        return _csv(document)
    if output_format in ("xml", "xmltei"):
        return result.render("xml", **shown)
    if output_format == "html":
        return f"<html>\n  <body>{result.render('html', comments=include_comments, **shown)}</body>\n</html>"
    form = "markdown" if output_format == "markdown" or include_formatting else "text"
    body = result.render(form, comments=include_comments, **shown)  # type: ignore[arg-type]
    return (_front_matter(document) if with_metadata or only_with_metadata else "") + body


def bare_extraction(
    filecontent: Any,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    as_dict: bool = False,
    prune_xpath: Any = None,
    config: Any = None,
    options: Any = None,
    **unknown: Any,
) -> TrafilaturaDocument | dict[str, Any] | None:
    """The main content and metadata as a Document, or a dictionary; None as for `extract`."""
    _check("bare_extraction", unknown, prune_xpath=prune_xpath)
    _warn(
        "bare_extraction",
        deduplicate=deduplicate,
        date_extraction_params=date_extraction_params,
        config=config,
        options=options,
    )
    result = _content(filecontent, url, favor_precision, favor_recall)
    if result is None or not _wanted(result, url, target_language, url_blacklist, only_with_metadata):
        return None
    document = _document(result, None, author_blacklist, include_comments, include_tables)
    if include_formatting or include_links or include_images:
        form = "markdown" if include_formatting else "text"
        shown = {"tables": include_tables, "images": include_images, "links": include_links}
        document.text = result.render(form, **shown)  # type: ignore[arg-type]
    document.body = result.html
    return document.as_dict() if as_dict else document


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: Any = None,
    extensive: bool = True,
    author_blacklist: Collection[str] | None = None,
    **unknown: Any,
) -> TrafilaturaDocument:
    """What a page says of itself."""
    _check("extract_metadata", unknown)
    _warn("extract_metadata", date_config=date_config)
    result = extract_content(_html(filecontent), url=default_url)
    return _described(result.metadata, author_blacklist)


def fetch_url(url: str, no_ssl: bool = False, config: Any = None, options: Any = None, **unknown: Any) -> str | None:
    """The page at an address as text; None where there is none.  Only public addresses are fetched."""
    from thresher.fetch import fetch
    from thresher.parse.encoding.decode import decode

    _check("fetch_url", unknown)
    _warn("fetch_url", no_ssl=no_ssl, config=config, options=options)
    try:
        response = fetch(url)
    except FetchError:
        return None
    return decode(response.body, response.encoding).text if response.ok and response.body else None


# Arguments


def _check(function: str, unknown: dict[str, Any], **unsupported: Any) -> None:
    """An error that names what we have, for arguments that neither knows, and for those that we cannot follow."""
    asked = [*unknown, *(name for name, value in unsupported.items() if value is not None)]
    for name in asked:
        ours = f"; use {_OURS[name]}" if name in _OURS else "; docs/migrate.md has ours"
        raise TypeError(f"{function}() takes no {name!r} here{ours}")


def _warn(function: str, **ignored: Any) -> None:
    for name, value in ignored.items():
        if value:
            warnings.warn(f"{function}() ignores {name}: see docs/migrate.md", UserWarning, stacklevel=3)


def _html(filecontent: Any) -> bytes | str:
    """A page as text or bytes: itself, the body of a response, or an element of lxml written out."""
    if isinstance(filecontent, (bytes, str)):
        return filecontent
    data = getattr(filecontent, "data", None)
    if isinstance(data, bytes):
        return data
    if hasattr(filecontent, "getroottree"):
        from lxml.html import tostring

        written: bytes = tostring(filecontent, encoding="utf-8")
        return b'<meta charset="utf-8">' + written
    raise TypeError(f"filecontent is a page as text or bytes, a response or a tree, not {type(filecontent).__name__}")


def _content(filecontent: Any, url: str | None, precision: bool, recall: bool) -> Extraction | None:
    focus: Focus = "recall" if recall else "precision" if precision else "balanced"
    result = extract_content(_html(filecontent), url=url, focus=focus)
    return None if result.status in _NO_CONTENT or not result.text else result


def _wanted(
    result: Extraction, url: str | None, language: str | None, url_blacklist: Any, only_with_metadata: bool
) -> bool:
    known = result.metadata
    if language and known.language and known.language != language:
        return False
    if url_blacklist and {url, known.url} & set(url_blacklist):
        return False
    return not only_with_metadata or bool(known.title and known.date and (known.url or url))


# Results


def _described(known: Metadata, author_blacklist: Collection[str] | None) -> TrafilaturaDocument:
    unwanted = {name.lower() for name in author_blacklist or ()}
    authors = [name for name in (known.author or "").split("; ") if name and name.lower() not in unwanted]
    return TrafilaturaDocument(
        title=known.title,
        author="; ".join(authors) or None,
        url=known.url,
        hostname=known.hostname,
        description=known.description,
        sitename=known.sitename,
        date=known.date,
        categories=list(known.categories),
        tags=list(known.tags),
        license=known.license,
        language=known.language,
        image=known.image,
        pagetype=known.page_type,
        filedate=date.today().isoformat(),
    )


def _document(
    result: Extraction, record_id: str | None, author_blacklist: Any, include_comments: bool, include_tables: bool
) -> TrafilaturaDocument:
    document = _described(result.metadata, author_blacklist)
    document.text = result.render("text", tables=include_tables)
    document.raw_text = " ".join(document.text.split())
    document.comments = "\n\n".join(comment.text for comment in result.comments) if include_comments else ""
    document.fingerprint, document.id = result.fingerprint, record_id
    return document


def _json(document: TrafilaturaDocument, with_metadata: bool) -> str:
    if not with_metadata:
        return json.dumps({"text": document.text, "comments": document.comments}, ensure_ascii=False)
    record = document.as_dict()
    for name in ("body", "commentsbody"):
        del record[name]
    renamed = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}
    record = {renamed.get(name, name): value for name, value in record.items()}
    record |= {name: ";".join(record[name]) for name in ("categories", "tags")}
    return json.dumps(record, ensure_ascii=False)


def _csv(document: TrafilaturaDocument) -> str:
    names = "url id fingerprint hostname title image date text comments license pagetype".split()
    line = io.StringIO()
    values = (getattr(document, name) for name in names)
    csv.writer(line, delimiter="\t", lineterminator="\n").writerow("null" if v is None else v for v in values)
    return line.getvalue()


def _front_matter(document: TrafilaturaDocument) -> str:
    names = "title author url hostname description sitename date categories tags fingerprint id license".split()
    known = {name: getattr(document, name) for name in names}
    return "\n".join(["---", *(f"{name}: {json_line(value)}" for name, value in known.items() if value), "---", "", ""])
