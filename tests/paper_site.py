"""A small web site derived from the text of paper 001, whose clusters, labels and content are known by hand.

Every page has what the paper names: navigation links, an article of several blocks whose first words are the page's
description, a side bar, an advertisement, comments, links in the footer.  Each looks like itself on all pages.  On one
page, as the paper reports, the comments are closer to the description than the article is.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

__all__ = ["COMMENTED", "PAGES", "PARTS", "files", "page", "paragraphs", "url_of", "write_dataset"]

PAGES = 8
COMMENTED = 3  # the page whose comments repeat its description
PARTS = ("nav a", "article p", "aside p", ".ad", ".comment", "footer a")  # of which each is a cluster

_STYLE = """
body { margin: 0; font: 16px/1.5 serif; color: #222 }
nav a { display: inline-block; width: 120px; font: bold 14px sans-serif; color: #fff; background: #246; padding: 8px }
main { position: absolute; left: 260px; width: 640px } article p { margin: 12px 0 }
aside { position: absolute; left: 20px; width: 200px; font-size: 13px; color: #555 }
.ad { position: absolute; left: 940px; width: 200px; font: italic 18px sans-serif; color: #a00; border: 2px dashed }
.comment { font: 14px sans-serif; color: #060; border-left: 3px solid #9c9; padding-left: 12px; margin: 8px 0 }
footer { position: absolute; top: 1600px; left: 260px } footer a { font-size: 11px; color: #999; margin-right: 30px }
"""
_WORDS = """grain mill harvest barn straw chaff wheat barley rye oats thresher sieve flour miller stone wheel river
water field plough seed sower reaper sickle scythe sheaf bundle cart horse road village market sack scale price winter
spring summer autumn rain drought wind storm cloud sun heat frost snow soil clay loam root stem leaf ear husk kernel
bread oven baker dough yeast crust loaf slice butter salt honey""".split()
_SECTIONS = ("News", "Fields", "Mills", "Prices", "Weather", "Recipes")


def _sentence(rng: np.random.Generator, words: int) -> str:
    return " ".join(rng.choice(_WORDS, words)).capitalize() + "."


def paragraphs(number: int) -> list[str]:
    """The blocks of the article of a page: its main content."""
    rng = np.random.default_rng(1000 + number)
    return [_sentence(rng, 34) for _ in range(5)]


def page(number: int) -> str:
    """A page of the site."""
    rng = np.random.default_rng(number)
    article = paragraphs(number)
    comments = [_sentence(rng, 13) for _ in range(3)]
    description = " ".join(article[0].split()[:12])
    if number == COMMENTED:
        description = "Does anybody know whether the old mill will be open on the second Sunday of the harvest?"
        comments = [f"{description} {word}" for word in ("Please", "Thanks", "Anyone")]
    menu = "".join(f"<a href=/section/{name}.html>{name}</a>" for name in _SECTIONS)
    stories = "".join(f"<a href={url_of(other)}>Story {other}</a>" for other in range(PAGES) if other != number)
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Story {number}</title>"
        f'<meta name=description content="{description}"><link rel=stylesheet href="/style.css"></head><body>'
        f"<nav>{menu}</nav>"
        f"<aside><p>Also today: {_sentence(rng, 6)}</p><p>Most read: {_sentence(rng, 6)}</p></aside>"
        f"<main><article>{''.join(f'<p>{text}</p>' for text in article)}</article>"
        f"{''.join(f'<div class=comment>{text}</div>' for text in comments)}</main>"
        "<div class=ad>Buy new sacks, now at half the price!</div>"
        f"<footer>{stories}</footer></body></html>"
    )


def url_of(number: int) -> str:
    return f"/story/{number}.html"


def files() -> dict[str, str]:
    """Paths on the server, and what is there."""
    return {url_of(number): page(number) for number in range(PAGES)} | {"/style.css": _STYLE}


def write_dataset(root: Path) -> Path:
    """The same as a data set of kind `sites`, with two pages that have gold texts."""
    site = root / "mill"
    for path, text in files().items():
        file = site / "files" / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (site / "gold").mkdir()
    keys = []
    for number in (0, COMMENTED):
        (site / "gold" / f"{number}.txt").write_text("\n".join(paragraphs(number)), encoding="utf-8")
        path = url_of(number).lstrip("/")
        keys.append(
            {"path": path, "url": f"http://mill.test/{path}", "gold_file": f"gold/{number}.txt", "page_type": "article"}
        )
    (site / "site.json").write_text(json.dumps({"key_pages": keys}), encoding="utf-8")
    return root
