"""The corpus of hostile inputs: every case, one by one.

Cases about reading (spellings of CSS, labels of encodings) are put to the functions that read a page; one in twenty of
them, some hundred, goes through `extract` and all forms of its result like the other cases.  Heavy cases (more than a
second each, up to 100 MB) run with THRESHER_HOSTILE=full, and every case goes all the way then.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import thresher
from tests.hostile import (
    bombs,
    doors,
    encodings,
    endurance,
    findings,
    formats,
    inert,
    kinds,
    labels,
    nothing_lost,
    opened,
    smuggled,
    unseen,
)
from tests.hostile.case import SENTENCES, Case, article, check, check_reading, page
from tests.hostile.properties import assert_clean, forms
from thresher.cli import main
from thresher.methods.auto.blocks import blocks
from thresher.page import attributes
from thresher.result.blocks import blocks as explained

FULL = os.environ.get("THRESHER_HOSTILE") == "full"
PARTS = (
    endurance, bombs, nothing_lost, encodings, labels, formats, kinds, inert, doors, unseen, smuggled, opened, findings,
)  # fmt: skip


def _all() -> Iterator[Case]:
    return chain.from_iterable(part.cases() for part in PARTS)


def _ids(case: Case) -> str:
    return re.sub(r"[^\w<>=:.,;()%#'\"-]+", "-", case.name, flags=re.ASCII)[:80]


READING = [case for case in _all() if case.about == "reading" and not case.heavy]
RESULTS = [case for case in _all() if case.about == "result" and (FULL or not case.heavy)]


@pytest.mark.parametrize("case", [*RESULTS, *(READING if FULL else READING[::20])], ids=_ids)
def test_a_hostile_input_does_no_harm(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", READING, ids=_ids)
def test_a_hostile_page_is_read_as_a_browser_shows_it(case: Case) -> None:
    check_reading(case)


def test_every_case_has_a_name_of_its_own_and_there_are_many() -> None:
    names = Counter(case.name for case in _all())
    assert [name for name, count in names.items() if count > 1] == []
    assert len(names) >= 150


def test_ten_threads_give_the_results_of_one() -> None:
    sources = [case.source() for case in islice(chain(inert.cases(), unseen.cases()), 0, None, 25)]
    alone = [forms(thresher.extract(source)) for source in sources]
    with ThreadPoolExecutor(10) as threads:
        assert list(threads.map(lambda source: forms(thresher.extract(source)), sources)) == alone


def test_every_block_of_a_bundle_has_the_verdict_on_it() -> None:
    page = thresher.parse(article("<div>a word</div>" * 250_000))
    found = blocks(page)
    assert len(found) < 125_000
    shown = np.ones(int(page.block[-1]) + 1, bool)
    shown[7] = False
    values = np.arange(len(found))
    spread = found.spread(values, shown)
    for block in range(0, len(shown), 9_973):
        last = max(value for value, number in zip(values, found.number, strict=True) if number <= block)
        assert spread[block] == (last if shown[block] else 0)


def test_reasons_that_quote_names_of_the_page_are_clean() -> None:
    names = "sidebar \x1b[31m\x81 \U000e0069\ufe0e\ufe0f"
    result = thresher.extract(page(article(f"<p class='{names}'>{SENTENCES[0]}</p>")))
    verdict = replace(result.verdict, reasons=lambda number: attributes.values(result.page, "class").values())
    quoting = replace(result, verdict=verdict)
    for block in explained(quoting):
        assert block.reasons == ("sidebar [31m ",)


def test_metadata_cannot_end_its_front_matter_nor_reach_the_terminal(tmp_path: Path) -> None:
    evil = "a&#10;---&#10;# b&#27;[31m&#7;&#x2028;&quot;: [c](javascript:alert(1))"
    file = tmp_path / "page.html"
    file.write_text(
        page(article(), f"<meta name=author content='Jane Doe {evil}'><meta property=og:title content='{evil}'>")
    )
    for form in ("text", "markdown", "html", "xml", "json"):
        printed = CliRunner().invoke(main, ["extract", str(file), "-f", form, "--with-metadata"]).stdout
        assert_clean(printed)
        assert SENTENCES[0] in printed
        assert printed.split("\n").count("---") in (0, 2)


def test_names_and_arguments_do_not_reach_the_terminal_as_commands(tmp_path: Path) -> None:
    evil = "\x1b[31mred\x1b]0;t\x07\x9b31m"
    file = tmp_path / f"{evil}.html"
    file.write_text(page(article(f"<p class='{evil}' id='{evil}'>Words {evil} go on.</p>"), f"<title>{evil}</title>"))
    for command in ("extract", "explain", "compare", "evaluate", "methods", "render", "batch"):
        for name in (str(file), evil, f"http://{evil}/"):
            if (command, name) != ("render", str(file)):
                done = CliRunner().invoke(main, [command, name])
                assert_clean(done.output + done.stderr)
    for arguments in ([evil], ["extract", f"--{evil}"], ["extract", "-f", evil, str(file)], ["extract", "-m", evil]):
        assert_clean(CliRunner().invoke(main, arguments).output)
