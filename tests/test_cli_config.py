"""Settings of the command line from thresher.toml and pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.test_extraction import ARTICLE
from thresher.cli import main


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page in a folder below the one with settings, which is where one works."""
    folder = tmp_path / "project" / "pages"
    folder.mkdir(parents=True)
    (folder / "page.html").write_text(ARTICLE, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder / "page.html"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path / "project"


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, list(arguments), env=environment)


def is_markdown(result: Result) -> bool:
    assert result.exit_code == 0, result.stderr
    return result.stdout.startswith("# Wheat and chaff")


@pytest.mark.parametrize(
    ("name", "table"), [("thresher.toml", "[extract]"), ("pyproject.toml", "[tool.thresher.extract]")]
)
def test_a_file_above_the_working_folder_sets_options(project: Path, name: str, table: str) -> None:
    assert not is_markdown(run("extract", "page.html"))
    (project / name).write_text(f'{table}\nformat = "md"\n')
    assert is_markdown(run("extract", "page.html"))
    assert is_markdown(run("page.html"))  # the command left out
    assert not is_markdown(run("extract", "page.html", "-f", "text"))  # what is given counts


def test_the_nearest_file_counts_and_other_projects_are_passed_over(project: Path) -> None:
    (project / "thresher.toml").write_text('[extract]\nformat = "markdown"\n')
    (project / "pages" / "pyproject.toml").write_text('[tool.other]\nformat = "html"\n')
    assert is_markdown(run("extract", "page.html"))
    (project / "pages" / "pyproject.toml").write_text('[tool.thresher]\nextract = {format = "html"}\n')
    assert run("extract", "page.html").stdout.startswith("<")


@pytest.mark.parametrize("key", ["with-metadata", "with_metadata"])
def test_hyphens_and_underscores_are_the_same(project: Path, key: str) -> None:
    (project / "thresher.toml").write_text(f"[extract]\n{key} = true\n")
    assert run("extract", "page.html").stdout.startswith("---\n")


def test_lists_options_of_the_program_and_commands_of_groups(project: Path) -> None:
    (project / "thresher.toml").write_text(
        'verbose = true\n[extract]\nallow-host = ["a.intern", "b.intern:80"]\n[site.crawl]\nuser-agent = "barn/1"\n'
    )
    assert is_markdown(run("extract", "page.html", "-f", "markdown"))
    assert run("site", "crawl", "--help").exit_code == 0


def test_help_shows_the_default_that_holds(project: Path) -> None:
    (project / "thresher.toml").write_text('[extract]\nmethod = "bte"\n')
    assert "[default: bte]" in run("extract", "--help").stdout


def test_a_file_is_chosen_or_none_is(project: Path, tmp_path: Path) -> None:
    (project / "thresher.toml").write_text('[extract]\nformat = "markdown"\n')
    other = tmp_path / "other.toml"
    other.write_text('[extract]\nformat = "html"\n')
    assert run("--config", str(other), "extract", "page.html").stdout.startswith("<")
    assert run("extract", "page.html", THRESHER_CONFIG=str(other)).stdout.startswith("<")
    assert not is_markdown(run("--config", "none", "extract", "page.html"))
    assert not is_markdown(run("extract", "page.html", THRESHER_CONFIG="none"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[extract]\nformta = "md"\n', "[extract] formta: no such setting; did you mean format?"),
        ('[extract]\ninputs = "a"\n', "[extract] inputs: no such setting"),
        ("[extract]\nhelp = true\n", "[extract] help: no such setting"),
        ("[extrakt]\n", "extrakt: no such setting; did you mean extract?"),
        ('config = "none"\n', "config: no such setting"),
        ('extract = "md"\n', "[extract] must be a table"),
        ('[extract]\nformat = "doc"\n', "[extract] format: 'doc' is not one of"),
        ("[extract]\njobs = 0\n", "[extract] jobs: 0 is not in the range"),
        ('[extract]\nallow-host = "a"\n', "[extract] allow-host: must be a list"),
        ('[extract]\nmethod = ["bte"]\n', "[extract] method: must be text"),
        ("[extract", "no TOML"),
        ("\xff", "no TOML"),
    ],
)
def test_what_is_wrong_is_named_with_the_file(project: Path, text: str, complaint: str) -> None:
    path = project / "thresher.toml"
    path.write_text(text, encoding="latin-1")
    result = run("extract", "page.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{path}: {complaint}" in result.stderr.replace("\n", " ")
    assert run("--help").exit_code == 0


def test_a_file_that_is_not_there(project: Path) -> None:
    result = run("--config", "missing.toml", "extract", "page.html")
    assert (result.exit_code, "missing.toml: no such file" in result.stderr) == (2, True)


def test_settings_of_other_commands_are_not_looked_at(project: Path) -> None:
    (project / "thresher.toml").write_text('[batch]\nnonsense = 1\n[extract]\nformat = "md"\n')
    assert is_markdown(run("extract", "page.html"))
    assert "[batch] nonsense" in run("batch", "page.html", "-o", "rows").stderr


def test_a_file_that_somebody_else_left_is_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project / "thresher.toml"
    path.write_text('[extract]\nformat = "md"\n')
    monkeypatch.setattr("thresher.cli.config._is_trusted", lambda path: False)
    result = run("extract", "page.html")
    assert not is_markdown(result)
    assert f"{path} belongs to somebody else" in result.stderr
    assert is_markdown(run("--config", str(path), "extract", "page.html"))
