"""`thresher evaluate` as a user meets it: output, files, complaints and exit codes."""

from __future__ import annotations

import json
import os
import shutil
from importlib.resources import files

import pytest
from click.testing import CliRunner

from thresher.cli.evaluate import command
from thresher.evaluate import extractors


@pytest.fixture
def data(tmp_path):
    for kind, text in (("article", "Grain in the ear."), ("forum", "Chaff in the wind.")):
        (tmp_path / "data" / kind).mkdir(parents=True)
        (tmp_path / "data" / kind / "1.html").write_text(f"<title>t</title><article><p>{text}</p></article>")
        (tmp_path / "data" / kind / "1.txt").write_text(text)
    return tmp_path / "data"


def call(data, *arguments):
    runner = CliRunner()
    return runner.invoke(command, [str(data), "--jobs", "1", "--cache", str(data.parent / "cache"), *arguments])


def test_tables_on_stdout(data):
    result = call(data, "--methods", "plain", "--measure", "bow,lcs")
    assert result.exit_code == 0, result.output
    assert "plain" in result.stdout
    assert "All pages, lcs" in result.stdout
    assert "article (1)" in result.stdout
    assert "lexbor parse" in result.stdout
    assert result.stderr == ""


def test_json_lines_on_stdout(data):
    result = call(data, "--methods", "plain", "--json")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["id"] for one in objects if one["type"] == "page"] == ["article/1", "forum/1"]
    assert objects[0]["bow"]["f1"] == 1


def test_a_model_of_ones_own_is_measured_beside_the_shipped_one(data, tmp_path):
    model = tmp_path / "my model.npz"
    shutil.copy(files("thresher") / "data" / "auto.npz", model)
    told = call(data, "--methods", f"auto,auto:model={model}", "--json")
    pages = [one for one in map(json.loads, told.stdout.splitlines()) if one["type"] == "page"]
    assert {one["method"] for one in pages} == {"auto", f"auto:model={model}"}
    assert pages[0]["bow"] == pages[1]["bow"]
    for wrong, said in ((f"auto:model={data}.npz", "holds no model"), (f"cetd:model={model}", "no option 'model'")):
        refused = call(data, "--methods", wrong)
        assert refused.exit_code == 2
        assert said in refused.stderr


def test_files_are_written(data):
    report, markdown = data.parent / "r.html", data.parent / "r.md"
    result = call(data, "--methods", "plain", "--report", str(report), "--markdown", str(markdown))
    assert result.exit_code == 0, result.output
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "| plain |" in markdown.read_text(encoding="utf-8")


def test_a_broken_record_is_named_and_the_exit_code_is_1(data):
    (data / "forum" / "2.html").write_text("<p>no gold</p>")
    result = call(data, "--methods", "plain")
    assert result.exit_code == 1
    assert "forum/2: broken, no gold text" in result.stderr
    assert "article (1)" in result.stdout


def test_names_of_any_bytes_reach_tables_and_files_but_no_terminal(data):
    name = os.fsdecode(b"\x1b[31m\xff")
    (data / "forum").rename(data / name)
    (data / name / "lost.html").write_text("<p>no gold</p>")
    report, markdown = data.parent / "r.html", data.parent / "r.md"
    shown = call(data, "--methods", "plain,bte", "--report", str(report), "--markdown", str(markdown))
    told = call(data, "--methods", "plain", "--json")
    for result in (shown, told):
        assert result.exit_code == 1, result.output
        assert "\x1b" not in result.stdout + result.stderr
    assert {json.loads(line).get("page_type") for line in told.stdout.splitlines()} >= {"article", name}
    assert "[31m" in report.read_text("utf-8")
    assert "[31m" in markdown.read_text("utf-8")


def test_a_missing_peer_is_named_and_skipped(data, monkeypatch):
    monkeypatch.setattr(extractors.peers, "version", lambda name: "")
    result = call(data, "--methods", "plain,peer:justext")
    assert result.exit_code == 0, result.output
    assert "peer:justext is not installed" in result.stderr
    assert call(data, "--methods", "peer:justext").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", "nobody"], "no method 'nobody'; choose among"),
        (["--measure", "bleu"], "no measure 'bleu'; choose among: bow, lcs"),
        (["--measure", ","], "nothing to run"),
        (["--limit", "0"], "--limit"),
        (["--by", "colour"], "--by"),
        (["--report", "/no-such-folder/report.html"], "/no-such-folder: no such folder"),
        (["--markdown", "/no-such-folder/results.md"], "/no-such-folder: no such folder"),
    ],
)
def test_wrong_usage_says_what_is_right(data, arguments, message):
    result = call(data, "--methods", "plain", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not result.stdout  # before any work


def test_a_folder_that_is_no_data_set_lists_the_kinds(tmp_path):
    result = CliRunner().invoke(command, [str(tmp_path), "--methods", "plain"])
    assert result.exit_code == 2
    assert "rendered-blocks" in result.stderr


def test_the_help_teaches_with_examples():
    text = CliRunner().invoke(command, ["--help"]).stdout
    assert "thresher evaluate data/wcxb" in text
    assert "Exit status" in text
