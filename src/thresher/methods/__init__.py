"""The methods, one file each; the folder is the registry.

A method module has

    Options                              a frozen dataclass; its defaults are the paper's, or the docstring owns up.  Of
                                         its fields `focus` and `siblings` come from `thresher.extract`, `model` from
                                         `--model`
    extract(page, options=Options())     Page -> bool array over page.text, True = main content

and where it can say more

    elements(page, options=Options())    bool array over elements, from methods that choose DOM nodes
    scores(page, options=Options())      how much each block looks like content, 0 … 1
    confidence(page, options=Options())  how far the verdict is to be believed, 0 … 1
    reasons(page, options, block)        why a block was kept or dropped, in words
    RECOVERS = True                      text that a page has only in its data or in closed panels is added
    VARIANTS                             sets of options with a name: `seeker:lbs`

Nothing else needs to know about it.  `lqf:quota=0.75` is `lqf` with an option (_options).  A method never keeps a text
that `readable` excludes.  What several methods share is in _blur (CCB and its variants), _segments (methods on the
DOM), _template (detectors of templates), _tokens (methods on a sequence of words and tags) and _models (models as
files of arrays).
"""

from __future__ import annotations

import pkgutil
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.errors import UnknownMethod
from thresher.methods._options import checked, described, named
from thresher.page import Page

__all__ = ["Method", "checked", "describe", "get", "manual", "module", "names", "split"]


class Method(Protocol):
    """What `get` returns."""

    def __call__(self, page: Page, options: Any = ...) -> NDArray[np.bool_]: ...


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_")))


def names() -> list[str]:
    """Every method, sorted."""
    return list(_names())


def module(name: str) -> ModuleType:
    """The module of a method; the error for an unknown name lists those that exist."""
    if name not in _names():
        raise UnknownMethod(f"no method {name!r}; choose one of: {', '.join(_names())}")
    return import_module(f"{__name__}.{name}")


def split(name: str) -> tuple[ModuleType, dict[str, Any]]:
    """The module of a method, and the options that are part of its name; WrongOption for those that it cannot take."""
    method, colon, parts = name.partition(":")
    found = module(method)
    return found, named(found, parts) if colon else {}


def get(name: str) -> Method:
    """The method of that name: Page -> bool array over page.text."""
    found, options = split(name)
    method: Method = found.extract
    return partial(method, options=found.Options(**options)) if options else method


def describe(name: str) -> str:
    """The first line of a method's docstring."""
    return (module(name).__doc__ or "").strip().split("\n", 1)[0]


def manual(name: str) -> tuple[str, list[str]]:
    """What there is to know about a method: its docstring, and a line for each of its options."""
    method = module(name)
    return (method.__doc__ or "").strip(), described(method)
