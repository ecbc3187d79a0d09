"""The add-on in a real Chromium: click, marks, reading view, siblings, corrections, a hostile page, no server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from tests.extension_chromium import extension_browser, needs_chromium, wait_for
from tests.extension_pages import HOSTILE, NOTE
from tests.local_site import LocalSite, Reply
from tests.test_web_extension import saved_sites
from tests.web_app import page as sample
from tests.web_app import serving
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.run import evaluate

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def site():
    names = ("one", "two", "three", "four")
    answers = {
        f"/{name}": Reply(sample(title=f"Page {name}", text=f"Words of {name}.", menu=names).encode()) for name in names
    }
    answers |= {
        f"/terms/{name}": Reply(
            sample(title=name, text=f"Of {name}.").replace("</article>", NOTE.format(name) + "</article>").encode()
        )
        for name in ("first", "second")
    }
    with LocalSite(answers) as local:
        yield local


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    return saved_sites(tmp_path_factory.mktemp("sites"))


@pytest.fixture(scope="module")
def app(site, data, sites):
    with serving(data=data, benchmark=sites, allow_hosts=(site.host,)) as address:
        yield address


@pytest.fixture(scope="module")
def chromium():
    with extension_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(chromium, app):
    """Paired by one click on the page of the server that shows the code."""
    with chromium.page(f"{app}/extension") as page:
        chromium.desk.evaluate("address => chrome.storage.local.set({address})", app)
        chromium.click_button(page)
        assert "Pair with this server" in chromium.popup_text("unpaired")
        chromium.popup("view.document.querySelector('#pair-click').click()")
        assert "Open a page" in chromium.popup_text("paired")
        chromium.close_popup()
    return chromium


def address(site, path):
    return f"http://site.test:{site.port}{path}"


def test_one_click_marks_the_content_and_the_next_opens_the_reading_view(browser, site):
    with browser.page(address(site, "/one")) as page:
        before = page.evaluate("document.documentElement.outerHTML")
        browser.click_button(page)
        panel = browser.popup_text("done")
        assert "Page one" in panel
        assert "words" in panel
        assert "confidence" in panel
        browser.close_popup()
        marks = browser.marks(page)
        kept = [mark["text"] for mark in marks if mark["kept"]]
        assert len(kept) == 5
        assert all("threshing machine" in text or text == "Page one" for text in kept)
        assert all(mark["reasons"] for mark in marks)
        assert "thresher-marks" not in before
        after = page.evaluate("document.querySelector('thresher-marks').remove() ?? document.documentElement.outerHTML")
        assert after == before
        with browser.context.expect_page() as opening:
            browser.click_button(page)
        reader = opening.value
        assert reader.url.startswith(browser.url("reader/"))
        wait_for(lambda: reader.inner_text("#title") == "Page one")
        assert "threshing machine" in reader.inner_text("#article")
        assert "words" in reader.inner_text("#facts")


def test_the_marks_are_seen_and_dim_the_rest(browser, site):
    pictures = pytest.importorskip("PIL.Image")
    from io import BytesIO

    with browser.page(address(site, "/two")) as page:
        browser.click_button(page)
        browser.popup_text("done")
        browser.close_popup()
        boxes = {mark["text"]: mark["box"] for mark in browser.marks(page)}
        image = pictures.open(BytesIO(page.screenshot())).convert("RGB")

        def light(text):
            left, top, _, bottom = boxes[text]
            return image.getpixel((int(left) - 3, int((top + bottom) / 2)))

        kept, dropped = light("Page two"), light("home") if "home" in boxes else light("one")
        assert min(kept[:2]) > 230
        assert kept[2] < 225
        assert max(dropped) < 160
        assert page.locator("thresher-marks").evaluate("one => one.shadowRoot") is None


def test_the_reading_view_copies_saves_and_remembers(browser, site):
    with browser.page(address(site, "/one")) as page:
        browser.click_button(page)
        browser.popup_text("done")
        with browser.context.expect_page() as opening:
            browser.popup("view.document.querySelector('#read').click()")
        reader = opening.value
        reader.bring_to_front()
        wait_for(lambda: reader.inner_text("#title") == "Page one")
        browser.context.grant_permissions(["clipboard-read", "clipboard-write"])
        reader.click("#copy")
        wait_for(lambda: reader.inner_text("#copy") == "Copied")
        copied = reader.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("# Page one\n\nWords of one.")
        for ending, part in (("md", "# Page one"), ("html", "<h1>Page one</h1>"), ("json", '"title": "Page one"')):
            with reader.expect_download() as saving:
                reader.click(f"[data-save={ending}]")
            assert saving.value.suggested_filename == f"Page-one.{ending}"
            assert part in Path(saving.value.path()).read_text()
        reader.click("#theme")
        reader.click("#larger")
        look = "[document.documentElement.dataset.theme, document.documentElement.dataset.size]"
        assert reader.evaluate(look) == ["dark", "21"]
        reader.reload()
        wait_for(lambda: reader.evaluate(look) == ["dark", "21"])
        with browser.context.expect_page() as opening:
            reader.click("#explain")
        explained = opening.value
        wait_for(lambda: explained.locator(".blocks li").count() > 5)
        assert "Page one" in explained.inner_text("#result")


def test_choices_are_remembered_for_a_site(browser, site):
    with browser.page(address(site, "/one")) as page:
        browser.click_button(page)
        browser.popup_text("done")
        script = """(form => { form.elements.method.value = 'cetd'; form.elements.focus.value = 'recall';
            form.elements.highlights.value = 'content'; form.dispatchEvent(new Event('change')); return true })
            (view.document.querySelector('#choices'))"""
        browser.popup(script)
        key = f"site:site.test:{site.port}"
        stored = wait_for(lambda: browser.desk.evaluate("key => chrome.storage.local.get(key)", key))
        assert stored[key] == {"method": "cetd", "focus": "recall", "highlights": "content"}
        wait_for(lambda: browser.result(page)["answer"]["result"]["method"] == "cetd")
    browser.desk.evaluate("key => chrome.storage.local.remove(key)", key)


def choose(browser, site, **choices):
    browser.desk.evaluate("given => chrome.storage.local.set(given)", {f"site:site.test:{site.port}": choices})


def test_other_pages_are_fetched_with_the_login_and_cookies_stay(browser, site, monkeypatch):
    cookies = []
    handler = site._server.RequestHandlerClass
    answer = handler.do_GET

    def noting(self):
        cookies.append((self.path, self.headers.get("Cookie")))
        answer(self)

    monkeypatch.setattr(handler, "do_GET", noting)
    choose(browser, site, method="site", siblings=2)
    with browser.page(address(site, "/one")) as page:
        browser.context.add_cookies([{"name": "login", "value": "a-secret-of-ada", "url": address(site, "/")}])
        cookies.clear()
        browser.click_button(page)
        assert "Page one" in browser.popup_text("done")
        held = browser.result(page)
        compared = held["answer"]["siblings"]
        assert sorted(compared) == [address(site, f"/{name}") for name in ("four", "three", "two")]
        assert sorted(path for path, _ in cookies) == ["/four", "/three", "/two"]
        assert {cookie for _, cookie in cookies} == {"login=a-secret-of-ada"}
        assert "a-secret-of-ada" not in json.dumps(held)
        browser.close_popup()
    browser.context.clear_cookies()
    browser.desk.evaluate("key => chrome.storage.local.remove(key)", f"site:site.test:{site.port}")


def test_without_the_login_they_come_through_the_gate(browser, site):
    choices = {f"site:127.0.0.1:{site.port}": {"method": "site", "siblings": 2, "session": False}}
    browser.desk.evaluate("given => chrome.storage.local.set(given)", choices)
    with browser.page(site.url("/one")) as page:
        before = len(site.paths)
        browser.click_button(page)
        browser.popup_text("done")
        assert any(agent.startswith("thresher") for agent in site.agents)
        assert sorted({"/two", "/three", "/four"} & set(site.paths[before:])) == ["/four", "/three", "/two"]
        assert page.evaluate("performance.getEntriesByType('resource').filter(one => !/favicon/.test(one.name))") == []
    browser.desk.evaluate("key => chrome.storage.local.remove(key)", next(iter(choices)))


def test_a_correction_holds_on_the_next_page_of_the_site(browser, site, data):
    with browser.page(address(site, "/terms/first")) as page:
        browser.click_button(page)
        browser.popup_text("done")
        browser.popup("view.document.querySelector('#wrong').click()")
        wait_for(lambda: browser.popup("true") is None)
        note = next(mark for mark in browser.marks(page) if "Every reader" in mark["text"])
        assert note["kept"]
        page.evaluate("scrollTo(0, 99_999)")
        left, top, _, bottom = next(m["box"] for m in browser.marks(page) if "Every reader" in m["text"])
        page.mouse.move(left + 30, (top + bottom) / 2)
        page.keyboard.press("ArrowUp")  # from the paragraph to the box around it
        page.mouse.click(left + 30, (top + bottom) / 2)
        assert not next(mark for mark in browser.marks(page) if "Every reader" in mark["text"])["kept"]
        page.keyboard.press("Enter")
        wait_for((data / "rules" / "site.test.json").exists)
        wait_for(
            lambda: any("site rule" in reason for mark in browser.marks(page) for reason in mark["reasons"]),
        )
    rules = json.loads((data / "rules" / "site.test.json").read_text())["rules"]
    assert [rule["drop"] for rule in rules] == ["div.terms"]
    assert '"label": "noise"' in (data / "labels.jsonl").read_text()
    with browser.page(address(site, "/terms/second")) as page:
        browser.click_button(page)
        assert "One rule of this site is used." in browser.popup_text("done")
        browser.close_popup()
        note = next(mark for mark in browser.marks(page) if "Every reader" in mark["text"])
        assert not note["kept"]
        assert note["reasons"][0] == "site rule: drop div.terms"


def test_the_context_menu_copies_a_selection_and_extracts_a_link(browser, site):
    with browser.page(address(site, "/one")) as page:
        browser.click_button(page)
        browser.popup_text("done")
        browser.close_popup()
        page.evaluate("getSelection().selectAllChildren(document.querySelector('article'))")
        tab = {"id": browser.tab_id(page), "url": page.url}
        fire = "([info, tab]) => chrome.contextMenus.onClicked.dispatch(info, tab)"
        with browser.context.expect_page() as opening:  # this page is not secure, so a click is needed to copy
            browser.worker.evaluate(fire, [{"menuItemId": "selection"}, tab])
        reader = opening.value
        wait_for(lambda: reader.locator("textarea").count())
        assert reader.input_value("textarea").startswith("# Page one\n\nWords of one.")
        reader.close()
        with browser.context.expect_page() as opening:
            browser.worker.evaluate(fire, [{"menuItemId": "link", "linkUrl": address(site, "/two")}, tab])
        reader = opening.value
        wait_for(lambda: reader.inner_text("#title") == "Page two")
        assert "Words of two." in reader.inner_text("#article")


def test_the_benchmark_prints_the_figures_of_evaluate(browser, sites, tmp_path):
    run = evaluate(open_dataset(sites), ["site"], ("nodes", "bow"), jobs=1, cache=tmp_path)
    with browser.page(browser.url("benchmark/benchmark.html")) as page:
        wait_for(lambda: page.locator("#method option").count())
        page.click("#start")
        wait_for(lambda: page.inner_text("#progress") == "2 of 2 pages")
        rows = [row.split("\t") for row in page.inner_text("#rows").splitlines()]
        for row, outcome in zip(rows, run.select("site"), strict=True):
            figures = [getattr(outcome.scores[m], p) for m in ("nodes", "bow") for p in ("recall", "precision", "f1")]
            assert row[:2] == [outcome.site, "1"]
            assert row[2:8] == [f"{100 * value:.2f}" for value in figures]
        assert page.inner_text("#means").startswith("Mean of pages\t2\t")


def test_a_hostile_page_starts_nothing_and_reads_nothing(browser, site, app):
    site.answers["/hostile"] = Reply(sample(title="Hostile", more=HOSTILE).encode())
    with browser.page(address(site, "/hostile")) as page:
        assert page.evaluate("isAlone")
        assert page.evaluate("app => attack(app)", app) == ["refused"] * 4
        assert browser.popup("true") is None
        assert page.locator("thresher-marks").count() == 0
        browser.click_button(page)
        browser.popup_text("done")
        browser.close_popup()
        marks = browser.marks(page)
        assert any("Words in a closed root" in mark["text"] for mark in marks)
        assert page.evaluate("app => attack(app)", app) == ["refused"] * 4
        assert browser.in_page(page, "isMarked")  # the Escape was not the reader's
        left, top, _, _ = marks[0]["box"]
        page.mouse.move(left + 5, top + 5)  # the reasons are shown now
        assert page.evaluate("leaks()") == [None, False, False, 0, 0]
        seen = page.evaluate("seen")
        assert "patched" not in seen
        assert [name for name in seen if "THRESHER" in name] == ["THRESHER-MARKS"]
        captured = json.dumps(browser.in_page(page, "capture"))
        assert "Words in a closed root" in captured
        assert "token-of-the-form" not in captured
        assert "pass-word" not in captured
        assert "thresher-marks" not in captured
        page.evaluate("url => framed(url)", browser.url("popup/popup.html"))
        assert not [frame for frame in page.frames if frame.url.startswith("chrome-extension://")]


def test_without_a_server_the_popup_says_how_to_start_it(browser, site, app):
    browser.desk.evaluate("chrome.storage.local.set({address: 'http://127.0.0.1:9'})")
    try:
        with browser.page(address(site, "/one")) as page:
            browser.click_button(page)
            said = browser.popup_text("offline")
            assert "The server is not running" in said
            assert "thresher serve" in said
            browser.close_popup()
    finally:
        browser.desk.evaluate("address => chrome.storage.local.set({address})", app)


def test_pages_of_the_browser_itself_cannot_be_read(browser):
    with browser.page("chrome://version/") as page:
        browser.click_button(page)
        assert "cannot be read by add-ons" in browser.popup_text("failed")
        browser.close_popup()
