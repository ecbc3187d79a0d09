"""`cluster` on the small websites with gold: python benchmarks/cluster_sites.py SITES KEPT [--pages N]

For each site the key pages and N others are rendered (kept in the folder KEPT, so that a second run is quick).  The
model is learned from all of them, as `thresher site learn` does, without any gold text; its words on the key pages are
compared with the gold.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from urllib.parse import quote

import numpy as np

import thresher
from thresher import render
from thresher.errors import FetchError, RenderError
from thresher.evaluate.measures import bow
from thresher.methods.cluster import learning, model
from thresher.methods.cluster.blocks import of_pages
from thresher.page import Page
from thresher.render.saved import load, save
from thresher.render.serving import serve
from thresher.site.sources import PLACEHOLDER_ROOT, from_folder


def names_of(root: Path, keys: list[str], count: int) -> list[str]:
    """The key pages, and for each its nearest neighbours, in turn."""
    near = []
    for key in keys:
        page = thresher.parse((root / key).read_bytes(), url=PLACEHOLDER_ROOT + quote(key))
        near.append([(other.url or "").removeprefix(PLACEHOLDER_ROOT) for other in from_folder(page, root, count)])
    mixed = [name for group in zip(*near, strict=False) for name in group]
    return list(dict.fromkeys([*map(quote, keys), *mixed]))[: len(keys) + count]


def rendered(site: Path, kept: Path, names: list[str]) -> list[Page | None]:
    found: list[Page | None] = []
    (kept / site.name).mkdir(parents=True, exist_ok=True)
    with serve(site / "files") as host, render.Pool() as pool:
        for name in names:
            file = kept / site.name / f"{name.replace('/', '_')[-150:]}.json.gz"
            if not file.exists():
                try:
                    save(render.render(f"http://{host}/{name}", allow_hosts=(host,), pool=pool), file)
                except (FetchError, RenderError) as error:
                    print(f"{site.name}/{name}: {error}")
                    found.append(None)
                    continue
            found.append(load(file))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sites", type=Path)
    parser.add_argument("kept", type=Path)
    parser.add_argument("--pages", type=int, default=8)
    chosen = parser.parse_args()
    print("| site | pages | clusters | compared with | best cluster: P | R | F1 | grown: P | R | F1 | auto: F1 |")
    print("|---" * 11 + "|")
    scores = []
    for folder in sorted(chosen.sites.iterdir()):
        if not (folder / "site.json").exists():
            continue
        about = json.loads((folder / "site.json").read_text(encoding="utf-8"))
        keys = [key["path"] for key in about["key_pages"]]
        names = names_of(folder / "files", keys, chosen.pages)
        if len(names) < 4:
            continue
        found = rendered(folder, chosen.kept, names)
        pages = [page for page in found if page is not None]
        blocks = of_pages(pages)
        own = []
        ways = [learning.learn(blocks, labelling=way, check=False) for way in ("site", "grown")]
        made = [model.made_of(way, blocks) for way in ways]
        for key, page in zip(about["key_pages"], found, strict=False):
            if page is None:
                continue
            alone = of_pages([page])
            gold = (folder / key["gold_file"]).read_text(encoding="utf-8")
            plain = thresher.extract((folder / "files" / key["path"]).read_bytes()).text
            row = []
            for one in made:
                said = one.margins(alone) > 0
                score = bow(gold, "\n".join(alone.text[k] for k in np.flatnonzero(said)))
                row += [score.precision, score.recall, score.f1]
            own.append((*row, bow(gold, plain).f1))
        mean = np.mean(own, axis=0)
        scores += own
        said = ", ".join(f"{name} {count}" for name, count in ways[0].labels.sources.items())
        cells = " | ".join(f"{value:.2f}" for value in mean)
        print(f"| {folder.name} | {len(pages)} | {ways[0].clustered.clusters.count} | {said} | {cells} |", flush=True)
    print("| mean | | | | " + " | ".join(f"{value:.3f}" for value in np.mean(scores, axis=0)) + " |")


if __name__ == "__main__":
    main()
