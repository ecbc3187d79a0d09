"""Who wrote an article and when, who that is, and what else there is to read: none of it belongs to the text."""

from __future__ import annotations

import pytest

import thresher

_PROSE = "The flail loosens the grain from the ear, and the wind of the open door carries the chaff away. "


_TEXT = "".join(
    f"<p>{_PROSE}{more}</p>"
    for more in (
        "Two people work in turn on the floor of the barn, so that their strokes never meet.",
        "In a good winter they were done by the end of January, and the straw went to the cattle.",
        "The first machines came to the valley in 1840, driven by horses, and later by steam.",
        "What they left behind was a craft that nobody needed any more, and a few songs.",
        "Some farms kept their flails for beans and clover, which break in a machine.",
    )
)


def _page(lines: str, language: str = "en", behind: str = "") -> str:
    menu = "".join(f'<a href="/{k}">Part {k}</a>' for k in range(9))
    return (
        f"<!doctype html><html lang={language}><title>Threshing by hand</title><body><div>{menu}</div>"
        f"<div><h1>Threshing by hand</h1>{lines}{_TEXT}{behind}</div><div>{menu}</div></body></html>"
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


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "Also read"),
        ("de", "Lesen Sie auch"),
        ("fr", "À lire aussi"),
        ("id", "Baca juga"),
        ("ru", "Читайте также"),
        ("ar", "اقرأ أيضا"),
        ("hi", "यह भी पढ़ें"),
        ("th", "อ่านเพิ่มเติม"),
        ("ja", "あわせて読みたい"),
    ],
)
def test_pointers_to_other_articles_are_left_out(language: str, label: str) -> None:
    link = '<a href="/other">Old flails found in a barn near here</a>'
    for pointer in (f"<p>{label}: {link}</p>", f"<div><h4>{label}</h4><ul><li>{link}</li><li>{link}</li></ul></div>"):
        text = thresher.extract(_page(_TEXT + pointer, language)).text
        assert _PROSE.strip() in text
        assert "Old flails" not in text
        assert label not in text


@pytest.mark.parametrize(
    "line",
    [
        'See also what <a href="/barn">the owner of the barn</a> said about the flails of his grandfather.',
        '<a href="/barn">Old flails were found in a barn near here</a>',
        "Also read: the poem of the threshers, which everybody knew by heart",
    ],
)
def test_links_of_the_text_stay(line: str) -> None:
    page = thresher.parse(_page(f"{_TEXT}<p>{line}</p>"))
    assert "flails" in thresher.extract(page).text or "poem" in thresher.extract(page).text


@pytest.mark.parametrize("opening", ["Katharina Brandl", "Die Katharina Brandl"])
def test_author_boxes_are_left_out(opening: str) -> None:
    about = f"{opening} hat schon als Kind mit dem Flegel auf der Tenne gestanden und das Korn gedroschen."
    box = f"<div><b>Katharina Brandl</b><p>{about}</p></div>"
    text = thresher.extract(_page("<p>Von Katharina Brandl</p>", "de", behind=box)).text
    assert _PROSE.strip() in text
    assert about not in text
    # Somebody else is somebody the text is about.
    assert about in thresher.extract(_page("<p>Von Ann Roe</p>", "de", behind=box)).text


@pytest.mark.parametrize("label", ["Advertisement", "Anzeige", "Publicité", "Реклама", "إعلان", "โฆษณา", "広告"])
def test_labels_of_advertisements_are_left_out(label: str) -> None:
    html = _page(f"{_TEXT}<div><span>{label}</span></div>", behind=f"<p>{label}: {_PROSE}</p>")
    lines = thresher.extract(html).text.splitlines()
    assert label not in lines
    assert f"{label}: {_PROSE.strip()}" in lines


def test_boxes_to_sign_up_are_left_out() -> None:
    box = "<h3>Briefe aus der Scheune</h3><p>Jeden Morgen das Neueste von der Tenne, frei Haus.</p>"
    form = '<form><input type="email"><button>Los</button></form>'
    assert "Jeden Morgen" in thresher.extract(_page("", "de", behind=f"<div>{box}</div>{_TEXT}")).text
    text = thresher.extract(_page("", "de", behind=f"<div>{box}{form}</div>{_TEXT}")).text
    assert _PROSE.strip() in text
    assert "Jeden Morgen" not in text
    assert "Briefe" not in text


def test_reserved_rights_are_left_out() -> None:
    behind = "<p>© 2024 Der Kurier, alle Rechte vorbehalten</p>"
    assert "©" not in thresher.extract(_page("", "de", behind=behind)).text


def test_the_day_of_a_concert_stays() -> None:
    """Nobody says that something was published then, or who wrote it."""
    day = "Saturday, 14 March 2026, 19:30"
    assert day in thresher.extract(_page(f"<p>{day}</p>")).text
    assert day not in thresher.extract(_page(f"<p>By Ada Miller</p><p>{day}</p>")).text
    assert day not in thresher.extract(_page(f"<p>Published {day}</p>")).text
