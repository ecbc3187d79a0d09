"""The methods by the paper that they come from, or that compares itself with them, each with its line."""

from __future__ import annotations

import re
from typing import NamedTuple

from thresher import methods

__all__ = ["MethodGroup", "method_groups"]

_GROUPS = {
    "Ours": "auto site_plus",
    "Louvan, Extracting the Main Content from HTML Documents": "seeker lbs sls tp lp",
    "Karthikeyan, Dhanush Kumar, Web Content Extraction using Machine Learning": "cluster",
    "Alarte and others, Main Content Extraction from Heterogeneous Webpages": "site temex rbmtd rtdm iwptd sst wlr",
    "Rae and others, Main Content Detection in HTML Journal Articles": "layout semantic",
    "Gottron, Content Code Blurring": "ccb tccb accb bte dsc lqf crunch fe kfe plain",
}
_OTHERS = "Other papers"  # what is in no group: a new method needs no entry


class MethodGroup(NamedTuple):
    """A paper, and its methods: name, and what it does."""

    paper: str
    methods: list[tuple[str, str]]


def method_groups() -> list[MethodGroup]:
    """Every method once, in the order of the papers."""
    groups = {paper: names.split() for paper, names in _GROUPS.items()}
    grouped = {name for names in groups.values() for name in names}
    groups[_OTHERS] = [name for name in methods.names() if name not in grouped]
    return [
        MethodGroup(paper, [(name, _line(name, paper)) for name in names]) for paper, names in groups.items() if names
    ]


def _line(name: str, paper: str) -> str:
    """What a method does, and who wrote about it if that is not the paper above it."""
    line = methods.describe(name).partition(": ")[2].replace("`", "")
    does, _, source = re.sub(r",?( as LP-7 in)? \(?paper \d+\)?", "", line).partition(".  ")
    own = paper.replace(",", " ").split()[0]
    return f"{does.rstrip('.')}." if source.startswith(own) or not source else f"{does}. {source}"
