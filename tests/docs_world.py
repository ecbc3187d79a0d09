"""The code blocks of the docs, and the world that they speak of: files, archives, and a server for example.org."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

from tests.archives import TEXT, page
from tests.local_site import LocalSite, Reply

__all__ = ["OPEN_GATE", "ROOT", "Code", "blocks", "example_org", "furnish", "skip_without"]

ROOT = Path(__file__).parents[1]

# Pages of this machine may be fetched.
OPEN_GATE = """
from thresher.fetch import addresses

addresses.is_public = lambda address: True
addresses.Policy.names = lambda self, host, port: True
"""


GERMAN = (
    "Der Flegel besteht aus zwei Stöcken und einem Riemen, und ein guter Drescher schlägt damit an einem Tag im Winter "
    "sieben Scheffel Weizen aus den Ähren, wenn die Scheune trocken ist und die Garben gut liegen."
).encode()


DATASETS = ("my-pages", "other-pages", "data/wcxb")
LABELS = {"/html/body/div[2]": "good_segment", "/html/body/div[1]": "bad_segment"}


class Code(NamedTuple):
    page: str
    line: int
    language: str
    info: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(*languages: str) -> list[Code]:
    """The blocks of these languages in all pages."""
    fence = re.compile(rf"^```({'|'.join(languages)})\b([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    sources = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [
        Code(
            str(source.relative_to(ROOT)), text.count("\n", 0, block.start()) + 1, block[1], block[2].strip(), block[3]
        )
        for source in sources
        for text in [source.read_text(encoding="utf-8")]
        for block in fence.finditer(text)
    ]


def skip_without(info: str) -> None:
    """Skip where a module or program of `needs=NAME,…` is not installed."""
    needs = re.search(r"needs=([\w,]+)", info)
    for name in needs[1].split(",") if needs else ():
        if importlib.util.find_spec(name) is None and not shutil.which(name):
            pytest.skip(f"{name} is not installed")


def news(number: int) -> bytes:
    """An article among others of its site."""
    links = "".join(f"<li><a href=/news/{other}>News of day {other}</a></li>" for other in range(15, 20))
    story = "".join(f"<p>On day {number} of the harvest, hour {hour}: {TEXT}</p>" for hour in range(number % 3 + 3))
    return (
        f"<!doctype html><html lang=en><head><title>Day {number}</title></head><body>"
        f"<div id=leftcol><ul><li><a href=/>Home</a></li>{links}</ul></div>"
        f"<div class=entry><h1>Day {number}</h1>{story}</div><p class=share>Share this page with your friends</p>"
        "<footer>© Example, all rights reserved</footer></body></html>"
    ).encode()


def example_org() -> LocalSite:
    example = Reply((ROOT / "examples/threshing.html").read_bytes())
    manual = {f"/manual/{name}": Reply(page(7).replace(b"=/about", b"=/manual/b")) for name in ("", "b")}
    days = {f"/news/{number}": Reply(news(number)) for number in range(15, 20)}
    names = ("/page", "/page?id=7", "/article", "/a", "/b", "/app", "/draft.html")
    archives = {
        "/crawl/pages.warc.gz": archive({f"https://example.org/{number}": page(number) for number in (1, 2, 3)}),
        "/crawl/news.warc.gz": archive({f"https://example.org/news/{number}": news(number) for number in (15, 16)}),
    }
    stored = {path: Reply(body, headers={"Accept-Ranges": "bytes"}) for path, body in archives.items()}
    return LocalSite({"/": Reply(news(14)), **dict.fromkeys(names, example), **manual, **days, **stored})


def furnish(folder: Path, root: str) -> None:
    """The files that the pages speak of; `root` stands for https://example.org."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    shutil.copy(ROOT / "examples/threshing.html", folder / "page.html")
    for name in ("crawl", "saved", "saved-pages", "pages", "mirror/news", "models", *DATASETS):
        (folder / name).mkdir(parents=True)
    for number in (1, 2, 3):
        for name in ("saved", "saved-pages", "pages"):
            (folder / f"{name}/{number}.html").write_bytes(page(number))
    for number in range(15, 20):
        (folder / f"mirror/news/{number}.html").write_bytes(news(number))
        for name in DATASETS:
            (folder / f"{name}/{number}.html").write_bytes(news(number))
            (folder / f"{name}/{number}.txt").write_text(f"Day {number}\n\n{TEXT}")
    days = {f"{root}/news/{number}": news(number) for number in range(15, 20)}
    addresses = [f"{root}/{number}" for number in (1, 2, 3)]
    german = page(4).replace(TEXT.encode(), GERMAN).replace(b"lang=en", b"lang=de")
    pages = {address: page(int(address[-1])) for address in addresses}
    (folder / "crawl/pages.warc.gz").write_bytes(archive({**pages, f"{root}/tag": german}))
    for name in ("crawl/news.warc.gz", "site.warc.gz"):
        (folder / name).write_bytes(archive(days))
    pq.write_table(pa.table({"url": addresses, "content": [page(n) for n in (1, 2, 3)]}), folder / "pages.parquet")
    (folder / "labelled.zip").write_bytes(labelled())
    (folder / "urls.txt").write_text(f"{root}/a\n{root}/b\n")
    shutil.copy(ROOT / "src/thresher/data/auto.npz", folder / "models/mine.npz")


def labelled() -> bytes:
    """A data set as the labelling app hands it out: as many pages as training asks for."""
    file = BytesIO()
    with ZipFile(file, "w") as zipped:
        lines = []
        for number in range(10, 20):
            zipped.writestr(f"{number}.html", news(number))
            zipped.writestr(f"{number}.txt", f"Day {number}\n\n{TEXT}")
            for path, label in LABELS.items():
                about = {"page": str(number), "labeller": "ada", "time": "2026-11-16T03:00:00Z"}
                lines.append(json.dumps({**about, "xpath": path, "label": label}))
        zipped.writestr("labels.jsonl", "\n".join(lines))
    return file.getvalue()


def archive(pages: dict[str, bytes]) -> bytes:
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    file = BytesIO()
    writer = WARCWriter(file, gzip=True)
    for address, body in pages.items():
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(address, "response", payload=BytesIO(body), http_headers=head))
    return file.getvalue()
