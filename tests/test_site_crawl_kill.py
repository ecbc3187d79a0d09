"""A crawl that is killed goes on: nothing is lost, nothing is written twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator

from tests.local_site import LocalSite, Reply, html
from thresher.crawl import CrawlOptions, crawl
from thresher.crawl.archive_writer import ArchiveWriter
from thresher.crawl.state import State
from thresher.site.archive import pages

ROBOTS = Reply(b"User-agent: *\nDisallow: /private\n", kind="text/plain")


def site_of(count: int, permits: threading.Semaphore | None = None) -> LocalSite:
    """Pages in a binary tree, with a 404 and a redirect among them; with `permits`, each answer takes one."""

    def page(path: str) -> Reply | None:
        if permits is not None:
            permits.acquire()
        number = int(path.strip("/") or 0)
        below = [f"/{child}" for child in (2 * number + 1, 2 * number + 2) if child < count]
        return html(*below, "/gone", "/moved", title=f"page {number}", text=f"{number} " * 500)

    moved = Reply(status=301, headers={"Location": "/1"})
    gone = Reply(status=404)
    answers = {"/robots.txt": ROBOTS, "/sitemap.xml": gone, "/gone": gone, "/moved": moved, "*": page}
    return LocalSite(answers)


def check(folder: Path, site: LocalSite, count: int) -> None:
    """Every page has one record and one line, and both readers find them where the index says."""
    wanted = sorted([site.url("/gone"), *(site.url(f"/{number or ''}") for number in range(count))])
    lines = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    assert sorted(line["url"] for line in lines) == wanted
    places = [(line["offset"], line["url"]) for line in lines]
    with (folder / "pages-00000.warc.gz").open("rb") as stream:
        slow = [
            (archive.get_record_offset(), record.rec_headers.get_header("WARC-Target-URI"))
            for archive in [ArchiveIterator(stream, check_digests="raise")]
            for record in archive
            if record.rec_type == "response" and record.content_stream().read() is not None
        ]
    with (folder / "pages-00000.warc.gz").open("rb") as stream:
        fast = []
        for record in FastIterator(stream):
            if record.is_http:
                assert record.verify_payload_digest()
                fast.append((record.stream_pos, record.headers["WARC-Target-URI"]))
    assert slow == fast == places
    end = lines[-1]["offset"] + lines[-1]["length"]
    assert end == (folder / "pages-00000.warc.gz").stat().st_size
    assert sorted(page.url for page in pages(folder)) == [url for url in wanted if not url.endswith("/gone")]


def command(site: LocalSite, folder: Path, *more: str) -> subprocess.Popen[str]:
    arguments = ["site", "crawl", site.url(), "-o", str(folder), "--delay", "0", "--allow-host", site.host, *more]
    return subprocess.Popen(
        [sys.executable, "-m", "thresher", *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def wait_for(site: LocalSite, requests: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while len(site.asked) < requests and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)


def test_kill_it_at_any_time_and_go_on(tmp_path: Path) -> None:
    dice = random.Random(17)
    kills, count = 3, 60
    permits = threading.Semaphore(0)  # however late the signal comes, the crawl cannot be done by then
    with site_of(count, permits) as site:
        for _ in range(kills):
            permits.release(12)
            process = command(site, tmp_path)
            wait_for(site, len(site.asked) + dice.randint(2, 9), process)
            time.sleep(dice.random() * 0.02)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        assert len({path for _, path, _ in site.asked}) < count + 2  # it was not done yet
        permits.release(10 * count)
        process = command(site, tmp_path)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        asked = Counter(path for _, path, _ in site.asked)
    check(tmp_path, site, count)
    assert sum(times - 1 for times in asked.values()) <= kills  # at most what was under way
    assert f"{count} pages" in said


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_cleanly_with_a_word_how_to_go_on(tmp_path: Path, number: int, code: int) -> None:
    with site_of(40) as site:
        process = command(site, tmp_path, "--json")
        wait_for(site, 8, process)
        process.send_signal(number)
        out, said = process.communicate(timeout=120)
        assert process.returncode == code, said
        assert json.loads(out)["ended"] == "stopped"
        assert "stopped before the end" in said
        assert "to go on: thresher site crawl" in said
        assert not (tmp_path / "state.sqlite-wal").exists()
        before = json.loads(out)["pages"]
        assert crawl([site.url()], tmp_path, CrawlOptions(delay=0, allow_hosts=(site.host,))).pages == 40 > before > 0
        assert max(Counter(path for _, path, _ in site.asked).values()) == 1
    check(tmp_path, site, 40)


class Crash(BaseException):
    """The end of a process, as far as that can be had within one."""


class Fuse:
    """Breaks the crawl at its n-th write: before it, in the middle of it, or after it."""

    def __init__(self, patch: pytest.MonkeyPatch, fuse: int, where: str) -> None:
        self.count, self.fuse, self.where = 0, fuse, where
        append, commit = ArchiveWriter._append, State.transaction

        def broken_append(writer: ArchiveWriter, name: str, data: bytes) -> None:
            if self.burns("before"):
                raise Crash
            if self.where == "within" and self.count == self.fuse:
                append(writer, name, data[: len(data) // 2])
                raise Crash
            append(writer, name, data)
            if self.where == "after" and self.count == self.fuse:
                raise Crash

        def broken_transaction(state: State) -> Any:
            return self.around(commit(state))

        patch.setattr(ArchiveWriter, "_append", broken_append)
        patch.setattr(State, "transaction", broken_transaction)

    def burns(self, where: str) -> bool:
        self.count += 1
        return self.where == where and self.count == self.fuse

    def around(self, transaction: Any) -> Any:
        from contextlib import contextmanager

        @contextmanager
        def wrapped() -> Iterator[None]:
            if self.burns("before"):
                raise Crash
            with transaction:
                yield
                if self.where == "within" and self.count == self.fuse:
                    raise Crash
            if self.where == "after" and self.count == self.fuse:
                raise Crash

        return wrapped()


@pytest.mark.parametrize("where", ["before", "within", "after"])
def test_break_it_at_every_single_write_and_go_on(tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda file: None)
    with site_of(3) as site:
        options = CrawlOptions(delay=0, allow_hosts=(site.host,), sitemaps=False)
        for fuse in range(1, 100):
            folder, broken = tmp_path / str(fuse), True
            site.asked.clear()
            with monkeypatch.context() as patch:
                Fuse(patch, fuse, where)
                try:
                    crawl([site.url()], folder, options)
                    broken = False
                except Crash:
                    pass
            assert crawl([site.url()], folder, options).pages == 3
            check(folder, site, 3)
            asked = Counter(path for _, path, _ in site.asked)
            assert sum(count - 1 for count in asked.values()) <= 1
            if not broken:
                break
    assert 15 < fuse < 60  # every write had its turn
