"""Variants of a method: `seeker:lbs` is `seeker` with the options that its module names in `VARIANTS["lbs"]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher import methods
from thresher.errors import UnknownMethod

__all__ = ["is_variant", "split"]


def split(name: str) -> tuple[str, Mapping[str, Any] | None]:
    """The method, and the options of the variant; None where the name has none."""
    method, colon, variant = name.partition(":")
    return method, _variants(method)[variant] if colon else None


def is_variant(name: str) -> bool:
    """Whether this is METHOD:VARIANT.  Raises UnknownMethod with the variants that the method has."""
    method, colon, variant = name.partition(":")
    if not colon or method not in methods.names():
        return False
    known = _variants(method)
    if variant not in known:
        have = ", ".join(f"{method}:{one}" for one in known) or "none"
        raise UnknownMethod(f"{method} has no variant {variant!r}; it has: {have}")
    return True


def _variants(method: str) -> Mapping[str, Mapping[str, Any]]:
    variants: Mapping[str, Mapping[str, Any]] = getattr(methods.module(method), "VARIANTS", {})
    return variants
