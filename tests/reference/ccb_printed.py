"""Content code blurring as paper 004 prints it, character by character over the source of a page."""

from __future__ import annotations

import math
import re

CODE = re.compile(r"<!--.*?-->|<(script|style)(?: [^>]*)?>.*?</\1>|<[^>]*>", re.DOTALL)


def pieces(source: str) -> list[tuple[str, bool]]:
    """The source as text and code: tags, comments, scripts and styles."""
    parts, done = [], 0
    for match in CODE.finditer(source):
        parts += [(source[done : match.start()], False), (match[0], True)]
        done = match.end()
    return [(part, code) for part, code in [*parts, (source[done:], False)] if part]


def characters(source: str, anchors: bool = True) -> tuple[list[float], list[list[int]], list[str]]:
    """The vector, and for each word the entries that are its characters."""
    vector: list[float] = []
    places: list[list[int]] = []
    words: list[str] = []
    for part, code in pieces(source):
        if code and not anchors and re.match("</?a[ >]", part):
            continue
        if not code:
            for match in re.finditer(r"[^\x00-\x20]+", part):
                places.append(list(range(len(vector) + match.start(), len(vector) + match.end())))
                words.append(match[0])
        vector += [0.0 if code else 1.0] * len(part)
    return vector, places, words


def tokens(source: str) -> tuple[list[float], list[list[int]], list[str]]:
    """The same with one entry a word and one a tag; the words of scripts and styles are code, a comment is a tag."""
    vector: list[float] = []
    places: list[list[int]] = []
    words: list[str] = []
    for part, code in pieces(source):
        if code:
            inside = re.match("<(?:script|style)[^>]*>(.*)</", part, re.DOTALL)
            vector += [0.0] * (2 + len(inside[1].split()) if inside else 1)
            continue
        for word in re.findall(r"[^\x00-\x20]+", part):
            places.append([len(vector)])
            words.append(word)
            vector.append(1.0)
    return vector, places, words


def extracted(vector: list[float], places: list[list[int]], reach: int, threshold: float) -> list[bool]:
    """Which words are main content: average again and again until the extracted text does not change any more."""
    sigma = reach / math.sqrt(2 * math.log(255))
    weight = {j: math.exp(-0.5 * (j / sigma) ** 2) for j in range(-reach, reach + 1)}
    before: list[bool] | None = None
    while True:
        averages = []
        for k in range(len(vector)):
            near = [j for j in weight if 0 <= k + j < len(vector)]
            averages.append(sum(weight[j] * vector[k + j] for j in near) / sum(weight[j] for j in near))
        vector = averages
        keep = [any(vector[k] > threshold for k in own) for own in places]
        if keep == before:
            return keep
        before = keep
