"""Variants of a method, named behind a colon.

seeker:lbs       `seeker` with the options that its module names in `VARIANTS["lbs"]`
auto:mine.npz    `auto` with a model of one's own (`thresher train`)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import thresher
from thresher import methods
from thresher.errors import NeedsEvidence, NeedsModel, UnknownMethod

__all__ = ["is_variant", "model_file", "split"]

_MODEL = ".npz"


def split(name: str) -> tuple[str, Mapping[str, Any] | None]:
    """The method, and the options of the variant; None where the name has none."""
    method, colon, variant = name.partition(":")
    return method, _variants(method, variant)[variant] if colon else None


def is_variant(name: str) -> bool:
    """Whether this is METHOD:VARIANT.  Raises UnknownMethod with the variants that the method has, or with what is
    wrong with a model."""
    method, colon, variant = name.partition(":")
    if not colon or method not in methods.names():
        return False
    known = _variants(method, variant)
    if variant not in known:
        have = ", ".join(f"{method}:{one}" for one in known) or "none"
        raise UnknownMethod(f"{method} has no variant {variant!r}; it has: {have}")
    if model_file(name) is not None:
        try:
            thresher.extract("<p>A page, to see whether the model is one", method=method, options=known[variant])
        except NeedsModel as error:
            raise UnknownMethod(str(error)) from None
        except NeedsEvidence:  # of which the page has none; others may
            pass
    return True


def model_file(name: str) -> Path | None:
    """The model of one's own that a method is to run with, whatever else it is given (`auto:mine.npz+siblings`)."""
    stem, suffix, _ = name.partition(":")[2].rpartition(_MODEL)
    return Path(stem + suffix) if suffix else None


def _variants(method: str, wanted: str) -> Mapping[str, Mapping[str, Any]]:
    """The variants of a method, with the wanted one if it is a model and the method has such a choice."""
    module = methods.module(method)
    variants: Mapping[str, Mapping[str, Any]] = getattr(module, "VARIANTS", {})
    if wanted.endswith(_MODEL) and "model" in {one.name for one in fields(module.Options)}:
        return {**variants, wanted: {"model": wanted}}
    return variants
