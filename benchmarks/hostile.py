"""How thresher and its peers stand hostile input: the corpus of tests/hostile, each case in a process of its own.

    PYTHONPATH=. python benchmarks/hostile.py [--tool thresher] [--part unseen] [--failures]
    PYTHONPATH=. python benchmarks/hostile.py --heavy          # every large case: time, what is allowed, memory

Counted are the cases that a tool handles as it should: it ends in time (max(2 s, 25 × plain parse) and at most 10 s of
CPU) and within 2 GB, and what the case says of its result is true.  A peer is asked what any extractor can be asked:
that it ends, that text which readers see is there and unseen text is not, that what is no page gives nothing, that its
text is clean, and that an attack does not get through its Markdown or HTML.  It need not name a reason.
"""

from __future__ import annotations

import argparse
import math
import os
import pickle
import re
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests import test_hostile
from tests.hostile.case import ARTICLE, FACTOR, LONGEST, SHORTEST, Case, assert_case, page, plain_parse, run
from tests.hostile.properties import assert_clean, assert_inert_markdown

import thresher

PATIENCE = 20  # seconds of CPU after which a process is killed, twice the most that is allowed
MOST_MEMORY = 2_000_000_000
_ACTIVE = re.compile(
    r"<script|<iframe|<object|<form|\son\w+\s*=|(?:href|src)\s*=\s*[\"']?\s*javascript:", re.IGNORECASE
)


# ---- tools ---------------------------------------------------------------------------------------------------


def _trafilatura(source: bytes | str) -> tuple[str, str]:
    import trafilatura

    text = trafilatura.extract(source, include_links=False) or ""
    markdown = trafilatura.extract(source, output_format="markdown", include_links=True, include_images=True) or ""
    return text, markdown


def _resiliparse(source: bytes | str) -> tuple[str, str]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    encoding = "utf-8" if isinstance(source, str) else detect_encoding(data) or "utf-8"
    tree = HTMLTree.parse_from_bytes(data, encoding)
    return extract_plain_text(tree, main_content=True, preserve_formatting=True), ""


def _readability(source: bytes | str) -> tuple[str, str]:
    from lxml.html import fromstring
    from readability import Document

    html = Document(source if isinstance(source, bytes) else source.encode("utf-8", "replace")).summary()
    assert not _ACTIVE.search(html), "something active in its HTML"
    return fromstring(html).text_content() if html.strip() else "", ""


PEERS: dict[str, Callable[[bytes | str], tuple[str, str]]] = {
    "trafilatura": _trafilatura,
    "resiliparse": _resiliparse,
    "readability": _readability,
}


def _check_peer(tool: str, case: Case, source: bytes | str) -> float:
    """Assert of a peer what can be asked of it; its CPU seconds."""
    started = time.process_time()
    try:
        text, markdown = PEERS[tool](source)
    except Exception:  # an error is a way to refuse, but no way to read
        assert not case.shows, "an error"
        return time.process_time() - started
    seconds = time.process_time() - started
    flat = " ".join(text.split())
    for wanted in case.shows:
        assert " ".join(wanted.split()) in flat, f"{wanted!r} is missing"
    for unwanted in case.hides:
        assert " ".join(unwanted.split()) not in flat or not unwanted.strip(), f"{unwanted!r} is in its text"
    if case.status == ("not_html",):
        assert not flat, "no page, and yet a text"
    assert_clean(text)
    assert_inert_markdown(markdown)
    return seconds


# ---- cases ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of a case."""

    fault: str  # empty: none
    seconds: float
    allowed: float
    memory: int  # bytes, at its peak


def _judged(tool: str, case: Case, source: bytes | str) -> tuple[str, float]:
    try:
        if tool == "thresher":
            result, seconds = run(case, source)
            assert_case(case, result)
        else:
            seconds = _check_peer(tool, case, source)
    except AssertionError as fault:
        return str(fault).split("\n")[0][:200] or "a fault", math.nan
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"[:200], math.nan
    return "", seconds


def _outcome(tool: str, case: Case, allowed: float) -> Outcome:
    """Run a case in a child process: a crash, an endless loop or a flood of memory are outcomes too."""
    source = case.source()
    inlet, outlet = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        resource.setrlimit(resource.RLIMIT_AS, (6_000_000_000, 6_000_000_000))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            os.write(outlet, pickle.dumps(_judged(tool, case, source)))
        finally:
            os._exit(0)
    os.close(outlet)
    with os.fdopen(inlet, "rb") as answer:
        data = answer.read()
    _, status, usage = os.wait4(child, 0)
    memory = usage.ru_maxrss * 1024
    if not data:
        return Outcome(f"killed by signal {status & 127}", usage.ru_utime + usage.ru_stime, allowed, memory)
    fault, seconds = pickle.loads(data)
    if not fault and seconds > allowed:
        fault = f"{seconds:.1f} s of {allowed:.1f} s"
    if not fault and memory > MOST_MEMORY:
        fault = f"{memory / 1e9:.1f} GB"
    return Outcome(fault, seconds, allowed, memory)


def _allowed(case: Case) -> float:
    large = case.heavy or not case.whole
    return min(LONGEST, max(SHORTEST, FACTOR * plain_parse(case.source()))) if large else SHORTEST


def heavy(part: str) -> None:
    """The table of the large cases, one a line."""
    print(f"{'case':<44}{'MB':>7}{'plain parse':>13}{'allowed':>10}{'CPU':>9}{'memory':>10}")
    for module in test_hostile.PARTS:
        for case in module.cases():
            if part not in ("", module.__name__.rpartition(".")[2]) or not (case.heavy or not case.whole):
                continue
            source = case.source()
            plain = plain_parse(source)
            sign = ">" if plain * FACTOR > LONGEST else " "
            allowed = min(LONGEST, max(SHORTEST, FACTOR * plain))
            size = len(source) / 1e6
            del source
            found = _outcome("thresher", case, allowed)
            print(
                f"{case.name[:43]:<44}{size:>7.2f}{sign:>6}{plain:>5.2f} s{allowed:>8.2f} s{found.seconds:>7.2f} s"
                f"{found.memory / 1e6:>7.0f} MB  {found.fault}",
                flush=True,
            )


def cases(tools: list[str], part: str, failures: bool, light: bool, every: int) -> None:
    """The table of all cases, or of all but the large ones, or of some of each part."""
    parts = {module.__name__.rpartition(".")[2]: list(module.cases()) for module in test_hostile.PARTS}
    if light:
        parts = {name: [case for case in found if case.whole and not case.heavy] for name, found in parts.items()}
    parts = {name: found[::every] for name, found in parts.items() if part in ("", name)}
    for tool in tools:
        print(
            f"\n{tool}\n{'part':<14}{'cases':>6}{'as it should':>14}{'worst CPU':>11}{'of allowed':>12}{'memory':>10}"
        )
        good = total = 0
        for name, found in parts.items():
            outcomes = [_outcome(tool, case, _allowed(case)) for case in found]
            done = [outcome for outcome in outcomes if outcome.seconds == outcome.seconds]
            worst = max(done, key=lambda outcome: outcome.seconds, default=Outcome("", 0, 1, 0))
            handled = sum(not outcome.fault for outcome in outcomes)
            memory = max(outcome.memory for outcome in outcomes) / 1e6
            share = max((outcome.seconds / outcome.allowed for outcome in done), default=0)
            print(f"{name:<14}{len(found):>6}{handled:>14}{worst.seconds:>9.2f} s{share:>12.0%}{memory:>7.0f} MB")
            good, total = good + handled, total + len(found)
            if failures:
                for case, outcome in zip(found, outcomes, strict=True):
                    if outcome.fault:
                        print(f"    {case.name}: {outcome.fault}")
            sys.stdout.flush()
        print(f"{'all':<14}{total:>6}{good:>14}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", action="append", choices=("thresher", *PEERS))
    parser.add_argument("--part", default="", help="one part of the corpus")
    parser.add_argument("--failures", action="store_true", help="name the cases that failed")
    parser.add_argument(
        "--light", action="store_true", help="without the large cases, for which peers take a minute each"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth case only")
    parser.add_argument("--heavy", action="store_true", help="the large cases, one a line")
    asked = parser.parse_args()
    thresher.extract(page(ARTICLE))  # so that children find everything loaded
    if asked.heavy:
        heavy(asked.part)
        return
    cases(asked.tool or ["thresher", *PEERS], asked.part, asked.failures, asked.light, asked.every)


if __name__ == "__main__":
    main()
