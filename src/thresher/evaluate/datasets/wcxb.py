"""WCXB: `ground-truth.jsonl[.gz]`, one JSON object a line, beside `html/ID.html.gz`.

The pages were stored as UTF-8 whatever their meta elements say, so the record vouches for that encoding.
A line that is no JSON, has no id, or repeats an id, keeps its place as a broken record named after its line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from thresher.errors import DatasetError
from thresher.evaluate.datasets.record import Dataset, DatasetRecord, read_bytes, rendering_beside, text_list

TRUTH = ("ground-truth.jsonl.gz", "ground-truth.jsonl")


class Wcxb(Dataset):
    """Pages of the Web Content eXtraction Benchmark."""

    kind: ClassVar[str] = "wcxb"
    layout: ClassVar[str] = "ground-truth.jsonl[.gz] beside html/ID.html.gz"

    @classmethod
    def recognises(cls, root: Path) -> bool:
        return any((root / name).is_file() for name in TRUTH)

    @cached_property
    def _lines(self) -> dict[str, dict[str, Any] | str]:
        """Each line's object by its id, or what is wrong with the line."""
        path = next(self.root / name for name in TRUTH if (self.root / name).is_file())
        lines: dict[str, dict[str, Any] | str] = {}
        for number, line in enumerate(read_bytes(path).splitlines(), start=1):
            if not line.strip():
                continue
            try:
                label = json.loads(line)
                id = str(label["id"])
                if id in lines:
                    raise ValueError(f"id {id!r} was seen before")
                lines[id] = label
            except (ValueError, KeyError, TypeError) as reason:
                lines[f"{path.name}:{number}"] = f"{type(reason).__name__}: {reason}"
        return lines

    def ids(self) -> Sequence[str]:
        return list(self._lines)

    def read(self, id: str) -> DatasetRecord:
        label = self._lines[id]
        if isinstance(label, str):
            raise DatasetError(label)
        if not isinstance(label.get("main_content"), str):
            raise DatasetError("no main_content in the ground truth")
        html = self.root / "html" / f"{id}.html.gz"
        if not html.exists():
            html = html.with_suffix("")
        return DatasetRecord(
            id=id,
            html=read_bytes(html),
            url=label.get("url") or None,
            encoding="utf-8",
            gold=label["main_content"],
            page_type=label.get("page_type") or "page",
            site=label.get("site") or "",
            language=label.get("lang") or "",
            wanted=text_list(label.get("with")),
            unwanted=text_list(label.get("without")),
            page_file=rendering_beside(html),
        )
