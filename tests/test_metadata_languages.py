"""Bylines and dates that stand in the visible text only, as news sites and blogs of many languages write them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.metadata import metadata
from thresher.parse import parse
from thresher.text.calendars import era_year, gregorian_day, ideographic_number
from thresher.text.dates import Reading, find_dates
from thresher.text.names import parse_names, text_after_by
from thresher.text.phrases import alternatives, may_open, openings, phrases

TODAY = date(2026, 1, 15)
TABLE = Path(__file__).parent / "bylines.tsv"

PAGE = """<html lang="{language}"><title>Nine bees | Example News</title>
<header><a href="/">Example News</a><nav><a href="/a">A</a></nav></header>
<main><h1>Nine bees</h1>{byline}<p>{prose}</p><p>{prose}</p></main>
<aside><ul><li><a href="/x">Eight wasps</a> <span>05.01.2024</span><li>Ants 07.01.2024</ul></aside>
<ul><li><a href="/x">Eight wasps fly south</a> <span>05.01.2024</span></ul>
<footer><p>© 2024 Example News. 01.02.2024</p></footer>"""


def described(language: str, byline: str):
    prose = "Bees fly far and see much, and nobody knows what they think of it all. " * 4
    return metadata(parse(PAGE.format(language=language, byline=byline, prose=prose)), today=TODAY)


@pytest.mark.parametrize("line", [line for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")])
def test_bylines_of_many_languages(line):
    language, byline, author, day, modified = line.split("\t")
    found = described(language, byline)
    assert (found.author or "-", found.date or "-", found.modified or "-") == (author, day, modified)


@pytest.mark.parametrize(
    "byline",
    [
        "<p>3 hours ago</p>", "<p>Sessions 2024: April 29–30, 2024</p>", "<p>Book by Mar 12, 2024</p>",
        "<p>BOOK: By Mar 12, 2024. TRAVEL: Through Mar 31, 2024</p>",
        "<p>The fair opened on 12 March 2024 with nine bees</p>",
        "<p>Gültig ab 12.03.2024</p>", "<p>Version 12.03.2</p>",
    ],
)  # fmt: skip
def test_what_is_no_day_of_publication(byline):
    assert described("en", byline).date is None


@pytest.mark.parametrize("title", ["Renovation begins", "The park was updated", "เริ่มปรับปรุงสวนสาธารณะ"])
def test_the_heading_says_nothing_about_the_date_behind_it(title):
    found = metadata(parse(f"<html lang=th><title>{title}</title><h1>{title}</h1><p>2024-03-12</p>"), today=TODAY)
    assert (found.date, found.modified) == ("2024-03-12", None)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Автор недели рассказывает", None), ("كتب جديدة", None), ("كتب: أحمد علي", "أحمد علي"),
        ("김철수 기자 kim@example.org", "김철수"), ("記者王小明／台北報導", "王小明"), ("記者會今天召開", None),
        ("Reviewed by John Roe, MD, written by Jane Doe", "Jane Doe"), ("Reviewed by John Roe, MD", None),
    ],
)  # fmt: skip
def test_what_introduces_a_name_in_other_scripts(text, rest):
    assert text_after_by(text) == rest


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Jane Doe, photography by John Roe", ["Jane Doe"]),
        ("María García. Fotos: Juan Pérez", ["María García"]),
        ("Budi Santoso pada 12 Agustus 2023", ["Budi Santoso"]),
        ("张三 发布时间：2024-03-12", ["张三"]),
        ("Иван Петров и Анна Смирнова", ["Иван Петров", "Анна Смирнова"]),
        ("Центр исследований и разработок", ["Центр исследований и разработок"]),
        ("김철수 선임기자", ["김철수"]),
        ("Posted by:", []),
    ],
)
def test_names_out_of_bylines_of_other_languages(value, names):
    assert parse_names(value, Reading("id", None, TODAY)) == names


# ---- calendars -----------------------------------------------------------------------------------------------


# The first day of the Persian year, as the observatory in Tehran sets it by the equinox.
NOWRUZ = {
    1370: 21,
    1375: 20,
    1379: 20,
    1387: 20,
    1391: 20,
    1395: 20,
    1398: 21,
    1399: 20,
    1400: 21,
    1403: 20,
    1404: 21,
    1408: 20,
}


def test_the_persian_year_begins_at_the_equinox():
    for year, day in NOWRUZ.items():
        assert gregorian_day(year, 1, 1, "fa") == date(year + 621, 3, day), year


@given(st.dates(date(1991, 3, 21), TODAY))
def test_persian_days_follow_each_other(day):
    years = range(day.year - 622, day.year - 619)
    days = {
        gregorian_day(y, month, number, "fa") for y in years for month in range(1, 13) for number in range(1, 32)
    } - {None}
    assert {day, day + timedelta(days=1)} <= days
    assert len(days) == (max(days) - min(days)).days + 1


def test_years_of_other_eras():
    assert era_year("令和", "元") == 2019
    assert era_year("民國", "113") == 2024
    assert [ideographic_number(numerals) for numerals in ("二〇二四", "十", "十二", "二十", "三十一")] == [
        2024,
        10,
        12,
        20,
        31,
    ]
    assert gregorian_day(2567, 3, 12, "th", 2026) == gregorian_day(2024, 3, 12, "th", 2026) == date(2024, 3, 12)
    assert gregorian_day(1402, 13, 1, "fa") is None
    assert gregorian_day(1402, 12, 30, "fa") is None  # no leap year


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ar", "12 كانون الثاني 2024"), ("ar", "12 كانون الثاني/يناير 2024"), ("el", "12 ΙΑΝΟΥΑΡΙΟΥ 2024"),
        ("km", "ថ្ងៃទី១២ ខែមករា ឆ្នាំ២០២៤"), ("lo", "12 ມັງກອນ 2024"), ("my", "12 ဇန်နဝါရီ 2024"), ("ka", "12 იანვარი 2024"),
        ("te", "12 జనవరి 2024"), ("gu", "12 જાન્યુઆરી 2024"), ("vi", "12 Tháng Một, 2024"), ("th", "12 ม.ค. 67"),
        ("ko", "24.01.12"), ("de", "12.01.24"), ("he", "12/01/24"), ("ur", "12 جنوری 2024"), ("tr", "12 OCAK 2024"),
    ],
)  # fmt: skip
def test_january_in_more_languages(language, text):
    assert [found.moment.day for found in find_dates(text, Reading(language, False, TODAY))] == [date(2024, 1, 12)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "1.2.24"),
        (None, "12.03.24"),
        ("de", "192.12.03.24"),
        ("de", "12.03.24.1"),
        ("en", "12:03:24"),
        ("de", "99.99.24"),
    ],
)
def test_short_years_that_are_none(language, text):
    assert find_dates(text, Reading(language, None, TODAY)) == []


@given(
    kind=st.sampled_from(["by", "label", "published"]),
    before=st.sampled_from(["", "— ", "(", "x"]),
    case=st.sampled_from([str.lower, str.upper, str.title]),
    behind=st.sampled_from(["", ":", " Jane", "er", "  "]),
    data=st.data(),
)
def test_a_text_opens_with_what_the_alternatives_match(kind, before, case, behind, data):
    """`openings` finds without a regular expression what one of all phrases finds."""
    phrase = data.draw(st.sampled_from(phrases(kind))).removesuffix("*")
    text = before + case(phrase).replace("İ", "i") + behind
    expected = re.match(rf"\W*{alternatives(kind)}", text, re.IGNORECASE)
    ends = [*openings(kind, text)]
    assert bool(ends) == bool(expected)
    assert may_open((kind, "ends"), text) or not expected
    if expected:
        assert ends[0] == expected.end()


@pytest.mark.parametrize(
    ("language", "line", "day"),
    [
        ("de", "17.7.11", "2011-07-17"),
        ("de", "Erstellt am 17.7.11 um 12:30", "2011-07-17"),
        ("cs", "17. 7. 11 | Redakce", "2011-07-17"),
        ("ru", "Опубликовано 5.3.12", "2012-03-05"),
        ("pl", "Dodano 5.3.12", "2012-03-05"),
        ("de", "Version 1.2.13", None),
        ("de", "Kapitel 1.2.13", None),
        ("en", "17.7.11", None),
    ],
)
def test_short_dates_with_dots_are_read_where_pages_write_them(language: str, line: str, day: str | None) -> None:
    prose = "Das Korn wird mit dem Flegel gedroschen, und das Stroh wird geschüttelt. " * 8
    html = f"<html lang={language}><title>Der Hof</title><article><h1>Der Hof</h1><p>{line}</p><p>{prose}</p></article>"
    assert thresher.extract(html).metadata.date == day
