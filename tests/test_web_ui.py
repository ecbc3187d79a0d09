"""The app in a real browser: extract, look, switch, compare, browse, download; and pages that attack it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.request import urlopen

import pytest

pytest.importorskip("fastapi")

import thresher
from tests.local_site import LocalSite, Reply
from tests.web_app import page, serving
from tests.web_browser import browser, check_phone, expect, needs_chromium, opened  # noqa: F401
from thresher import methods
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.lines import json_lines
from thresher.evaluate.run import evaluate

pytestmark = needs_chromium
STATIC = Path(thresher.__file__).parent / "web" / "static"

ATTACK = """
<script>window.top.pwned = window.pwned = 1; fetch("http://{evil}/script")</script>
<img src="http://{evil}/img" onerror="pwned = 1"><svg onload="pwned = 1"></svg>
<iframe src="http://{evil}/frame"></iframe><link rel=stylesheet href="http://{evil}/css">
<style>@import "http://{evil}/import"; body {{ background: url(http://{evil}/bg) }}</style>
<meta http-equiv=refresh content="0;url=http://{evil}/refresh"><base href="http://{evil}/base/">
<p style="background: url('http://{evil}/style')">styled</p><video autoplay src="http://{evil}/video"></video>
<form action="http://{evil}/form"><input autofocus onfocus="pwned = 1"><button>send</button></form>
<a href="javascript:pwned=1" ping="http://{evil}/ping">a link that does nothing at all, even when clicked</a>
"""


@pytest.fixture(scope="module")
def site():
    title = "Grain &lt;img src=x onerror=pwned=1&gt; &lt;script&gt;pwned=1&lt;/script&gt;"
    csrf = """<script>
      const answers = [];
      for (const path of ["/extract", "/try", "/v2/scrape"])
        answers.push(fetch("{app}" + path, {method: "POST", mode: "no-cors", body: "{}"}).catch(() => 0));
      answers.push(fetch("{app}/metrics", {mode: "no-cors"}).catch(() => 0));
      Promise.all(answers).then(() => { document.title = "tried" });
    </script>"""
    answers = {
        "/page": Reply(page(more="<p>Read <a href=/other>on</a>.</p>", menu=()).encode()),
        "/boxed": Reply(
            page(text="Some <b>bold</b> words.", head="<style>article { transform: scale(1) }</style>")
            .replace("<b>bold</b>", "bold", 3)
            .encode()
        ),
        "/other": Reply(page(title="Another page", text="Other words altogether.").encode()),
        "/attack": lambda path: Reply(page(title=title, more=ATTACK.format(evil=found.host)).encode()),
        "/csrf": lambda path: Reply(csrf.replace("{app}", found.app).encode()),
        "/picture": lambda path: Reply(page(more='<img src="/ear.png" alt="An ear of wheat">').encode()),
        "/ear.png": Reply(
            bytes.fromhex(
                "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cfc0f01f0005"
                "0001ff89993d1d0000000049454e44ae426082"
            ),
            kind="image/png",
        ),
    }
    with LocalSite(answers) as found:
        found.app = ""
        yield found


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name in ("one", "two"):
        (folder / f"{name}.html").write_text(page(title=f"Page {name}"), encoding="utf-8")
        gold = thresher.extract(page(title=f"Page {name}")).text + "\n\nMissing words <b>here</b> as well"
        (folder / f"{name}.txt").write_text(gold, encoding="utf-8")
    run = evaluate(open_dataset(folder), ["auto", "plain"], jobs=1, cache=folder / "cache")
    file = tmp_path_factory.mktemp("results") / "small.jsonl"
    file.write_text("\n".join(json_lines(run)), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def app(site, results):
    with serving(allow_hosts=(site.host,), reports=(results,)) as address:
        site.app = address
        yield address


@pytest.fixture
def tab(browser, app):  # noqa: F811
    """A tab that fails the test when a script of ours fails."""
    with opened(browser) as found:
        found.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app)
        yield found


def extract(tab, app, url):
    tab.goto(app)
    tab.fill("#url", url)
    tab.press("#url", "Enter")
    expect(tab.locator(".about h1")).to_be_visible()
    return tab.frame_locator('iframe[name="page-frame"]')


def paste(tab, html):
    tab.locator('input[name="kind"][value="html"]').check(force=True)
    tab.fill("#html", html)
    tab.click("button[name=fresh]")
    expect(tab.locator(".panes")).to_be_visible()


def test_a_page_by_its_address(tab, app, site):
    frame = extract(tab, app, site.url("/page"))
    expect(tab.locator(".about h1")).to_have_text("On threshing")
    expect(tab.locator(".chip.good")).to_have_text("ok")
    kept = frame.locator("article thr-t.thr-kept").first
    expect(kept).to_have_text("On threshing")
    assert "score" in kept.get_attribute("title")
    expect(frame.locator("footer thr-t.thr-dropped")).to_have_text("Imprint, privacy, terms of use")
    reading = tab.frame_locator("#extract iframe")
    expect(reading.locator("h1")).to_have_text("On threshing")
    expect(reading.locator("body")).not_to_contain_text("Imprint")


def test_options_change_without_loading_anything_again(tab, app, site):
    frame = extract(tab, app, site.url("/page"))
    tab.evaluate("window.same = true")
    asked = len(site.paths)
    tab.locator('input[name="form"][value="markdown"]').check(force=True)
    expect(tab.locator("pre#written")).to_contain_text("# On threshing")
    tab.select_option("#method", "plain")
    expect(tab.locator("pre#written")).to_contain_text("Imprint")
    expect(frame.locator("footer thr-t.thr-kept")).to_have_count(1)
    tab.select_option("#method", "auto")
    tab.locator('input[name="focus"][value="precision"]').check(force=True)
    expect(tab.locator("pre#written")).not_to_contain_text("Imprint")
    assert tab.evaluate("window.same") is True
    assert len(site.paths) == asked
    tab.click("text=compare with 1 page of its site")
    expect(tab.locator(".chips")).to_contain_text("1 other page")
    assert site.paths[asked:] == ["/other"]


def test_a_site_method_finds_other_pages_itself_and_another_method_needs_no_more_requests(tab, app, site):
    tab.goto(app)
    tab.select_option("#method", "site")
    tab.fill("#url", site.url("/page"))
    tab.click("button[name=fresh]")
    expect(tab.locator(".about")).to_contain_text("1 other page")
    asked = len(site.paths)
    tab.select_option("#method", "plain")
    expect(tab.locator(".about")).to_contain_text("plain")
    expect(tab.locator(".about h1")).to_have_text("On threshing")
    assert len(site.paths) == asked


def test_a_method_that_does_not_work_leaves_the_page_at_hand(tab, app):
    tab.goto(app)
    tab.locator('input[name="kind"][value="html"]').check(force=True)
    tab.fill("#html", "<title>On threshing</title><h1>On threshing</h1><p>" + "A flail is two sticks. " * 20)
    tab.select_option("#method", "site")
    tab.click("button[name=fresh]")
    expect(tab.locator("[role=alert]")).to_contain_text("ther pages")
    tab.select_option("#method", "plain")
    expect(tab.locator(".about h1")).to_have_text("On threshing")


def test_a_block_is_shown_where_it_stands(tab, app, site):
    frame = extract(tab, app, site.url("/page"))
    tab.locator("#tab-extract").focus()
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("#tab-blocks")).to_have_attribute("aria-selected", "true")
    tab.locator('input[name="shown"][value="dropped"]').check(force=True)
    expect(tab.locator(".blocks li.kept").first).to_be_hidden()
    tab.locator(".blocks a", has_text="Imprint").click()
    expect(frame.locator("thr-t:target")).to_have_text("Imprint, privacy, terms of use")
    tab.locator('input[name="focus"][value="recall"]').check(force=True)
    expect(tab.locator("#tab-blocks")).to_have_attribute("aria-selected", "true")


def panel(block):
    """What the panel of a block says; "none" while it is closed."""
    return block.evaluate("one => getComputedStyle(one, '::after').content")


def test_the_reasons_of_a_block_open_by_click_touch_and_tab_key(browser, app, site):  # noqa: F811
    with opened(browser, has_touch=True) as tab:
        frame = extract(tab, app, site.url("/boxed"))
        kept = frame.locator("article thr-t.thr-kept").nth(1)
        inner, footer = frame.locator("b thr-t"), frame.locator("footer thr-t")
        assert panel(kept) == "none"
        kept.click()
        expect(kept).to_be_focused()
        assert "kept, score" in panel(kept)
        assert "for: " in panel(kept)
        assert kept.evaluate("one => getComputedStyle(one, '::after').position") == "fixed"
        # The frame is higher than the window: the panel stands beside the block.
        beside = "one => parseFloat(getComputedStyle(one, '::after').top) - one.getBoundingClientRect().bottom"
        assert 0 <= kept.evaluate(beside) < 10
        # Or the panel would stand at the bottom of this element.
        assert frame.locator("article").evaluate("one => getComputedStyle(one).transform") == "none"
        inner.click()  # in the middle of a block
        assert "score" in panel(inner)
        footer.tap()
        assert "dropped, score" in panel(footer)
        assert "against: " in panel(footer)
        assert panel(kept) == "none"
        kept.focus()
        tab.keyboard.press("Tab")
        following = frame.locator("thr-t:focus")
        assert following.get_attribute("data-block") == str(int(kept.get_attribute("data-block")) + 1)
        assert "score" in panel(following)


def test_pasted_html_facts_copy_and_download(tab, app):
    html = page(title="Pasted", head='<meta name=author content="Ann Ear"><meta name=date content="2024-05-06">')
    tab.goto(app)
    paste(tab, html)
    expect(tab.locator(".about .by")).to_contain_text("Ann Ear")
    tab.locator('input[name="form"][value="text"]').check(force=True)
    expect(tab.locator("pre#written")).to_be_visible()
    tab.click("text=Copy")
    expect(tab.locator(".toast")).to_have_text("Copied.")
    assert tab.evaluate("navigator.clipboard.readText()") == thresher.extract(html).text
    tab.click("#tab-table")
    expect(tab.locator("#table")).to_contain_text("2024-05-06")
    with tab.expect_download() as download:
        tab.click("text=Download .txt")
    assert download.value.suggested_filename == "Pasted.txt"
    assert Path(download.value.path()).read_text(encoding="utf-8") == thresher.extract(html).text


def test_a_file_is_dropped(tab, app, tmp_path):
    tab.goto(app)
    dropped = tab.evaluate_handle(
        """html => { const data = new DataTransfer();
        data.items.add(new File([html], "saved.html", {type: "text/html"})); return data }""",
        page(title="Dropped"),
    )
    tab.dispatch_event("body", "drop", {"dataTransfer": dropped})
    expect(tab.locator(".about h1")).to_have_text("Dropped")
    expect(tab.locator(".about .by")).to_contain_text("saved.html")


def test_an_example_to_click_and_a_form_that_opens_the_extract(tab, app):
    tab.goto(app)
    tab.get_by_role("button", name="Show me an example").click()
    expect(tab.locator("#title")).to_have_text("How a threshing machine works")
    expect(tab.locator(".about")).to_contain_text("confidence")
    tab.get_by_role("tab", name="Blocks").click()
    expect(tab.locator("#extract")).to_be_hidden()
    tab.locator("label", has=tab.locator("#form-markdown")).click()
    expect(tab.locator("#written")).to_contain_text("## Drum and concave")
    expect(tab.locator("#written")).to_be_visible()
    tab.get_by_role("tab", name="Facts").click()
    tab.locator("label", has=tab.locator("#form-markdown")).click()  # chosen already
    expect(tab.locator("#written")).to_be_visible()
    tab.locator("#method").select_option("bte")  # which has no model
    expect(tab.locator(".about .chips")).to_contain_text("bte")
    expect(tab.locator(".about")).not_to_contain_text("confidence")


def test_a_file_that_is_no_page_gives_a_message_and_nothing_else(tab, app, tmp_path):
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7 ...")
    tab.goto(app)
    tab.locator('input[name="kind"][value="file"]').check(force=True)
    tab.set_input_files("#file", tmp_path / "paper.pdf")
    tab.click("button[name=fresh]")
    expect(tab.locator("#result [role=alert]")).to_contain_text("This is no web page. paper.pdf")
    expect(tab.locator("#result iframe, #result [role=tab], #result meter")).to_have_count(0)


def test_mistakes_are_told_in_place(tab, app, site):
    tab.goto(app)
    for address, words in (
        ("", "type the address"),
        ("http://10.0.0.1/", "not a public address"),
        ("x:y", "no address"),
    ):
        tab.fill("#url", address)
        tab.click("button[name=fresh]")
        expect(tab.locator("#result [role=alert]")).to_contain_text(words)


def test_methods_are_compared(tab, app):
    tab.goto(f"{app}/compare")
    tab.locator("#method-site").check(force=True)
    paste(tab, page())
    expect(tab.locator(".notice")).to_contain_text("site is left out")
    rows = tab.locator("#agreement table").nth(1).locator("tbody tr")
    values = [float(text) for text in rows.first.locator("td").all_text_contents()]
    assert max(values) == 1
    assert all(0 <= value <= 1 for value in values)
    frame = tab.frame_locator('iframe[name="page-frame"]')
    expect(frame.locator("footer thr-t.thr-dropped")).to_have_count(1)
    tab.select_option("#painted", "plain")
    expect(frame.locator("footer thr-t.thr-kept")).to_have_count(1)


def test_methods_stand_under_their_papers_with_a_line_each(tab, app):
    tab.goto(f"{app}/compare")
    gottron = tab.locator("fieldset", has=tab.locator("legend", has_text="Gottron"))
    expect(gottron.locator("label", has_text="accb")).to_contain_text("adapted content code blurring")
    expect(tab.locator("input[name=methods]")).to_have_count(len(methods.names()))
    tab.locator("#method-plain").uncheck()
    expect(tab.locator("summary [data-ticked]")).to_have_text("auto, semantic, accb, bte, cetd")
    paste(tab, page())
    expect(tab.locator("#agreement table").first.locator("tbody tr")).to_have_count(5)
    expect(gottron).to_be_hidden()  # the comparison is not below a long list
    tab.click("details.methods summary")
    expect(gottron).to_be_visible()


def test_a_wide_table_fades_where_there_is_more_of_it(tab, app):
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto(f"{app}/compare")
    paste(tab, page())
    table = tab.locator("#agreement .scroll").nth(1)
    expect(table).to_have_class(re.compile("more-right"))
    assert "more-left" not in table.get_attribute("class")
    table.focus()
    table.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    expect(table).to_have_class(re.compile("more-left"))
    expect(table).not_to_have_class(re.compile("more-right"))
    tab.set_viewport_size({"width": 1280, "height": 800})
    expect(table).not_to_have_class(re.compile("more-"))


def test_an_answer_below_the_window_is_scrolled_to(tab, app):
    tab.set_viewport_size({"width": 390, "height": 500})
    tab.goto(app)
    paste(tab, page())
    expect(tab.locator(".about h1")).to_be_in_viewport()


def test_a_wide_table_in_the_extract_scrolls_instead_of_breaking_words(tab, app):
    tab.goto(app)
    cells = "".join(f"<td>Threshing floor number {number}</td>" for number in range(12))
    paste(tab, page().replace("</article>", f"<table><tr>{cells}</tr><tr>{cells}</tr></table></article>"))
    table = tab.frame_locator("#extract iframe").locator("table")
    assert table.evaluate("one => one.scrollWidth > one.clientWidth && one.rows[0].cells[0].clientWidth > 60")


def test_results_from_the_table_to_the_page(tab, app):
    tab.goto(f"{app}/evaluate")
    tab.click("text=small")
    tab.locator("tbody th a", has_text="plain").click()
    tab.locator("tbody th a", has_text="two").click()
    expect(tab.locator(".diff del")).to_contain_text("Missing words <b>here</b> as well")
    expect(tab.locator(".diff ins").first).to_contain_text("home")
    frame = tab.frame_locator('iframe[name="page-frame"]')
    expect(frame.locator("footer thr-t.thr-kept")).to_have_count(1)


def test_an_attacking_page_does_nothing(tab, app, site):
    before = len(site.paths)
    frame = extract(tab, app, site.url("/attack"))
    expect(tab.locator(".about h1")).to_contain_text("Grain")
    frame.locator("text=a link that does nothing").click()
    for form in ("html", "markdown", "json", "reading"):
        tab.locator(f'input[name="form"][value="{form}"]').check(force=True)
        expect(tab.locator("#result[aria-busy]")).to_have_count(0)
    for name in ("blocks", "facts", "table"):
        tab.click(f"#tab-{name}")
    tab.wait_for_timeout(300)
    assert [found.evaluate("typeof pwned") for found in tab.frames] == ["undefined"] * len(tab.frames)
    assert [found.evaluate("origin") for found in tab.frames[1:]] == ["null"] * (len(tab.frames) - 1)
    assert site.paths[before:] == ["/attack"]  # what the page refers to is on the same server
    assert tab.url == f"{app}/"


def test_pictures_come_through_the_gate_when_asked_for(tab, app, site):
    asked = []
    tab.context.on("request", lambda request: asked.append(request.url))
    frame = extract(tab, app, site.url("/picture"))
    tab.locator("#pictures").check()
    picture = frame.locator("img[src]")
    expect(picture).to_have_count(1)
    expect(picture).to_have_js_property("naturalWidth", 1)
    assert all(url.startswith(app) for url in asked)
    assert "/ear.png" in site.paths


def test_another_web_site_cannot_ask(tab, app, site):
    def answers():
        text = urlopen(f"{app}/metrics").read().decode()
        return {status: int(count) for status, count in re.findall(r'route="other",status="(\d+)"} (\d+)', text)}

    before = answers().get("403", 0)
    tab.goto(site.url("/csrf"))
    expect(tab).to_have_title("tried")
    assert answers()["403"] == before + 4


def test_a_visitor_with_the_token_sees_pages_in_their_frames(browser, site):  # noqa: F811
    secret = "a token of sixteen characters"
    with serving(allow_hosts=(site.host,), token=secret) as locked:
        context = browser.new_context()
        found = context.new_page()
        found.goto(locked)
        found.fill("#token", secret)
        found.click("button[type=submit]")
        expect(found.locator("#url")).to_be_visible()
        frame = extract(found, locked, site.url("/picture"))
        found.locator("#pictures").check()
        expect(frame.locator("img[src]")).to_have_js_property("naturalWidth", 1)
        context.close()


def test_the_keyboard_is_enough(tab, app, site):
    tab.goto(app)
    tab.keyboard.press("Tab")
    expect(tab.locator(".skip")).to_be_focused()
    tab.keyboard.press("/")
    expect(tab.locator("#url")).to_be_focused()
    tab.keyboard.type(site.url("/page"))
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".about h1")).to_have_text("On threshing")


@pytest.mark.parametrize("path", ["/", "/compare", "/evaluate", "/evaluate/0", "/docs", "/nowhere"])
def test_pages_fit_a_phone_and_controls_have_names(tab, app, path):
    check_phone(tab, app + path)
    inside = "nav => [...nav.children].every(a => a.getBoundingClientRect().right <= nav.getBoundingClientRect().right)"
    assert tab.eval_on_selector(".top nav", inside), "the last link of the navigation is out of sight"


def test_light_and_dark(tab, app):
    tab.goto(app)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(paper)
    tab.click("[data-theme-switch]")
    dark = tab.evaluate(paper)
    tab.reload()
    assert light != dark == tab.evaluate(paper)


def _themes():
    """The colours of each theme by name."""
    blocks = re.findall(r"(:root[^{]*)\{([^}]*--paper[^}]*)\}", (STATIC / "app.css").read_text())
    return [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})\b", body)) for _, body in blocks]


def _luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("number", range(3))
def test_text_has_enough_contrast(number):
    theme = _themes()[number]
    pairs = [(ink, ground) for ink in ("ink", "faint") for ground in ("paper", "card", "shade", "kept")]
    pairs += [("grain", "card"), ("grain", "grain-wash"), ("grain-ink", "grain"), ("ink", "grain-wash")]
    pairs += [("good", "good-wash"), ("bad", "bad-wash"), ("extra", "extra-wash")]
    pairs.remove(("faint", "kept"))
    for ink, ground in pairs:
        a, b = sorted((_luminance(theme[ink]), _luminance(theme[ground])))
        assert (b + 0.05) / (a + 0.05) >= 4.5, (ink, ground)
