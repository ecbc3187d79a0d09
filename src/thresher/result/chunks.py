"""The result in pieces for language models: `result.chunks(max_tokens=500)`.

A chunk is a slice of `result.markdown`.  It ends before a heading or between paragraphs; a heading never ends one.
Tables and code stay whole, even where they exceed the limit.  A longer paragraph or list is cut between lines or
sentences, and a longer sentence between words.  Each chunk knows the headings above it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from thresher.text.sentences import sentence_pieces

__all__ = ["Chunk", "chunks"]

_BYTES_PER_TOKEN = 4  # of UTF-8, about what tokenizers of language models have in European languages
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6}) +(.*?)(?: +#+)?$")
_PIPE_TABLE = re.compile(r"\|.*\n\|[ :|-]+(?:\n|$)")
_TABLE_TAG = re.compile(r"<table\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a result."""

    text: str  # Markdown: result.markdown[start:stop]
    headings: tuple[str, ...]  # from the outermost to the innermost that it stands under, its own first one included
    start: int
    stop: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A paragraph, list, table, listing or heading; `level` is that of a heading, else 0."""

    start: int
    stop: int
    level: int
    is_whole: bool  # must not be cut


def chunks(markdown: str, max_tokens: int = 500, tokenizer: Callable[[str], Any] | Any = None) -> list[Chunk]:
    """Cut Markdown that `thresher` has written.

    `tokenizer` is a function from a text to its tokens or their number, or something with a method `encode`; without
    one a token is four bytes.
    """
    if max_tokens < 1:
        raise ValueError(f"max_tokens is a number from 1 on, not {max_tokens}")
    count = _counter(tokenizer)
    result: list[Chunk] = []
    path: list[tuple[int, str]] = []  # the headings that are open, with their levels
    for start, stop in _spans(markdown, list(_parts(markdown)), max_tokens, count):
        text = markdown[start:stop].rstrip()
        if not text:
            continue
        own = list(_headings(text))
        above = _opened(path, own[:1]) if own and text.startswith("#") else path
        result.append(Chunk(text, tuple(title for _, title in above), start, start + len(text), count(text)))
        path = _opened(path, own)
    return result


def _spans(markdown: str, parts: list[_Part], limit: int, count: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    """Where the chunks begin and end."""
    begin = 0  # the first part of the chunk
    for at, part in enumerate(parts):
        start = parts[begin].start
        if count(markdown[start : part.stop]) <= limit:
            continue
        cut = at
        while cut > begin and parts[cut - 1].level:  # a heading goes with what follows it
            cut -= 1
        if cut > begin:
            yield start, parts[cut - 1].stop
            begin, start = cut, parts[cut].start
        if count(markdown[start : part.stop]) > limit and not part.is_whole:
            *whole, (start, stop) = _cut(markdown, start, part.stop, limit, count)
            yield from whole
            parts[at] = _Part(start, stop, 0, False)
            begin = at
    if begin < len(parts):
        yield parts[begin].start, parts[-1].stop


def _parts(markdown: str) -> Iterator[_Part]:
    """The text in parts that blank lines separate, fenced code in one part."""
    at = start = 0
    fence = ""
    for line in markdown.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        if not fence and not line.strip():
            if at > start:
                yield _part(markdown, start, at)
            start = at + len(line)
        at += len(line)
    if at > start:
        yield _part(markdown, start, at)


def _part(markdown: str, start: int, stop: int) -> _Part:
    text = markdown[start:stop].rstrip("\n")
    heading = _HEADING.fullmatch(text)
    is_whole = bool(heading or _FENCE.match(text) or _PIPE_TABLE.match(text) or _TABLE_TAG.match(text))
    return _Part(start, start + len(text), len(heading[1]) if heading else 0, is_whole)


def _cut(markdown: str, start: int, stop: int, limit: int, count: Callable[[str], int]) -> list[tuple[int, int]]:
    """A stretch that is too long, cut where a line ends, else a sentence, else a word, else anywhere."""
    pieces = [(start, stop)]
    for size in (_lines, _sentences, _words, list):
        pieces = [
            smaller
            for a, b in pieces
            for smaller in (_split(markdown, a, b, size) if count(markdown[a:b]) > limit else [(a, b)])
        ]
    return _packed(markdown, pieces, limit, count)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _sentences(text: str) -> list[str]:
    return list(sentence_pieces(text))


def _words(text: str) -> list[str]:
    return re.findall(r"\S+\s*|\s+", text)


def _split(markdown: str, start: int, stop: int, size: Callable[[str], list[str]]) -> list[tuple[int, int]]:
    spans = []
    for piece in size(markdown[start:stop]):
        spans.append((start, start + len(piece)))
        start += len(piece)
    return spans


def _packed(
    markdown: str, pieces: list[tuple[int, int]], limit: int, count: Callable[[str], int]
) -> list[tuple[int, int]]:
    """Pieces that follow one another, as many together as the limit allows."""
    packed = [pieces[0]]
    for start, stop in pieces[1:]:
        if count(markdown[packed[-1][0] : stop]) <= limit:
            packed[-1] = (packed[-1][0], stop)
        else:
            packed.append((start, stop))
    return packed


def _headings(text: str) -> Iterator[tuple[int, str]]:
    for part in _parts(text):
        if part.level:
            match = _HEADING.fullmatch(text[part.start : part.stop])
            assert match
            yield part.level, match[2]


def _opened(path: list[tuple[int, str]], headings: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The headings that are open after some more."""
    for level, title in headings:
        path = [(above, name) for above, name in path if above < level] + [(level, title)]
    return path


def _counter(tokenizer: Any) -> Callable[[str], int]:
    if tokenizer is None:
        return lambda text: -(-len(text.encode()) // _BYTES_PER_TOKEN)
    encode = getattr(tokenizer, "encode", tokenizer)
    if not callable(encode):
        raise TypeError("tokenizer is a function from a text to its tokens, or has a method `encode`")

    def count(text: str) -> int:
        tokens = encode(text)
        return tokens if isinstance(tokens, int) else len(tokens)

    return count
