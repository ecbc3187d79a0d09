"""What the kernels need of the module `cython` to run uncompiled where Cython is not installed: nothing is done."""

from __future__ import annotations

from typing import Any

__all__ = ["cython"]


class _Nothing:
    """A decorator, a decorator with arguments, a context, a type: all of them without effect."""

    compiled = False
    Py_ssize_t = ulonglong = int  # types that numbers of another kind are cast to
    double = float

    def __call__(self, *arguments: Any, **_: Any) -> Any:
        return arguments[0] if arguments and callable(arguments[0]) else self

    def __getitem__(self, _: object) -> _Nothing:
        return self

    def __getattr__(self, _: str) -> _Nothing:
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def declare(self, _: object, value: Any) -> Any:
        """The value of a C variable."""
        return value

    def cast(self, kind: Any, value: Any) -> Any:
        """The value in a type, where that makes a difference."""
        return kind(value) if isinstance(kind, type) else value


cython = _Nothing()
