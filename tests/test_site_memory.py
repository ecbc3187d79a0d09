"""Site memory: rules that are learned from pages, files of rules, and rules on a page."""

from __future__ import annotations

import json
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.data import DATA, needs
from tests.raw_server import RawServer, answer
from tests.strategies import pages as any_pages
from tests.strategies import tidy
from thresher import extract
from thresher.cli import main
from thresher.errors import RulesError
from thresher.page import Page
from thresher.page.columns import chars
from thresher.parse import parse
from thresher.rules.rules import SiteRule
from thresher.rules.ruling import Ruling, matching_rows, word_key
from thresher.rules.selectors import ElementSelectors, escape_name
from thresher.site import memory
from thresher.site.memory import SiteRules, learn
from thresher.visible.readable import readable

some = settings(max_examples=30, deadline=None)
few = settings(max_examples=15, deadline=None)

MENU = '<nav class="menu top"><ul><li><a href="/">Home</a><li><a href="/n">All the news of the week</a></ul></nav>'
FOOT = "<footer><p>The harbour office is open from nine to five on all days of the week.</p></footer>"
NOTE = "<p>Send this page to a friend of yours today!</p>"
METHOD = "cetd"  # one that does not change with what was learned elsewhere
PLACES = ["Aden", "Brest", "Cork", "Dover", "Esbjerg", "Fowey", "Genoa", "Hull"]


def article(place: str, host: str = "harbours.example") -> str:
    told = f"The harbour of {place} has reopened after the storm of last week, and ships may enter {place} again. " * 4
    body = f"<h1>{place} reopens</h1><p>{told}</p><h2>More on this</h2><p>{told[::-1]}</p>"
    return f"<!DOCTYPE html><title>{place}</title>{MENU}<div class='entry text'>{body}</div>{NOTE}{FOOT}"


def parsed(place: str) -> Page:
    return parse(article(place), url=f"http://www.harbours.example/{place}.html")


SITE = [parsed(place) for place in PLACES]
RULES = learn(SITE, METHOD, date(2025, 11, 16))


# ---- what is learned -----------------------------------------------------------------------------------------


def test_what_repeats_becomes_rules_that_a_reader_understands() -> None:
    assert RULES.to_dict() == {
        "format": 1,
        "site": "harbours.example",
        "learned": "2025-11-16",
        "pages": 8,
        "thresher": RULES.thresher,
        "rules": [
            {"keep": "div.text", "seen": 8, "of": 8, "example": RULES.rules[0].example},
            {
                "drop": "footer",
                "seen": 8,
                "of": 8,
                "example": "The harbour office is open from nine to five on all days of …",
            },
            {"drop": "nav", "seen": 8, "of": 8, "example": "Home All the news of the week"},
            {"drop_text": "Send this page to a friend of yours today!", "seen": 8, "of": 8},
        ],
    }
    assert RULES.rules[0].example.startswith("Aden reopens The harbour of Aden")


def test_a_heading_in_the_content_is_no_template_although_all_pages_have_it() -> None:
    assert "More on this" in extract(parsed("Genoa"), method=METHOD, site=RULES).text


def test_a_class_that_the_article_of_one_page_has_gives_no_rule() -> None:
    odd = article("Hull").replace("<div class='entry text'>", "<div class='entry text'><footer>").replace(NOTE, "")
    odd = odd.replace("</div>", "</footer></div>", 1)
    learned = learn([*SITE[:7], parse(odd)], METHOD)
    assert not any(rule.value == "footer" for rule in learned.rules)


def test_a_block_without_a_name_is_dropped_by_its_words() -> None:
    sites = [
        parse(f"<body>{p[:40]} {NOTE[3:-4]}<p>Words about {p}. {p * 9}</p><p>{p}</p><p>{NOTE[3:-4]}</p></body>")
        for p in PLACES
    ]
    learned = learn(sites, "plain")
    assert [rule.value for rule in learned.rules if rule.kind == "drop_text"] == [NOTE[3:-4]]
    said = "<p>Some words, and more.</p><p>SEND this page to a friend of yours, today</p>"
    assert extract(said, method="plain", site=learned).text.strip() == "Some words, and more."


def test_copies_of_a_page_count_once() -> None:
    copies = [parse(article("Aden"), url=f"http://harbours.example/print/{k}") for k in range(5)]
    assert learn([*copies, *SITE[:4]], METHOD).pages == 4
    with pytest.raises(RulesError, match="3 different pages of a site or more; there are 1"):
        learn(copies, METHOD)


@given(st.lists(tidy().map(parse), min_size=3, max_size=6))
@some
def test_no_compared_page_loses_more_of_its_own_than_allowed(site: list[Page]) -> None:
    try:
        learned = learn(site, method="plain")
    except RulesError:
        return
    different = memory._different(site)
    seen = memory._compared(different, max(2, -(-3 * len(different) // 10)), "plain")
    for one in seen:
        drops = SiteRules(tuple(rule for rule in learned.rules if rule.kind == "drop"))
        dropped = Ruling.on(one.page, drops).of_text >= 0
        own = int(chars(one.page)[dropped & ~one.repeated & readable(one.page)].sum())
        assert own <= len(drops.rules) * max(30, 0.03 * int(one.own[0]))


def test_the_same_pages_give_the_same_file() -> None:
    again = learn([parsed(place) for place in PLACES], METHOD, date(2025, 11, 16))
    assert again.to_json() == RULES.to_json()


# ---- selectors -----------------------------------------------------------------------------------------------


@given(any_pages())
@some
def test_every_name_of_an_element_matches_it(page: Page) -> None:
    names = ElementSelectors(page)
    for row in range(len(page)):
        for selector in names.all(row):
            assert row in matching_rows(page, selector).tolist(), selector


@given(st.from_regex(r"[-a-zA-Z0-9_:/.@%+!]{1,8}", fullmatch=True))
@some
def test_a_class_is_written_in_a_selector_as_css_wants_it(name: str) -> None:
    html = LexborHTMLParser("<!DOCTYPE html><p>x")
    html.css_first("p").attrs["class"] = name
    page = parse(html.html or "")
    assert ElementSelectors(page).own(len(page) - 1) == [f"p.{escape_name(name)}"]
    selector = f"p.{escape_name(name)}"
    assert len(matching_rows(page, selector)) == 1
    assert len(html.css(selector)) == 1


# ---- files ---------------------------------------------------------------------------------------------------

_words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
_rules = st.builds(
    SiteRule,
    kind=st.just("drop_text"),
    value=_words.filter(str.strip),
    seen=st.none() | st.integers(0, 99),
    of=st.none() | st.integers(0, 99),
    example=_words | st.just(""),
    note=_words | st.just(""),
) | st.builds(
    SiteRule, kind=st.sampled_from(["keep", "drop"]), value=st.sampled_from(["nav", "#a > .b, p:not(.c)", "a[href]"])
)


@given(st.lists(_rules, max_size=4), st.none() | _words, st.none() | st.integers(0, 99))
@some
def test_a_file_says_what_the_rules_say(
    tmp_path_factory: Any, rules: list[SiteRule], site: str | None, pages: int | None
) -> None:
    made = SiteRules(tuple(rules), site=site, pages=pages)
    path = tmp_path_factory.mktemp("rules") / "site.json"
    made.save(path)
    assert SiteRules.load(path) == made
    assert all(character.isprintable() or character == "\n" for character in path.read_text() if ord(character) < 0xA0)
    assert len(path.read_text().split("\n")) < 12 + len(rules)  # a rule a line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON, line 1"),
        ('{"rules": [\n{"drop": "nav"},\n]}', "not JSON, line"),
        ("[" * 100_000, "no file of site rules"),
        ("[]", 'site rules look like {"rules"'),
        ('{"rules": {}}', "site rules look like"),
        ('{"rules": [], "hosts": 1}', "unknown key 'hosts'"),
        ('{"rules": [], "format": 2}', "format 2 is not known"),
        ('{"rules": [], "pages": "20"}', "'pages' must be a number"),
        ('{"rules": [], "site": 1}', "'site' must be a text"),
        ('{"rules": ["nav"]}', "rule 1 is 'nav'; a rule looks like"),
        ('{"rules": [{"drop": "nav"}, {"dropp": "nav"}]}', "rule 2 has an unknown key 'dropp'"),
        ('{"rules": [{"drop": "nav", "keep": "p"}]}', "rule 1 has 2 of keep, drop, drop_text"),
        ('{"rules": [{"seen": 3}]}', "rule 1 has 0 of keep"),
        ('{"rules": [{"drop": 7}]}', "'drop' must be a text, not 7"),
        ('{"rules": [{"drop": " "}]}', "'drop' must be a text"),
        ('{"rules": [{"drop": "nav", "seen": true}]}', "'seen' must be a number of pages, not True"),
        ('{"rules": [{"drop": "nav", "example": []}]}', "'example' must be a text"),
        ('{"rules": [{"drop": "nav:::"}]}', "rule 1: 'nav:::' is no selector that can be read"),
        ('{"rules": [{"drop": "nav, p >"}]}', "rule 1: 'p >' is no selector"),
        ('{"rules": [{"keep": "p:has(b i)"}]}', "'p:has(b i)' is no selector that can be read"),
        ('{"rules": [{"keep": "\\ud800"}]}', "characters that no page can have"),
        ('{"rules": ' + json.dumps([{"drop": "p"}] * 1001) + "}", "1,001 rules are too many"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "site.json"
    path.write_text(text)
    with pytest.raises(RulesError, match=r"site\.json") as error:
        SiteRules.load(path)
    assert said in str(error.value)


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"rules": [{"drop_text": "\xe9"}]}')
    with pytest.raises(RulesError, match="not UTF-8"):
        SiteRules.load(tmp_path / "latin.json")
    with pytest.raises(RulesError, match="no such file"):
        SiteRules.load(tmp_path / "none.json")
    (tmp_path / "large.json").write_bytes(b" " * (1 << 21))
    with pytest.raises(RulesError, match="too large"):
        SiteRules.load(tmp_path / "large.json")
    with pytest.raises(RulesError, match="cannot write"):
        RULES.save(tmp_path / "no" / "folder.json")


# ---- rules on a page -----------------------------------------------------------------------------------------


def rules(*entries: dict[str, Any]) -> SiteRules:
    return SiteRules.from_dict({"rules": list(entries)})


PAGE = """<!DOCTYPE html><div id=a class="x y">one <p class=y>two <b>three</b></p><ul><li>four<li>five</ul>
</div><p hidden class=y>six</p><p>seven</p>"""


@pytest.mark.parametrize(
    ("entries", "kept"),
    [
        ([], ["one", "two", "three", "four", "five", "seven"]),
        ([{"drop": "#a"}], ["seven"]),
        ([{"drop": "#a"}, {"keep": "li"}], ["four", "five", "seven"]),
        ([{"keep": "li"}, {"drop": "#a"}], ["four", "five", "seven"]),  # the nearest element decides, not the order
        ([{"keep": ".x"}, {"drop": "div.y"}], ["seven"]),  # on one element the later rule does
        ([{"drop": "div.y"}, {"keep": ".x"}], ["one", "two", "three", "four", "five", "seven"]),
        ([{"drop": "p, li:first-child"}], ["one", "five"]),
        ([{"keep": ".y"}], ["one", "two", "three", "four", "five", "seven"]),  # what nobody can read stays out
        ([{"drop_text": "Two, three!"}], ["one", "four", "five", "seven"]),
        ([{"keep": "p"}, {"drop_text": "seven"}], ["one", "two", "three", "four", "five"]),
        ([{"drop_text": "two"}], ["one", "two", "three", "four", "five", "seven"]),  # only whole blocks
    ],
)
def test_the_nearest_rule_decides(entries: list[dict[str, Any]], kept: list[str]) -> None:
    result = extract(PAGE, method="plain", site=rules(*entries))
    words = [text.strip() for text, keep in zip(result.page.text, result.keep, strict=True) if keep]
    assert words == kept


@given(
    any_pages(),
    st.lists(st.tuples(st.booleans(), st.sampled_from(["div", ".item", "p > b", "[title]", "#main *", "li"]))),
)
@some
def test_rules_agree_with_a_walk_up_from_every_text(page: Page, chosen: list[tuple[bool, str]]) -> None:
    site = SiteRules(tuple(SiteRule("keep" if keep else "drop", selector) for keep, selector in chosen))
    method = np.arange(len(page.text)) % 2 == 0
    matched = [set(matching_rows(page, selector).tolist()) for _, selector in chosen]

    def decided(k: int) -> bool:
        row = int(page.owner[k])
        for above in (row, *page.ancestors(row)):
            for number in reversed(range(len(chosen))):
                if above in matched[number]:
                    return chosen[number][0] and bool(readable(page)[k])
        return bool(method[k])

    assert Ruling.on(page, site).keep(page, method).tolist() == [decided(k) for k in range(len(page.text))]


def test_blocks_say_which_rule_decided() -> None:
    blocks = extract(parsed("Cork"), method=METHOD, site=RULES).blocks
    by_text = {block.text[:12]: block for block in blocks}
    assert by_text["All the news"].reasons[0] == "site rule: drop nav"
    assert (by_text["All the news"].kept, by_text["All the news"].score) == (False, 0.0)
    assert by_text["Cork reopens"].reasons[0] == "site rule: keep div.text"
    assert (by_text["Cork reopens"].kept, by_text["Cork reopens"].score) == (True, 1.0)


def test_a_method_that_chooses_elements_is_overruled_in_elements_too() -> None:
    result = extract(parsed("Cork"), method="cetd", site=rules({"drop": "div.entry"}, {"keep": "footer"}))
    assert result.elements is not None
    for selector, expected in (("div.entry", False), ("footer", True)):
        row = int(matching_rows(result.page, selector)[0])
        assert (result.elements[row : result.page.end[row]] == expected).all()


def test_pages_of_a_changed_site_are_told() -> None:
    changed = "<div class=nu>New menu</div><main><p>The harbour, today, has a new look. What do you think?</p></main>"
    found = extract(changed, method=METHOD, site=RULES).warnings
    assert [warning.partition(":")[0] for warning in found] == ["old_rules"]
    assert "0 of the 3 site rules that should match every page" in found[0]
    assert "thresher site learn" in found[0]
    assert not extract(article("Brest"), method=METHOD, site=RULES).warnings
    assert not extract(
        article("Brest"), method=METHOD, site=rules({"drop": ".gone"})
    ).warnings  # written by hand: who knows where


@pytest.mark.parametrize(
    ("url", "told"),
    [
        (None, False),
        ("http://harbours.example/x", False),
        ("https://www.harbours.example/x", False),
        ("http://news.harbours.example:8080/x", False),
        ("http://example/", False),
        ("http://other.example/x", True),
        ("http://myharbours.example/x", True),
    ],
)
def test_pages_of_another_site_are_told(url: str | None, told: bool) -> None:
    found = extract(article("Brest"), method=METHOD, url=url, site=RULES).warnings
    assert any(warning.startswith("other_site: the rules are those of harbours.example") for warning in found) == told


@given(any_pages())
@few
def test_rules_break_on_no_page(page: Page) -> None:
    extract(page, method=METHOD, site=RULES).blocks  # noqa: B018


# ---- the command line ----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for place in PLACES:
        (tmp_path / f"{place}.html").write_text(article(place))
    return tmp_path


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, [*arguments, *(() if "-m" in arguments else ("-m", METHOD))])


def test_learn_writes_a_file_that_extract_reads(folder: Path) -> None:
    file = folder / "site.json"
    learned = run("site", "learn", str(folder), "-o", str(file), "--root", "http://harbours.example/")
    assert learned.exit_code == 0, learned.output
    assert "8 pages of harbours.example: 1 keep, 2 drop, 1 drop_text" in learned.stderr
    assert json.loads(file.read_text())["site"] == "harbours.example"
    page = str(folder / "Cork.html")
    extracted = run("extract", page, "--site", str(file))
    assert extracted.exit_code == 0
    assert "The harbour of Cork" in extracted.stdout
    assert "friend of yours" not in extracted.stdout
    told = run("extract", page, "--site", str(file), "--url", "http://elsewhere.example/")
    assert "other_site: the rules are those of harbours.example" in told.stderr
    assert "site rule: drop nav" in run("explain", page, "--site", str(file), "--json").stdout


def test_rules_written_by_hand_stay_when_the_file_is_learned_again(folder: Path) -> None:
    file = folder / "site.json"
    file.write_text('{"rules": [{"keep": "div.spec-table", "note": "tables"}, {"drop": "p", "seen": 1, "of": 9}]}')
    assert run("site", "learn", str(folder), "-o", str(file)).exit_code == 0
    entries = json.loads(file.read_text())["rules"]
    assert entries[-1] == {"keep": "div.spec-table", "note": "tables"}
    assert {"drop": "p", "seen": 1, "of": 9} not in entries


def test_without_a_file_the_rules_are_printed(folder: Path) -> None:
    learned = run("site", "learn", str(folder))
    assert json.loads(learned.stdout)["pages"] == 8
    assert "site" not in json.loads(learned.stdout)


def test_rules_are_learned_from_an_archive(tmp_path: Path) -> None:
    file = tmp_path / "crawl.warc"
    for place in PLACES:
        body = article(place).encode()
        http = (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body)
            + body
        )
        head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://harbours.example/{place}\r\n"
        head += f"WARC-Record-ID: <urn:uuid:{place}>\r\nWARC-Date: 2025-11-16T00:00:00Z\r\n"
        head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
        with file.open("ab") as stream:
            stream.write(head.encode() + http + b"\r\n\r\n")
    learned = run("site", "learn", str(file))
    assert learned.exit_code == 0, learned.stderr
    made = json.loads(learned.stdout)
    assert (made["site"], made["pages"]) == ("harbours.example", 8)
    assert made["rules"] == RULES.to_dict()["rules"]


def test_learn_says_what_it_cannot_do(folder: Path, tmp_path_factory: Any) -> None:
    empty = tmp_path_factory.mktemp("empty")
    assert run("site", "learn", str(empty)).exit_code == 1
    assert "no file or folder" in run("site", "learn", str(empty / "none")).stderr
    (empty / "one.html").write_text(article("Aden"))
    assert "3 different pages of a site or more; there are 1" in run("site", "learn", str(empty)).stderr
    assert run("site", "learn", str(folder), "--root", "harbours.example").exit_code == 2
    assert run("site", "learn", str(folder), "-m", "rtdm").exit_code == 2
    assert "no such folder" in run("site", "learn", str(folder), "-o", str(empty / "none" / "rules.json")).stderr
    broken = folder / "broken.json"
    broken.write_text("{")
    assert run("site", "learn", str(folder), "-o", str(broken)).exit_code == 1
    assert broken.read_text() == "{"
    wrong = run("extract", str(folder / "Aden.html"), "--site", str(broken))
    assert wrong.exit_code == 2
    assert "not JSON" in wrong.stderr


def test_a_site_that_may_not_be_crawled_is_told_by_the_reason() -> None:
    with RawServer({"/robots.txt": answer(b"User-agent: *\nDisallow: /"), "*": answer(b"<p>A page")}) as site:
        found = run("site", "learn", site.url(), "--allow-host", site.host, "--delay", "0")
    assert found.exit_code == 1
    assert "robots.txt does not allow it" in found.stderr
    assert "WARC" not in found.stderr


def test_of_many_pages_some_are_taken_evenly(folder: Path) -> None:
    from thresher.site.gathering import spread

    assert spread(range(5), 5) == [0, 1, 2, 3, 4]
    for number in range(1, 70):
        found = spread(range(number), 8)
        assert min(8, number) / 2 < len(found) <= 8 or len(found) == min(number, 8)
        assert len({b - a for a, b in pairwise(found)}) <= 1  # type: ignore[operator]


# ---- the pages of `sites` ------------------------------------------------------------------------------------


@needs("sites")
def test_memory_makes_auto_better_on_real_sites() -> None:
    from thresher.evaluate.datasets import open_dataset
    from thresher.evaluate.datasets.record import read_bytes
    from thresher.evaluate.measures import TEXT_MEASURES

    dataset = open_dataset(DATA / "sites")
    alone, with_memory = [], []
    for record in map(dataset.read, dataset.ids()[::4]):
        if len(record.siblings) < 3:
            continue
        page = parse(record.html or b"", url=record.url)
        learned = learn([parse(read_bytes(file), url=url) for url, file in record.siblings.items()])
        assert len(learned.rules) <= 30
        for scores, site in ((alone, None), (with_memory, learned)):
            scores.append(TEXT_MEASURES["bow"](record.gold or "", extract(page, site=site).text).f1)
    assert np.mean(with_memory) >= np.mean(alone) - 0.001
    assert min(np.subtract(with_memory, alone)) > -0.05  # nowhere does it do harm worth mentioning


def test_words_are_the_same_whatever_stands_between_them() -> None:
    assert word_key(" Share\u00a0this — PAGE!") == word_key("share this page")
    assert word_key("— * —") != word_key("...")
