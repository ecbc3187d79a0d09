"""What the kernels need of the module `cython` to run uncompiled where Cython is not installed: nothing is done."""

from __future__ import annotations

from typing import Any, TypeVar

__all__ = ["boundscheck", "cast", "ccall", "cfunc", "compiled", "declare", "exceptval", "inline", "nogil"]

Value = TypeVar("Value")

compiled = False


class _Nothing:
    """A decorator, a decorator with arguments, a context, a type: all of them without effect."""

    def __call__(self, *arguments: Any, **_: Any) -> Any:
        return arguments[0] if arguments and callable(arguments[0]) else self

    def __getitem__(self, _: object) -> _Nothing:
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


boundscheck = ccall = cfunc = exceptval = inline = nogil = _Nothing()


def declare(_: object, value: Value) -> Value:
    """The value of a C variable."""
    return value


def cast(_: object, value: Value) -> Value:
    """The value, whatever its C type would be."""
    return value


def __getattr__(_: str) -> _Nothing:
    """Any C type."""
    return _Nothing()
