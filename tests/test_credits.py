"""Lines around the title that say who wrote an article, and when, are none of it."""

from __future__ import annotations

import pytest

import thresher

_PROSE = "The flail loosens the grain from the ear, and the wind of the open door carries the chaff away. "


def _page(lines: str, language: str = "en", title: str = "Threshing by hand") -> str:
    menu = "".join(f'<a href="/{k}">Part {k}</a>' for k in range(9))
    return (
        f"<!doctype html><html lang={language}><title>{title}</title><body><div>{menu}</div>"
        f"<div><h1>{title}</h1>{lines}{f'<p>{_PROSE * 2}</p>' * 5}</div><div>{menu}</div></body></html>"
    )


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ("By Jane Doe", "5 March 2024", "4 min read")),
        ("de", ("Von Katharina Brandl", "14. März 2025, 17:42 Uhr", "4 Min. Lesezeit")),
        ("fr", ("Publié le 3 février 2025 à 06h15", "Par Hélène Fournier")),
        ("pl", ("Autor: Joanna Wysocka", "27 sierpnia 2024, 12:05")),
        ("ru", ("8 апреля 2025, 13:37", "Автор: Ольга Соколова")),
        ("he", ("מאת: נועה ברק", "פורסם: 5 במאי 2025, 08:14")),
        ("fa", ("نویسنده: مریم رستمی", "۲۳ اردیبهشت ۱۴۰۴")),
        ("th", ("โดย ปรียา วงศ์สวัสดิ์", "เผยแพร่เมื่อ 9 กรกฎาคม 2568")),
        ("zh", ("记者：陈思远", "2025年3月18日 07:25")),
        ("ja", ("文：山口 彩", "2025年1月27日 6時00分")),
        ("ko", ("이서연 기자", "입력 2025.04.02 06:30")),
    ],
)
def test_bylines_and_datelines_are_left_out(language: str, lines: tuple[str, ...]) -> None:
    html = _page("".join(f"<p>{line}</p>" for line in lines), language)
    text = thresher.extract(html).text
    assert _PROSE.strip() in text
    for line in lines:
        assert line not in text
    wide = thresher.extract(html, focus="recall").text
    assert all(line in wide for line in lines)


@pytest.mark.parametrize(
    "line",
    [
        "On 5 March 2024 the last barn of the valley closed its doors to the flail for good.",
        "By hand it takes a winter",
        "It began in 1826 with a machine",
        "5 March 2024 – 9 March 2024",
    ],
)
def test_what_is_about_something_else_stays(line: str) -> None:
    text = thresher.extract(_page(f"<p>{_PROSE}</p><p>{line}</p>")).text
    assert line in text


def test_lines_of_the_items_of_a_list_stay() -> None:
    items = "".join(f"<p>{day} March 2024</p><p>{_PROSE}</p>" for day in range(3, 9))
    assert "5 March 2024" in thresher.extract(_page(items)).text


def test_the_reasons_say_so() -> None:
    result = thresher.extract(_page("<p>Von Katharina Brandl</p>", "de"))
    (block,) = (block for block in result.blocks if block.text == "Von Katharina Brandl")
    assert not block.kept
    assert any("who wrote it" in reason for reason in block.reasons)
