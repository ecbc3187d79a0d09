"""Speed of the default method beside other extractors: python benchmarks/auto.py ../shared/data/wcxb

Mean CPU time a page over a sample, all in one process and one run, page by page in turn, so that a noisy machine is
noisy for all of them.  Needs the bench extra.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Callable
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3, help="the best of these counts, page by page")
    arguments = parser.parse_args()

    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text
    from selectolax.lexbor import LexborHTMLParser

    import thresher

    files = sorted((arguments.data / "html").glob("*.html.gz"))
    files = files[:: max(len(files) // arguments.pages, 1)][: arguments.pages]
    pages = [gzip.decompress(file.read_bytes()).decode("utf-8", "replace") for file in files]
    run: dict[str, Callable[[str], object]] = {
        "lexbor parse": LexborHTMLParser,
        "thresher.parse": thresher.parse,
        "thresher.extract(html).text": lambda html: thresher.extract(html).text,
        "resiliparse": lambda html: extract_plain_text(html, main_content=True),
        "trafilatura": trafilatura.extract,
    }
    assert thresher.extract(pages[0]).page  # loads the model
    total = dict.fromkeys(run, 0.0)
    for page in pages:
        for name, extract in run.items():
            rounds = 1 if name == "trafilatura" else arguments.rounds
            total[name] += min(_cpu(extract, page) for _ in range(rounds))
    print(f"{len(pages)} pages, CPU ms a page")
    ours = total["thresher.extract(html).text"]
    for name, seconds in total.items():
        print(f"  {name:<30}{seconds / len(pages) * 1e3:8.2f} ms   ours is {ours / seconds:6.2f} x this")


def _cpu(extract: Callable[[str], object], page: str) -> float:
    start = time.process_time()
    extract(page)
    return time.process_time() - start


if __name__ == "__main__":
    main()
