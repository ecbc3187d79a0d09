"""Random arguments for a kernel: arrays of the shapes it needs, whose numbers may point outside of one another.

Shapes are written one for each argument: "M N+1 6,B -" are an array as long as there are M, one longer than N, one of
six rows and B columns, and a number.  M, N, B and K are of one to eight; U are forty bytes.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["arguments", "assert_source_gives_the_same", "result"]

KINDS: dict[str, type[np.number[Any]]] = {
    "uchar": np.uint8, "schar": np.int8, "short": np.int16, "int": np.int32, "uint": np.uint32, "longlong": np.int64,
    "ulonglong": np.uint64, "Py_ssize_t": np.intp, "float": np.float32, "double": np.float64,
}  # fmt: skip
RISING = {"sums", "marks", "before", "chars", "prose", "running"}  # sums over what stands before
INDICES = {"int", "short", "schar", "Py_ssize_t"}
TEXTS = {"utf8", "markup", "data", "body", "text"}
LETTERS = np.frombuffer("aab Z-ä编辑カ.$£&\xa01".encode(), np.uint8)


def array(chance: np.random.Generator, name: str, annotation: str, shape: list[int]) -> NDArray[Any]:
    """Numbers, some of them too low or too high where that is not ruled out; bytes of a text."""
    if name in TEXTS:
        return chance.choice(LETTERS, shape)
    kind = re.findall(r"cython\.(?!const)(\w+)", annotation)[0]
    is_index = kind in INDICES and name not in RISING
    values = chance.integers(-3 if is_index else 0, 12, shape)
    if name in RISING:
        values.sort(axis=-1)
    values = values.astype(KINDS[kind])
    if is_index and "const" in annotation and chance.random() < 0.3:
        limits = np.iinfo(values.dtype)
        values[chance.random(shape) < 0.2] = chance.choice([limits.min, limits.max])
    return values


def arguments(chance: np.random.Generator, function: Any, shapes: str) -> list[Any]:
    sizes = {letter: int(chance.integers(1, 9)) for letter in "MNBK"} | {"U": 40}
    given: list[Any] = []
    for (name, parameter), shape in zip(inspect.signature(function).parameters.items(), shapes.split(), strict=True):
        annotation = parameter.annotation
        if shape != "-":
            extents = [part.partition("+") for part in shape.split(",")]
            known = [(sizes[size] if size in sizes else int(size)) + int(more or 0) for size, _, more in extents]
            given.append(array(chance, name, annotation, known))
            if name == "at" and chance.random() < 0.8:  # elements that there are
                given[-1] %= sizes["N"]
        elif annotation == "cython.ulonglong":
            given.append(int(chance.integers(1 << 62)) | 1)
        else:
            given.append(int(chance.integers(0, 4)))
    return given


def result(function: Any, given: list[Any]) -> list[NDArray[Any]] | str:
    """What is in the arrays behind a call, and what comes back; or what is wrong with them."""
    copies = [one.copy() if isinstance(one, np.ndarray) else one for one in given]
    try:
        answer = function(*(one.data if isinstance(one, np.ndarray) else one for one in copies))
    except ValueError as problem:
        return str(problem)
    return [*(one for one in copies if isinstance(one, np.ndarray)), np.array(answer or 0)]


def assert_source_gives_the_same(modules: list[ModuleType], name: str, shapes: str, seeds: Iterable[int]) -> None:
    """Compare a loop, compiled and not, on random arguments."""
    compiled, source = (getattr(module, name) for module in modules)
    ran = 0
    for seed in seeds:
        given = arguments(np.random.default_rng(seed), source, shapes)
        one, other = result(compiled, given), result(source, given)
        if isinstance(one, str) or isinstance(other, str):
            assert one == other
            continue
        ran += 1
        for left, right in zip(one, other, strict=True):
            np.testing.assert_allclose(left.astype(float), right.astype(float), rtol=1e-4, atol=1e-5)
    assert ran, "no arguments were long enough"
