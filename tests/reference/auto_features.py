"""The features of `auto`, one block and one number at a time, as the docstrings of methods/auto have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from math import log1p

import numpy as np

from thresher.data.tags import BLOCK, HEADINGS, TAGS
from thresher.methods.auto.elements import INSIDE
from thresher.methods.auto.script import is_foreign
from thresher.page import Page
from thresher.page.columns import capitals, chars, digits, punctuation, sentence_ends, words
from thresher.visible.readable import readable

__all__ = ["Slow"]


class Slow:
    """A page in Latin letters that says nothing of itself in its data."""

    def __init__(self, page: Page) -> None:
        assert not is_foreign(page)
        self.page, self.seen = page, readable(page)
        shown = [text for text in range(len(page.block)) if self.seen[text]]
        self.blocks = [[t for t in shown if page.block[t] == number] for number in dict.fromkeys(page.block[shown])]
        self.counted = {
            "words": words(page), "chars": chars(page), "digits": digits(page), "capitals": capitals(page),
            "punctuation": punctuation(page), "ends": sentence_ends(page),
        }  # fmt: skip
        self.at = [int(page.owner[block[0]]) for block in self.blocks]
        self.levels = [self._levels(block) for block in range(len(self.blocks))]

    # ---- the tree ----------------------------------------------------------------------------------------------

    def tag(self, row: int) -> str:
        return TAGS[self.page.tag[row]]

    def path(self, row: int) -> list[int]:
        return [row, *self.page.ancestors(row)]

    def rows(self, row: int) -> range:
        return range(row, int(self.page.end[row]))

    def held(self, row: int) -> list[int]:
        """The blocks that begin in an element."""
        return [b for b, texts in enumerate(self.blocks) if self.page.first[row] <= texts[0] < self.page.last[row]]

    def _levels(self, block: int) -> list[int]:
        path = self.path(self.at[block])
        rows = [next((row for row in path if self.tag(row) in BLOCK), 0)]
        while len(rows) < 6:
            larger = (row for row in self.path(rows[-1]) if self.held(row) != self.held(rows[-1]))
            rows.append(next(larger, 0))
        return rows

    # ---- numbers -----------------------------------------------------------------------------------------------

    def count(self, name: str, texts: list[int] | range) -> int:
        chosen = [text for text in texts if self.seen[text]]
        if name in ("linked", "emphasis"):
            tags = ("a",) if name == "linked" else ("b", "strong", "em", "i", "mark", "u")
            above = self.path if name == "linked" else lambda row: [row]
            chosen = [t for t in chosen if any(self.tag(row) in tags for row in above(int(self.page.owner[t])))]
            name = "chars"
        return int(sum(self.counted[name][text] for text in chosen))

    def own(self, name: str, block: int) -> int:
        texts = self.blocks[block]
        return self.count(name, range(texts[0], texts[-1] + 1))

    def of(self, name: str, row: int) -> int:
        return self.count(name, range(int(self.page.first[row]), int(self.page.last[row])))

    def is_prose(self, block: int, most: float = 0.35, least_words: int = 0) -> bool:
        linked = self.own("linked", block) < most * max(self.own("chars", block), least_words > 0)
        return self.own("ends", block) > 0 and linked and self.own("words", block) >= least_words

    def marks(self, row: int, *tags: str) -> int:
        return sum(self.tag(one) in tags for one in self.rows(row))

    # ---- columns -----------------------------------------------------------------------------------------------

    def features(self) -> Iterator[dict[str, float]]:
        run, prose = self.run()
        container = self.container(prose)
        for block in range(len(self.blocks)):
            yield {
                **self._own(block), **self._place(block), **self._repeats(block),
                **{k: v for level in range(6) for k, v in self._container(block, level).items()},
                **self._prose(block, run, prose, container), **self._signs(block),
            }  # fmt: skip

    def _own(self, b: int) -> dict[str, float]:
        size, texts = max(self.own("chars", b), 1), self.blocks[b]
        text = self.page.utf8[self.page.start[texts[0]] : self.page.stop[texts[-1]]]
        begin, end = chr(text[0]), chr(text[-1])
        rank = self.tag(self.levels[b][0])
        values = {
            "size": log1p(size), "words": log1p(self.own("words", b)), "linked": self.own("linked", b) / size,
            "word_length": min(size / max(self.own("words", b), 1), 20) / 5, "sentences": log1p(self.own("ends", b)),
            "punctuation": 10 * self.own("punctuation", b) / size, "digits": self.own("digits", b) / size,
            "capitals": 2 * self.own("capitals", b) / size, "emphasis": self.own("emphasis", b) / size,
            "begins_capital": begin.isascii() and begin.isupper(), "begins_digit": begin in "0123456789",
            "begins_other": begin < "0" or "9" < begin < "A" or "Z" < begin < "a",
            "ends_colon": end == ":", "ends_question": end == "?", "ends_sentence": end in '.!?"\x82',
            "texts": log1p(texts[-1] - texts[0]), "few_words": self.own("words", b) <= 3,
            "beyond_ascii": min(max(len(text) / size - 1.2, 0), 2),
            "heading_rank": (6 - HEADINGS.index(rank)) / 3 if rank in HEADINGS else 0,
        }  # fmt: skip
        inside = {
            f"in {name}": any(self.tag(r) in tags for r in self.path(self.at[b])) for name, tags in INSIDE.items()
        }
        return {f"own {name}": float(value) for name, value in values.items()} | inside

    def _container(self, b: int, level: int) -> dict[str, float]:
        row = self.levels[b][level]
        size, held = max(self.of("chars", row), 1), self.held(row)
        everything = [c for c in range(len(self.blocks)) if self.is_prose(c)]
        unlinked = {c: self.own("chars", c) - self.own("linked", c) for c in everything}
        values = {
            "size": log1p(size), "share": size / max(self.of("chars", 0), 1), "linked": self.of("linked", row) / size,
            "sentences": min(self.of("ends", row) / size * 100, 4), "text_per_block": log1p(size / len(held)),
            "blocks": log1p(len(held)), "share_of_blocks": len(held) / len(self.blocks),
            "children": log1p(sum(int(parent) == row for parent in self.page.parent)),
            "prose": sum(unlinked.get(c, 0) for c in held) / max(sum(unlinked.values()), 1),
            "images": log1p(self.marks(row, "img", "picture", "video", "figure", "svg")),
            "controls": log1p(self.marks(row, "input", "button", "select", "textarea", "label")),
            "headings": min(self.marks(row, *HEADINGS) / len(held), 1),
            "place": (b + 0.5 - held[0]) / len(held), "digits": self.of("digits", row) / size,
        }  # fmt: skip
        return {f"level {level} {name}": value for name, value in values.items()}

    def _repeats(self, b: int) -> dict[str, float]:
        def signature(c: int, levels: slice) -> list[tuple[str, str | None]]:
            return [(self.tag(row), self.page.attribute(row, "class")) for row in self.levels[c][levels]]

        def shape(c: int) -> np.float32:
            names = ("chars", "punctuation", "capitals", "words")
            length, marks, capital, word = (np.float32(self.own(name, c)) for name in names)
            prime = np.float32(1009)
            return ((length * prime + marks) * prime + capital) * prime + word

        every = range(len(self.blocks))
        total = max(sum(self.own("chars", c) for c in every), 1)
        path = [c for c in every if signature(c, slice(3)) == signature(b, slice(3))]
        near = self.tag(self.levels[b][0])
        place = [c for c in every if self.tag(self.levels[c][0]) == near]
        place = [c for c in place if signature(c, slice(1, 3)) == signature(b, slice(1, 3))]
        return {
            "same_path": log1p(len(path)), "same_path_text": sum(self.own("chars", c) for c in path) / total,
            "same_place": log1p(len(place)), "same_place_text": sum(self.own("chars", c) for c in place) / total,
            "same_words": log1p(sum(shape(c) == shape(b) for c in every)),
        }  # fmt: skip

    def _place(self, b: int) -> dict[str, float]:
        every, total = range(len(self.blocks)), max(self.of("chars", 0), 1)
        in_tag: Callable[..., list[int]] = lambda *tags: [  # noqa: E731
            c for c in every if any(self.tag(row) in tags for row in self.path(self.at[c]))
        ]
        headings, main = in_tag(*HEADINGS), in_tag("h1")[:1]
        away = b - main[0] if main else 0
        next_row = self.at[b + 1] if b + 1 < len(every) else len(self.page)
        texts = self.blocks[b]
        values = {
            "place": b / len(every), "depth": min(len(self.path(self.at[b])) - 1, 40) / 20,
            "text_before": self.count("chars", range(texts[0])) / total,
            "text_after": self.count("chars", range(texts[-1] + 1, len(self.seen))) / total,
            "since_heading": log1p(b - max((h for h in headings if h <= b), default=-1)),
            "to_heading": log1p(min((h for h in headings if h >= b), default=2 * len(every)) - b),
            "from_main_heading": log1p(away) if away >= 0 else -log1p(-away),
            "gap_before": log1p(max(self.at[b] - self.at[b - 1], 0)) if b else 0,
            "gap_after": log1p(max(next_row - self.at[b], 0)),
        }  # fmt: skip
        return {f"at {name}": value for name, value in values.items()}

    def run(self) -> tuple[tuple[int, int], list[float]]:
        """The first of the shortest runs with the highest sum, and the words of prose of each block."""
        prose, value = [], []
        for b in range(len(self.blocks)):
            linked = self.own("linked", b) / max(self.own("chars", b), 1)
            is_prose = self.is_prose(b, least_words=4)
            prose.append(self.own("words", b) * (1 - linked) if is_prose else 0)
            value.append(prose[-1] if is_prose else -min(4 + self.own("words", b), 25))
        sums = [0.0, *accumulate(value)]
        runs = ((sums[stop] - sums[begin], -stop, begin) for stop in range(len(sums)) for begin in range(stop + 1))
        _, stop, begin = max(runs, key=lambda one: (round(one[0], 3), *one[1:]))
        return (begin, -stop), prose

    def container(self, prose: list[float]) -> tuple[int, dict[int, float]]:
        score = dict.fromkeys(range(len(self.page)), 0.0)
        for level, share in ((1, 1.0), (2, 0.5), (3, 0.25)):
            for b, row in enumerate(rows[level] for rows in self.levels):
                score[row] += share * min(prose[b], 80)
        for row in score:
            score[row] *= 1 - self.of("linked", row) / max(self.of("chars", row), 1)
        return max(score, key=lambda row: round(score[row], 6)), score

    def _prose(
        self, b: int, run: tuple[int, int], prose: list[float], container: tuple[int, dict[int, float]]
    ) -> dict[str, float]:
        begin, stop = run
        size = [self.own("words", c) for c in range(len(self.blocks))]
        top, score = container
        held = self.held(top) or [0]
        after = range(self.at[stop - 1] + 1 if stop else 1, self.at[b] + 1) if b >= stop else range(0)
        articles = [[row for row in self.path(at) if self.tag(row) == "article"] for at in self.at]
        middle = articles[(begin + max(stop - 1, begin)) // 2][:1]
        values = {
            "in_run": begin <= b < stop, "before_run": log1p(sum(size[b:begin])), "after_run": log1p(sum(size[stop:b])),
            "blocks_after_run": log1p(max(b - stop + 1, 0)), "run_share": sum(prose[begin:stop]) / max(sum(prose), 1),
            "run_words": log1p(sum(size[begin:stop])), "in_container": b in self.held(top),
            "container_level": sum(top not in self.rows(row) for row in self.levels[b]) / 3,
            "container_score": score[self.levels[b][1]] / max(score[top], 1e-9),
            "prose_before": log1p(sum(prose[held[0] : b])) if b in self.held(top) else 0,
            "prose_after": log1p(sum(prose[b + 1 : held[-1] + 1])) if b in self.held(top) else 0,
            "headings_after": log1p(sum(self.tag(row) in ("h1", "h2") for row in after)),
            "articles_after": log1p(sum(self.tag(row) == "article" for row in after)),
            "same_article": (1 if articles[b][:1] == middle else -1) if middle else 0,
            "articles_above": min(len(articles[b]), 3),
        }  # fmt: skip
        return {f"prose {name}": float(value) for name, value in values.items()}

    def _signs(self, b: int) -> dict[str, float]:
        every = range(len(self.blocks))
        date = [self._is_date(c) for c in every]
        price = [self._is_price(c) for c in every]
        values = {"date": float(date[b]), "price": float(price[b]), "prices_of_page": log1p(sum(price))}
        for level in (1, 2, 3):
            held = self.held(self.levels[b][level])
            values[f"dates_{level}"] = log1p(sum(date[c] for c in held))
            if level < 3:
                values[f"prices_{level}"] = log1p(sum(price[c] for c in held))
        return {f"sign {name}": value for name, value in values.items()}

    def _is_date(self, b: int) -> bool:
        enough = self.own("digits", b) >= 2 and 5 * self.own("digits", b) >= self.own("chars", b)
        return enough and self.own("words", b) <= 8

    def _is_price(self, b: int) -> bool:
        texts = self.blocks[b]
        text = self.page.utf8[self.page.start[texts[0]] : self.page.stop[texts[-1]]].decode()
        signs = any(sign in "$£¥" or "₠" <= sign <= "₿" or sign in "￥￦" for sign in text)
        return signs and self.own("digits", b) > 0 and self.own("words", b) <= 12
