"""A hostile input with a name, and what must be true of the result.

Large inputs are made when a case is run, so that a hundred megabytes cost nothing to list.  Every result must be sound
(properties.py) and in time; a case says what else.
"""

from __future__ import annotations

import os
import signal
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from selectolax.lexbor import LexborHTMLParser

import thresher
from tests.clock import slowness
from tests.hostile.properties import assert_clean, assert_sound, forms
from thresher import output
from thresher.result.extraction import Extraction
from thresher.visible.readable import readable

__all__ = [
    "ARTICLE",
    "LONGEST",
    "SENTENCES",
    "URL",
    "Case",
    "article",
    "assert_case",
    "budget",
    "check",
    "check_reading",
    "page",
    "plain_parse",
    "run",
]

URL = "https://example.org/dir/page.html"
SHORTEST, FACTOR = 2.0, 25  # seconds of CPU; times the plain parse
LONGEST = 10.0  # seconds, whatever the input
SENTENCES = (
    "Threshing separates the grain from the straw, and it took most of the winter before there were machines for it.",
    "A flail is two sticks and a strap, and the shorter one flies over the head and hits the sheaves on the floor.",
    "The first threshing machines were built in Scotland, and they changed the villages more than any law had done.",
    "Steam engines drove them from farm to farm, until the combine did all of the work in the middle of the field.",
)


def article(*more: str) -> str:
    """An article that any extractor keeps, with further paragraphs in its middle."""
    before = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[:2])
    after = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[2:])
    return f"<article><h1>How grain is threshed</h1>{before}{''.join(more)}{after}</article>"


ARTICLE = article()


def page(body: str, head: str = "") -> str:
    """A page without any style sheet from elsewhere."""
    return f"<!DOCTYPE html><html lang=en><head><title>Threshing</title>{head}</head><body>{body}</body></html>"


@dataclass(frozen=True)
class Case:
    """One input.  `shows`, `hides` and `hidden` are texts that the result must, must not, must in `hidden` contain."""

    name: str
    make: bytes | str | Callable[[], bytes | str]
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    status: tuple[str, ...] = ()  # one of these
    warns: tuple[str, ...] = ()  # one of these codes
    options: dict[str, Any] = field(default_factory=dict)
    also: Callable[[Extraction], None] | None = None
    heavy: bool = False  # takes more than a second
    whole: bool = True  # every form is looked at; of very large results only the text
    about: Literal["result", "reading"] = "result"  # reading: what a reader sees, whatever is kept of it

    def source(self) -> bytes | str:
        """The input."""
        return self.make() if callable(self.make) else self.make


def run(case: Case, source: bytes | str) -> tuple[Extraction, float]:
    """The result and the CPU seconds up to its text."""
    started = time.process_time()
    result = thresher.extract(source, url=URL, **case.options)
    _ = result.text
    return result, time.process_time() - started


def budget(source: bytes | str) -> float:
    """max(2 s, 25 × plain parse), and 10 s at most; more on a machine that is slower than ours, or busy."""
    return min(LONGEST, max(SHORTEST, FACTOR * plain_parse(source))) * slowness()


def plain_parse(source: bytes | str) -> float:
    """CPU seconds of the parser alone, in a process of its own that ends when more would change nothing: for some pages
    it needs half a minute."""
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    inlet, outlet = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, 1.1 * LONGEST / FACTOR)
        started = time.process_time()
        LexborHTMLParser(data)
        os.write(outlet, struct.pack("d", time.process_time() - started))
        os._exit(0)
    os.close(outlet)
    with os.fdopen(inlet, "rb") as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return float(struct.unpack("d", said)[0]) if said else 1.1 * LONGEST / FACTOR


def check(case: Case) -> None:
    """Run a case and assert all of it."""
    source = case.source()
    result, seconds = run(case, source)
    allowed = SHORTEST if seconds <= SHORTEST else budget(source)
    assert seconds <= allowed, f"{seconds:.1f} s of {allowed:.1f} s"
    assert_case(case, result)


def check_reading(case: Case) -> None:
    """Assert what a case says of the texts that a reader sees, without a method that judges them."""
    page = thresher.parse(case.source(), url=URL, **case.options)
    seen = readable(page)
    text, unseen = output.to_text(page, seen), output.to_text(page, ~seen)
    assert_clean(text)
    for wanted in case.shows:
        assert wanted in text, f"{wanted!r} is not in {text[:300]!r} … ({page.problems})"
    for unwanted in case.hides:
        assert unwanted not in text, f"{unwanted!r} is in {text[:300]!r}"
    for apart in case.hidden:
        assert apart in unseen, f"{apart!r} is not in {unseen[:300]!r}"
    if case.warns:
        assert {problem.code for problem in page.problems} & set(case.warns), page.problems
    assert not case.status, "a case about the result"
    assert case.also is None, "a case about the result"


def assert_case(case: Case, result: Extraction) -> None:
    """What a case says of its result."""
    if case.whole:
        assert_sound(result)
    text = result.text
    for wanted in case.shows:
        assert wanted in text, f"{wanted!r} is not in {text[:300]!r} … ({result.status}, {result.warnings})"
    if case.hides:
        written = {name: form for name, form in forms(result).items() if name != "hidden"} if case.whole else {"": text}
        for unwanted in case.hides:
            for name, form in written.items():
                assert unwanted not in form, f"{unwanted!r} is in {name}: {form[:300]!r}"
    for apart in case.hidden:
        assert apart in result.hidden, f"{apart!r} is not in {result.hidden[:300]!r}"
    if case.status:
        assert result.status in case.status, (result.status, result.warnings)
    codes = {warning.partition(":")[0] for warning in result.warnings}
    if case.warns:
        assert codes & set(case.warns), result.warnings
    if case.also is not None:
        case.also(result)
