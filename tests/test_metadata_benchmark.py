"""The measures of benchmarks/metadata.py."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_FILE = Path(__file__).parents[1] / "benchmarks" / "metadata.py"
_SPEC = importlib.util.spec_from_file_location("metadata_benchmark", _FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
benchmark = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(benchmark)


@pytest.mark.parametrize(
    ("field", "given", "label", "right"),
    [
        ("author", "Jane Doe; John Roe", "Jane Doe", True),
        ("author", "Jane A. Doe", "Jane Doe", True),
        ("author", "The Barn", "Jane Doe", False),
        ("date", "2024-03-05T10:00", "2024-03-05", True),
        ("date", "2024-03-06", "2024-03-05", False),
        ("title", "“How to thresh”", "How to thresh", True),
        ("title", "How to thresh | Barn", "How to thresh", False),
    ],
)
def test_a_field_is_right_or_not(field: str, given: str, label: str, right: bool) -> None:
    assert benchmark.RIGHT[field](given, label) is right
