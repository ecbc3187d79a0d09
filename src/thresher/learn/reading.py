"""How every training begins and ends: the records that can be learned from, and the two files that it leaves."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from thresher.errors import DatasetError
from thresher.evaluate.datasets import BrokenRecord, Dataset

__all__ = ["LeftOut", "Progress", "command", "model_file", "usable", "write_card"]

Progress = Callable[[str, int, int], None]
LeftOut = list[BrokenRecord | None]
"""Records that taught nothing: what was wrong with them, or None where there is nothing to learn from."""

Example = TypeVar("Example")


def model_file(output: str) -> Path:
    """FILE.npz, also where only FILE was given; DatasetError before the work where its folder is missing."""
    target = Path(output if output.endswith(".npz") else f"{output}.npz")
    if not target.parent.is_dir():
        raise DatasetError(f"{target.parent}: no such folder")
    return target


def command(method: str, folders: Sequence[str], target: Path, options: Mapping[str, object]) -> str:
    """What to type for the same model; options that are None were not given."""
    words = ["thresher", "train", method, *(word for folder in folders for word in ("--data", folder))]
    words += [word for name, value in options.items() if value is not None for word in (name, str(value))]
    return shlex.join([*words, "-o", target.name])


def write_card(model: Path, facts: dict[str, Any]) -> None:
    """What there is to know about a model, beside it."""
    model.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", "utf-8")


def usable(
    dataset: Dataset, items: Iterable[Example | BrokenRecord | None], left_out: LeftOut, progress: Progress
) -> Iterator[Example]:
    """The examples among what was found in a data set; the others go to `left_out`."""
    for number, one in enumerate(items, 1):
        if one is None or isinstance(one, BrokenRecord):
            left_out.append(one)
        else:
            yield one
        progress(f"reading {dataset.root.name}", number, len(dataset))
