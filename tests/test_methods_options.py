"""Options by name: what each may hold, what is said of wrong ones, and names that carry options."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher import methods
from thresher.cli import main
from thresher.errors import NeedsEvidence, UnknownMethod, WrongOption
from thresher.evaluate import extractors

# 3 of 10 letters stand in a link, so the quota of the block is 0.3.
LINKED = "<div>abcdefg<a href='/'>hij</a></div>"


def checked(name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    return methods.checked(methods.module(name), given)


def test_defaults_fit_what_the_options_may_hold() -> None:
    for name in methods.names():
        options = methods.module(name).Options()
        given = {field: getattr(options, field) for field in options.__dataclass_fields__}
        assert checked(name, given) == given


@pytest.mark.parametrize(
    ("method", "options", "said"),
    [
        ("dsc", {"window": 0}, "dsc: window is a whole number from 1 on, not 0"),
        ("dsc", {"window": 2.5}, "dsc: window is a whole number from 1 on, not 2.5"),
        ("dsc", {"window": True}, "dsc: window is a whole number from 1 on, not True"),
        ("lqf", {"quota": 75}, "lqf: quota is a number from 0 to 1, not 75"),
        ("lqf", {"quota": float("nan")}, "lqf: quota is a number from 0 to 1, not nan"),
        ("semantic", {"tag": "section"}, "semantic: tag is one of article, main, either, not 'section'"),
        ("crunch", {"link_lists": "x"}, "crunch: link_lists is a number from 0 on or None, not 'x'"),
        ("wlr", {"position": 1}, "wlr: position is True or False, not 1"),
        ("layout", {"delta": -1}, "layout: delta is a number from 0 to 1, not -1"),
        ("ccb", {"range": 10**20}, "ccb: range is a whole number from 1 on, not 100000000000000000000"),
        ("auto", {"siblings": "x"}, "auto: siblings is given in Python, as pages or arrays, not 'x'"),
        ("auto", {"shared": 0.5}, "auto: shared is given in Python, as pages or arrays, not 0.5"),
        ("lqf", {"quotas": 0.5}, "no option 'quotas' in method lqf; it has: quota"),
        ("bte", {"window": 5}, "no option 'window' in method bte; it has: none"),
    ],
)
def test_wrong_options_are_refused_with_what_would_be_right(method: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongOption) as found:
        thresher.extract("<p>A page", method=method, options=options)
    assert str(found.value) == said
    assert isinstance(found.value, ValueError)


def test_numbers_of_numpy_and_whole_numbers_for_shares_are_taken() -> None:
    assert checked("dsc", {"window": np.int64(3), "share": np.float32(0.5)})
    assert checked("lqf", {"quota": 1}) == {"quota": 1}
    assert checked("crunch", {"link_lists": None}) == {"link_lists": None}


def test_options_are_part_of_a_name() -> None:
    assert methods.split("lqf:quota=0.75")[1] == {"quota": 0.75}
    assert methods.split("dsc:window=25:share=1")[1] == {"window": 25, "share": 1}
    assert methods.split("crunch:link_lists=none:text_links=true")[1] == {"link_lists": None, "text_links": True}
    assert methods.split("seeker:lbs:focus=recall")[1] == {"post_filter": "lbs", "focus": "recall"}
    assert methods.split("auto:model=17")[1] == {"model": "17"}
    assert thresher.extract(LINKED, method="lqf:quota=0.25", options={"quota": 0.5}).text


@pytest.mark.parametrize(("quota", "text"), [("0.25", ""), ("0.3", "abcdefghij"), ("0.5", "abcdefghij")])
def test_the_quota_in_a_name_decides(quota: str, text: str) -> None:
    found = thresher.extract(LINKED, method=f"lqf:quota={quota}")
    assert found.text.strip() == text
    assert found.method == f"lqf:quota={quota}"
    assert methods.get(f"lqf:quota={quota}")(thresher.parse(LINKED)).any() == bool(text)


@pytest.mark.parametrize(
    "name",
    "lqf: lqf:quota seeker:xyz nope:quota=1 lqf:quota=much lqf:k=1 auto:siblings=x auto:shared=1".split(),
)
def test_names_with_wrong_options_are_refused_everywhere(name: str) -> None:
    for call in (methods.split, methods.get, lambda name: extractors.check([name])):
        with pytest.raises((UnknownMethod, WrongOption)):
            call(name)
    found = CliRunner().invoke(main, ["extract", "-", "-m", name], input="<p>A page")
    assert found.exit_code == 2
    assert "Traceback" not in found.output


def test_a_focus_in_the_name_is_that_of_the_whole_extraction() -> None:
    page = (
        "<main><p>Some words that stand in the open.</p><details><summary>More</summary><p>Closed.</p></details></main>"
    )
    named, said = thresher.extract(page, method="auto:focus=recall"), thresher.extract(page, focus="recall")
    assert (named.focus, named.text) == (said.focus, said.text)


def test_strangers_name_no_files_over_the_web() -> None:
    tasks = pytest.importorskip("thresher.web.tasks")
    assert tasks.result_of({"method": "lqf:quota=0.75"}, [b"<p>A page"]).text == "A page"
    with pytest.raises(WrongOption, match="reads no files"):
        tasks.result_of({"method": "auto:model=/etc/passwd"}, [b"<p>A page"])


@given(st.sampled_from(methods.names()), st.integers(-2, 3) | st.floats() | st.booleans() | st.text(max_size=3))
def test_whatever_passes_the_check_runs(name: str, value: object) -> None:
    page = thresher.parse("<article><p>One sentence. And <a href='/'>another</a> one.</p><ul><li>x</ul></article>")
    for option in methods.module(name).Options.__dataclass_fields__.keys() - {"model"}:
        try:
            given = checked(name, {option: value})
        except WrongOption:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                thresher.extract(page, method=name, options=given)
            except NeedsEvidence:
                continue


def test_the_manual_has_every_option_with_what_it_may_hold() -> None:
    about, options = methods.manual("lqf")
    assert about.startswith("LQF: link quota filter.")
    assert options == [
        "`quota` = `0.5`; a number from 0 to 1; a block with a larger share of its text in links is removed"
    ]
    for name in methods.names():
        assert len(methods.manual(name)[1]) == len(methods.module(name).Options.__dataclass_fields__)


def test_methods_explains_one() -> None:
    found = CliRunner().invoke(main, ["methods", "cetr"])
    assert found.exit_code == 0
    assert "content extraction via tag ratios" in found.output
    assert "`ahead` = `3`" in found.output
    record = json.loads(CliRunner().invoke(main, ["methods", "cetr", "--json"]).output)
    assert record["name"] == "cetr"
    assert len(record["options"]) == 3
    wrong = CliRunner().invoke(main, ["methods", "nope"])
    assert wrong.exit_code == 2
    assert "choose one of: accb" in wrong.output
