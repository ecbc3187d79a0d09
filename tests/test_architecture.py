"""docs/architecture.md is the map: everything stands on it, and imports point up it only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/thresher"
MAP = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1]
LINES = re.findall(r"^(\w+)/?(?= )", MAP, re.MULTILINE)
FILES = {path.relative_to(SOURCE).with_suffix("").parts: path for path in SOURCE.rglob("*.py")}
MODULES = {".".join(parts).removesuffix(".__init__"): path for parts, path in FILES.items() if parts[0] != "__init__"}
PACKAGES = sorted(name for name, path in MODULES.items() if path.name == "__init__.py")
# What is made of methods.
EXCEPTIONS = {("seeker", "methods"), ("site.memory", "methods")}


def imports(path: Path) -> Iterator[str]:
    """Modules of ours that a file imports, at its top or inside of a function, but not for types alone."""
    for node in runs(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("thresher.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("thresher"):
            package = f"{node.module}."[len("thresher.") :]
            for alias in node.names:
                yield package + alias.name if package + alias.name in MODULES else package[:-1]


def runs(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a tree but those that only a type checker reads."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield child
            yield from runs(child)


IMPORTS = {name: {other for other in imports(path) if other in MODULES} for name, path in MODULES.items()}


def test_the_map_names_everything_there_is():
    there = {name.partition(".")[0] for name in MODULES} - {"__main__"}
    assert sorted(LINES) == sorted(there)


@pytest.mark.parametrize("package", sorted({name.partition(".")[0] for name in MODULES} - {"__main__"}))
def test_imports_point_up_the_map(package):
    for name, others in IMPORTS.items():
        if name.partition(".")[0] != package:
            continue
        below = {other for other in others if LINES.index(other.partition(".")[0]) > LINES.index(package)}
        allowed = {other for who, other in EXCEPTIONS if f"{name}.".startswith(f"{who}.")}
        assert {other for other in below if other.partition(".")[0] not in allowed} == set(), name


def test_no_module_imports_itself_by_way_of_others():
    TopologicalSorter(IMPORTS).prepare()  # CycleError names them


@pytest.mark.parametrize("package", PACKAGES)
def test_the_first_lines_of_a_package_name_what_is_in_it(package):
    words = set(re.findall(r"\w+", ast.get_docstring(ast.parse(MODULES[package].read_text(encoding="utf-8"))) or ""))
    inside = {name.removeprefix(f"{package}.") for name in MODULES if name.startswith(f"{package}.")}
    inside = {name for name in inside if "." not in name}
    if package.startswith("cli"):  # "one file per command"
        inside -= {
            name for name in inside if re.search(r"^def command\(", MODULES[f"{package}.{name}"].read_text(), re.M)
        }
    if package == "methods":  # "the folder is the registry"
        inside = {name for name in inside if name.startswith("_")}
    assert inside - words == set()
