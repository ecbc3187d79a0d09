"""The tables of docs/cluster.md: python benchmarks/cluster.py DATA clusters|labels|regimes|speed [--clustering kmeans]

DATA is the folder of `rendered-blocks`: the pages of five sites, and `chaos`, mixed pages with gold texts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from thresher.learn.labels import label, words_of
from thresher.methods.cluster import learning, regimes
from thresher.methods.cluster.blocks import SiteBlocks, of_renderings
from thresher.methods.cluster.dbscan import dbscan
from thresher.methods.cluster.distance import space
from thresher.methods.cluster.kmeans import kmeans
from thresher.methods.cluster.learning import Clustering, HeldOutScore, score
from thresher.methods.cluster.relevance import by_page, by_site, labelled

Bools = NDArray[np.bool_]

SITES = ("npr", "techcrunch", "sina", "usatoday", "prothomalo")
MEASURES = ("subsequence", "pieces")
ENOUGH = 8  # pages of a site, for cross-validation within it


def renderings(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(gzip.decompress(file.read_bytes())) for file in sorted(folder.glob("*.json.gz"))]


def gold_labels(blocks: SiteBlocks, folder: Path) -> Bools:
    """Blocks of which more than half of the words are in the gold text."""
    content = np.zeros(len(blocks), bool)
    for page, file in enumerate(sorted(folder.glob("*.gold.txt"))):
        rows = blocks.of(page)
        words = [words_of(blocks.text[row]) for row in rows]
        hits = label(words, file.read_text(encoding="utf-8"))
        content[rows] = 2 * hits > np.maximum([len(own) for own in words], 1)
    return content


def hosts(blocks: SiteBlocks) -> list[str]:
    return [urlsplit(facts.url or "").hostname or "" for facts in blocks.pages]


def by_host(pages: Sequence[dict[str, Any]], blocks: SiteBlocks) -> Iterator[tuple[str, SiteBlocks, NDArray[np.intp]]]:
    """Each site of the mixed pages: its name, its blocks, and which rows of all blocks these are."""
    host = np.array(hosts(blocks))
    for name in sorted(set(host.tolist())):
        own = np.flatnonzero(host == name)
        yield name, of_renderings([pages[page] for page in own]), np.flatnonzero(np.isin(blocks.page, own))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    for row in rows:
        print("| " + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row) + " |")
    print()


def clusters(data: Path, clustering: Clustering) -> None:
    """What the best cluster of each site holds."""
    rows, samples = [], []
    for site in SITES:
        blocks = of_renderings(renderings(data / site))
        found = learning.cluster(blocks, clustering=clustering)
        for measure in MEASURES:
            labels = by_site(blocks, found.number, measure)
            local = by_page(blocks, found.number, measure)
            best = np.flatnonzero(labels.content)
            ends = Counter(">".join(blocks.selector[k][-2:]) for k in best)
            scores = np.sort(labels.score)[::-1]
            differ = sum(
                bool((labels.content != local.content)[blocks.of(page)].any()) for page in range(len(blocks.pages))
            )
            rows.append(
                (
                    site,
                    measure,
                    len(blocks.pages),
                    len(blocks),
                    found.clusters.count,
                    int((found.number < 0).sum()),
                    found.clusters.eps,
                    len(best),
                    len(set(blocks.page[best].tolist())),
                    int(np.median([len(blocks.text[k]) for k in best])),
                    ends.most_common(1)[0][1] / len(best),
                    f"{scores[0] / max(scores[1], 1):.1f}",
                    differ,
                )
            )
        name, count = ends.most_common(1)[0]
        samples.append(f"- **{site}**: `{name}` ({count} of {len(best)}): " + sample(blocks, best))
    table(
        "site|relevance|pages|blocks|clusters|noise|eps|best: blocks|on pages|characters (median)|homogeneity"
        "|score / second|pages on which the page's own best differs".split("|"),
        rows,
    )
    print("\n".join(samples))


def sample(blocks: SiteBlocks, rows: NDArray[np.intp]) -> str:
    chosen = rows[np.linspace(0, len(rows) - 1, 3).astype(int)]
    return "; ".join(f"“{blocks.text[k][:70].strip()}…”" for k in chosen)


def labels(data: Path, clustering: Clustering) -> None:
    """Self-labels against gold on the mixed pages."""
    pages = renderings(data / "chaos")
    blocks = of_renderings(pages)
    gold = gold_labels(blocks, data / "chaos")
    size = np.array([len(text) for text in blocks.text])
    pool = learning.cluster(blocks, clustering=clustering).number
    alone = np.full(len(blocks), -1, np.intp)
    for page in range(len(pages)):
        alone[blocks.of(page)] = learning.cluster(of_renderings([pages[page]]), clustering=clustering).number
    rows = []
    for measure in MEASURES:
        host = {name: np.zeros(len(blocks), bool) for name in ("site", "page", "grown")}
        for _, own, places in by_host(pages, blocks):
            number = learning.cluster(own, clustering=clustering).number
            for name in host:
                host[name][places] = labelled(own, number, measure, name).content  # type: ignore[arg-type]
        found = {
            "all pages as one site, one best cluster": by_site(blocks, pool, measure).content,
            "all pages as one site, best cluster per page": by_page(blocks, pool, measure).content,
            "each page clustered alone": by_page(blocks, alone, measure).content,
            "each host a site, one best cluster (Algorithm 1)": host["site"],
            "each host a site, best cluster per page": host["page"],
            "each host a site, one best cluster, grown": host["grown"],
        }
        for name, content in found.items():
            weighted = weights(content, gold, size)
            rows.append((name, measure, *score(content, gold), *weighted))
    print(f"{len(pages)} pages, {len(blocks):,} blocks, {int(gold.sum()):,} of them gold\n")
    table(("labels", "relevance", "P", "R", "F1", "P by characters", "R", "F1"), rows)


def weights(said: Bools, true: Bools, size: NDArray[np.int64]) -> HeldOutScore:
    hits, found, wanted = (int(size[mask].sum()) for mask in (said & true, said, true))
    return HeldOutScore(hits / max(found, 1), hits / max(wanted, 1), 2 * hits / max(found + wanted, 1))


def compared(data: Path, clustering: Clustering) -> None:
    """Three regimes, five sets of features."""
    rows: list[tuple[object, ...]] = []

    def add(name: str, found: Sequence[dict[str, HeldOutScore]]) -> None:
        for features in found[0]:
            mean = np.mean([one[features] for one in found], axis=0)
            rows.append((name, features, *map(float, mean)))

    single = []
    for site in SITES:
        blocks = of_renderings(renderings(data / site))
        content = learning.learn(blocks, labelling="site", clustering=clustering, check=False).labels.content
        single.append(regimes.compare(blocks, content, regimes.random_mix(blocks)))
    add("one site (mean of five), against self-labels", single)
    pages = renderings(data / "chaos")
    blocks = of_renderings(pages)
    gold = gold_labels(blocks, data / "chaos")
    on_gold, on_own = [], []
    for _, own, places in by_host(pages, blocks):
        if len(own.pages) >= ENOUGH:
            parts = regimes.random_mix(own)
            on_gold.append(regimes.compare(own, gold[places], parts))
            content = learning.learn(own, labelling="site", clustering=clustering, check=False).labels.content
            on_own.append(regimes.compare(own, content, parts, true=gold[places]))
    add(f"one site (mean of {len(on_gold)} hosts of chaos), gold", on_gold)
    add("the same, trained on self-labels, tested on gold", on_own)
    unseen, mixed = regimes.unseen_sites(blocks, hosts(blocks)), regimes.random_mix(blocks)
    add("unseen sites, gold", [regimes.compare(blocks, gold, unseen)])
    add("random mix, gold", [regimes.compare(blocks, gold, mixed)])
    paths = ("tag path", "css selectors")
    for name, parts in {"unseen sites": unseen, "random mix": mixed}.items():
        add(f"{name}, gold, whole strings", [regimes.compare(blocks, gold, parts, whole_strings=True, sets=paths)])
    table(("regime", "features", "P", "R", "F1"), rows)


def speed(data: Path, clustering: Clustering) -> None:
    """Clustering 10,000 blocks of the mixed pages."""
    pages = renderings(data / "chaos")
    while sum(len(page["texts"]) for page in pages) > 10_000:
        pages.pop()
    blocks = of_renderings(pages)
    start, cpu = time.perf_counter(), time.process_time()
    points = space(blocks)
    between = time.process_time()
    found = dbscan(points) if clustering == "dbscan" else kmeans(blocks, points)
    print(
        f"{len(blocks):,} blocks, {len(points):,} distinct: distances of sets {between - cpu:.1f} s, {clustering} "
        f"{time.process_time() - between:.1f} s of CPU ({time.perf_counter() - start:.1f} s by the clock), "
        f"{found.count} clusters, eps {found.eps:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("what", choices=["clusters", "labels", "regimes", "speed"])
    parser.add_argument("--clustering", choices=["dbscan", "kmeans"], default="dbscan")
    chosen = parser.parse_args()
    run = {"clusters": clusters, "labels": labels, "regimes": compared, "speed": speed}[chosen.what]
    run(chosen.data, chosen.clustering)


if __name__ == "__main__":
    main()
