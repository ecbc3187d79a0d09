"""Shared columns, one text at a time, over decoded characters."""

from __future__ import annotations

import re

from thresher.page import Page

SPACE = re.compile("[\x00-\x20\xa0]")
HAN_KANA = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3031-\u3035\u3040-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
UNSPACED = re.compile("[\u0e01-\u0e30\u0e40-\u0e46\u0e81-\u0eb0\u0ebd-\u0ec6\u1000-\u102a\u1050-\u109f\u1780-\u17b3]")
MARKS = re.compile(
    "[\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u060c-\u061f\u06d4\u0964\u0965"
    "\u0e31-\u0e3f\u0e47-\u0e4f\u0eb1-\u0ebc\u0ec7-\u0ecf\u102b-\u104f\u1362-\u1368\u17b4-\u17df\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff"
    "\u2e00-\u2e7f\u3000-\u3004\u3008-\u3030\u3036-\u303f\u30fb\u3200-\u33ff\ue000-\uf8ff\ufe10-\ufe6f\ufeff-\uff0f"
    "\uff1a-\uff20\uff3b-\uff3e\uff5b-\uff65\uffe0-\uffff\U0001f000-\U0001faff\U000e0000-\U000e0fff]"
)


def chars(page: Page) -> list[int]:
    return [len(SPACE.sub("", text)) for text in page.text]


def words(page: Page) -> list[int]:
    return [count_words(text) for text in page.text]


def count_words(text: str) -> int:
    """r + ⌈c / 2⌉ + ⌈s / 4⌉ as in thresher.page.columns.words."""
    ideographs, unspaced = len(HAN_KANA.findall(text)), len(UNSPACED.findall(text))
    rest = MARKS.sub(" ", UNSPACED.sub(" ", HAN_KANA.sub(" ", text)))
    runs = re.findall(r"[0-9A-Za-z_\x80-\U0010ffff]+", rest)
    return len(runs) + -(-ideographs // 2) + -(-unspaced // 4)


def digits(page: Page) -> list[int]:
    return [sum(char in "0123456789" for char in text) for text in page.text]


def punctuation(page: Page) -> list[int]:
    return [len(re.findall("[,;:.!?，、；：،؛…၊፣。！？｡।॥؟۔።፧។။．]", text)) for text in page.text]


def sentence_ends(page: Page) -> list[int]:
    latin = re.compile("[.!?](?=[\\x00-\\x20\"')\\]]|$|[\u0080-\u00bf\u2000-\u2fff])")
    return [len(latin.findall(text)) + len(re.findall("[。！？｡।॥؟۔።፧។။．]", text)) for text in page.text]


def in_link(page: Page) -> list[bool]:
    owners = [int(owner) for owner in page.owner]
    return [any(page.name(row) == "a" for row in (owner, *page.ancestors(owner))) for owner in owners]
