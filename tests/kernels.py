"""Kernel modules as they run and from their sources: the same file compiled and uncompiled gives the same."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

from thresher import kernels

__all__ = ["FUZZED", "both", "from_source", "stale"]

FUZZED = int(os.environ.get("THRESHER_FUZZ", "300"))  # random inputs for each kernel


def from_source(name: str) -> ModuleType:
    """A kernel module loaded from its Python file, whatever is compiled; under a name of its own."""
    spec = kernels.source_spec(name, f"{name}__source")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def both(name: str) -> list[ModuleType]:
    """The module as it is imported (compiled, if it was built) and as its source runs."""
    return [import_module(name), from_source(name)]


def stale() -> list[str]:
    """Kernels whose compiled file in this checkout is older than the source."""
    return [name for name in kernels.KERNELS if any(_is_older(file, name) for file in _built(name))]


def _built(name: str) -> list[Path]:
    source = kernels.source(name)
    return [*source.parent.glob(f"{source.stem}.*.so"), *source.parent.glob(f"{source.stem}.*.pyd")]


def _is_older(file: Path, name: str) -> bool:
    return file.stat().st_mtime < kernels.source(name).stat().st_mtime
