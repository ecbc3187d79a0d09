"""The figure of docs/cluster.md: python benchmarks/figure_cluster.py SITES/NAME PAGE -o docs/images/cluster.png

Renders some pages of a saved site (a folder of the data set `sites`), clusters their blocks, and draws the clusters
over one of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from thresher import render
from thresher.errors import FetchError, RenderError
from thresher.methods.cluster import learning, picture
from thresher.methods.cluster.blocks import of_pages
from thresher.methods.cluster.relevance import by_site
from thresher.render.serving import serve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("page", help="below SITE/files")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--height", type=int, default=2200, help="of the picture, from the top")
    chosen = parser.parse_args()
    root = chosen.site / "files"
    others = sorted(file.relative_to(root).as_posix() for file in root.rglob("*.html"))
    names = [chosen.page, *(name for name in others if name != chosen.page)][: chosen.pages]
    with serve(root) as host, render.Pool() as pool:
        how = {"allow_hosts": (host,), "pool": pool}
        shot = render.with_screenshot(f"http://{host}/{chosen.page}", **how)
        pages = [shot.page]
        for name in names[1:]:
            try:
                pages.append(render.render(f"http://{host}/{name}", **how))
            except (FetchError, RenderError) as error:  # a page that goes on to another site
                print(f"{name}: {error}")
    blocks = of_pages(pages)
    found = learning.cluster(blocks)
    labels = by_site(blocks, found.number, "pieces")
    png = picture.draw(shot.png, blocks, 0, found.number, labels.cluster)
    chosen.output.write_bytes(cropped(png, chosen.height))
    held = {int(number) for number in found.number[blocks.of(0)]}
    print(f"{len(pages)} pages, {len(blocks)} blocks, {found.clusters.count} clusters, {len(held - {-1})} on this page")


def cropped(png: bytes, height: int) -> bytes:
    """The top of a picture, in a palette of 128 colours: a figure in the documentation need not be heavy."""
    from io import BytesIO

    from PIL import Image

    with Image.open(BytesIO(png)) as whole:
        part = whole.crop((0, 0, whole.width, min(height, whole.height))).quantize(128)
    sink = BytesIO()
    part.save(sink, "PNG", optimize=True)
    return sink.getvalue()


if __name__ == "__main__":
    main()
