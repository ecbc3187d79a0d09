"""The methods, one file or package each; the folder is the registry.

A method module has

    NEEDS                               what it cannot do without: a set of "siblings", "layout", "model"
    Options                             a frozen dataclass; its defaults are the paper's, or the docstring owns up.  Of
                                        its fields `focus` and `siblings` come from `thresher.extract`, `model` from
                                        `--model`; `option(default, help)` describes one
    judge(page, options=Options())      Page -> Verdict: the texts that are main content, and where the method can say
                                        more, scores of blocks, chosen elements, confidence, reasons

and where it applies

    RECOVERS = True                     text that a page has only in its data or in closed panels is added
    VARIANTS                            sets of options with a name: `seeker:lbs`
    READS_SOURCE                        options with which it reads the page's source, scripts and styles included
    load_model(file)                    reads the file of option `model`; NeedsModel where it holds none

Nothing else needs to know about it.  `lqf:quota=0.75` is `lqf` with an option (_options).  A method never keeps a text
that `readable` excludes.  What several methods share is in _blur (CCB and its variants), _segments (methods on the
DOM), _template (detectors of templates), _tokens (methods on a sequence of words and tags), _source (such a sequence of
the page's source), _needs (the errors of methods called without what they need) and _models (models as files of
arrays).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol

from thresher.errors import UnknownMethod
from thresher.methods._needs import Need, missing
from thresher.methods._options import checked, described, named
from thresher.page import Page
from thresher.page.types import Bools
from thresher.page.verdict import Verdict

__all__ = [
    "Method", "Need", "Verdict", "check_model", "checked", "describe", "get", "judge", "manual", "missing", "module",
    "names", "needs", "reads_source", "split",
]  # fmt: skip


class Method(Protocol):
    """What `get` returns."""

    def __call__(self, page: Page, options: Any = ...) -> Bools: ...


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(one.name for one in pkgutil.iter_modules(__path__) if not one.name.startswith("_")))


def names() -> list[str]:
    """Every method, sorted."""
    return list(_names())


@cache
def module(name: str) -> ModuleType:
    """The module of a method; the error for an unknown name lists those that exist."""
    if name not in _names():
        raise UnknownMethod(f"no method {name!r}; choose one of: {', '.join(_names())}")
    return import_module(f"{__name__}.{name}")


def split(name: str) -> tuple[ModuleType, dict[str, Any]]:
    """The module of a method, and the options that are part of its name; WrongOption for those that it cannot take."""
    method, colon, parts = name.partition(":")
    methods_module = module(method)
    return methods_module, named(methods_module, parts) if colon else {}


def judge(name: str, page: Page, **options: Any) -> Verdict:
    """The verdict of a method, with options of it beside those in its name."""
    method, named_options = split(name)
    verdict: Verdict = method.judge(page, method.Options(**{**named_options, **options}))
    return verdict


def get(name: str) -> Method:
    """The method of that name: Page -> bool array over page.text."""
    method, named_options = split(name)
    default = method.Options(**named_options)

    def keep(page: Page, options: Any = default) -> Bools:
        mask: Bools = method.judge(page, options).keep
        return mask

    return keep


def needs(name: str) -> frozenset[Need]:
    """What a method cannot do without, less what its name gives it: the file of a model."""
    method, named_options = split(name)
    declared: frozenset[Need] = method.NEEDS
    return declared - ({"model"} if named_options.get("model") else set())


def check_model(name: str) -> None:
    """Read the model that a name gives to its method; NeedsModel where the file holds none."""
    method, named_options = split(name)
    if named_options.get("model"):
        method.load_model(named_options["model"])


def reads_source(method: ModuleType, options: Mapping[str, Any]) -> bool:
    """Whether a method with these options reads the page's source: `parse` is asked for scripts and styles then."""
    wanted: Mapping[str, Any] = getattr(method, "READS_SOURCE", {})
    return bool(wanted) and all(options.get(name) == value for name, value in wanted.items())


def describe(name: str) -> str:
    """The first line of a method's docstring."""
    return (module(name).__doc__ or "").strip().split("\n", 1)[0]


def manual(name: str) -> tuple[str, list[str]]:
    """What there is to know about a method: its docstring, and a line for each of its options."""
    method = module(name)
    return (method.__doc__ or "").strip(), described(method)
