"""Dates, names and plain text: the values of metadata, taken apart from pages."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.metadata.clean import absolute_url
from thresher.metadata.titles import site_marks, without_site
from thresher.text.dates import Reading, date_in_url, find_dates, parse_date
from thresher.text.names import distinct_names, parse_names, text_after_by
from thresher.text.phrases import alternatives, phrases
from thresher.text.plain import plain, plain_unescaped

TODAY = date(2026, 1, 15)


def day_of(text: str, language: str | None = "en", month_first: bool | None = None) -> str | None:
    found = parse_date(text, Reading(language, month_first, TODAY))
    return found.day.isoformat() if found else None


# ---- dates ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "March 5, 2024"), ("en", "Mar. 5th, 2024"), ("en", "5 March 2024"), ("en", "5th of March 2024"),
        ("en", "Tue, 05 Mar 2024 10:00:00 GMT"), ("en", "Tue Mar 05 2024 10:00:00 GMT+0000"), ("en", "05-Mar-2024"),
        ("de", "5. März 2024"), ("de", "Dienstag, 5. Mrz 2024"), ("de", "05.03.2024"), ("fr", "5 mars 2024"),
        ("es", "5 de marzo de 2024"), ("it", "5 marzo 2024"), ("pt", "5 de março de 2024"), ("nl", "5 maart 2024"),
        ("sv", "5 mars 2024"), ("da", "5. marts 2024"), ("no", "5. mars 2024"), ("fi", "5. maaliskuuta 2024"),
        ("is", "5. mars 2024"), ("et", "5. märts 2024"), ("lv", "2024. gada 5. marts"), ("lt", "2024 m. kovo 5 d."),
        ("pl", "5 marca 2024 r."), ("cs", "5. března 2024"), ("cs", "5. 3. 2024"), ("sk", "5. marca 2024"),
        ("sl", "5. marec 2024"), ("hr", "5. ožujka 2024."), ("sr", "5. марта 2024."), ("ro", "5 martie 2024"),
        ("hu", "2024. március 5."), ("el", "5 Μαρτίου 2024"), ("tr", "5 Mart 2024"), ("ru", "5 марта 2024 г."),
        ("uk", "5 березня 2024"), ("bg", "5 март 2024 г."), ("ca", "5 de març de 2024"), ("eu", "2024ko martxoaren 5a"),
        ("id", "5 Maret 2024"), ("vi", "5 tháng 3, 2024"), ("ar", "5 مارس 2024"), ("ar", "٥ مارس ٢٠٢٤"),
        ("he", "5 במרץ 2024"), ("hi", "5 मार्च 2024"), ("th", "5 มีนาคม 2567"), ("zh", "2024年3月5日"),
        ("ja", "2024年03月05日"), ("ko", "2024년 3월 5일"), ("ko", "2024. 3. 5."), (None, "2024-03-05"),
        (None, "2024/3/5"), (None, "2024-03-05T10:00:00.123Z"), (None, "20240305"), (None, "20240305T101500Z"),
        (None, "1709632800"), (None, "1709632800000"),
    ],
)  # fmt: skip
def test_one_day_in_many_languages(language, text):
    assert day_of(text, language) == "2024-03-05"


@pytest.mark.parametrize(
    "text",
    [
        "March 2024", "2024", "5 March", "yesterday", "12/2024", "iPhone 15 Pro 2024", "10 set 2024 matches", "1.2.3",
        "2024-13-05", "2024-02-30", "192.168.20.24", "+1 (555) 010-2024", "5 Foo 2024", "99/99/2024", "$5, March", "",
    ],
)  # fmt: skip
def test_what_is_no_date(text):
    assert day_of(text) is None


@pytest.mark.parametrize(
    ("text", "month_first", "expected"),
    [
        ("3/4/2024", True, "2024-03-04"),
        ("3/4/2024", False, "2024-04-03"),
        ("3/4/2024", None, None),
        ("13/4/2024", True, "2024-04-13"),
        ("4/13/2024", False, "2024-04-13"),
        ("4/4/2024", None, "2024-04-04"),
        ("3.4.2024", True, "2024-04-03"),
        ("2/3/2026", None, None),
        ("1/3/2026", None, "2026-01-03"),  # the first of March is still to come
    ],
)
def test_numbers_are_read_in_the_order_of_the_page_or_as_the_only_day_there_can_be(text, month_first, expected):
    assert day_of(text, "en", month_first) == expected


def test_a_month_name_that_two_languages_share_is_read_in_the_page_s_own():
    assert day_of("5. listopada 2024", "hr") == "2024-10-05"
    assert day_of("5 listopada 2024", "pl") == "2024-11-05"
    assert day_of("5 listopada 2024", "en") is None


def test_the_time_of_day_is_kept_with_its_zone():
    found = parse_date("2024-03-05 9:30 +0200", Reading(today=TODAY))
    assert found is not None
    assert found.full == "2024-03-05T09:30:00+02:00"
    assert parse_date("2024-03-05 5:30 pm", Reading(today=TODAY)).full is None


def test_several_dates_in_one_text_are_found_where_they_stand():
    text = "Published March 5, 2024, updated 2024-04-06"
    found = find_dates(text, Reading("en", None, TODAY))
    assert [text[one.start : one.stop] for one in found] == ["March 5, 2024", "2024-04-06"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/2024/03/05/bees", "2024-03-05"),
        ("/news/2024-03-05-bees", "2024-03-05"),
        ("/20240305/bees", "2024-03-05"),
        ("/2024/3/5/bees", "2024-03-05"),
        ("/2024/mar/05/bees", "2024-03-05"),
        ("/2024/march/05/bees", "2024-03-05"),
        ("/bees-2024-03-05.html", "2024-03-05"),
        ("/2024/03/bees", None),
        ("/2024/03/12345678", None),
        ("/2099/01/01/bees", None),
        ("/id/12024030512", None),
    ],
)
def test_dates_in_addresses(path, expected):
    found = date_in_url(f"https://example.org{path}", Reading(today=TODAY))
    assert (found.day.isoformat() if found else None) == expected


@settings(max_examples=60, deadline=None)
@given(st.dates(date(1990, 1, 1), TODAY))
def test_every_plausible_day_is_read_back(day):
    assert day_of(day.isoformat()) == day_of(f"{day:%B} {day.day}, {day.year}") == day.isoformat()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80), st.sampled_from([None, "en", "th", "hu"]))
def test_any_text_has_plausible_dates_or_none(text, language):
    for found in find_dates(text, Reading(language, True, TODAY)):
        assert date(1990, 1, 1) <= found.moment.day <= date(2026, 1, 16)


# ---- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("By Jane Doe", ["Jane Doe"]),
        ("Posted by: By Jane Doe", ["Jane Doe"]),
        ("Jane Doe and John Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe, John Roe, and Jim Poe", ["Jane Doe", "John Roe", "Jim Poe"]),
        ("Linny & Peter", ["Linny", "Peter"]),
        ("Ludwig van Beethoven und Johann Sebastian Bach", ["Ludwig van Beethoven", "Johann Sebastian Bach"]),
        ("王小明、李四", ["王小明", "李四"]),
        ("Doe, Jane; Roe, John", ["Jane Doe", "John Roe"]),
        ("Jane Doe, Ph.D., and John Roe, M.D.", ["Jane Doe, Ph.D.", "John Roe, M.D."]),
        ("Martin Luther King, Jr.", ["Martin Luther King, Jr."]),
        ("Jane Doe, MS, RD | March 5, 2024", ["Jane Doe, MS, RD"]),
        ("Jane Doe March 5, 2024", ["Jane Doe"]),
        ("Jul 11 Written by Jane Doe", ["Jane Doe"]),
        ("Jane Doe on Friday", ["Jane Doe"]),
        ("Jane Doe, Senior Editor", ["Jane Doe"]),
        ("Jane Doe Former Deputy Tech Editor", ["Jane Doe"]),
        ("Jane (Janie) Doe", ["Jane Doe"]),
        ("Jane Doe jane@example.org @jane", ["Jane Doe"]),
        ("This post was written by Jane Doe", ["Jane Doe"]),
        ("Example News Staff", ["Example News Staff"]),
        ("Center for Drug Evaluation and Research", ["Center for Drug Evaluation and Research"]),
        ("Morgan & Morgan", ["Morgan & Morgan"]),
        ("Audiophile On", ["Audiophile On"]),
        ("Anne-Marie O'Neill", ["Anne-Marie O'Neill"]),
        ("bee_keeper", ["bee_keeper"]),
        ("Reviewed by Jane Doe", []),
        ("Photo by Jane Doe", []),
        ("admin", []),
        ("The Author", []),
        ("Monday", []),
        ("5 min read", []),
        ("https://facebook.com/jane", []),
        ("jane@example.org", []),
        ("@jane", []),
        ("{{ author.name }}", []),
        ("page.head.extra.author", []),
        ("Read more about bees", []),
        ("What do bees eat?", []),
        ("12345", []),
        ("A sentence that goes on and on without ever naming a person at all", []),
        ("", []),
    ],
)
def test_names_out_of_bylines(value, names):
    assert parse_names(value, Reading("en", None, TODAY)) == names


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("By Jane", "Jane"), ("Written by:", ""), ("von Hans", "Hans"), ("Autor: Hans", "Hans"), ("作者：王", "王"),
        ("Author Jane", "Jane"), ("author of books", None), ("Bygone days", None), ("Jane", None),
    ],
)  # fmt: skip
def test_what_introduces_a_name(text, rest):
    assert text_after_by(text) == rest


def test_names_are_given_once_and_the_site_only_when_alone():
    assert distinct_names(["Jane Doe", "JANE DOE", "Example News"], "Example News") == ["Jane Doe"]
    assert distinct_names(["Example News"], "Example news") == ["Example News"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_names_are_short_and_clean_whatever_comes(value):
    for name in parse_names(value, Reading("en", None, TODAY)):
        assert 1 < len(name) <= 70
        assert name == plain(name)


def test_the_words_of_bylines_are_sorted_and_complete():
    for kind in "by label published modified other and role rank occupation task ends nobody".split():
        assert phrases(kind), kind
        assert all(phrases(kind))
    assert alternatives("by").index("written") < alternatives("by").index("|by(?!")


# ---- titles, text, addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Bees | Example News", "Bees"),
        ("Bees | Section", "Bees"),
        ("Bees - Section", "Bees - Section"),
        ("Example: Bees", "Bees"),
        ("Bees. Example.org", "Bees"),
        ("Example News - Example News", "Example News"),
        ("|", "|"),
        ("", ""),
    ],
)
def test_titles_without_their_site(title, expected):
    assert without_site(title, site_marks(["Example News"], "https://www.example.org/")) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("<b>very</b> good", "very good"),
        ("one<br>two", "one two"),
        ("<script>alert(1)</script>Bees", "Bees"),
        ("Bees<img src=x onerror=alert(1)>", "Bees"),
        ("Bees <img src=x onerror=", "Bees img src=x onerror="),
        ("<!-- hidden -->Bees", "Bees"),
        ("vector<int> explained", "vector int explained"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a\x00b\x1b[31mc\u200bd\ufeff", "ab[31mcd"),
        ("flag\U000e0067\U000e0062\U000e007f", "flag"),
        ("half \ud83d pair", "half pair"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("  many \n\n lines\u3000here\xa0", "many lines here"),
        (None, ""),
        (["list"], ""),
    ],
)
def test_plain_text(value, expected):
    assert plain(value) == expected


def test_plain_text_is_bounded():
    assert len(plain("word " * 1_000_000)) <= 1_000
    assert len(plain_unescaped("&amp;" * 1_000_000, 50)) <= 50


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="<>/!?-= \"'abscriptle&;\x00\x1b\u200b", max_size=60))
def test_plain_text_holds_nothing_a_parser_takes_for_a_tag(value):
    text = plain(value)
    assert parse_tags(text) == []
    assert plain(text) == text


def parse_tags(text: str) -> list[str]:
    from thresher.parse import parse

    page = parse(f"<body><p>{text.replace('&', '&amp;')}</p>")
    return [page.name(row) for row in range(len(page)) if page.name(row) not in ("html", "head", "body", "p")]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/a", "https://x.org/a"), ("b", "https://x.org/d/b"), ("//y.org/c", "https://y.org/c"),
        ("HTTP://y.org", "HTTP://y.org"), ("mailto:a@b.c", None), ("javascript:x", None), ("data:text/html,x", None),
        ("https://", None), ("http://[x", None), ("https://y.org/a b", None), ('https://y.org/"><b>', None), ("", None),
        ("https://y.org/" + "a" * 3_000, None), (None, None),
    ],
)  # fmt: skip
def test_addresses(value, expected):
    assert absolute_url(value, "https://x.org/d/e") == expected
