"""How often the verb test of `layout` is right: python benchmarks/layout_verbs.py [WCXB]

200 sentences and labels of English pages, drawn by chance (at most four of a page, at most 160 characters), were tagged
by hand before the test was run on them, and after its word lists were written: y where a verb stands in it (also an
imperative, an infinitive, a participle that acts as a verb), n where none does.  The texts stay in the data set; here
are the tags, in the order of the draw, and a digest that notices another draw.
"""

from __future__ import annotations

import hashlib
import random
import re
import sys

import numpy as np

import thresher
from thresher.evaluate.datasets import DatasetRecord, open_dataset
from thresher.methods.layout.verbs import has_verb
from thresher.page.tree import block_first
from thresher.text.language import detect
from thresher.text.sentences import sentences
from thresher.visible.readable import readable

SEED, DRAWN, OF_A_PAGE, LONGEST = 20261116, 200, 4, 160
DIGEST = "a54cd419ea77"
TAGS = (
    "yyyynnyyynnyyyynynnnyyyynnnnnyynyyyynyyynyyynyyynn"
    "nnnynnnnyyyyyyynnyyyyyyyyyyynnyyyynnnnyyyyynyynnnn"
    "yyyyyyynyyynynyynyyynynnyyyyynynynyyyynnynnynnnnyy"
    "ynyynyyynnynyyynyynnyyynnyyyynyyyynynnynnyynnnyyyn"
)


def lines(record: DatasetRecord) -> list[str]:
    """The sentences of a page's blocks."""
    page = thresher.parse(record.html or b"", url=record.url, encoding="utf-8")
    seen, first = readable(page), block_first(page)
    found = []
    for begin, end in zip(first.tolist(), [*first[1:].tolist(), len(page.start)], strict=True):
        texts = np.flatnonzero(seen[begin:end]) + begin
        pieces = zip(page.spaced[texts].tolist(), page.cut(texts), strict=True)
        text = " ".join("".join((" " if gap else "") + piece for gap, piece in pieces).split())
        found += [line.strip() for line in sentences(text) if len(re.findall(r"\w+", line)) >= 3]
    return found


def draw(path: str) -> list[str]:
    dataset = open_dataset(path)
    ids = list(dataset.ids())
    chance = random.Random(SEED)
    chance.shuffle(ids)
    drawn: list[str] = []
    for id in ids:
        record = dataset.load(id)
        if not isinstance(record, DatasetRecord) or not record.html:
            continue
        some = lines(record)
        if len(some) < 10 or detect(" ".join(some)[:5000])[0] != "en":
            continue
        chance.shuffle(some)
        drawn += [line for line in some if len(line) <= LONGEST][:OF_A_PAGE]
        if len(drawn) >= DRAWN:
            break
    return drawn[:DRAWN]


def main() -> None:
    drawn = draw(sys.argv[1] if len(sys.argv) > 1 else "../shared/data/wcxb")
    digest = hashlib.sha256("\n".join(drawn).encode()).hexdigest()[:12]
    if digest != DIGEST:
        sys.exit(f"another draw ({digest}, not {DIGEST}): the tags do not belong to it")
    pairs = [(has_verb(line), tag == "y", line[-1] in ".!?") for line, tag in zip(drawn, "".join(TAGS), strict=True)]
    for name, some in (("all", pairs), ("with a mark at their end", [pair for pair in pairs if pair[2]])):
        right = sum(said == true for said, true, _ in some)
        both = sum(said and true for said, true, _ in some)
        said, true = sum(pair[0] for pair in some), sum(pair[1] for pair in some)
        print(f"{name}: {len(some)}, right {right / len(some):.3f}, P {both / said:.3f}, R {both / true:.3f}")


if __name__ == "__main__":
    main()
