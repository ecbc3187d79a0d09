"""The crawl: what is fetched, what is kept, and in which order."""

from __future__ import annotations

import gzip
import json
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.clock import PATIENCE
from tests.local_site import LocalSite, Reply, html, resolver
from thresher.crawl import CrawlOptions, CrawlProgress, CrawlSummary, crawl
from thresher.crawl.traps import TrapLimits
from thresher.errors import SiteError
from thresher.fetch.gate import Gate
from thresher.site.archive import pages

ROBOTS = Reply(b"User-agent: *\nDisallow: /private\n", kind="text/plain")


def run(site: LocalSite, folder: Path, *paths: str, **options: Any) -> CrawlSummary:
    """Crawl a site without pauses."""
    seeds = [path if "://" in path else site.url(path) for path in paths or ("/",)]
    more = {name: options.pop(name) for name in ("gate", "stop", "watch") if name in options}
    options = {"delay": 0.0, "pause": 0.01, "allow_hosts": (site.host,), **options}
    return crawl(seeds, folder, CrawlOptions(**options), **more)


def index(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]


def saved(folder: Path) -> list[str]:
    """Paths of the pages in the archive, in order."""
    return [page.url.partition("//")[2].partition("/")[2] for page in pages(folder)]


def left_out(folder: Path) -> dict[str, str]:
    lines = [json.loads(line) for line in (folder / "left-out.jsonl").read_text().splitlines()]
    return {line["url"].partition("//")[2].partition("/")[2]: line["outcome"] for line in lines}


@pytest.fixture
def tree() -> Iterator[LocalSite]:
    """Seven pages: two below each, three levels."""

    def page(path: str) -> Reply | None:
        name = path.strip("/")
        links = [f"/{name}{child}" for child in "ab"] if len(name) < 2 else []
        return html(*links, "/", title=f"page {name}") if set(name) <= {"a", "b"} else None

    with LocalSite({"/robots.txt": ROBOTS, "*": page}) as site:
        yield site


TREE = ["", "a", "b", "aa", "ab", "ba", "bb"]


def test_a_site_is_fetched_breadth_first_each_page_once(tree: LocalSite, tmp_path: Path) -> None:
    summary = run(tree, tmp_path)
    assert [path.strip("/") for path in tree.paths] == TREE
    assert saved(tmp_path) == TREE
    assert (summary.ended, summary.pages, summary.requests) == ("complete", 7, 8)  # and a sitemap that is not there
    lines = index(tmp_path)
    assert [line["depth"] for line in lines] == [0, 1, 1, 2, 2, 2, 2]
    assert [line["title"] for line in lines] == [f"page {name}".strip() for name in TREE]
    assert lines[4]["referrer"] == tree.url("/a")
    assert all(line["status"] == 200 and line["content_type"] == "text/html" for line in lines)
    assert all(agent.startswith("thresher/") for agent in tree.agents)


def test_the_same_command_goes_on_and_fetches_nothing_twice(tree: LocalSite, tmp_path: Path) -> None:
    assert run(tree, tmp_path, pages=3).ended == "pages"
    assert saved(tmp_path) == TREE[:3]
    assert run(tree, tmp_path, pages=3).ended == "pages"
    summary = run(tree, tmp_path, pages=100)
    assert (summary.ended, summary.pages) == ("complete", 7)
    assert run(tree, tmp_path).ended == "complete"
    assert saved(tmp_path) == TREE
    assert [path for path, count in Counter(path for _, path, _ in tree.asked).items() if count > 1] == []


def test_depth_and_requests_are_bounded(tree: LocalSite, tmp_path: Path) -> None:
    summary = run(tree, tmp_path / "depth", depth=1)
    assert saved(tmp_path / "depth") == TREE[:3]
    assert summary.ended == "complete"
    assert run(tree, tmp_path / "depth", depth=2).pages == 7  # nothing was forgotten
    assert run(tree, tmp_path / "requests", requests=4).ended == "requests"
    assert len(saved(tmp_path / "requests")) < 7


def test_what_robots_txt_forbids_is_never_asked_for(tmp_path: Path) -> None:
    answers = {
        "/robots.txt": ROBOTS,
        "/": html("/private/a", "/go", "/public"),
        "/go": Reply(status=302, headers={"Location": "/private/b"}),
        "/public": html(),
        "/private/a": html(),
        "/private/b": html(),
    }
    with LocalSite(answers) as site:
        summary = run(site, tmp_path)
        assert site.paths == ["/", "/go", "/public"]
    assert summary.left_out == {"robots": 2}
    assert left_out(tmp_path) == {"go": "redirect", "private/a": "robots", "private/b": "robots"}


def test_a_site_whose_rules_cannot_be_had_is_left_alone_until_they_can(tmp_path: Path) -> None:
    rules = Reply(status=503)
    with LocalSite({"/robots.txt": lambda path: rules, "/": html("/a"), "/a": html()}) as site:
        summary = run(site, tmp_path)
        assert site.paths == []
        assert len(site.asked) == 3
        assert summary.ended == "unreachable"
        assert "http_503" in summary.failed_seeds[site.url()]
        rules = Reply(status=404)
        assert run(site, tmp_path).pages == 2


def test_rules_are_kept_for_a_day_and_no_longer(tree: LocalSite, tmp_path: Path) -> None:
    def asked() -> int:
        return sum(path == "/robots.txt" for _, path, _ in tree.asked)

    run(tree, tmp_path, pages=2)
    run(tree, tmp_path, pages=3)
    assert asked() == 1
    with sqlite3.connect(tmp_path / "state.sqlite") as state:
        state.execute("UPDATE robots SET fetched = fetched - 86400")
    state.close()
    run(tree, tmp_path, pages=4)
    assert asked() == 2


@pytest.mark.parametrize(("asked_for", "longest", "pause"), [("", 60.0, 0.1), ("0.2", 60.0, 0.2), ("9999", 0.15, 0.15)])
def test_requests_to_a_host_keep_their_distance(tmp_path: Path, asked_for: str, longest: float, pause: float) -> None:
    rules = Reply(f"User-agent: *\nCrawl-delay: {asked_for}\n".encode(), kind="text/plain")
    with LocalSite({"/robots.txt": rules, "/": html("/a", "/b"), "*": html()}) as site:
        started = time.monotonic()
        run(site, tmp_path, delay=0.1, longest_delay=longest, sitemaps=False)
        times = [when for _, _, when in site.asked]
    assert len(times) == 4
    assert min(later - sooner for sooner, later in pairwise(times)) >= pause - 0.01
    assert time.monotonic() - started < PATIENCE


def sub_domains(site: LocalSite, count: int = 4) -> dict[str, Any]:
    """Options that make every name this machine."""
    hosts = [f"{name}.example.com:{site.port}" for name in ("www", *(f"h{number}" for number in range(count)))]
    return {"gate": Gate(hosts, retries=0, resolver=resolver)}


def test_hosts_are_asked_side_by_side_but_each_for_one_page_at_a_time(tmp_path: Path) -> None:
    def page(path: str) -> Reply:
        deadline = time.monotonic() + 20
        while site.most_together < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        return html()

    links = [f"http://h{host}.example.com:PORT/{number}" for number in range(2) for host in range(4)]
    with LocalSite({"/robots.txt": ROBOTS, "*": page}) as site:
        site.answers["/"] = html(*(link.replace("PORT", str(site.port)) for link in links))
        seed = site.url("/", "www.example.com")
        assert run(site, tmp_path, seed, sitemaps=False, jobs=3, **sub_domains(site)).pages == 9
        assert set(site.most_at_once.values()) == {1}
        assert site.most_together == 3


def test_the_same_pages_come_whatever_the_network_does(tmp_path: Path) -> None:
    found = []
    for number, (slow, fast) in enumerate([(0.0, 0.05), (0.05, 0.0)]):

        def page(path: str, slow: float = slow, fast: float = fast) -> Reply:
            host, _, rest = path.strip("/").partition("-")
            others = [f"http://h{n}.example.com:{site.port}/{n}-{rest}{n}" for n in (1, 0)] if len(rest) < 4 else []
            return Reply(html(*others, title=path).body, seconds=slow if host == "0" else fast)

        with LocalSite({"/robots.txt": Reply(status=404), "*": page}) as site:
            seed = site.url("/0-", "h0.example.com")
            run(site, tmp_path / str(number), seed, pages=9, **sub_domains(site))
        found.append(sorted(saved(tmp_path / str(number))))
    assert found[0] == found[1]
    assert len(found[0]) == 9


def test_one_page_under_many_addresses_is_fetched_once(tmp_path: Path) -> None:
    links = ["/a?x=1&y=2", "/a?y=2&x=1", "/a?x=1&y=2&utm_source=z", "/b/../a?x=1&y=2#part", "/%61?x=1&y=2"]
    with LocalSite({"/": html(*links, "/a?x=1&y=2&PHPSESSID=123"), "*": html()}) as site:
        run(site, tmp_path, sitemaps=False)
        assert site.paths == ["/", "/a?x=1&y=2"]


def test_redirects_are_judged_like_links(tmp_path: Path) -> None:
    def to(place: str, status: int = 301) -> Reply:
        return Reply(status=status, headers={"Location": place})

    with LocalSite({"*": html()}) as elsewhere:
        answers: dict[str, Any] = {
            "/": html("/old", "/older", "/out", "/round", "/self", "/image", "/bad", "/chain0"),
            "/old": to("/new"),
            "/older": to("/new", 308),
            "/new": html(title="new"),
            "/out": to(elsewhere.url("/x")),
            "/round": to("/round2"),
            "/round2": to("/round"),
            "/self": to("/self"),
            "/image": to("/picture.png"),
            "/bad": to("http://[::"),
        }
        answers |= {f"/chain{n}": to(f"/chain{n + 1}") for n in range(15)}
        with LocalSite(answers) as site:
            allow = (site.host, elsewhere.host)
            summary = run(site, tmp_path, allow_hosts=allow, sitemaps=False)
            asked = Counter(path for _, path, _ in site.asked if path != "/self")
        assert elsewhere.asked == []
    assert saved(tmp_path) == ["", "new"]
    assert max(asked.values()) == 1
    assert "/picture.png" not in asked
    assert "/chain11" not in asked
    assert summary.errors == {"redirect_loop": 1, "too_many_redirects": 2, "bad_url": 1}
    assert summary.left_out == {"outside": 1, "not_a_page": 1}


def test_a_page_behind_a_cookie_is_reached(tmp_path: Path) -> None:
    tries = iter([Reply(status=302, headers={"Location": "/?sid=" + "a" * 32, "Set-Cookie": "c=1"}), html()])
    with LocalSite({"/": lambda path: next(tries), "*": lambda path: next(tries)}) as site:
        site.answers["/robots.txt"] = ROBOTS
        assert run(site, tmp_path, sitemaps=False).pages == 1


def test_a_mistake_of_ours_ends_the_crawl_instead_of_hanging_it(
    tree: LocalSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.crawl.crawler.fetch_robots", lambda gate, origin: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(tree, tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr("thresher.crawl.visit.parse", lambda *page, **more: 1 / 0)
    assert run(tree, tmp_path).errors == {"internal_error_ZeroDivisionError": 1}  # a page may not end it


def test_a_start_address_may_redirect_within_the_site_but_not_away(tmp_path: Path) -> None:
    with LocalSite({"*": html()}) as elsewhere:
        answers = {
            "/": Reply(status=301, headers={"Location": "/home"}),
            "/home": html(),
            "/away": Reply(status=301, headers={"Location": elsewhere.url("/")}),
        }
        with LocalSite(answers) as site:
            summary = run(site, tmp_path, "/", "/away", sitemaps=False)
        assert elsewhere.asked == []
    assert saved(tmp_path) == ["home"]
    assert list(summary.failed_seeds) == [site.url("/away")]


def test_where_redirects_lead_is_asked_for_once_through_any_gate(tmp_path: Path) -> None:
    answers = {"/": html("/old", "/new"), "/old": Reply(status=301, headers={"Location": "/new"}), "/new": html()}
    with LocalSite(answers) as site, Gate(allow_hosts=[site.host], retries=0) as gate:
        assert run(site, tmp_path, gate=gate, sitemaps=False).pages == 2
        assert sorted(path for _, path, _ in site.asked) == ["/", "/new", "/old", "/robots.txt"]
    assert saved(tmp_path) == ["", "new"]


def canonical(address: str, *links: str) -> Reply:
    return html(*links, head=f'<link rel=canonical href="{address}">')


def test_copies_give_way_to_their_originals(tmp_path: Path) -> None:
    answers = {
        "/": html("/print/1", "/print/2", "/one", "/lost", "/front", "/x", "/foreign"),
        "/print/1": canonical("/one", "/linked-on-print"),
        "/print/2": canonical("/two"),
        "/one": canonical("/one"),
        "/two": html(),
        "/lost": canonical("/gone"),
        "/front": canonical("/"),
        "/x": canonical("/y"),
        "/y": canonical("/x"),
        "/foreign": canonical("https://example.org/foreign"),
        "/linked-on-print": html(),
    }
    with LocalSite(answers) as site:
        summary = run(site, tmp_path, sitemaps=False)
        asked = Counter(site.paths)
    assert sorted(saved(tmp_path)) == ["", "foreign", "front", "linked-on-print", "lost", "one", "two", "y"]
    assert asked.pop("/lost") == 2  # the original was not there, so the copy is as good
    assert set(asked.values()) == {1}
    assert summary.left_out == {"copy": 3}
    assert left_out(tmp_path) == {"print/1": "copy", "print/2": "copy", "x": "copy"}


def test_wishes_of_pages_are_respected(tmp_path: Path) -> None:
    answers = {
        "/": html("/unkept", "/header", "/nofollow", "/kept"),
        "/unkept": html("/from-unkept", head="<meta name=robots content=noindex>"),
        "/header": Reply(html("/from-header").body, headers={"X-Robots-Tag": "noindex, nofollow"}),
        "/nofollow": html("/from-nofollow", head="<meta name=robots content=nofollow>"),
        "/kept": Reply(b'<a rel=nofollow href="/rel">x</a>'),
    }
    with LocalSite({**answers, "*": html()}) as site:
        summary = run(site, tmp_path, sitemaps=False)
        assert not {"/from-header", "/from-nofollow", "/rel"} & set(site.paths)
    assert sorted(saved(tmp_path)) == ["", "from-unkept", "kept", "nofollow"]
    assert summary.left_out == {"noindex": 2, "nofollow": 2}


def test_other_things_are_recorded_and_not_followed(tmp_path: Path) -> None:
    answers = {
        "/": html("/paper.pdf", "/data", "/gone", "/feed", "/secretly-pdf", "/photo.jpg"),
        "/paper.pdf": Reply(b"%PDF-1.7 <a href=/never>", kind="application/pdf"),
        "/data": Reply(b'{"a": "<a href=/never>"}', kind="application/json"),
        "/feed": Reply(b"<rss><item><link>/never</link></item></rss>", kind="application/rss+xml"),
        "/secretly-pdf": Reply(b"%PDF-1.7 <a href=/never>"),
    }
    with LocalSite(answers) as site:
        summary = run(site, tmp_path)
        assert not {"/never", "/photo.jpg"} & set(site.paths)
    lines = {line["url"].rpartition("/")[2]: line for line in index(tmp_path)}
    assert lines["paper.pdf"]["content_type"] == "application/pdf"
    assert lines["gone"]["status"] == 404
    assert set(lines) == {"", "paper.pdf", "data", "gone", "feed", "secretly-pdf"}
    assert (summary.pages, summary.files, summary.errors) == (1, 4, {"http_404": 1})
    assert saved(tmp_path) == [""]


def test_traps_do_not_use_up_the_crawl(tmp_path: Path) -> None:
    def page(path: str) -> Reply | None:
        start, _, query = path.partition("?")
        if start.startswith("/list"):
            number = int(query.rpartition("=")[2] or 0)
            return html(f"/list?sort=a&n={number + 1}", f"/list?sort=b&n={number + 1}")
        if start.startswith("/calendar"):
            year, month = map(int, start.split("/")[2:4])
            return html(f"/calendar/{year + month // 12}/{month % 12 + 1}", f"/calendar/{year - month % 2}/{month}")
        if start.startswith("/loop"):
            return html("loop/", "more/")
        if start.startswith("/session"):
            return html(f"/session?PHPSESSID={time.monotonic_ns()}", f"/session;jsessionid={time.monotonic_ns()}")
        return html() if start.startswith("/good") else None

    start = html("/list?n=0", "/calendar/2024/1", "/loop/", "/session", *(f"/good{n}" for n in range(20)))
    with LocalSite({"/": start, "*": page}) as site:
        summary = run(site, tmp_path, pages=400, depth=50, traps=TrapLimits(variants=10), sitemaps=False)
    found = saved(tmp_path)
    assert {f"good{n}" for n in range(20)} <= set(found)
    assert summary.ended == "complete"
    assert sum(name.startswith("list") for name in found) == 10
    assert sum(name.startswith("calendar") for name in found) == 10
    assert sum(name.startswith("session") for name in found) == 1
    assert sum(name.startswith("loop") for name in found) < 10
    assert summary.left_out["too_many_variants"] > 0
    assert summary.left_out["repeating_path"] > 0


def test_endless_sub_domains_are_a_trap(tmp_path: Path) -> None:
    with LocalSite({"/robots.txt": ROBOTS}) as site:
        site.answers["*"] = lambda path: html(*(f"http://h{n}.example.com:{site.port}/" for n in range(30)))
        seed = site.url("/", "www.example.com")
        summary = run(site, tmp_path, seed, hosts=3, sitemaps=False, **sub_domains(site, 30))
    assert summary.pages == 3
    assert summary.left_out == {"too_many_hosts": 28}


def test_sitemaps_and_feeds_lead_to_pages_without_links(tmp_path: Path) -> None:
    def sitemap(*places: str, root: str = "urlset") -> bytes:
        return f"<{root}>{''.join(f'<x><loc>{place}</loc></x>' for place in places)}</{root}>".encode()

    with LocalSite({}) as site:
        site.answers |= {
            "/robots.txt": Reply(f"Sitemap: {site.url('/map.xml')}\nSitemap: /list.txt".encode(), kind="text/plain"),
            "/": html(head='<link rel=alternate type="application/atom+xml" href="/feed">'),
            "/map.xml": Reply(sitemap("/1.xml.gz", "/2.xml", root="sitemapindex"), kind="text/xml"),
            "/1.xml.gz": Reply(gzip.compress(sitemap("/a", "/b")), kind="application/gzip"),
            "/2.xml": Reply(sitemap("/c", "http://example.org/outside", "/map.xml"), kind="text/xml"),
            "/list.txt": Reply(f"{site.url('/d')}\n".encode(), kind="text/plain"),
            "/feed": Reply(b'<feed><entry><link href="/e"/></entry></feed>', kind="text/html"),
            **{f"/{name}": html() for name in "abcde"},
        }
        summary = run(site, tmp_path / "with")
        assert sorted(saved(tmp_path / "with")) == ["", "a", "b", "c", "d", "e"]
        assert summary.errors == {}
        site.asked.clear()
        run(site, tmp_path / "without", sitemaps=False)
        assert site.paths == ["/"]


def test_a_usual_sitemap_is_looked_for_and_its_absence_is_no_error(tree: LocalSite, tmp_path: Path) -> None:
    summary = run(tree, tmp_path)
    assert [path for _, path, _ in tree.asked].count("/sitemap.xml") == 1
    assert summary.errors == {}


@pytest.mark.parametrize("kind", ["application/xml", "text/html", "text/plain"])
def test_a_sitemap_or_feed_may_be_the_start(tmp_path: Path, kind: str) -> None:
    body = b"<?xml version='1.0'?><rss><channel><item><link>/a</link></item></channel></rss>"
    with LocalSite({"/feed": Reply(body, kind=kind), "/a": html()}) as site:
        summary = run(site, tmp_path, "/feed", sitemaps=False)
    assert saved(tmp_path) == ["a"]
    assert summary.failed_seeds == {}


def test_with_enough_pages_known_no_further_sitemap_is_read(tmp_path: Path) -> None:
    index_file = b"<sitemapindex>" + b"".join(b"<loc>/%d.xml</loc>" % n for n in range(40)) + b"</sitemapindex>"

    def page(path: str) -> Reply:
        if path.endswith(".xml"):
            locations = "".join(f"<loc>{path[:-4]}-{n}</loc>" for n in range(100))
            return Reply(f"<urlset>{locations}</urlset>".encode(), kind="text/xml")
        return html()

    with LocalSite({"/sitemap.xml": Reply(index_file, kind="text/xml"), "*": page}) as site:
        site.answers["/robots.txt"] = ROBOTS
        run(site, tmp_path, pages=3)
        assert sum(path.endswith(".xml") for path in site.paths) == 5
        assert len(saved(tmp_path)) == 3
        run(site, tmp_path, pages=60)
        assert sum(path.endswith(".xml") for path in site.paths) == 10


def test_a_server_in_trouble_is_asked_again_later_but_not_for_ever(tmp_path: Path) -> None:
    busy = iter([Reply(status=503, headers={"Retry-After": "0"}), Reply(status=429), html(title="at last")])
    answers = {"/": html("/busy", "/broken", "/fine"), "/busy": lambda path: next(busy), "/broken": Reply(status=500)}
    with LocalSite({**answers, "/fine": html(), "/robots.txt": ROBOTS}) as site:
        summary = run(site, tmp_path, sitemaps=False)
        assert Counter(site.paths) == {"/": 1, "/busy": 3, "/broken": 3, "/fine": 1}
    assert sorted(saved(tmp_path)) == ["", "busy", "fine"]
    assert summary.errors == {"http_500": 1}
    assert [line["status"] for line in index(tmp_path) if line["url"].endswith("/broken")] == [500]


def test_retry_after_is_waited_for(tmp_path: Path) -> None:
    answers = iter([Reply(status=503, headers={"Retry-After": "1"}), html()])
    with LocalSite({"/robots.txt": ROBOTS, "/": lambda path: next(answers)}) as site:
        run(site, tmp_path, sitemaps=False)
        _, first, second = (when for _, _, when in site.asked)
    assert second - first >= 0.95


def test_a_server_that_asks_for_a_long_pause_gets_it(tmp_path: Path) -> None:
    away = Reply(status=503, headers={"Retry-After": "3600"})
    with LocalSite({"/robots.txt": ROBOTS, "/": lambda path: away}) as site:
        summary = run(site, tmp_path, sitemaps=False)
        assert site.paths == ["/"]
        assert summary.ended == "unreachable"
        assert "3600 seconds" in summary.failed_seeds[site.url()]
        away = html()
        assert run(site, tmp_path, sitemaps=False).pages == 1


def test_a_host_that_answers_nothing_is_given_up(tmp_path: Path) -> None:
    def silent(path: str) -> Reply:
        raise ConnectionError

    with LocalSite({"/robots.txt": ROBOTS, "/": html(*(f"/{n}" for n in range(50))), "*": silent}) as site:
        summary = run(site, tmp_path, attempts=1, sitemaps=False)
        assert len(site.paths) < 10
    assert "no answer" in summary.parked[site.host]
    assert summary.waiting > 40
    assert sum(summary.errors.values()) == 5


def test_a_seed_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    with LocalSite({}) as site:
        pass  # and gone
    summary = run(site, tmp_path)
    assert summary.ended == "unreachable"
    assert "connect" in summary.failed_seeds[site.url()]
    private = crawl([site.url()], tmp_path / "private", CrawlOptions(pause=0.01))
    assert "blocked_address" in private.failed_seeds[site.url()]


def test_expressions_choose_among_the_links(tmp_path: Path) -> None:
    with LocalSite({"/": html("/a/1", "/a/2", "/b/1"), "*": html()}) as site:
        run(site, tmp_path, include=("/a/",), exclude=("2$",), sitemaps=False)
        assert site.paths == ["/", "/a/1"]
    assert left_out(tmp_path) == {"a/2": "trap", "b/1": "trap"}


def test_a_crawl_can_be_stopped_and_goes_on(tree: LocalSite, tmp_path: Path) -> None:
    stop, seen = threading.Event(), []

    def watch(progress: CrawlProgress) -> None:
        seen.append(progress)
        if progress.pages == 3:
            stop.set()

    summary = run(tree, tmp_path, stop=stop, watch=watch)
    assert (summary.ended, summary.pages) == ("stopped", 3)
    assert [progress.pages for progress in seen] == [1, 1, 2, 3]  # the missing sitemap among them
    assert run(tree, tmp_path).pages == 7
    assert saved(tmp_path) == TREE
    assert max(Counter(tree.paths).values()) == 1


def test_a_crawl_does_not_wait_long_for_a_silent_server_once_it_is_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.crawl.crawler._GRACE_SECONDS", 0.2)
    stop = threading.Event()
    with LocalSite({"/robots.txt": ROBOTS, "/": Reply(seconds=2 * PATIENCE)}) as site:
        threading.Timer(0.3, stop.set).start()
        started = time.monotonic()
        assert run(site, tmp_path, stop=stop).ended == "stopped"
        assert time.monotonic() - started < PATIENCE


def test_a_folder_belongs_to_one_crawl(tree: LocalSite, tmp_path: Path) -> None:
    run(tree, tmp_path, pages=1)
    with pytest.raises(SiteError, match=r"another crawl .*scope"):
        run(tree, tmp_path, scope="host")
    with pytest.raises(SiteError, match=r"another crawl .*urls"):
        run(tree, tmp_path, "/a")
    (tmp_path / "state.sqlite").unlink()
    with pytest.raises(SiteError, match=r"no state\.sqlite"):
        run(tree, tmp_path)
    (tmp_path / "state.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(SiteError, match="cannot be used"):
        run(tree, tmp_path)
    assert saved(tmp_path) == TREE[:1]  # and nothing is lost


def test_two_crawls_cannot_share_a_folder(tree: LocalSite, tmp_path: Path) -> None:
    problems: list[str] = []

    def meanwhile(progress: CrawlProgress) -> None:
        if not problems:
            with pytest.raises(SiteError) as error:
                run(tree, tmp_path)
            problems.append(str(error.value))

    assert run(tree, tmp_path, watch=meanwhile).pages == 7
    assert "another crawl is writing" in problems[0]


@pytest.mark.parametrize("seed", ["example.org", "ftp://example.org/", "http://user:pass@example.org/", "http://[::/"])
def test_a_start_that_is_no_address_is_told(tmp_path: Path, seed: str) -> None:
    with pytest.raises(SiteError):
        crawl([seed], tmp_path / "new")
    assert not (tmp_path / "new").exists()
    with pytest.raises(SiteError, match="regular expression"):
        crawl(["https://example.org/"], tmp_path / "new", CrawlOptions(include=("(",)))
    with pytest.raises(SiteError, match="needs an address"):
        crawl([], tmp_path / "new")
