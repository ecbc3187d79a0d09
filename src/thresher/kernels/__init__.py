"""The modules that are compiled where a C compiler is at hand, and whether they are.

They are ordinary Python with Cython's type annotations (its "pure Python mode"): the same file runs compiled, as an
extension module beside it, or as it stands, many times slower and with the same results.  `setup.py` reads the list
below; no_cython stands in where Cython is not installed.  `THRESHER_PURE=1` in the environment runs the sources even
where they are compiled.

They hold typed loops and nothing else.  Compiled, bounds are checked in debug builds only, and that goes for lists and
tuples too; so what handles Python objects stands in the modules around them.  What `cython.declare` names is a variable
of C, which loops read again and again; numbers that the compiler is to know stand in a .pxd (auto/kernels/columns),
and so do loops that loops of another module call (auto/kernels/features).

Loops take arrays.  Compiled they read them as typed buffers; from their sources they are given memoryviews of them,
whose elements are Python's integers, which do not overflow.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

__all__ = ["KERNELS", "PURE", "compiled", "source", "source_spec", "use_sources", "warn_if_slow"]

KERNELS: tuple[str, ...] = (
    "thresher.batch.near_kernels",
    "thresher.css.names",
    "thresher.css.row_match",
    "thresher.css.rule_kernels",
    "thresher.css.selector_reader",
    "thresher.css.suspects",
    "thresher.css.tokeniser",
    "thresher.css.winners",
    "thresher.methods.auto.kernels.blocks",
    "thresher.methods.auto.kernels.candidates",
    "thresher.methods.auto.kernels.containers",
    "thresher.methods.auto.kernels.counts",
    "thresher.methods.auto.kernels.decision",
    "thresher.methods.auto.kernels.described",
    "thresher.methods.auto.kernels.elements",
    "thresher.methods.auto.kernels.features",
    "thresher.methods.auto.kernels.hashing",
    "thresher.methods.auto.kernels.lines",
    "thresher.methods.auto.kernels.links",
    "thresher.methods.auto.kernels.means",
    "thresher.methods.auto.kernels.network",
    "thresher.methods.auto.kernels.own",
    "thresher.methods.auto.kernels.page_type",
    "thresher.methods.auto.kernels.prose",
    "thresher.methods.auto.kernels.repeats",
    "thresher.methods.auto.kernels.signs",
    "thresher.methods.auto.kernels.title",
    "thresher.methods.auto.kernels.units",
    "thresher.methods.auto.kernels.vectors",
    "thresher.methods.auto.kernels.vocabulary",
    "thresher.output.gap_kernels",
    "thresher.output.kernels",
    "thresher.output.line_kernels",
    "thresher.output.survey_kernels",
    "thresher.output.table_kernels",
    "thresher.output.walk_kernels",
    "thresher.page.kernels",
    "thresher.page.tree_kernels",
    "thresher.parse.budget.kernels",
    "thresher.parse.kernels",
    "thresher.visible.colour_kernels",
    "thresher.visible.kernels",
    "thresher.visible.word_kernels",
)
PURE = "THRESHER_PURE"  # of the environment

_ROOT = Path(__file__).parents[2]


def source(name: str) -> Path:
    """The Python source of a kernel module."""
    return _ROOT.joinpath(*name.split(".")).with_suffix(".py")


def compiled() -> bool:
    """Whether all kernels run compiled."""
    return not _wants_sources() and all(map(_is_built, KERNELS))


def use_sources() -> None:
    """Import the kernels from their sources, where the environment asks for it or nothing else is there."""
    if not compiled() and not any(isinstance(finder, _Sources) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Sources())


def warn_if_slow() -> None:
    """Say once that the kernels are not compiled, unless that was asked for."""
    if not compiled() and not _wants_sources():
        advice = "install a C compiler (gcc, clang or MSVC) and run: pip install --force-reinstall --no-deps thresher"
        warnings.warn(f"thresher runs uncompiled and is many times slower; {advice}", RuntimeWarning, stacklevel=2)


def source_spec(name: str, own_name: str) -> ModuleSpec | None:
    """How to load the source of a kernel module, as a module with a name of its own."""
    path = str(source(name))
    return spec_from_file_location(own_name, path, loader=_Loader(own_name, path))


class _Sources:
    """Finds the sources of kernels before the extension modules beside them; importlib.abc, which has a base class for
    it, would load a dozen modules more."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in KERNELS:
            return None
        return source_spec(fullname, fullname)


class _Loader(SourceFileLoader):
    """Loads the source of a kernel module so that its loops take arrays, as compiled ones do."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, FunctionType):
                setattr(module, name, _taking_arrays(value))


def _taking_arrays(loop: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(loop)
    def run(*arguments: Any) -> Any:
        return loop(*(one.data if hasattr(one, "__array_interface__") else one for one in arguments))

    return run


def _wants_sources() -> bool:
    return os.environ.get(PURE, "0") not in ("", "0")


def _is_built(name: str) -> bool:
    return any(source(name).with_suffix(suffix).exists() for suffix in EXTENSION_SUFFIXES)
