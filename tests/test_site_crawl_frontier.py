"""The frontier: whose turn it is does not depend on who came first."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.crawl.frontier import DiscoveredUrl, Frontier, Task
from thresher.errors import SiteError
from thresher.fetch.robots import RobotsFile


@contextmanager
def frontier(folder: Path | None = None, **identity: Any) -> Iterator[Frontier]:
    with tempfile.TemporaryDirectory() as other:
        opened = Frontier((folder or Path(other)) / "state.sqlite", identity)
        try:
            yield opened
        finally:
            opened.close()


def round_of(state: Frontier, pages: int = 100, **limits: Any) -> list[Task]:
    return state.next_round(pages, **{"lists": 0, "depth": 9, "variants": 100, "hosts": 100, **limits})


def url(name: object) -> str:
    return f"http://h.org/{name}"


FOUND = st.builds(
    DiscoveredUrl,
    url=st.integers(0, 9).map(url),
    depth=st.integers(0, 3),
    parent=st.integers(0, 3),
    place=st.integers(0, 3),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(FOUND, max_size=20), st.integers(1, 5), st.randoms())
def test_rounds_are_the_same_in_whatever_order_addresses_are_found(
    found: list[DiscoveredUrl], pages: int, dice: random.Random
) -> None:
    # The naive twin: the first place of each address, then all of them in the order of depth, parent, place.
    best: dict[str, DiscoveredUrl] = {}
    for one in sorted(found, key=lambda one: (one.depth, one.parent, one.place)):
        best.setdefault(one.url, one)
    wanted = [(one.depth, one.parent, one.place) for one in best.values()]
    mixed = dice.sample(found, len(found))
    places = {address: (one.depth, one.parent, one.place) for address, one in best.items()}
    with frontier() as state:
        for one in mixed:
            state.add([one])
        taken: list[Task] = []
        while tasks := round_of(state, pages):
            assert len(tasks) <= pages
            assert len({task.depth for task in tasks}) == 1  # breadth first: one level at a time
            for task in tasks:
                state.settle(task, "page")
            taken += tasks
    assert [places[task.url] for task in taken] == wanted
    assert [task.rank for task in taken] == list(range(1, len(taken) + 1))


def test_what_is_queued_stays_queued_until_it_is_settled(tmp_path: Path) -> None:
    with frontier(tmp_path) as state:
        state.add([DiscoveredUrl(url("a"), 0), DiscoveredUrl(url("b"), 0, place=1)])
        first, second = round_of(state)
        state.settle(first, "page", urls=[DiscoveredUrl(url("c"), 1, parent=first.rank)], sizes={"file": 7})
        assert state.failed(second).attempts == 1
    with frontier(tmp_path) as state:
        (left,) = state.queued()
        assert (left.url, left.attempts, left.rank) == (url("b"), 1, second.rank)
        assert state.sizes() == {"file": 7}
        assert state.requests() == 2
        state.settle(left, "error", "timeout")
        (third,) = round_of(state)
        assert (third.url, third.referrer) == (url("c"), url("a"))


def test_what_fails_within_a_transaction_leaves_no_trace(tmp_path: Path) -> None:
    def broken() -> Iterator[DiscoveredUrl]:
        yield DiscoveredUrl(url("b"), 1)
        raise KeyboardInterrupt

    with frontier(tmp_path) as state:
        state.add([DiscoveredUrl(url("a"), 0)])
        (task,) = round_of(state)
        with pytest.raises(KeyboardInterrupt):
            state.settle(task, "page", urls=broken(), sizes={"file": 7})
        assert state.outcome(url("b")) is None
        assert state.outcome(url("a")) == "waiting"
        assert state.sizes() == {}


def test_pages_that_wait_for_an_original_are_set_free_when_it_fails() -> None:
    with frontier() as state:
        state.add([DiscoveredUrl(url("copy"), 0), DiscoveredUrl(url("other"), 0, place=1)])
        copy, other = round_of(state)
        for task in (copy, other):
            state.settle(task, "copy", urls=[DiscoveredUrl(url("original"), 0, parent=1)], copy_of=url("original"))
        (original,) = round_of(state)
        assert state.is_original(original)
        state.settle(original, "error", "http_404")
        assert [(task.url, task.itself) for task in round_of(state)] == [(url("copy"), 1), (url("other"), 1)]


def test_limits_of_a_round_are_kept() -> None:
    with frontier() as state:
        state.add(DiscoveredUrl(url(f"x?n={n}"), 1, place=n) for n in range(5))
        state.add(DiscoveredUrl(f"http://h{n}.org/", 1, parent=1, place=n) for n in range(5))
        state.add(DiscoveredUrl(url(f"{n}.xml"), 0, "list", place=n) for n in range(5))
        assert [task.kind for task in round_of(state, lists=2)] == ["list", "list"]
        for task in state.queued():
            state.settle(task, "list")
        tasks = round_of(state, variants=3, hosts=3, without={"h1.org"})
        assert [task.url for task in tasks] == [
            *(url(f"x?n={n}") for n in range(3)),
            "http://h0.org/",
            "http://h2.org/",
        ]
        assert state.reasons()[("trap", "too_many_variants")] == 2
        assert state.reasons()[("trap", "too_many_hosts")] == 2
        assert state.outcome("http://h1.org/") == "waiting"
        assert state.waiting(0) == 0


def test_rules_are_kept_as_they_came(tmp_path: Path) -> None:
    file = RobotsFile("http://h.org", 12.5, 200, b"\xff\x00 rules", "")
    with frontier(tmp_path) as state:
        state.keep_robots(file, [DiscoveredUrl(url("map.xml"), 0, "list")])
    with frontier(tmp_path) as state:
        assert state.robots("http://h.org") == file
        assert state.robots("https://h.org") is None
        assert [task.kind for task in round_of(state, lists=1)] == ["list"]


def test_a_redirect_ends_where_its_target_does() -> None:
    with frontier() as state:
        state.add([DiscoveredUrl(url("a"), 0)])
        (task,) = round_of(state)
        state.settle(task, "redirect", url("b"), [DiscoveredUrl(url("b"), 0, parent=task.rank, hops=1)])
        assert state.end_of(url("a")) == ("waiting", "")
        (task,) = round_of(state)
        assert task.hops == 1
        state.settle(task, "redirect", url("a"))
        assert state.end_of(url("a"))[0] == "redirect"  # and it comes to an end
        assert state.end_of(url("nobody")) == ("waiting", "")


def test_another_crawl_is_told_from_this_one(tmp_path: Path) -> None:
    with frontier(tmp_path, urls=["a"], scope="host"):
        pass
    with pytest.raises(SiteError, match="different: scope"), frontier(tmp_path, urls=["a"], scope="path"):
        pass
