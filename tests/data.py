"""Where the data sets are; tests that need one skip with a reason when it is absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("THRESHER_DATA", Path(__file__).parents[2] / "shared/data"))


def needs(name: str) -> pytest.MarkDecorator:
    """Skip unless the data set of that name is there."""
    return pytest.mark.skipif(
        not (DATA / name).is_dir(), reason=f"data set {name} is not in {DATA}; set THRESHER_DATA to its folder"
    )
