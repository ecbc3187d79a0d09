"""Other libraries, each at work with ours; what is not installed is skipped, with the reason."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from tests.archives import page
from tests.local_site import LocalSite, Reply
from thresher.arrow import TableOptions, schema
from thresher.arrow import extract as extract_table
from thresher.errors import FetchError
from thresher.result.inputs import InputError

ROOT = Path(__file__).parents[1]
FILE = ROOT / "examples/threshing.html"
HTML = FILE.read_text(encoding="utf-8")
FIRST = "A flail is two sticks and a strap."


def library(name: str, install: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed: pip install {install}")


@pytest.fixture(scope="module")
def barn() -> Iterator[LocalSite]:
    answers = {"/flail": Reply(HTML.encode()), "/gone": Reply(b"<p>Not here.", 404)}
    with LocalSite(answers) as site:
        yield site


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("langchain", "langchain_core"),
        ("llama_index", "llama_index"),
        ("haystack", "haystack"),
        ("datatrove", "datatrove"),
        ("nemo_curator", "nemo_curator"),
        ("scrapy", "scrapy"),
        ("fastapi", "fastapi"),
    ],
)
def test_without_its_library_a_module_says_what_to_install(module: str, name: str) -> None:
    code = f"import sys; sys.modules[{name!r}] = None\nimport thresher.integrations.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "MissingExtra: this needs" in done.stderr
    assert "pip install" in done.stderr


@pytest.mark.parametrize("module", ["ray", "spark", "dask"])
def test_batch_engines_are_not_imported(module: str) -> None:
    code = f"import sys, thresher.integrations.{module}\nassert not {{'ray', 'pyspark', 'dask'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_langchain_loads_addresses_and_files(barn: LocalSite) -> None:
    library("langchain_core", "langchain-core")
    from thresher.integrations.langchain import ThresherLoader

    loader = ThresherLoader([barn.url("/flail"), FILE], allow_hosts=[barn.host])
    fetched, read = loader.load()
    assert FIRST in fetched.page_content
    assert "\n## Working in time" in read.page_content
    assert fetched.metadata["source"] == barn.url("/flail")
    assert (read.metadata["title"], read.metadata["status"]) == ("How a flail works", "ok")
    assert next(loader.lazy_load()).metadata == fetched.metadata


def test_langchain_raises_or_skips_what_cannot_be_read(tmp_path: Path) -> None:
    library("langchain_core", "langchain-core")
    from thresher.integrations.langchain import ThresherLoader

    sources = [tmp_path / "none.html", FILE]
    with pytest.raises(InputError, match="no such file"):
        ThresherLoader(sources).load()
    assert len(ThresherLoader(sources, on_error="skip").load()) == 1
    with pytest.raises(FetchError):  # the gate is the same as everywhere
        ThresherLoader("http://127.0.0.1/").load()


def test_langchain_transforms_documents_of_html() -> None:
    core = library("langchain_core.documents", "langchain-core")
    from thresher.integrations.langchain import ThresherTransformer

    given = core.Document(page_content=HTML, metadata={"source": "https://barn.example/flail", "shelf": 3}, id="one")
    (document,) = ThresherTransformer(form="text").transform_documents([given])
    assert document.page_content.startswith("How a flail works\n\n" + FIRST)
    assert (document.metadata["shelf"], document.metadata["title"], document.id) == (3, "How a flail works", "one")


def test_llama_index_reads_addresses_and_files(barn: LocalSite) -> None:
    library("llama_index.core", "llama-index-core")
    from thresher.integrations.llama_index import ThresherReader

    reader = ThresherReader(allow_hosts=[barn.host])
    documents = reader.load_data([barn.url("/flail"), FILE])
    assert [FIRST in document.text for document in documents] == [True, True]
    assert documents[0].metadata["title"] == "How a flail works"
    assert documents[0].id_ == barn.url("/flail")


def test_haystack_converts_in_a_pipeline(barn: LocalSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = library("haystack", "haystack-ai")
    from haystack.dataclasses import ByteStream

    from thresher.integrations.haystack import ThresherConverter

    pipeline = haystack.Pipeline()
    pipeline.add_component("converter", ThresherConverter(options={"allow_hosts": [barn.host]}))
    stream = ByteStream(HTML.encode(), meta={"url": "https://barn.example/flail"})
    sources = [stream, FILE, barn.url("/flail"), "no-such-file.html"]
    documents = pipeline.run({"converter": {"sources": sources, "meta": {"shelf": 3}}})["converter"]["documents"]
    assert [FIRST in document.content for document in documents] == [True] * 3
    assert {document.meta["shelf"] for document in documents} == {3}
    assert documents[0].meta["source"] == "https://barn.example/flail"


def test_a_haystack_component_is_written_and_read_again() -> None:
    library("haystack", "haystack-ai")
    from thresher.integrations.haystack import ThresherConverter

    converter = ThresherConverter("text", {"focus": "precision"})
    again = ThresherConverter.from_dict(converter.to_dict())
    assert (again.form, again.options) == ("text", {"focus": "precision"})


def test_datatrove_extracts_an_archive_in_its_local_executor(tmp_path: Path) -> None:
    library("datatrove", "datatrove")
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    from thresher.integrations.datatrove import ThresherExtractor

    try:
        WarcReader(str(tmp_path))
    except ImportError as missing:
        pytest.skip(f"datatrove cannot read archives here: {missing}")
    (tmp_path / "crawl").mkdir()
    with open(tmp_path / "crawl/pages.warc.gz", "wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number in range(3):
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            url = f"https://example.org/{number}"
            writer.write_record(
                writer.create_warc_record(url, "response", payload=io.BytesIO(page(number)), http_headers=head)
            )
    steps = [
        WarcReader(str(tmp_path / "crawl")),
        ThresherExtractor(timeout=60),
        JsonlWriter(str(tmp_path / "out")),
    ]
    LocalPipelineExecutor(steps, logging_dir=str(tmp_path / "logs")).run()
    (written,) = (tmp_path / "out").glob("*.jsonl.gz")
    rows = [json.loads(line) for line in gzip.decompress(written.read_bytes()).splitlines()]
    assert [row["text"].splitlines()[0] for row in rows] == ["Page 0", "Page 1", "Page 2"]
    assert all("Imprint" not in row["text"] for row in rows)
    assert rows[0]["metadata"]["url"] == "https://example.org/0"


def test_nemo_curator_gets_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a stand-in with the signature that NeMo Curator documents, where it is not installed."""
    try:
        import nemo_curator  # noqa: F401
    except ImportError:
        stand_in(monkeypatch)
    from thresher.integrations.nemo_curator import ThresherAlgorithm

    algorithm = ThresherAlgorithm(focus="precision")
    paragraphs = algorithm.extract_text(HTML, frozenset({"the", "a"}), "ENGLISH")
    assert paragraphs is not None
    assert paragraphs[0] == "How a flail works"
    assert any(paragraph.startswith(FIRST) for paragraph in paragraphs)
    assert algorithm.extract_text("<p>", frozenset(), "ENGLISH") is None


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    from abc import ABC, abstractmethod
    from types import ModuleType

    class HTMLExtractorAlgorithm(ABC):
        @abstractmethod
        def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None: ...

    name = "nemo_curator.stages.text.download.html_extractors.base"
    for end in range(1, name.count(".") + 2):
        part = ".".join(name.split(".")[:end])
        monkeypatch.setitem(sys.modules, part, ModuleType(part))
    monkeypatch.setattr(sys.modules[name], "HTMLExtractorAlgorithm", HTMLExtractorAlgorithm, raising=False)
    monkeypatch.delitem(sys.modules, "thresher.integrations.nemo_curator", raising=False)


def test_scrapy_extracts_responses_and_items(barn: LocalSite, tmp_path: Path) -> None:
    library("scrapy", "scrapy")
    spider = f"""
import scrapy
from thresher.integrations.scrapy import extract_response

class Barn(scrapy.Spider):
    name = "barn"
    start_urls = [{barn.url("/flail")!r}]
    custom_settings = {{
        "ITEM_PIPELINES": {{"thresher.integrations.scrapy.ThresherPipeline": 300}},
        "THRESHER_KEEP_HTML": False,
        "TELNETCONSOLE_ENABLED": False,
    }}

    def parse(self, response):
        yield {{"url": response.url, "html": response.body, "own": extract_response(response).title}}
        yield {{"note": "no page in this"}}
"""
    (tmp_path / "spider.py").write_text(spider)
    command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    items = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    (filled,) = [item for item in items if "url" in item]
    assert FIRST in filled["text"]
    assert (filled["title"], filled["own"], filled["status"]) == ("How a flail works", "How a flail works", "ok")
    assert filled["html"] is None
    assert {"note": "no page in this"} in items


def test_a_fastapi_router_extracts(barn: LocalSite) -> None:
    fastapi = library("fastapi", "'thresher[web]'")
    from fastapi.testclient import TestClient

    from thresher.integrations.fastapi import create_router

    app = fastapi.FastAPI()
    app.include_router(create_router(workers=1, allow_hosts=(barn.host,)), prefix="/pages")
    with TestClient(app) as client:
        given = client.post("/pages/extract", json={"html": HTML, "formats": ["html"]}).json()
        assert (given["title"], given["status"]) == ("How a flail works", "ok")
        assert FIRST in given["html"]
        fetched = client.post("/pages/extract", json={"url": barn.url("/gone")}).json()
        assert fetched["http"]["status"] == 404
        refused = client.post("/pages/extract", json={"url": "http://127.0.0.1:9/"})
        assert (refused.status_code, refused.json()["detail"]["code"]) == (502, "blocked_address")
        assert client.post("/pages/extract", json={}).status_code == 400


def pages(count: int = 6) -> pyarrow.Table:
    numbers = range(count)
    return pyarrow.table(
        {"url": [f"https://example.org/{n}" for n in numbers], "html": [page(n) for n in numbers], "n": list(numbers)}
    )


def test_ray_data_maps_batches_with_workers_that_keep_their_state() -> None:
    library("ray", "'ray[data]'")
    import ray
    import ray.data

    from thresher.integrations.ray import Extract

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        texts = ray.data.from_arrow(pages()).map_batches(
            Extract,
            batch_format="pyarrow",
            batch_size=2,
            concurrency=1,
            fn_constructor_kwargs={"markdown": True, "pass_on": ["n"]},
        )
        rows = sorted(texts.take_all(), key=lambda row: row["n"])
    finally:
        ray.shutdown()
    assert [row["title"] for row in rows] == [f"Page {n}" for n in range(6)]
    assert rows[0]["markdown"].startswith("# Page 0")


def test_the_columns_for_spark_are_those_of_the_schema() -> None:
    from thresher.integrations.spark import columns, in_arrow, in_pandas

    listed = dict(part.split(" ") for part in columns(markdown=True).split(", "))
    assert list(listed) == schema(TableOptions(markdown=True)).names
    assert (listed["text"], listed["http_status"], listed["warnings"]) == ("string", "int", "array<string>")
    expected = extract_table(pages(2), workers=0)
    assert pyarrow.Table.from_batches(in_arrow(workers=0)(iter(pages(2).to_batches()))).equals(expected)
    library("pandas", "pandas")
    (frame,) = in_pandas(workers=0)(iter([pages(2).to_pandas()]))
    assert frame["text"].tolist() == expected.column("text").to_pylist()


def test_spark_maps_a_data_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    library("pyspark", "'thresher[spark]'")
    library("pandas", "pandas")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java, which is not installed")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    from thresher.integrations.spark import columns, in_arrow, in_pandas

    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    try:
        frame = spark.createDataFrame(pages(3).drop_columns(["n"]).to_pandas())
        rows = frame.mapInArrow(in_arrow(), columns()).collect()
        assert sorted(row.title for row in rows) == ["Page 0", "Page 1", "Page 2"]
        again = frame.mapInPandas(in_pandas(workers=0), columns()).collect()
        assert sorted(row.text for row in again) == sorted(row.text for row in rows)
    finally:
        spark.stop()


def test_dask_maps_partitions() -> None:
    frames = library("dask.dataframe", "'dask[dataframe]'")
    from thresher.integrations.dask import extract_frame

    texts = extract_frame(frames.from_pandas(pages().to_pandas(), npartitions=2), pass_on=["n"], workers=0)
    assert list(texts.columns) == [*schema().names, "n"]
    result = texts.compute(scheduler="sync")
    assert result["title"].tolist() == [f"Page {n}" for n in range(6)]
    assert result["n"].tolist() == list(range(6))
