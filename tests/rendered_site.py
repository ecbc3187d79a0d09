"""Small pages of one site as a browser would have rendered them, made without one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import thresher
from thresher.page import Page
from thresher.render.styles import PROPERTIES, ComputedStyles

__all__ = ["article", "comments", "menu", "rendered"]

WORDS = """vaccine trial malaria protection volunteers doses researchers study immune cells parasite results health
leaders cautious approach mosquito bites hospital children season villages report journal university""".split()

_LOOKS = {  # of tags: left, width, font size, colour
    "a": (10, 80, "12px", "rgb(0, 0, 238)"),
    "p": (300, 600, "16px", "rgb(0, 0, 0)"),
    "h1": (300, 600, "32px", "rgb(0, 0, 0)"),
    "blockquote": (340, 520, "13px", "rgb(90, 90, 90)"),
    "li": (10, 80, "12px", "rgb(0, 0, 0)"),
}
_USUAL = {
    "visibility": "visible", "opacity": "1", "position": "static", "float": "none", "clip-path": "none",
    "overflow-x": "visible", "overflow-y": "visible", "transform": "none", "background-color": "rgba(0, 0, 0, 0)",
    "background-image": "none",
}  # fmt: skip


def rendered(html: str, url: str | None = None) -> Page:
    """A page whose elements have boxes and styles by their names."""
    page = thresher.parse(html, url=url)
    names = [page.name(row) for row in range(len(page))]
    box = np.zeros((len(page), 4), np.float32)
    for row, name in enumerate(names):
        left, width, *_ = _LOOKS.get(name, (0, 1000))
        box[row] = left, 20 * row, width, 20
    looks = [_LOOKS.get(name, (0, 0, "14px", "rgb(0, 0, 0)")) for name in names]
    display = ["inline" if name == "a" else "block" for name in names]
    own = {"font-size": [look[2] for look in looks], "color": [look[3] for look in looks], "display": display}
    usual = {name: [_USUAL.get(name, "auto")] * len(page) for name in PROPERTIES}
    return replace(page, box=box, style=ComputedStyles.make(usual | own))


def sentence(rng: np.random.Generator, words: int) -> str:
    return " ".join(rng.choice(WORDS, words)).capitalize() + "."


def menu() -> str:
    return "<nav><ul>" + "".join(f"<li><a href='/{k}'>Section {k}</a></li>" for k in range(8)) + "</ul></nav>"


def comments(rng: np.random.Generator, count: int) -> str:
    posts = "".join(f"<blockquote>{sentence(rng, 12)}</blockquote>" for _ in range(count))
    return f"<section class=comments>{posts}</section>"


def article(seed: int, replies: int = 0, meta: str = "description") -> Page:
    """A page with a menu, a title, six paragraphs, a footer and comments.  The description is its first words."""
    rng = np.random.default_rng(seed)
    paragraphs = [sentence(rng, 25) for _ in range(6)]
    head = f'<meta name="{meta}" content="{paragraphs[0]}">' if meta else ""
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    story = f'<article class="post-{seed} story"><h1>Story number {seed}</h1>{body}</article>'
    footer = "<footer><p>All rights reserved by the paper</p><p>Imprint and contact</p></footer>"
    html = f"<title>Story number {seed}</title>{head}<body>{menu()}<main>{story}</main>{comments(rng, replies)}{footer}"
    return rendered(html, f"http://news.test/{seed}.html")
