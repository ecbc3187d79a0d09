"""Lists of addresses: through the gate, politely, one row each."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("httpcore2", reason="pip install 'thresher[fetch]'")

from tests.archives import page
from tests.local_site import LocalSite, Reply
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import make_plan
from thresher.batch.record import PageRecord
from thresher.batch.sources import open_source

ROBOTS = Reply(b"User-agent: *\nDisallow: /private\n", kind="text/plain")


def fetched(path: Path, site: LocalSite, **limits: float) -> dict[str, PageRecord]:
    job = Job((str(path),), "nowhere", allow_hosts=(site.host,))
    found = {}
    for piece in make_plan(job).slices:
        for record in open_source(piece, job, WorkerLimits(delay=limits.get("delay", 0.0))).records():
            found[record.position] = record
    return found


def test_every_address_gives_a_record_and_robots_are_obeyed(tmp_path: Path) -> None:
    answers = {
        "/robots.txt": ROBOTS,
        "/1": Reply(page(1), kind="text/html; charset=koi8-r"),
        "/gone": Reply(b"<p>gone</p>", 404),
        "/private/x": Reply(page(2)),
        "/moved": Reply(status=301, headers={"Location": "/1"}),
        "/trick": Reply(status=302, headers={"Location": "/private/y"}),
    }
    with LocalSite(answers) as site:
        lines = [site.url(path) for path in ("/1", "/gone", "/private/x", "/moved", "/trick")]
        lines += ["ftp://example.org/", "http://10.0.0.1/", "nonsense"]
        (tmp_path / "urls.txt").write_text("# mine\n" + "\n".join(lines) + "\n")
        found = fetched(tmp_path / "urls.txt", site)
        asked = site.paths
    assert sorted(found) == [str(number) for number in range(2, 10)]
    assert found["2"].body == page(1)
    assert found["2"].content_type == "text/html; charset=koi8-r"
    assert (found["3"].http_status, found["3"].error) == (404, None)
    assert found["5"].body == page(1)
    assert found["5"].url == site.url("/1")
    assert {number: (found[number].error or "").partition(":")[0] for number in "46789"} == {
        "4": "robots",
        "6": "robots",
        "7": "unreadable",
        "8": "robots",
        "9": "unreadable",
    }
    assert "cannot be had" in (found["8"].error or "")  # from a private address nothing comes, its rules included
    assert not any(path.startswith("/private") for path in asked)
    assert len({record.id for record in found.values()}) == 8


def test_a_host_is_asked_one_page_at_a_time_with_pauses(tmp_path: Path) -> None:
    with LocalSite({"*": Reply(page(1), seconds=0.02), "/robots.txt": Reply(status=404)}) as site:
        (tmp_path / "urls.txt").write_text("\n".join(site.url(f"/{number}") for number in range(4)))
        found = fetched(tmp_path / "urls.txt", site, delay=0.15)
        times = [time for _, path, time in site.asked if path != "/robots.txt"]
    assert len(found) == 4
    assert site.most_together == 1
    assert all(later - earlier > 0.15 for earlier, later in pairwise(times))


def test_a_host_that_does_not_answer_is_left_alone(tmp_path: Path) -> None:
    with LocalSite({}) as site:
        host = site.host
    (tmp_path / "urls.txt").write_text("\n".join(f"http://{host}/{number}" for number in range(3)))
    job = Job((str(tmp_path / "urls.txt"),), "nowhere", allow_hosts=(host,))
    (piece,) = make_plan(job).slices
    found = list(open_source(piece, job, WorkerLimits(delay=0.0)).records())
    # Nothing may be fetched from a site whose rules cannot be had.
    assert [(record.error or "").partition(":")[0] for record in found] == ["robots"] * 3
