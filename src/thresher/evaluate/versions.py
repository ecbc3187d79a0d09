"""The version of a method: a digest of the code and data that its verdict depends on.

That is `result/extraction.py`, the method's own module, what these two import from this package, directly or not
(parsing, decoding, output, and whatever a method shares with others), the word lists and weights in `data/`, a model
of one's own (`auto:model=mine.npz`), and the measures.  So a change in one method leaves the results of the others
valid.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

import thresher
from thresher.evaluate import peers
from thresher.evaluate.results import FLOOR

ROOT = Path(thresher.__file__).parent
_MODEL = re.compile(r":model=([^:]+?)(?=:|\+siblings|\+rendered|$)")
MEASURING = ("evaluate/measures.py", "evaluate/elements.py", "evaluate/extractors.py", "text/lcs.py")


def version(method: str) -> str:
    """A digest for one of our methods; library and version for a peer, with the digest of its adapter."""
    measuring = [ROOT / name for name in MEASURING]
    if method.startswith(peers.PREFIX):
        return f"{peers.version(method)} {digest([Path(peers.__file__), *measuring])}"
    data = list(ROOT.glob("data/**/*"))
    if method.startswith(FLOOR):
        return f"selectolax {metadata.version('selectolax')} {digest([*closure([ROOT / 'parse/parse.py']), *data])}"
    module = _files(("thresher", "methods", method.partition("+")[0].partition(":")[0]))
    code = digest([*closure([ROOT / "result/extraction.py", *module]), *data, *measuring])
    models = [Path(path) for path in _MODEL.findall(method)]
    return " ".join(
        [code, *(hashlib.sha256(model.read_bytes()).hexdigest()[:12] for model in models if model.is_file())]
    )


def digest(files: Iterable[Path]) -> str:
    """Twelve hexadecimal digits over the names and contents of files, whatever their order."""
    hasher = hashlib.sha256()
    for path in sorted({path for path in files if path.is_file() and path.suffix != ".pyc"}):
        hasher.update(f"{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
        hasher.update(path.read_bytes())
    return hasher.hexdigest()[:12]


def closure(files: Iterable[Path]) -> set[Path]:
    """The files and everything of this package that they import, directly or not."""
    waiting, seen = list(files), set[Path]()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += _imports(path, path.read_bytes())
    return seen


@cache
def _imports(path: Path, source: bytes) -> list[Path]:
    """Files of this package that a source imports.  `from a import b` may mean the module a.b.

    Twenty methods import the same sixty files, and parsing those takes 0.4 s.
    """
    package = ("thresher", *path.relative_to(ROOT).parent.parts)
    modules = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules += [tuple(name.name.split(".")) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = (*base, *(node.module.split(".") if node.module else ()))
            modules += [module, *((*module, name.name) for name in node.names)]
    return [file for module in modules for file in _files(module)]


def _files(module: tuple[str, ...]) -> list[Path]:
    """The file of a module of ours; none for a name that is no module.

    A package is its `__init__.py`: asking for `thresher.methods` is no dependence on every method in it.
    """
    if module[:1] != ("thresher",):
        return []
    path = ROOT.joinpath(*module[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return [file] if file.exists() else []
