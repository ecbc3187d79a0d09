"""Which addresses a page, and an article on it, give themselves."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from thresher.data.tags import NUMBER, group
from thresher.page import Page

__all__ = ["own_address", "own_paths", "path_of"]

_LINK = NUMBER["a"]
_MAX_OUTER = 3  # elements inside a container that may have its address
_ADDRESS_NAMES = ("url", "href", "permalink", "link", "path", "canonical", "uri", "itemid", "about")
_OTHER_ADDRESSES = ("next", "prev", "image", "img", "src", "thumb", "api", "ajax", "load", "comment", "author", "share")
_FILES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".js", ".css", ".json", ".mp4", ".mp3", ".pdf")
_DATA = group(("a", "meta", "link", "time"))


def own_paths(page: Page) -> set[str]:
    """Where the page stands, by what it was called with or says itself."""
    from thresher.metadata import head

    top = head.read(page)
    stated = (page.url, *top.link.get("canonical", ())[:1], top.first("og:url"))
    return {path_of(address) for address in stated if address}


def path_of(address: str) -> str:
    """The path of an address, with the query where the path is that of a program; "" for a front page."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    path = parts.path.rstrip("/")
    return f"{path}?{parts.query}" if path.endswith(".php") else path


def own_address(page: Page, row: int, heading: int) -> str:
    """The address that an article gives itself: in its attributes, by its heading's link, its data or its share
    buttons; "" for none."""
    from thresher.output.urls import Resolver

    resolve = Resolver(page)
    for stated in (_of_attributes(page, row), _of_heading(page, row, heading), _of_data(page, row), _shared(page, row)):
        for address in stated:
            absolute = resolve(address)
            if absolute and path_of(absolute) and not path_of(absolute).lower().endswith(_FILES):
                return absolute
    return ""


def _of_attributes(page: Page, row: int) -> list[str]:
    rows = [row, *range(row + 1, min(row + 1 + _MAX_OUTER, int(page.end[row])))]
    return [
        value
        for each in rows
        for name, value in page.attributes(each).items()
        if (name.startswith("data-") or name in ("itemid", "about"))
        and any(part in name for part in _ADDRESS_NAMES)
        and not any(part in name for part in _OTHER_ADDRESSES)
        and value.startswith(("http://", "https://", "/"))
    ]


def _of_heading(page: Page, row: int, heading: int) -> list[str]:
    inside = (page.tag[heading : page.end[heading]] == _LINK).nonzero()[0] + heading
    around = [above for above in page.ancestors(heading) if above > row and page.tag[above] == _LINK]
    return [page.attribute(int(link), "href") or "" for link in (*inside, *around)]


def _of_data(page: Page, row: int) -> list[str]:
    """What is marked as the address: rel=canonical or bookmark, itemprop=url or mainEntityOfPage."""
    found = []
    for each in (_DATA[page.tag[row : page.end[row]]].nonzero()[0] + row).tolist():
        names = page.attributes(each)
        marks = {*names.get("rel", "").lower().split(), *names.get("itemprop", "").split()}
        if marks & {"canonical", "bookmark", "url", "mainEntityOfPage"} and not marks & {"author", "publisher"}:
            found.append(names.get("href") or names.get("content") or names.get("itemid") or "")
    return found


def _shared(page: Page, row: int) -> list[str]:
    """The one address that the links to other sites name in their queries: `sharer.php?u=https://…`."""
    shared: dict[str, str] = {}
    for link in ((page.tag[row : page.end[row]] == _LINK).nonzero()[0] + row).tolist():
        query = (page.attribute(link, "href") or "").partition("?")[2]
        for name, value in parse_qsl(query) if "http" in query else ():
            if name in ("u", "url", "text", "body", "link", "href") and "http" in value:
                address = value[value.index("http") :].split()[0]
                shared.setdefault(path_of(address), address)
    return list(shared.values()) if len(shared) == 1 else []
