"""The three regimes of paper 001 as a table, with what the paper says of each."""

from __future__ import annotations

from collections.abc import Sequence

from thresher.learn.cluster.train import RegimeScore
from thresher.methods.cluster.learning import HeldOutScore

__all__ = ["PAPER", "markdown"]

TITLES = {"site": "one site", "sites": "some sites → other sites", "pages": "random pages"}
# The text that we have prints no figures.
PAPER = {
    "site": "“worked very well”, “perfect labeling when trained on a single website”",
    "sites": "“produced the worst results”",
    "pages": "most sites were seen: between the two",
}


def markdown(scores: Sequence[RegimeScore]) -> str:
    """One row a regime and set of features: against the labels trained on, then against gold."""
    lines = [
        "| training | features | sites | pages | P | R | F1 | gold: P | R | F1 | the paper |",
        "|---" * 11 + "|",
    ]
    for place, one in enumerate(scores):
        first = place == 0 or scores[place - 1].regime != one.regime
        cells = (TITLES[one.regime], one.features, one.sites, one.pages, *_cells(one.labels), *_cells(one.gold))
        lines.append("| " + " | ".join(map(str, cells)) + f" | {PAPER[one.regime] if first else ''} |")
    return "\n".join(lines) + "\n"


def _cells(score: HeldOutScore | None) -> list[str]:
    return ["–"] * 3 if score is None else [f"{value:.3f}" for value in score]
