"""Paint one and the same page as each method sees it: python docs/pictures.py [METHOD…]

Writes docs/images/methods/NAME.png for every method that works on one page (those that compare pages of a site are left
out), and docs/methods-seen.md, which shows them.  Needs Chromium and Pillow (`thresher[render]`).
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

import thresher
from thresher import methods
from thresher.errors import NeedsEvidence
from thresher.render import Settings, with_screenshot

DOCS = Path(__file__).parent
IMAGES = DOCS / "images/methods"
WIDTH, HEIGHT = 720, 1500  # of the window, in CSS pixels
SCALE, COLOURS = 0.5, 24  # small files: half the size, few colours
SOURCE = DOCS.parent / "examples/threshing.html"
INTRODUCTION = """# What each method sees

One page, `examples/threshing.html`, as every method of one page judges it: what is kept is yellow, what is dropped is
pale. Made by `python docs/pictures.py`; `result.show()` paints any page like this ([notebook](notebook.md)). Methods
that compare pages of a site are not here ([site](site.md)).
"""


def results(names: list[str]) -> dict[str, thresher.Extraction]:
    """What the methods make of the page, as it is or rendered; without those that need more than the page."""
    html = SOURCE.read_bytes()
    rendered = thresher.render(html.decode(), url="https://barn.example/flail")
    given = {}
    for name in names:
        try:
            given[name] = thresher.extract(rendered if "layout" in methods.needs(name) else html, name)
        except NeedsEvidence as error:
            print(f"{name}: {error}", file=sys.stderr)
    return given


def picture(result: thresher.Extraction) -> bytes:
    """The painted page as a small PNG."""
    shot = with_screenshot(result.show().html, settings=Settings(viewport=(WIDTH, HEIGHT), wait="load", timeout=60))
    image = Image.open(io.BytesIO(shot.png)).convert("RGB")
    image = image.crop((0, 0, image.width, min(image.height, HEIGHT)))
    image = image.resize((int(image.width * SCALE), int(image.height * SCALE)), Image.Resampling.LANCZOS)
    packed = io.BytesIO()
    image.quantize(COLOURS).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, result in results(sys.argv[1:] or methods.names()).items():
        (IMAGES / f"{name}.png").write_bytes(picture(result))
        print(name, (IMAGES / f"{name}.png").stat().st_size, flush=True)
    shown = sorted(file.stem for file in IMAGES.glob("*.png"))
    parts = [
        f"## {name}\n\n{methods.describe(name)} ([more](methods/{name}.md))\n\n![{name}](images/methods/{name}.png)\n"
        for name in shown
    ]
    (DOCS / "methods-seen.md").write_text("\n".join([INTRODUCTION, *parts]), encoding="utf-8")


if __name__ == "__main__":
    main()
