"""Pages in the real Chromium: what the columns say of them."""

from __future__ import annotations

import struct
import threading
import time

import numpy as np
import pytest

import thresher
from tests.browser import html, needs_chromium, pool  # noqa: F401
from tests.raw_server import RawServer, answer
from thresher.errors import FetchError, NotHtml
from thresher.render import Pool, render, with_screenshot
from thresher.render.styles import PROPERTIES

pytestmark = needs_chromium


@pytest.fixture
def show(pool):  # noqa: F811
    """Renders without waiting for what a test does not test."""

    def rendered(source, **changes):
        return render(source, pool=pool, **{"wait": "load", "scroll": False, **changes})

    return rendered


def rows(page):
    """Elements by their id."""
    return {page.attribute(row, "id"): row for row in range(len(page))}


def codes(page):
    return [problem.code for problem in page.problems if problem.code != "no_sandbox"]


_COLUMNS = {
    "float": "<style>#a{float:left;width:300px}#b{float:left;width:600px}</style><div id=a>a</div><div id=b>b</div>",
    "flex": "<style>body{display:flex}#a{width:300px}#b{width:600px}</style><div id=a>a</div><div id=b>b</div>",
    "grid": "<style>body{display:grid;grid-template-columns:300px 600px}</style><div id=a>a</div><div id=b>b</div>",
    "table": "<table cellspacing=0 cellpadding=0 width=900><tr><td id=a width=300>a<td id=b width=600>b</table>",
}


@pytest.mark.parametrize("kind", _COLUMNS)
def test_two_columns_stand_side_by_side(show, kind):
    page = show("<!doctype html><style>body{margin:0}</style>" + _COLUMNS[kind])
    at = rows(page)
    a, b = page.box[at["a"]], page.box[at["b"]]
    assert a[[0, 2]].tolist() == [0, 300]
    assert b[[0, 2]].tolist() == [300, 600]
    assert a[1] == b[1]
    assert codes(page) == []


def test_boxes_and_styles_are_those_of_the_document(show):
    page = show(
        """<!doctype html><style>body{margin:0} #far{position:absolute;top:3000px;left:40px;width:100px;height:50px}
        #none{display:none} #wrap{display:contents} #big{font:italic bold 30px/40px monospace;color:rgb(1,2,3)}</style>
        <p id=big>Big<span id=in>ner</span></p><div id=none>gone<b id=deep>x</b></div><div id=wrap><i id=i>i</i></div>
        <div id=far>far</div>""",
        viewport=(800, 600),
    )
    at = rows(page)
    assert page.box.dtype == np.float32
    assert page.box.shape == (len(page), 4)
    assert page.box[at["far"]].tolist() == [40, 3000, 100, 50], "document coordinates, not those of the window"
    assert np.isnan(page.box[[at["none"], at["deep"], at["wrap"]]]).all()
    style = page.style
    assert style.viewport == (800, 600)
    assert style.names == PROPERTIES
    assert style.of("display")[[at["big"], at["in"], at["none"], at["wrap"]]].tolist() == [
        "block", "inline", "", "contents",
    ]  # fmt: skip
    assert style.pixels("font-size")[[at["big"], at["in"]]].tolist() == [30, 30]
    assert style.of("color")[at["in"]] == "rgb(1, 2, 3)"
    assert style.of("font-weight")[at["in"]] == "700"
    assert style.of("font-style")[at["big"]] == "italic"
    assert style.equals("position", "absolute").nonzero()[0].tolist() == [at["far"]]


def test_all_properties_that_are_not_the_default_are_read_of_elements_with_text(show):
    page = show(
        "<!doctype html><style>#a{color:red;writing-mode:vertical-rl;text-shadow:1px 1px blue}#none{}</style>"
        "<div id=none><p id=a>one</p><p id=b><i id=i>all</i> <b id=c>inline</b></p><div id=d>t</div></div>"
    )
    at, declarations = rows(page), page.style.declarations
    own = dict(declarations.entries(at["a"]))
    assert own["color"] == own["caret-color"] == "rgb(255, 0, 0)"
    assert own["writing-mode"] == "vertical-rl"
    assert own["text-shadow"] == "rgb(0, 0, 255) 1px 1px 0px"
    assert "float" not in own  # none, as everywhere
    assert dict(declarations.entries(at["i"]))["font-style"] == "italic"
    assert "margin-top" in dict(declarations.entries(at["b"]))  # the block around inline elements
    assert dict(declarations.entries(at["d"])).keys() <= {
        *("display", "width", "height", "block-size", "inline-size", "perspective-origin", "transform-origin"),
        *("unicode-bidi", "text-align"),
    }
    assert declarations.entries(at["none"]) == []  # it holds no text of its own
    assert set(declarations.names) > {"writing-mode", "text-shadow"}
    assert page.markup == thresher.parse(page.markup).markup
    assert b" t" not in page.markup.replace(b"text", b"")  # no mark of ours is left


def test_a_page_cannot_tell_us_styles(show):
    """Its scripts may replace what they like: ours has a world of its own."""
    page = show("<script>window.getComputedStyle = () => ['x'];Array.from = () => [];</script><p id=a>one</p>")
    assert dict(page.style.declarations.entries(rows(page)["a"]))["display"] == "block"


def test_the_page_is_the_one_that_parse_gives_of_the_same_html(show):
    source = (
        "<!doctype html><html lang=en><head><title>A &amp; B</title><script type='application/ld+json'>"
        '{"@type": "Article"}</script></head><body><h1>Title</h1>\n<p class="x y">Some <b>bold</b> text&nbsp;here.</p>'
        "<table><tbody><tr><td>1</td></tr></tbody></table><pre>\n\n two\n lines</pre><svg viewBox='0 0 1 1'><path d=''>"
        "</path></svg><select><option>one</option></select></body></html>"
    )
    page, plain = show(source), thresher.parse(source)
    assert page.markup == plain.markup
    assert page.text == plain.text
    assert page.islands == plain.islands
    for column in ("tag", "parent", "end", "first", "last", "owner", "block", "tag_start", "tag_stop", "position"):
        np.testing.assert_array_equal(getattr(page, column), getattr(plain, column))


def test_what_scripts_write_is_there_and_without_scripts_it_is_not(show):
    source = """<!doctype html><div id=root>empty</div><noscript>no scripts</noscript>
    <script>document.getElementById('root').innerHTML = '<p>written by a script</p>'</script>"""
    assert show(source).text == ("written by a script",)
    assert "empty" in show(source, javascript=False).text


def test_scripts_that_fetch_are_waited_for_and_boxes_follow(pool):  # noqa: F811
    app = """<!doctype html><div id=root></div><script>
    fetch('/data').then(r => r.json()).then(d => { root.innerHTML = '<p id=p>' + d.text + '</p>' })</script>"""
    with RawServer({"/": html(app), "/data": answer(b'{"text": "from the server"}'), "*": answer(b"")}) as site:
        page = render(site.url(), allow_hosts=[site.host], pool=pool)
    assert page.text == ("from the server",)
    assert page.url == site.url()
    assert page.box[rows(page)["p"]][2] > 100


def test_waiting_for_a_selector_and_for_seconds(show):
    later = """<!doctype html><p>first</p><script>setTimeout(() => {
    document.body.insertAdjacentHTML('beforeend', '<p id=late>second</p>') }, 1000)</script>"""
    assert show(later).text == ("first",)
    assert show(later, wait="#late").text == ("first", "second")
    assert show(later, wait=3.0).text == ("first", "second")
    never = show(later, wait="#never", timeout=9)
    assert codes(never) == ["selector"]
    assert never.text == ("first", "second")
    assert codes(show(later, wait="p[")) == ["selector"]


def test_lazy_content_comes_with_scrolling(show):
    lazy = """<!doctype html><div style="height:4000px">top</div><div id=end>…</div><script>
    new IntersectionObserver(seen => { if (seen[0].isIntersecting) end.textContent = 'lazy text' }).observe(end)
    </script>"""
    assert show(lazy).text == ("top", "…")
    page = show(lazy, scroll=True)
    assert page.text == ("top", "lazy text")
    assert page.box[rows(page)["end"]][1] >= 4000, "back at the top"


def test_what_scrolling_asks_the_server_for_is_waited_for(pool):  # noqa: F811
    def slow(connection, request):
        time.sleep(0.7)
        connection.sendall(answer(b"lazy", content_type="text/plain"))

    lazy = (
        """<p>top</p>"""
        + "<section style='height:900px'></section>" * 4
        + """<script>
    const seen = new IntersectionObserver(all => all.forEach(one => one.isIntersecting && !one.target.asked &&
      (one.target.asked = fetch('/more').then(got => got.text()).then(text => one.target.textContent = text))))
    document.querySelectorAll('section').forEach(one => seen.observe(one))</script>"""
    )
    with RawServer({"/": html(lazy), "/more": slow, "*": answer()}) as site:
        page = render(site.url(), pool=pool, allow_hosts=[site.host])
    assert [text for text in page.text if text.strip()] == ["top"] + ["lazy"] * 4


def test_a_page_without_text_has_its_timers_run_ahead(pool):  # noqa: F811
    filled = "<!doctype html><p id=text>{}</p><script>setTimeout(() => text.textContent = 'filled', 4000)</script>"
    seconds = 4.0
    for _ in range(5):  # on a busy machine it may take its time now and then
        start = time.monotonic()
        assert render(filled.format("Loading…"), pool=pool).text == ("filled",)
        seconds = min(seconds, time.monotonic() - start)
        if seconds < 4:
            break
    assert seconds < 4
    words = "It has its text already, and what its timers would do is nobody's concern. " * 5
    assert render(filled.format(words), pool=pool).text == (words,)


def test_web_components_are_read_as_they_are_seen(show):
    page = show("""<!doctype html><my-card><span slot=title>Light title</span>Light text</my-card><script>
    customElements.define('my-card', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'closed'}).innerHTML =
        '<style>h2 { font-size: 33px }</style><h2 id=h>Shadow <slot name=title></slot></h2><slot></slot>' } })
    </script>""")
    assert [text.strip() for text in page.text] == ["Shadow", "Light title", "Light text"]
    assert page.style.pixels("font-size")[rows(page)["h"]] == 33


def test_what_stands_in_large_frames_is_part_of_the_page(pool):  # noqa: F811
    inner = (
        "<title>Frame</title><style>p{margin:0}</style><body style='margin:0'><p id=text>Inner <a href=b.html>text</a>"
    )
    frame = "<iframe id={} src=/deep/inner style='position:absolute;left:100px;top:50px;border:0;{}'></iframe>"
    outer = frame.format("large", "width:900px;height:600px") + frame.format("small", "width:300px;height:250px")
    written = "<iframe width=1000 height=700 srcdoc='<p>Written inside</p>'></iframe>"
    pages = {
        "/": html(f"<p>Before</p>{outer}<p>Behind</p>"),
        "/written": html(f"{written}"),
        "/set": html("<frameset cols='20%,80%'><frame src=/menu><frame src=/deep/inner></frameset>"),
        "/deep/inner": html(inner),
        "/again": html("<p>Once</p><iframe style='width:100%;height:700px' src=/again?more></iframe>"),
        "*": html("<p>Menu</p><iframe style='width:100%;height:700px' src=/again></iframe>"),
    }
    with RawServer(pages) as site:

        def shown(path):
            return render(site.url(path), pool=pool, allow_hosts=[site.host], wait="load", scroll=False)

        page = shown("/")
        assert page.text == ("Before", "Inner ", "text", "Behind")
        assert page.box[rows(page)["text"]][:2].tolist() == [100, 50]
        assert [page.attribute(row, "href") for row in range(len(page)) if page.name(row) == "a"] == [
            site.url("/deep/b.html")
        ]
        assert codes(page) == []
        assert shown("/written").text == ("Written inside",)
        assert shown("/set").text == ("Inner ", "text")
        assert 1 <= shown("/again").text.count("Once") <= 6


def test_trees_that_no_html_can_say_keep_their_boxes(show):
    page = show("""<!doctype html><p id=outer>outer</p><script>
    const inner = document.createElement('p'); inner.id = 'inner'; inner.textContent = 'inner';
    inner.style.width = '77px'; document.getElementById('outer').append(inner)</script>""")
    assert page.box[rows(page)["inner"]][2] == 77
    assert codes(page) == ["restructured"]


def test_given_html_stands_at_its_own_address(show):
    page = show(
        """<!doctype html><p id=p></p><script>p.textContent = location.href + ' ' + isSecureContext</script>""",
        url="https://made-up.example/a/b?c=d#e",
    )
    assert page.text == ("https://made-up.example/a/b?c=d#e true",)
    assert page.url == "https://made-up.example/a/b?c=d#e"
    assert show("<p>no address").url is None
    assert show(b"<meta charset=latin1><p>\xe9").text == ("é",)


def test_sub_resources_of_given_html_go_through_the_same_rules(show):
    with RawServer({"/a/style.css": answer(b"p { width: 123px }", content_type="text/css"), "*": answer(b"")}) as site:
        source = "<!doctype html><link rel=stylesheet href=style.css><p id=p>x"
        allowed = show(source, url=site.url("/a/page"), allow_hosts=[site.host])
        assert allowed.box[rows(allowed)["p"]][2] == 123
        asked = len(site.requests)
        assert not any(b"GET /a/page" in request for request in site.requests), "the page itself is not asked for"
        for page in (show(source, url=site.url("/a/page")), show(source, url=site.url("/a/page"), offline=True)):
            assert page.box[rows(page)["p"]][2] > 1000
        assert len(site.requests) == asked


def test_a_given_page_does_not_go_elsewhere(show):
    page = show("<!doctype html><p>stays</p><script>location = 'https://elsewhere.example/'</script>", wait=0.5)
    assert page.text == ("stays",)
    assert "left" in codes(page)


def test_pages_share_nothing(show):
    with RawServer(html("<p id=p></p><script>p.textContent = document.cookie + localStorage.x; document.cookie = 'a=1';"
                        "localStorage.x = 'kept'</script>")) as site:  # fmt: skip
        for _ in range(2):
            assert show(site.url(), allow_hosts=[site.host]).text == ("undefined",)
        first = [request.lower() for request in site.requests if request.startswith(b"GET / ")]
        assert not any(b"cookie:" in request for request in first)


def test_answers_that_are_no_page(show):
    with RawServer({
        "/404": html("<p>Not here", status="404 Not Found"),
        "/pdf": answer(b"%PDF-1.4", content_type="application/pdf"),
        "/png": answer(b"\x89PNG", content_type="image/png"),
        "/file": answer(b"x", content_type="text/html", content_disposition="attachment; filename=x"),
        "/loop": answer(b"", "302 Found", location="/loop"),
        "/there": answer(b"", "302 Found", location="/404"),
        "*": answer(b""),
    }) as site:  # fmt: skip
        hosts = [site.host]
        missing = show(site.url("/there"), allow_hosts=hosts)
        assert missing.text == ("Not here",)
        assert missing.url == site.url("/404")
        assert codes(missing) == ["http_404"]
        for path in ("/pdf", "/png", "/file"):
            with pytest.raises(NotHtml):
                show(site.url(path), allow_hosts=hosts)
        with pytest.raises(FetchError) as raised:
            show(site.url("/loop"), allow_hosts=hosts)
        assert raised.value.reason == "too_many_redirects"
    with pytest.raises(FetchError) as raised:
        show(site.url("/404"), allow_hosts=hosts)
    assert raised.value.reason == "connect"
    with pytest.raises(FetchError) as raised:
        show("http://a..b/")
    assert raised.value.reason == "bad_url"


def test_a_screenshot_has_the_size_of_the_document(pool):  # noqa: F811
    source = "<!doctype html><style>body{margin:0;height:1500px;background:#00f}</style>"
    shot = with_screenshot(source, pool=pool, wait="load", scroll=False, viewport=(500, 400))
    assert shot.png.startswith(b"\x89PNG")
    assert struct.unpack(">II", shot.png[16:24]) == (500, 1500)
    assert shot.page.box[0].tolist() == [0, 0, 500, 1500]


def test_a_pool_replaces_its_browser_and_serves_threads():
    seen = []
    with Pool(size=1, pages=2) as browsers:

        def one(number):
            page = render(f"<p>{number}", pool=browsers, wait="load", scroll=False)
            seen.append(page.text[0])

        threads = [threading.Thread(target=one, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(seen) == ["0", "1", "2"]
