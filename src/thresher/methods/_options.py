"""The options of a method by name, checked before any work is done.

The type of each field of a method's `Options` says what it may hold:

    int, float, bool, str, None      a value of this kind; a whole number is a number, too
    Literal["article", "main"]       one of these
    Annotated[int, Bounds(1)]        a value of this kind within bounds: Count, Whole, Share, Amount
    Annotated[str, Several(names)]   some of these names, joined by +
    X | Y                            what either may hold
    anything else                    pages and arrays: no text, no number, and not looked at further

A method is called by its name, and its options can be part of that: `lqf:quota=0.75`, `dsc:window=25:share=0.4`.  Where
its module names sets of options in `VARIANTS`, so can these: `seeker:lbs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from functools import cache
from numbers import Integral, Real
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from thresher.errors import UnknownMethod, WrongOption

__all__ = ["Amount", "Bounds", "Count", "Several", "Share", "Whole", "checked", "described", "named", "option"]


_MAX_VALUE = 1_000_000  # beyond it arrays do not fit into memory


class Bounds(NamedTuple):
    least: float
    most: float = _MAX_VALUE

    def __str__(self) -> str:
        return f"from {self.least} on" if self.most == _MAX_VALUE else f"from {self.least} to {self.most}"

    def holds(self, value: float) -> bool:
        return self.least <= value <= self.most


class Several(NamedTuple):
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"made of these names, joined by +: {', '.join(self.names)}"

    def holds(self, value: str) -> bool:
        return not value or set(value.split("+")) <= set(self.names)


Count = Annotated[int, Bounds(1)]
Whole = Annotated[int, Bounds(0)]
Share = Annotated[float, Bounds(0, 1)]
Amount = Annotated[float, Bounds(0)]

_KINDS: Mapping[Any, tuple[type, str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "text"),
    NoneType: (NoneType, "None"),
}
_WORDS = {"true": True, "false": False, "none": None}


Value = TypeVar("Value")


def option(default: Value, help: str) -> Value:
    """A field of an `Options` class: its default, and a line on what it does."""
    described_field: Value = field(default=default, metadata={"help": help})
    return described_field


def checked(method: ModuleType, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options as given; WrongOption where the method has none of that name, or cannot take the value."""
    for name, value in given.items():
        kind = _type(method, name)
        if not _fits(kind, value):
            words = _in_words(kind) or "given in Python, as pages or arrays"
            raise WrongOption(f"{_of(method)}: {name} is {words}, not {value!r}")
    return given


def named(method: ModuleType, parts: str) -> dict[str, Any]:
    """The options in what follows the colon of a name: `quota=0.75`, `window=25:share=0.4`, `lbs`."""
    variants: Mapping[str, Mapping[str, Any]] = getattr(method, "VARIANTS", {})
    options: dict[str, Any] = {}
    for part in parts.split(":"):
        name, equals, value = part.partition("=")
        if equals:
            options[name] = _read(_type(method, name), value)
        elif part in variants:
            options |= variants[part]
        else:
            have = [f"{_of(method)}:{one}" for one in (*variants, *(f"{name}=…" for name in _types(method)))]
            raise UnknownMethod(f"{_of(method)} has no variant {part!r}; it has: {', '.join(have) or 'none'}")
    checked(method, options)
    return options


def described(method: ModuleType) -> list[str]:
    """Each option with its default, what it may hold, and its help."""
    return [
        "; ".join(filter(None, (f"`{one.name}` = `{one.default!r}`", _in_words(kind), one.metadata.get("help"))))
        for one, kind in zip(fields(method.Options), _types(method).values(), strict=True)
    ]


@cache
def _types(method: ModuleType) -> Mapping[str, Any]:
    """The type of each option, in the order of the class."""
    hints = get_type_hints(method.Options, include_extras=True)
    return {one.name: hints[one.name] for one in fields(method.Options)}


def _in_words(kind: Any) -> str:
    """What an option of this type may hold; "" where it is not looked at."""
    if get_origin(kind) is Annotated:
        base, bounds = get_args(kind)
        return f"{_in_words(base)} {bounds}"
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if get_origin(kind) in (Union, UnionType):
        words = [*map(_in_words, get_args(kind))]
        return " or ".join(words) if all(words) else ""
    return _KINDS[kind][1] if kind in _KINDS else ""


def _type(method: ModuleType, name: str) -> Any:
    known = _types(method)
    if name not in known:
        raise WrongOption(f"no option {name!r} in method {_of(method)}; it has: {', '.join(known) or 'none'}")
    return known[name]


def _of(method: ModuleType) -> str:
    return method.__name__.rpartition(".")[2]


def _fits(kind: Any, value: Any) -> bool:
    if get_origin(kind) is Annotated:
        base, bounds = get_args(kind)
        return _fits(base, value) and bool(bounds.holds(value))
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return any(_fits(one, value) for one in get_args(kind))
    if kind not in _KINDS:
        return not isinstance(value, (str, Real))
    return isinstance(value, _KINDS[kind][0]) and (kind is bool or not isinstance(value, bool))


def _read(kind: Any, text: str) -> Any:
    """The value that a text stands for: the first reading that fits, or the text itself for the message."""
    for reading in (text, _WORDS.get(text.lower(), text), *_numbers(text)):
        if _fits(kind, reading):
            return reading
    return text


def _numbers(text: str) -> list[float]:
    numbers: list[float] = []
    for number in (int, float):
        try:
            numbers.append(number(text))
        except ValueError:
            continue
    return numbers
