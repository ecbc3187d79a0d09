"""What one extract of a local file loads: the packages it goes through, and of those no part it does not use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parent / "pages"
PAGE, SHORT_PAGE = (str(PAGES / name / "source.html") for name in ("advert-between-articles", "article-inside-main"))
LOADED = """
import json, os, sys
sys.stdout = open(os.devnull, "w")
try:
    CODE
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(sys.modules)), file=sys.__stdout__)
"""
LIBRARY = "import thresher; print(thresher.extract(open({!r}, 'rb').read()).text)"
COMMAND = "from thresher.cli import main; main(['extract', {!r}])"
ROOMS = {"errors", "data", "kernels", "text", "http", "page", "css", "parse", "visible", "output", "methods", "result"}


def loaded(code: str) -> set[str]:
    """The modules that there are in a new process after some code."""
    command = [sys.executable, "-c", LOADED.replace("CODE", code)]
    return set(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


@pytest.fixture(scope="module")
def by_library() -> set[str]:
    return loaded(LIBRARY.format(PAGE))


@pytest.fixture(scope="module")
def by_command() -> set[str]:
    return loaded(COMMAND.format(PAGE))


def ours(modules: set[str]) -> set[str]:
    names = {module.removeprefix("thresher.") for module in modules if module.startswith("thresher.")}
    return names - {"_memoryviews"}  # what all compiled modules share


def of_others(modules: set[str]) -> set[str]:
    """Installed packages, without what an interpreter always loads and what compiled modules bring along."""
    packages = {module.partition(".")[0] for module in modules - loaded("pass")} - sys.stdlib_module_names
    return {name for name in packages if name not in ("thresher", "_memoryviews") and "cython" not in name.lower()}


def test_the_library_loads_the_packages_that_a_page_goes_through(by_library: set[str]) -> None:
    assert {module.partition(".")[0] for module in ours(by_library)} == ROOMS
    assert of_others(by_library) == {"numpy", "selectolax"}


def test_the_command_line_loads_itself_besides(by_library: set[str], by_command: set[str]) -> None:
    more = ours(by_command) - ours(by_library)
    assert {module for module in more if not module.startswith("cli")} == {"result.inputs"}
    assert {module for module in more if module.startswith("cli.")} == {
        f"cli.{name}"
        for name in ("config", "extract", "groups", "options", "program", "rendering", "results", "target")
    }
    assert of_others(by_command) == {"numpy", "selectolax", "click"}


def test_no_method_and_no_form_is_loaded_but_the_one_asked_for(by_library: set[str]) -> None:
    modules = ours(by_library)
    methods = {module.split(".")[1] for module in modules if module.startswith("methods.")}
    assert {method for method in methods if not method.startswith("_")} == {"auto"}
    assert not modules & {f"output.{form}" for form in ("html", "markdown", "xml", "record")}
    assert not modules & {"text.summary", "text.sentences"}


def test_of_metadata_a_short_page_needs_the_head_alone(by_library: set[str]) -> None:
    """It may be there to send its readers on."""
    more = ours(loaded(LIBRARY.format(SHORT_PAGE))) - ours(by_library)
    assert more == {"metadata", "metadata.head", "metadata.clean"}


@pytest.mark.parametrize(
    ("code", "own", "expected"),
    [
        ("import thresher", None, "20"),
        ("import thresher", "26", "26"),
        ("import numpy, thresher", None, "None"),
    ],
)
def test_threads_of_the_matrix_library_do_not_spin_unless_somebody_else_has_loaded_it(
    code: str, own: str | None, expected: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_THREAD_TIMEOUT"}
    environment |= {} if own is None else {"OPENBLAS_THREAD_TIMEOUT": own}
    command = [sys.executable, "-c", f"import os; {code}; print(os.environ.get('OPENBLAS_THREAD_TIMEOUT'))"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == expected
