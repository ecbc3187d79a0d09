"""Layout analysis of pages as the real Chromium lays them out: columns by every means that CSS has."""

from __future__ import annotations

import shutil

import pytest

import thresher
from thresher.render import Pool, render

pytestmark = pytest.mark.skipif(
    not (shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")),
    reason="no Chromium on the PATH; install it with: apt-get install chromium",
)

PROSE = "The field was ploughed in spring. It was sown a week later, and the rain came in time for it to grow."
TEXT = "<h1>Of grain and chaff</h1>" + "".join(f"<p>Part {k}. {PROSE}</p>" for k in range(8))
MENU = "<ul>" + "".join(f"<li><a href='/{k}'>Menu entry {k}</a></li>" for k in range(12)) + "</ul>"
ASIDE = "".join(f"<div class=t><b>Teaser {k}</b><br><a href='/t{k}'>read about it</a></div>" for k in range(60))
FRAME = "<!DOCTYPE html><meta charset=utf-8><title>Grain</title><style>body{margin:0}%s</style>"
HEADER = "<div id=top><b>The Daily Thresher</b></div><div id=sub><span>Monday</span></div>"
FOOTER = "<div id=foot><p>Imprint</p><p>Privacy</p></div>"

STYLES = {
    "float": "#a{float:left;width:20%}#b{float:left;width:60%}#c{float:left;width:20%}#foot{clear:both}",
    "flex": "#r{display:flex}#a{flex:0 0 200px}#b{flex:1}#c{flex:0 0 250px}",
    "grid": "#r{display:grid;grid-template-columns:200px 1fr 250px}",
    "table": "#r{display:table;width:100%}#a,#b,#c{display:table-cell;vertical-align:top}"
    "#a{width:200px}#c{width:250px}",
    "inline-block": "#r{font-size:0}#a,#b,#c{display:inline-block;vertical-align:top;font-size:16px}"
    "#a{width:20%}#b{width:60%}#c{width:20%}",
    "absolute": "#r{position:relative;height:1600px}#a,#b,#c{position:absolute;top:0}#a{left:0;width:200px}"
    "#b{left:200px;right:250px}#c{right:0;width:250px}",
    "contents": "#r{display:grid;grid-template-columns:200px 1fr 250px}#w{display:contents}",
}


@pytest.fixture(scope="module")
def pool():
    with Pool() as found:
        yield found


def extracted(html: str, pool: Pool, method: str = "layout") -> str:
    page = render(html, offline=True, wait="load", scroll=False, pool=pool)
    return " ".join(thresher.extract(page, method=method).text.split())


WANTED = " ".join(["Of grain and chaff", *(f"Part {k}. {PROSE}" for k in range(8))])


@pytest.mark.parametrize("means", STYLES)
def test_three_columns(means: str, pool: Pool) -> None:
    # The right column is longer than the article.
    columns = f"<div id=a>{MENU}</div><div id=w><div id=b>{TEXT}</div></div><div id=c>{ASIDE}</div>"
    if means != "contents":
        columns = columns.replace("<div id=w>", "").replace("</div></div><div id=c>", "</div><div id=c>")
    html = FRAME % STYLES[means] + HEADER + f"<div id=r>{columns}</div>" + FOOTER
    assert extracted(html, pool) == WANTED


@pytest.mark.parametrize("means", ["float", "flex"])
def test_two_columns_with_the_text_behind_the_sidebar(means: str, pool: Pool) -> None:
    html = FRAME % STYLES[means] + HEADER + f"<div id=r><div id=a>{ASIDE}</div><div id=b>{TEXT}</div></div>" + FOOTER
    assert extracted(html, pool) == WANTED


def test_two_columns_by_a_table_of_the_last_century(pool: Pool) -> None:
    cells = f"<td width=200 valign=top>{MENU}</td><td valign=top>{TEXT}</td>"
    html = FRAME % "" + f"{HEADER}<table width='100%'><tr>{cells}</tr></table>{FOOTER}"
    assert extracted(html, pool) == WANTED


def test_content_from_a_script(pool: Pool) -> None:
    script = f"document.getElementById('b').innerHTML = {TEXT!r}"
    html = FRAME % STYLES["flex"] + f"{HEADER}<div id=r><div id=a>{MENU}</div><div id=b></div></div>"
    html += f"<script>{script}</script>"
    assert "ploughed" not in thresher.extract(html).text
    assert extracted(html, pool) == WANTED


def test_what_a_style_sheet_hides_is_not_kept(pool: Pool) -> None:
    hidden = "<p style='display:none'>Unseen. It is not shown.</p><p id=v>Invisible. It is not shown either.</p>"
    html = FRAME % ("#v{visibility:hidden}" + STYLES["flex"])
    html += f"{HEADER}<div id=r><div id=a>{MENU}</div><div id=b>{TEXT}{hidden}</div></div>"
    assert extracted(html, pool) == WANTED
