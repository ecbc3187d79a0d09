"""docs/architecture.md draws the layers: every package stands in one, and imports point to lower layers only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/thresher"
LAYERS = [
    re.findall(r"\w+", line[:35])  # what a room is for stands behind
    for line in (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1].strip().splitlines()
]
LAYER = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
FILES = {path.relative_to(SOURCE).with_suffix("").parts: path for path in SOURCE.rglob("*.py")}
MODULES = {
    ".".join(parts).removesuffix(".__init__"): path
    for parts, path in FILES.items()
    if len(parts) > 1 or parts == ("errors",)
}
PACKAGES = sorted(name for name, path in MODULES.items() if path.name == "__init__.py")


def imports(path: Path, typing: bool = True) -> Iterator[str]:
    """Modules of ours that a file imports: at its top, inside of a function, or for types alone."""
    for node in nodes(ast.parse(path.read_text(encoding="utf-8")), typing):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("thresher.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("thresher"):
            package = f"{node.module}."[len("thresher.") :]
            for alias in node.names:
                yield package + alias.name if package + alias.name in MODULES else package[:-1]


def nodes(tree: ast.AST, typing: bool) -> Iterator[ast.AST]:
    """All nodes of a tree, with or without those that only a type checker reads."""
    for child in ast.iter_child_nodes(tree):
        if typing or not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield child
            yield from nodes(child, typing)


IMPORTS = {name: set(imports(path)) & MODULES.keys() for name, path in MODULES.items()}


def room(module: str) -> str:
    return module.partition(".")[0]


def test_every_room_is_on_the_map():
    assert sorted(LAYER) == sorted({room(name) for name in MODULES} | {"data"})


def test_there_are_fifteen_layers():
    assert len(LAYERS) == 15


@pytest.mark.parametrize("name", sorted(LAYER))
def test_imports_point_to_lower_layers(name):
    edges = {(module, other) for module in IMPORTS if room(module) == name for other in IMPORTS[module]}
    assert {(a, b) for a, b in edges if room(b) != name and LAYER[room(b)] >= LAYER[name]} == set()


def test_no_module_imports_itself_by_way_of_others():
    running = {name: set(imports(path, typing=False)) & MODULES.keys() for name, path in MODULES.items()}
    TopologicalSorter(running).prepare()  # CycleError names them


def test_no_two_public_classes_have_one_name():
    homes: dict[str, list[str]] = {}
    for name, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(name)
    del homes["Options"]  # each method has its own
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}


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
