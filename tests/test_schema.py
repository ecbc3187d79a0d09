"""What is written keeps to the schema that `thresher schema` prints."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import thresher
from tests.archives import page
from thresher.batch.job import Job
from thresher.batch.record import PageRecord
from thresher.batch.rows import row
from thresher.batch.schema import in_schema
from thresher.cli import main

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")

ROOT = Path(__file__).parents[1]
FORUM = "".join(
    f"<div class=post id=p{n}><a class=author href=/u/{n}>User {n}</a> <time datetime=2024-05-0{n + 1}>day</time>"
    f"<div class=content><p>Post number {n} has something to say about threshing, and says it at length.</div></div>"
    for n in range(4)
)
PAGES = {
    "article": (ROOT / "examples/threshing.html").read_bytes(),
    "forum": f"<title>Thread</title><main class=thread><h1>Thread</h1>{FORUM}</main>".encode(),
    "empty": b"",
    "shell": b"<div id=root></div><script src=a.js></script>",
    "pdf": b"%PDF-1.7",
    "cut": b"<div>" * 5_000 + b"deep",
}


def schema(kind: str) -> Any:
    printed = CliRunner().invoke(main, ["schema", kind])
    assert printed.exit_code == 0
    described = json.loads(printed.output)
    jsonschema.Draft202012Validator.check_schema(described)
    return jsonschema.Draft202012Validator(described)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("blocks", [False, True])
def test_results_keep_to_it(name: str, blocks: bool) -> None:
    record = json.loads(json.dumps(thresher.extract(PAGES[name]).to_dict(blocks=blocks)))
    schema("result").validate(record)
    known = set(schema("result").schema["properties"])
    assert known - set(record) <= {"blocks"}
    assert set(record) <= known, "a field that the schema lacks"


def test_posts_are_described() -> None:
    posts = thresher.extract(PAGES["forum"]).to_dict()["posts"]
    described = schema("result").schema["properties"]["posts"]["items"]["properties"]
    assert all(set(post) == set(described) for post in posts)


def test_the_schema_refuses_what_is_not_a_result() -> None:
    good = thresher.extract(PAGES["article"]).to_dict()
    for wrong in ({"status": "splendid"}, {"confidence": "high"}, {"warnings": "none"}, {"posts": [{}]}):
        assert not schema("result").is_valid({**good, **wrong})
    assert not schema("result").is_valid({name: value for name, value in good.items() if name != "text"})


def test_lines_of_the_command_keep_to_it(tmp_path: Path) -> None:
    files = []
    for name, data in PAGES.items():
        files.append(tmp_path / f"{name}.html")
        files[-1].write_bytes(data)
    for further in ([], ["--min-confidence", "0.999"]):
        printed = CliRunner().invoke(
            main, ["extract", "--json", *further, *map(str, files), str(tmp_path / "none.html")]
        )
        lines = [json.loads(line) for line in printed.stdout.splitlines()]
        assert len(lines) == len(files) + 1
        for line in lines:
            schema("line").validate(line)


def test_rows_of_a_batch_keep_to_it() -> None:
    job = Job((), "", markdown=True)
    record = PageRecord("id", "a.warc.gz", "17", page(1), "http://example.org/1", None, 200, "text/html")
    for each in (record, replace(record, body=b""), replace(record, error="damaged: incorrect data check")):
        written = in_schema(row(each, job), job)
        schema("batch").validate(written)
        assert set(written) <= set(schema("batch").schema["properties"])
