"""Labelling in a real browser: by keys and by mouse, undo, what is kept, training, download; and pages that attack."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from tests.web_app import page, serving
from tests.web_browser import browser, check_phone, expect, needs_chromium, opened  # noqa: F401
from thresher.evaluate.datasets import open_dataset
from thresher.labelling.store import LabelStore
from thresher.methods.auto.model import weights

pytestmark = needs_chromium
EVIL = "<img src=x onerror=pwned=1><script>pwned=1</script>"
ATTACK = f"""<div class='"><script>pwned=1</script>'><p onclick="pwned=1">{EVIL}A paragraph with a script in it.</p>
<p>&lt;img src=x onerror=pwned=1&gt; written out</p><script>pwned=1; top.pwned=1</script></div>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("work")
    pages = root / "pages"
    pages.mkdir()
    for number in range(3):
        (pages / f"page-{number}.html").write_text(page(title=f"Page {number}"), encoding="utf-8")
    name = "z<img src=x onerror=pwned=1>.html"
    (pages / name).write_text(page(title="Attack &lt;script&gt;pwned=1&lt;/script&gt;", more=ATTACK), encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def app(folder):
    with serving(label=folder / "pages", labels=folder / "labels.jsonl") as address:
        yield address


@pytest.fixture
def tab(browser):  # noqa: F811
    """A tab that fails the test when a script of ours fails, or one of a page runs."""
    with opened(browser) as found:
        yield found
        found.wait_for_load_state()
        assert {one.evaluate("typeof pwned") for one in list(found.frames)} == {"undefined"}


def begin(tab, app, name):
    tab.goto(f"{app}/label")
    if tab.locator("text=Change").count():
        tab.click("text=Change")
    tab.fill("#name", name)
    tab.press("#name", "Enter")
    expect(tab.locator(".who")).to_contain_text(name)


def open_page(tab, name):
    tab.locator("table.queue a", has_text=name).click()
    expect(tab.locator("#outline .item").first).to_be_visible()
    expect(tab.locator("#count")).to_contain_text("labels")  # the script is there: before that no key is heard


def item(tab, text):
    return tab.locator("#outline .item.leaf", has_text=text).first


def labels(folder, id, labeller="Ada"):
    return {one.xpath: one.label for one in LabelStore(folder / "labels.jsonl").labels(id) if one.labeller == labeller}


def test_five_blocks_by_keys_and_mouse_then_undo_reload_train_and_download(tab, app, folder):
    begin(tab, app, "Ada")
    open_page(tab, "page-0")
    tab.keyboard.press("j")  # body
    tab.keyboard.press("j")  # nav
    tab.keyboard.press("n")
    expect(item(tab, "home")).to_have_class("item d2 leaf is-noise inherited")
    item(tab, "Page 0").click()
    tab.keyboard.press("c")
    expect(item(tab, "Page 0")).to_contain_class("is-content")
    paragraphs = tab.locator("#outline .item.leaf", has_text="The threshing machine")
    paragraphs.nth(0).hover()  # drag over three
    tab.mouse.down()
    paragraphs.nth(1).hover()
    paragraphs.nth(2).hover()
    tab.mouse.up()
    expect(tab.locator('#outline [aria-selected="true"]')).to_have_count(3)
    tab.click('[data-mark="content"]')
    expect(tab.locator("#outline .item.is-content")).to_have_count(4)
    paragraphs.nth(3).click()
    tab.keyboard.press("n")
    expect(paragraphs.nth(3)).to_contain_class("is-noise")
    tab.keyboard.press("u")
    expect(paragraphs.nth(3)).not_to_contain_class("is-noise")
    expect(paragraphs.nth(3)).to_have_attribute("aria-selected", "true")
    tab.keyboard.press("c")
    expect(tab.locator("#outline .item.is-content")).to_have_count(5)
    tab.keyboard.press("h")  # out: the element around the next one is the body or the article
    paragraphs.nth(3).click()
    tab.keyboard.press("h")
    tab.keyboard.press("g")
    expect(tab.locator("#outline .seg:not([hidden])")).to_have_text("good segment")
    frame = tab.frame_locator("#page-frame")
    expect(frame.locator("article thr-t.thr-kept")).to_have_count(5)
    expect(frame.locator("nav thr-t.thr-dropped")).to_have_count(4)
    tab.reload()
    expect(tab.locator("#outline .item.is-content")).to_have_count(5)
    expect(tab.locator("#outline .seg:not([hidden])")).to_have_count(1)
    article = "/html/body/article"
    assert labels(folder, "page-0") == {
        "/html/body/nav": "noise",
        f"{article}/h1": "content",
        **{f"{article}/p[{n}]": "content" for n in (1, 2, 3, 4)},
        article: "good_segment",
    }
    first = tab.url
    tab.keyboard.press("Enter")
    tab.wait_for_function("url => location.href !== url && document.querySelector('#outline')", arg=first)
    assert LabelStore(folder / "labels.jsonl").status("page-0") == {"Ada": "done"}

    tab.goto(f"{app}/label")
    expect(tab.locator("tr", has_text="page-0").locator(".chip")).to_have_text("done")
    with tab.expect_download() as download:
        tab.click("text=Download the data set")
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        archive.extractall(folder / "export")
    record = open_dataset(folder / "export").load("page-0")
    assert record.gold.startswith("Page 0")
    assert record.gold.count("threshing machine") == 12
    assert "Imprint" not in record.gold

    tab.click("text=Retrain and show what changes")
    tab.click("button[name=start]")
    expect(tab.locator("#state h2")).to_have_text("What auto would change", timeout=60_000)
    expect(tab.locator("table.regressions tbody tr")).to_have_count(1)
    assert not list((folder / "models").glob("*")) if (folder / "models").exists() else True
    tab.fill("#model-name", "../evil")
    tab.click("button[name=ok]")
    expect(tab.locator("#state [role=alert]")).to_contain_text("letters, digits")
    tab.goto(f"{app}/label/train")
    tab.fill("#model-name", "mine")
    tab.click("button[name=ok]")
    expect(tab.locator("#state .notice")).to_contain_text("mine.npz")
    assert "in.w" in weights(str(folder / "models" / "mine.npz"))


def test_rest_as_auto_and_skip(tab, app, folder):
    begin(tab, app, "Grace")
    open_page(tab, "page-1")
    item(tab, "Page 1").click()
    tab.keyboard.press("n")
    expect(item(tab, "Page 1")).to_contain_class("is-noise")
    tab.keyboard.press("a")
    expect(tab.locator("#outline .item.leaf.is-content")).to_have_count(4)
    expect(item(tab, "Imprint")).to_contain_class("is-noise")
    expect(item(tab, "Page 1")).to_contain_class("is-noise")
    assert labels(folder, "page-1", "Grace")["/html/body/article/h1"] == "noise"
    tab.keyboard.press("u")  # all of it at once
    expect(tab.locator("#outline .item.is-content")).to_have_count(0)
    first = tab.url
    tab.keyboard.press("s")
    tab.wait_for_function("url => location.href !== url && document.querySelector('#outline')", arg=first)
    assert LabelStore(folder / "labels.jsonl").status("page-1")["Grace"] == "skipped"


def test_an_attacking_page_name_and_labeller_do_nothing(tab, app, folder):
    begin(tab, app, EVIL)
    open_page(tab, "onerror=pwned")
    expect(item(tab, "A paragraph with a script")).to_be_visible()
    expect(item(tab, "written out")).to_contain_text("<img src=x onerror=pwned=1> written out")
    item(tab, "written out").click()
    tab.keyboard.press("c")
    expect(item(tab, "written out")).to_contain_class("is-content")
    begin(tab, app, "Eve")
    open_page(tab, "onerror=pwned")
    expect(item(tab, "written out").locator(".chip")).to_contain_text("<script>pwned=1</script>")
    tab.wait_for_timeout(300)
    assert [one.evaluate("origin") for one in tab.frames[1:]] == ["null"]


def test_labels_need_the_token_and_a_name(tab, app):
    tab.goto(f"{app}/label")
    path = tab.evaluate("document.location.origin") + "/label/page/none/mark"
    body = json.dumps({"xpaths": ["/html"], "label": "content"})
    asked = "([path, body]) => fetch(path, {method: 'POST', body}).then(answer => answer.status)"
    assert tab.evaluate(asked, [path, body]) == 403


@pytest.mark.parametrize("path", ["/label", "/label/next", "/label/train"])
def test_pages_fit_a_phone_and_controls_have_names(tab, app, path):
    begin(tab, app, "Phone")
    check_phone(tab, app + path)
