"""The add-on in a real Firefox: pairing, click, marks, reading view, correction, next page."""

from __future__ import annotations

import json
import re
import time
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

import pytest

pytest.importorskip("fastapi")

from tests.clock import PATIENCE
from tests.extension_firefox import firefox_browser, needs_firefox
from tests.extension_pages import HOSTILE, NOTE
from tests.local_site import LocalSite, Reply
from tests.web_app import page as sample
from tests.web_app import serving

pytestmark = needs_firefox
EXTENSION = Path(__file__).parents[1] / "extension"


def page_with_note(name):
    return sample(title=f"The {name}", text=f"Of {name}.").replace("</article>", NOTE.format(name) + "</article>")


@pytest.fixture(scope="module")
def site():
    with LocalSite({f"/{name}": Reply(page_with_note(name).encode()) for name in ("first", "second")}) as local:
        yield local


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def app(data):
    with serving(data=data) as address:
        yield address


@pytest.fixture(scope="module")
def firefox(app):
    """A browser with the add-on, which was paired by typing the code."""
    code = re.search(r'data-code="([^"]+)"', urlopen(f"{app}/extension").read().decode())[1]
    with firefox_browser() as browser:
        browser.install(EXTENSION)
        browser.goto(browser.url("options/options.html"))
        browser.wait("document.querySelector('#state').textContent")
        for field, value in (("#address", app.removeprefix("http://")), ("#code", code)):
            browser.run("document.querySelector(arguments[0]).value = arguments[1]", field, value)
        browser.run("document.querySelector('#pair button').click() ?? true")
        browser.wait("document.querySelector('#state').textContent.startsWith('Paired with')")
        yield browser


def opened_page(firefox, url):
    """The page in a new tab, extracted by a click on the button."""
    firefox.new_tab()
    firefox.goto(url)
    firefox.click_button()
    firefox.wait("document.querySelector('thresher-marks') !== null")


def test_a_click_marks_the_content_and_another_opens_the_reading_view(firefox, site):
    opened_page(firefox, f"http://site.test:{site.port}/first")
    assert firefox.run("document.querySelector('thresher-marks').shadowRoot") is None
    pictures = pytest.importorskip("PIL.Image")
    image = pictures.open(BytesIO(firefox.screenshot())).convert("RGB")
    kept = image.getpixel(place(firefox, "h1", -3))
    dropped = image.getpixel(place(firefox, "nav", 300))
    assert min(kept[:2]) > 230
    assert kept[2] < 225
    assert max(dropped) < 160
    before = set(firefox.tabs())
    firefox.click_button()
    firefox.show(wait_for_tab(firefox, before))
    firefox.wait("document.querySelector('#title')?.textContent === 'The first'")
    assert "threshing machine" in firefox.run("document.querySelector('#article').textContent")
    assert "confidence" in firefox.run("document.querySelector('#facts').textContent")


def test_a_correction_holds_on_the_next_page(firefox, site, data):
    opened_page(firefox, f"http://site.test:{site.port}/first")
    tab = firefox.ask("WebDriver:GetWindowHandle")
    before = set(firefox.tabs())
    firefox.click_button()
    firefox.show(wait_for_tab(firefox, before))
    firefox.wait("document.querySelector('#title')?.textContent === 'The first'")
    firefox.run("document.querySelector('#wrong').click() ?? true")
    firefox.show(tab)
    firefox.click_at(*place(firefox, ".terms p", 30))
    firefox.press("\ue007")  # Enter
    rules = data / "rules" / "site.test.json"
    wait_until(rules.is_file)
    assert [next(iter(rule)) for rule in json.loads(rules.read_text())["rules"]] == ["drop"]
    opened_page(firefox, f"http://site.test:{site.port}/second")
    before = set(firefox.tabs())
    firefox.click_button()
    firefox.show(wait_for_tab(firefox, before))
    firefox.wait("document.querySelector('#title')?.textContent === 'The second'")
    assert "Every reader" not in firefox.run("document.querySelector('#article').textContent")


def test_a_hostile_page_starts_nothing_and_reads_nothing(firefox, site, app):
    site.answers["/hostile"] = Reply(sample(title="Hostile", more=HOSTILE).encode())
    firefox.new_tab()
    firefox.goto(f"http://site.test:{site.port}/hostile")
    assert firefox.run("window.isAlone")
    assert firefox.run("window.attack(arguments[0])", app) == ["refused"] * 4
    assert firefox.run("document.querySelector('thresher-marks')") is None
    firefox.click_button()
    firefox.wait("document.querySelector('thresher-marks') !== null")
    assert firefox.run("window.attack(arguments[0])", app) == ["refused"] * 4
    firefox.actions(
        {"type": "pointer", "id": "mouse", "actions": [{"type": "pointerMove", "x": 60, "y": 90, "duration": 0}]}
    )
    assert firefox.run("window.leaks()") == [None, False, False, 0, 0]
    seen = firefox.run("window.seen")
    assert "patched" not in seen
    assert [name for name in seen if "THRESHER" in name] == ["THRESHER-MARKS"]


def place(firefox, selector, right):
    """A point in the window, so far from the left side of an element."""
    box = "document.querySelector(arguments[0]).getBoundingClientRect()"
    x, y = firefox.run(f"(box => [box.left, box.top + box.height / 2])({box})", selector)
    return int(x) + right, int(y)


def wait_for_tab(firefox, before):
    return wait_until(lambda: set(firefox.tabs()) - before).pop()


def wait_until(value):
    deadline = time.monotonic() + PATIENCE
    while not (current := value()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return current
