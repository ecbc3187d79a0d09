"""A site learned for the app, by a program of its own: python -m thresher.web.site_job FOLDER

It crawls, renders and learns, so it may take minutes; it ends within its time or is ended, and its browser with it.
Its input is a line of JSON and the page, its output a line of JSON for each step:

    {"stage": "crawl", "done": 3, "total": 20, "page": "https://…"}      how far a stage is
    {"left_out": "https://…", "reason": "…"}                             a page that cannot be had
    {"failed": "…"}                                                      why there is no result

Into FOLDER go, for `cluster`, `page.json` (the page as the browser shows it), `model.npz` and `learned.json` (what the
app shows of the clusters); for methods that compare pages, `siblings.json`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from thresher.errors import FetchError, NotHtml, RenderError, SiteError, ThresherError
from thresher.page import Page
from thresher.site.gathering import Gathering, Observer, SiteProgress
from thresher.site.learning import LearnedSite, learn_pages, learn_site, page_at

__all__ = ["main"]

_MAX_CLUSTERS = 60  # of which the app tells
_SAMPLE_LENGTH = 160  # characters


def main() -> None:
    """One run."""
    folder = Path(sys.argv[1])
    line, _, html = sys.stdin.buffer.read().partition(b"\n")
    request = json.loads(line)
    try:
        if request["looks"]:
            _learn(request, folder)
        else:
            _gather(request, html, folder)
    except MemoryError:
        _say(failed=f"its pages need more than {request['megabytes']:,} MB; try fewer")
    except ThresherError as error:
        _say(failed=str(error))


def _say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def _learn(request: dict[str, Any], folder: Path) -> None:
    """Method cluster: a model of the site."""
    from thresher.methods import checked, split
    from thresher.methods.cluster import Options, model
    from thresher.render.saved import to_dict

    method, named = split(request["method"])
    options = Options(**checked(method, named))

    def heard(now: SiteProgress) -> None:
        if now.stage == "cluster" and not now.done:  # the browser has gone, and would not live in so little
            _bound_memory(request["megabytes"])
        _say(**now._asdict())

    observer = Observer(heard, lambda page, reason: _say(left_out=page, reason=reason))
    if request["siblings"]:
        site = learn_pages(_rendered(request, observer), options=options, observer=observer)
    else:
        fetching = {name: request[name] for name in ("delay", "user_agent", "timeout")}
        wanted = Gathering(request["url"], request["pages"], allow_hosts=tuple(request["allow_hosts"]), **fetching)
        site = learn_site(wanted, options, observer)
    page = page_at(site.pages, request["url"])
    assert page is not None, "a site that was learned has pages"
    model.save(site.model, folder / "model.npz")
    (folder / "page.json").write_text(json.dumps(to_dict(page), separators=(",", ":")), "utf-8", "replace")
    (folder / "learned.json").write_text(json.dumps(_shown(site, page)), "utf-8", "replace")


def _rendered(request: dict[str, Any], observer: Observer) -> list[Page]:
    """The page and others that were named, as the browser shows them."""
    from thresher.render import BrowserPool, render

    urls = [request["url"], *request["siblings"]]
    changes = {"user_agent": request["user_agent"]} if request["user_agent"] else {}
    pages = []
    with BrowserPool() as pool:
        for done, url in enumerate(urls):
            observer.progress(SiteProgress("render", done, len(urls), url))
            try:
                pages.append(
                    render(url, allow_hosts=request["allow_hosts"], timeout=request["timeout"], pool=pool, **changes)
                )
            except (FetchError, RenderError, NotHtml) as error:
                if not done:
                    raise SiteError(f"the page could not be rendered: {error}") from error
                observer.complaint(url, str(error))
    observer.progress(SiteProgress("render", len(urls), len(urls)))
    return pages


def _gather(request: dict[str, Any], html: bytes, folder: Path) -> None:
    """Methods that compare pages: other pages of the site, the nearest first."""
    from thresher.parse import parse
    from thresher.result.inputs import Reader
    from thresher.site.sources import from_web

    page = parse(html, url=request["url"], encoding=request["encoding"])
    reader = Reader(request["allow_hosts"], request["timeout"], None, request["user_agent"])
    wanted, loaded = request["pages"], 0

    def heard(url: str) -> None:
        nonlocal loaded
        loaded += 1
        _say(stage="crawl", done=min(loaded, wanted), total=wanted, page=url)

    _say(stage="crawl", done=0, total=wanted, page=request["url"])
    try:
        siblings = from_web(
            page,
            reader.gate,
            wanted,
            agent=reader.agent,
            pause=request["delay"],
            say=lambda url, why: _say(left_out=url, reason=why),
            loaded=heard,
        )
    finally:
        reader.close()
    if not siblings:
        raise SiteError("no other page of the site was found that is no copy of this one; name some yourself")
    _say(stage="crawl", done=len(siblings), total=len(siblings), page="")
    found = [[sibling.url or "", sibling.markup.decode("utf-8", "replace")] for sibling in siblings]
    (folder / "siblings.json").write_text(json.dumps(found), "utf-8")


def _bound_memory(megabytes: int) -> None:
    import resource

    limit, (_, hard) = megabytes << 20, resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))


def _shown(site: LearnedSite, page: Page) -> dict[str, Any]:
    """What the app tells of the clusters, and the picture of them over the page."""
    from thresher.methods.cluster.picture import colour, svg

    blocks, labels, number = site.blocks, site.learned.labels, site.learned.clustered.number
    at = next(place for place, one in enumerate(site.pages) if one is page)
    clusters = []
    for cluster in range(site.learned.clustered.clusters.count)[:_MAX_CLUSTERS]:
        rows = np.flatnonzero(number == cluster)
        longest = max(rows.tolist(), key=lambda row: len(blocks.text[row]))
        clusters.append(
            {
                "number": cluster,
                "colour": "rgb({}, {}, {})".format(*colour(cluster)),
                "blocks": len(rows),
                "pages": len(set(blocks.page[rows].tolist())),
                "content": int(labels.content[rows].sum()),
                "score": float(labels.score[cluster]) if cluster < len(labels.score) else 0.0,
                "selector": " > ".join(blocks.selector[longest][-2:])[:_SAMPLE_LENGTH],
                "sample": blocks.text[longest][:_SAMPLE_LENGTH],
            }
        )
    held_out = site.learned.held_out
    return {
        "site": site.name,
        "pages": [one.url or "" for one in site.pages],
        "blocks": len(blocks),
        "count": site.learned.clustered.clusters.count,
        "alone": int(np.count_nonzero(number < 0)),
        "content": int(labels.content.sum()),
        "compared": dict(labels.sources),
        "held_out": held_out._asdict() if held_out else None,
        "clusters": clusters,
        "svg": svg(blocks, at, number, labels.content),
    }


if __name__ == "__main__":
    main()
