"""Author, date and title beside trafilatura and newspaper4k, on data sets whose pages have them as labels.

    python benchmarks/metadata.py DATA [DATA …] [--every 3]

A data set is a folder with `ground-truth.jsonl.gz` (`title`, `author`, `publish_date`) and `html/ID.html.gz`, as wcxb
is.  A field counts only on pages that have it as a label:

    precision   right / pages for which the extractor gives the field
    recall      right / pages

A title is right if its letters and digits are those of the label; an author if they share half of the words of the
longer name, or one of several names is; a date if it is the same day.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import thresher

Fields = dict[str, str]
FIELDS = ("author", "date", "title")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_BETWEEN_NAMES = re.compile(r"\s*[;,&|]\s*|\s+(?:and|und|et|y|e)\s+")


def main() -> None:
    """Print a row for each extractor and field."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every so many pages")
    arguments = parser.parse_args()
    extractors = {"Thresher": ours, "trafilatura": trafilatura, "newspaper4k": newspaper4k}
    print("| data | field | pages | " + " | ".join(f"{name} P | R" for name in extractors) + " |")
    print("|---" * (3 + 2 * len(extractors)) + "|")
    for folder in arguments.data:
        counts = {name: Counter[str]() for name in extractors}
        for label, html in pages(folder, arguments.every):
            for name, extract in extractors.items():
                count(counts[name], label, extract(html, label["url"]))
        for field in FIELDS:
            scores = " | ".join(score(counts[name], field) for name in extractors)
            print(f"| {folder.name} | {field} | {counts['Thresher'][f'{field} pages']} | {scores} |")


def pages(folder: Path, every: int) -> Iterator[tuple[Fields, bytes]]:
    """Labels and bytes of the pages that have an author, a date or a title as a label."""
    with gzip.open(folder / "ground-truth.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            record: dict[str, Any] = json.loads(line)
            label = {
                "author": record.get("author") or "",
                "date": (record.get("publish_date") or "")[:10],
                "title": record.get("title") or "",
                "url": record.get("url") or "",
            }
            path = folder / "html" / f"{record['id']}.html.gz"
            if number % every == 0 and path.exists():
                yield label, gzip.decompress(path.read_bytes())


def ours(html: bytes, url: str) -> Fields:
    """What Thresher gives."""
    known = thresher.extract(html, url=url or None).metadata
    return {"author": known.author or "", "date": known.date or "", "title": known.title or ""}


def trafilatura(html: bytes, url: str) -> Fields:
    """What trafilatura gives."""
    from trafilatura import extract_metadata

    known = extract_metadata(html, default_url=url or None)
    if known is None:
        return {}
    return {"author": known.author or "", "date": known.date or "", "title": known.title or ""}


def newspaper4k(html: bytes, url: str) -> Fields:
    """What newspaper4k gives."""
    import newspaper

    article = newspaper.Article(url or "http://page.invalid/", fetch_images=False)
    try:
        article.download(input_html=html.decode("utf-8", "replace"))
        article.parse()
    except Exception:
        return {}
    day = article.publish_date.strftime("%Y-%m-%d") if article.publish_date else ""
    return {"author": "; ".join(article.authors), "date": day, "title": article.title or ""}


def count(counts: Counter[str], label: Fields, given: Fields) -> None:
    """Add one page."""
    for field in FIELDS:
        if label[field]:
            value = given.get(field, "")
            counts[f"{field} pages"] += 1
            counts[f"{field} given"] += bool(value)
            counts[f"{field} right"] += bool(value) and RIGHT[field](value, label[field])


def score(counts: Counter[str], field: str) -> str:
    """Precision and recall."""
    right = counts[f"{field} right"]
    return " | ".join(f"{right / max(counts[f'{field} {of}'], 1):.3f}" for of in ("given", "pages"))


def _is_title(given: str, label: str) -> bool:
    return re.findall(r"\w+", given.lower()) == re.findall(r"\w+", label.lower())


def _is_author(given: str, label: str) -> bool:
    return any(_is_name(one, other) for one in _names(given) for other in _names(label))


def _names(value: str) -> list[set[str]]:
    names = [set(re.findall(r"\w+", name.lower())) for name in _BETWEEN_NAMES.split(value)]
    return [name for name in names if name]


def _is_name(one: set[str], other: set[str]) -> bool:
    return 2 * len(one & other) >= max(len(one), len(other))


def _is_date(given: str, label: str) -> bool:
    day = _DAY.match(given)
    return day is not None and day[0] == label[:10]


RIGHT: dict[str, Callable[[str, str], bool]] = {"author": _is_author, "date": _is_date, "title": _is_title}

if __name__ == "__main__":
    main()
