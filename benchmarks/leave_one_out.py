"""`auto` on collections that it has not seen: trained on all data sets but one, measured on that one.

    python benchmarks/leave_one_out.py ../shared/data/{wcxb,worldwide,fixtures,shops-and-threads} -o without/

For each set: weights fitted to the others as `thresher train auto` fits them (seed 0), written to without/SET.npz, and
the rows of matrix.py for it, beside the peers; all rows together go to without/matrix.md.  Weights that are there
already are measured as they are, so a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from matrix import PEERS, head, rows
from thresher.learn.auto.fit import Settings, fit
from thresher.learn.auto.train import UNCALIBRATED, calibrated, read_examples
from thresher.methods.auto.model import write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder for weights and table")
    parser.add_argument("--only", action="append", help="the names of the sets to leave out; all of them, one by one")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--limit", type=int, default=None, help="measure on so many pages of each set")
    wishes = parser.parse_args()
    wishes.output.mkdir(exist_ok=True)
    left_out = [folder for folder in wishes.data if not wishes.only or folder.name in wishes.only]
    _fit_missing(wishes.data, {folder.name: _weights(wishes.output, folder) for folder in left_out})
    peers = [peer for peer in wishes.peers.split(",") if peer]
    lines = [head(peers)]
    for folder in left_out:
        ours = f"auto:model={_weights(wishes.output, folder)}"
        for row in rows(folder, ours, peers, jobs=wishes.jobs, limit=wishes.limit):
            lines.append(row)
            print(row, flush=True)
    (wishes.output / "matrix.md").write_text("\n".join(lines) + "\n", "utf-8")


def _weights(output: Path, folder: Path) -> Path:
    return output / f"{folder.name}.npz"


def _fit_missing(folders: Sequence[Path], files: dict[str, Path]) -> None:
    """The weights of each set that is left out, fitted to the others, where they are not there yet."""
    missing = {name: file for name, file in files.items() if not file.exists()}
    if not missing:
        return
    pages, _ = read_examples([str(folder) for folder in folders])
    for name, file in missing.items():
        weights = fit([page for page in pages if page.dataset != name], Settings())
        write(file, calibrated(weights, UNCALIBRATED))
        print(f"{file}: fitted without {name}", flush=True)


if __name__ == "__main__":
    main()
