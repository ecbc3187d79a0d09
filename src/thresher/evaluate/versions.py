"""The version of a method: a digest of the code and data that its verdict depends on.

What every method shares (parsing, decoding, text output, the word lists and weights in `data/`, the measures)
counts for all.  Beyond that a method depends on its own module and on what that imports from this package,
directly or not.  So a change in one method leaves the results of the others valid.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

import thresher
from thresher.evaluate import peers
from thresher.evaluate.results import FLOOR

ROOT = Path(thresher.__file__).parent
SHARED = ("*.py", "output/**/*.py", "data/**/*", "methods/__init__.py")
MEASURING = ("measures.py", "lcs.py", "elements.py", "extractors.py")


def version(method: str) -> str:
    """A digest for one of our methods; library and version for a peer, with the digest of its adapter."""
    measuring = [ROOT / "evaluate" / name for name in MEASURING]
    if method.startswith(peers.PREFIX):
        return f"{peers.version(method)} {digest([Path(peers.__file__), *measuring])}"
    shared = {path for pattern in SHARED for path in ROOT.glob(pattern)}
    if method.startswith(FLOOR):
        return f"selectolax {metadata.version('selectolax')} {digest(shared)}"
    own = closure(_files(("thresher", "methods", method)), stop=shared)
    return digest([*shared, *own, *measuring])


def digest(files: Iterable[Path]) -> str:
    """Twelve hexadecimal digits over the names and contents of files, whatever their order."""
    found = hashlib.sha256()
    for path in sorted({path for path in files if path.is_file() and path.suffix != ".pyc"}):
        found.update(f"{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def closure(files: Iterable[Path], stop: set[Path]) -> set[Path]:
    """The files and everything of this package that they import, without following imports out of `stop`."""
    waiting, seen = list(files), set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.suffix == ".py" and path not in stop:
            waiting += _imports(path)
    return seen


def _imports(path: Path) -> Iterator[Path]:
    """Files of this package that a source file imports.  `from a import b` may mean the module a.b."""
    package = ("thresher", *path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield from _files(tuple(name.name.split(".")))
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = (*base, *(node.module.split(".") if node.module else ()))
            yield from _files(module)
            for name in node.names:
                yield from _files((*module, name.name))


def _files(module: tuple[str, ...]) -> list[Path]:
    """The files of a module of ours: one, or for a package all that lies in its folder but not below."""
    if module[:1] != ("thresher",) or module == ("thresher",):
        return []
    path = ROOT.joinpath(*module[1:])
    if path.is_dir():
        # Asking for `thresher.methods` is no dependence on every method in it.
        return [path / "__init__.py"] if (path / "__init__.py").exists() else []
    return [path.with_suffix(".py")] if path.with_suffix(".py").exists() else []
