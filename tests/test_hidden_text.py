"""Hidden text, on pages of benchmarks/hidden.py: what Chromium's pixels said of each stands in the table, so that no
browser is needed.  Where our reading of the styles does not agree yet, the row says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from thresher import parse
from thresher.visible.readable import readable

_ROWS = [json.loads(line) for line in (Path(__file__).parent / "tables" / "hidden-text.jsonl").read_text().splitlines()]
_SENTENCE = "Wheat and barley of the northern valley were threshed before the rain came in."


def _cases() -> list[object]:
    differs = pytest.mark.xfail(reason="styles are read otherwise than the browser paints", strict=True)
    return [
        pytest.param(row, id=f"{row['verdict']} {row['about']}", marks=() if row["agrees"] else differs)
        for row in _ROWS
    ]


@pytest.mark.parametrize("row", _cases())
def test_a_sentence_is_read_where_the_browser_paints_it(row: dict[str, str]) -> None:
    page = parse(row["html"])
    shown = any(_SENTENCE in text for text, seen in zip(page.text, readable(page), strict=True) if seen)
    assert shown == (row["verdict"] == "seen"), row["html"]
