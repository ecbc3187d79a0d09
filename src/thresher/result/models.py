"""Which method a model file was made for."""

from __future__ import annotations

from thresher.errors import NeedsModel

__all__ = ["method_of_model"]


def method_of_model(file: str) -> str:
    """`cluster`, `seeker` or `auto`; `auto` also for a file that holds no model, whose loader says what is wrong."""
    from thresher.methods.cluster.model import is_model
    from thresher.methods.seeker.model import load

    if is_model(file):
        return "cluster"
    try:
        load(file)
    except NeedsModel:
        return "auto"
    return "seeker"
