"""robots.txt as RFC 9309 has it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clock import at_most
from thresher.errors import FetchError
from thresher.fetch.robots import MAX_AGE, MAX_BYTES, RobotsFile, RobotsRules, fetch_robots, product_token
from thresher.http.response import Headers, Response

ORIGIN = "https://example.org"


class Fake:
    """A gate that has one answer."""

    def __init__(self, status: int = 200, body: bytes = b"", redirects: int = 0, error: str = "") -> None:
        self.status, self.body, self.redirects, self.error = status, body, redirects, error
        self.asked: list[str] = []

    def fetch(self, url: str) -> Response:
        self.asked.append(url)
        if self.error:
            raise FetchError("no answer", self.error, url)
        passed = tuple(f"{url}?{number}" for number in range(self.redirects))
        return Response(
            url=url, requested_url=url, status=self.status, headers=Headers(), body=self.body, redirects=passed
        )


def rules(text: str | bytes, agent: str = "thresher/0.1 (content extraction)") -> RobotsRules:
    body = text.encode() if isinstance(text, str) else text
    return RobotsRules(fetch_robots(Fake(body=body), ORIGIN), agent)


FORBIDDING = b"User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 429, 451, 499])
def test_without_a_file_everything_is_allowed(status: int) -> None:
    file = fetch_robots(Fake(status, FORBIDDING), ORIGIN)
    assert file.reachable
    assert RobotsRules(file, "thresher").allows(f"{ORIGIN}/x")


@pytest.mark.parametrize("status", [500, 502, 503, 504, 599])
def test_a_server_in_trouble_allows_nothing_and_is_asked_again(status: int) -> None:
    file = fetch_robots(Fake(status, b"User-agent: *\nAllow: /\n"), ORIGIN)
    assert not file.reachable
    assert not file.fresh(time.time())
    assert not RobotsRules(file, "thresher").allows(f"{ORIGIN}/x")


@pytest.mark.parametrize("reason", ["timeout", "connect", "dns", "tls", "disconnected", "too_large", "blocked_address"])
def test_no_answer_allows_nothing(reason: str) -> None:
    file = fetch_robots(Fake(error=reason), ORIGIN)
    assert file.reason == reason
    assert not RobotsRules(file, "thresher").allows(f"{ORIGIN}/x")


def test_five_redirects_are_followed_and_six_are_no_file() -> None:
    five, six = (fetch_robots(Fake(body=FORBIDDING, redirects=number), ORIGIN) for number in (5, 6))
    assert not RobotsRules(five, "thresher").allows(f"{ORIGIN}/x")
    assert RobotsRules(six, "thresher").allows(f"{ORIGIN}/x")
    endless = fetch_robots(Fake(error="too_many_redirects"), ORIGIN)
    assert RobotsRules(endless, "thresher").allows(f"{ORIGIN}/x")


def test_an_answer_is_good_for_a_day() -> None:
    file = fetch_robots(Fake(body=FORBIDDING), ORIGIN)
    assert file.fresh(file.fetched + MAX_AGE - 1)
    assert not file.fresh(file.fetched + MAX_AGE)
    assert not file.fresh(file.fetched - 1)  # a clock that was set back


@pytest.mark.parametrize(
    ("text", "allowed", "forbidden"),
    [
        ("user-agent: *\ndisallow: /a\nallow: /a/b", ["/", "/a/b/c"], ["/a", "/a/c", "/abc"]),
        ("User-agent: *\nDisallow: /a\nAllow: /a", ["/a"], []),  # as long: the friendlier one
        ("User-agent: *\nDisallow: /*.pdf$", ["/x.pdf?y", "/x.html"], ["/x.pdf"]),
        ("User-agent: *\nDisallow: /*?", ["/x"], ["/x?y"]),
        ("User-agent: *\nDisallow:", ["/"], []),
        ("User-agent: *\nDisallow: /%7Ejoe", ["/joe"], ["/~joe"]),
        ("User-agent: *\nDisallow: /ü", [], ["/%C3%BC"]),
        ("User-agent: *\nDisallow: /", ["/robots.txt"], ["/"]),
        ("Disallow: /", ["/"], []),  # nobody's rule
        ("User-agent: *\r\nDisallow: /a\r\n", ["/b"], ["/a"]),
        ("User-agent: *\rDisallow: /a\r", ["/b"], ["/a"]),
        ("\ufeffUser-agent: *\nDisallow: /a", ["/b"], ["/a"]),
        ("User-agent: *  # all\nDisallow: /a # not this", ["/b"], ["/a"]),
        ("User-agent: a\nUser-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", ["/c"], ["/a", "/b"]),
        ("<!doctype html><p>Not found", ["/"], []),
    ],
)
def test_the_longest_rule_wins(text: str, allowed: list[str], forbidden: list[str]) -> None:
    said = rules(text)
    assert [path for path in allowed if not said.allows(ORIGIN + path)] == []
    assert [path for path in forbidden if said.allows(ORIGIN + path)] == []


@pytest.mark.parametrize(
    ("line", "is_ours"),
    [
        ("thresher", True),
        ("THRESHER", True),
        ("Thresher/0.1", True),
        ("thresh", False),
        ("thresher-news", False),
        ("notthresher", False),
        ("t", False),
        ("googlebot", False),
    ],
)
def test_the_group_is_chosen_by_the_whole_product_token(line: str, is_ours: bool) -> None:
    said = rules(f"User-agent: *\nDisallow: /all\n\nUser-agent: {line}\nDisallow: /own\n")
    assert said.allows(f"{ORIGIN}/own") != is_ours
    assert said.allows(f"{ORIGIN}/all") == is_ours


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("thresher/0.1.0 (content extraction)", "thresher"),
        ("Mozilla/5.0 (compatible; FlailBot/1.0; +https://example.org)", "flailbot"),
        ("my_bot-x 3", "my_bot-x"),
        ("3000", "*"),
    ],
)
def test_the_product_token_is_the_name_at_the_start(agent: str, token: str) -> None:
    assert product_token(agent) == token


def test_the_first_500_kib_are_read_up_to_a_whole_line() -> None:
    assert MAX_BYTES == 500 * 1024
    start = b"User-agent: *\nDisallow: /early\n"
    last = b"Disallow: /private\n"
    filling = b"#" * (MAX_BYTES - len(start) - 12) + b"\n"  # the cut goes through /private, behind "Disallow: /"
    said = rules(start + filling + last + b"Disallow: /late\n")
    assert not said.allows(f"{ORIGIN}/early")
    assert said.allows(f"{ORIGIN}/elsewhere")
    assert said.allows(f"{ORIGIN}/late")


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ("Crawl-delay: 2.5", 2.5),
        ("Crawl-delay: 10\nRequest-rate: 1/30", 30.0),
        ("Request-rate: 2/1m", 30.0),
        ("Crawl-delay: -3", 0.0),
        ("Crawl-delay: inf", 0.0),
        ("Crawl-delay: nan", 0.0),
        ("Crawl-delay: soon", 0.0),
        ("", 0.0),
    ],
)
def test_delays_are_read_and_nonsense_is_not(lines: str, seconds: float) -> None:
    assert rules(f"User-agent: *\n{lines}\nDisallow: /x").delay == seconds


def test_sitemaps_are_listed_wherever_they_stand() -> None:
    said = rules("Sitemap: https://example.org/a.xml\nUser-agent: other\nDisallow: /\nSitemap: /b.xml")
    assert said.sitemaps == ("https://example.org/a.xml", "/b.xml")
    assert said.allows(f"{ORIGIN}/x")


def test_a_hostile_pattern_costs_no_time() -> None:
    said = rules("User-agent: *\nDisallow: /" + "*a" * 2000 + "$\n")
    with at_most(1):
        assert said.allows(f"{ORIGIN}/{'a' * 1900}b")


@given(st.binary(max_size=300), st.text(max_size=50))
def test_no_file_and_no_agent_breaks_it(body: bytes, agent: str) -> None:
    said = RobotsRules(RobotsFile(ORIGIN, 0.0, 200, body), agent)
    assert said.allows(f"{ORIGIN}/x") in (True, False)
    assert said.delay >= 0
    assert isinstance(said.sitemaps, tuple)
