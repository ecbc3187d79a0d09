"""Models as files: read once, again when changed, and nothing but arrays."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import thresher
from thresher.errors import NeedsModel
from thresher.methods._models import Arrays, loader


@pytest.fixture
def reads() -> list[int]:
    return []


@pytest.fixture
def load(reads: list[int]) -> Callable[[str], int]:
    def read(arrays: Arrays) -> int:
        reads.append(1)
        return int(arrays["number"].sum())

    return loader(read, "thresher train number")


def written(place: Path, number: int) -> str:
    np.savez_compressed(place / "model.npz", number=np.full(1_000, number))
    return str(place / "model.npz")


def test_a_file_is_read_once_and_again_when_it_has_changed(tmp_path, load, reads):
    file = written(tmp_path, 1)
    assert (load(file), load(file), len(reads)) == (1_000, 1_000, 1)
    written(tmp_path, 2)
    os.utime(file, ns=(1, 1))
    assert (load(file), len(reads)) == (2_000, 2)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"no model",
        lambda data: pickle.dumps([1]),
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"number", b"letter"),
        lambda data: data[:60] + bytes(20) + data[80:],
    ],
)
def test_what_is_no_model_says_how_to_make_one(tmp_path, load, damage):
    file = Path(written(tmp_path, 1))
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(NeedsModel, match=r"holds no model .* make one with `thresher train number`"):
        load(str(file))


@pytest.mark.parametrize("name", ["", "nowhere.npz", "."])
def test_so_does_what_is_not_there(load, name):
    with pytest.raises(NeedsModel, match="thresher train number"):
        load(name)


def test_objects_are_not_unpickled(tmp_path, load):
    np.savez(tmp_path / "model.npz", number=np.array([{"a": 1}], dtype=object))
    with pytest.raises(NeedsModel):
        load(str(tmp_path / "model.npz"))


def test_a_device_has_no_end_and_is_not_read(load):
    with pytest.raises(NeedsModel, match="it is no file"):
        load("/dev/zero")


@pytest.mark.parametrize("shape", [(10**12,), (10**6, 10**6, 10**6), (3,), (-1,)])
def test_a_header_that_claims_another_size_gets_no_memory(tmp_path, load, shape):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(tmp_path / "model.npz", "w") as archive:
        archive.writestr("number.npy", header.getvalue() + bytes(16))
    with pytest.raises(NeedsModel, match="holds no model"):
        load(str(tmp_path / "model.npz"))


def test_what_is_not_a_number_is_refused(tmp_path, load):
    np.savez_compressed(tmp_path / "model.npz", number=np.array([1.0, np.nan]))
    with pytest.raises(NeedsModel, match="not all of it are numbers"):
        load(str(tmp_path / "model.npz"))


def _smaller(array):
    return array[..., :-1]


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("claims", lambda array: array.reshape(-1)),
        ("claims", _smaller),
        ("claims", lambda array: array[:0]),
        ("claims", lambda array: np.full_like(array, np.inf)),
        ("names", _smaller),
        ("words", lambda array: array[:100]),
        ("in.w", _smaller),
        ("in.b", lambda array: array.astype(complex)),
        ("layer1.pool", _smaller),
        ("layer1.w", lambda array: array * 1e30),
        ("layer2.types", lambda array: array[:3]),
        ("low", _smaller),
        ("type.spread", np.zeros_like),
        ("expected", lambda array: array[::-1]),
        ("observed", _smaller),
        ("out.w", lambda array: None),
    ],
)
def test_a_model_whose_arrays_are_not_a_models_is_refused_before_any_page(tmp_path, name, damage):
    with np.load(files("thresher") / "data/auto.npz") as shipped:
        arrays = dict(shipped)
    arrays[name] = damage(arrays[name])
    np.savez(tmp_path / "model.npz", **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(NeedsModel, match="thresher train auto"):
        thresher.extract("<p>Some grain.", options={"model": str(tmp_path / "model.npz")})
