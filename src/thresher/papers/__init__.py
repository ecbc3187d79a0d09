"""The experiments of the five papers: each one's own tables, with our figures beside the printed ones.

paper_000    Louvan, Extracting the Main Content from HTML Documents
paper_001    Karthikeyan, Dhanush Kumar, Web Content Extraction using Machine Learning
paper_002    Alarte, Insa, Silva, Tamarit, Main Content Extraction from Heterogeneous Webpages
paper_003    Rae, Kim, Le, Thoma, Main Content Detection in HTML Journal Articles
paper_004    Gottron, Content Code Blurring
experiment   how an experiment is run: pages, processes, progress
figures      tables in which our figures stand under those of the paper

The folder is the registry: `paper_NNN` is run by `thresher papers NNN DATA`.  Such a module has

    TITLE                          authors and title, as --help prints them
    TABLES                         the tables it prints, and what DATA must hold for it: two short phrases
    DATA
    tables(dataset, experiment)    Dataset, Experiment -> its tables, one after the other; DatasetError where the data
                                   set lacks what the paper needs

and the figures printed in the paper as constants, each named for its table.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from thresher.evaluate.datasets import Dataset
from thresher.evaluate.tables import ScoreTable
from thresher.papers.experiment import Experiment

__all__ = ["Experiment", "Paper", "load", "names"]

_PREFIX = "paper_"


class Paper(Protocol):
    """What a module of a paper has."""

    TITLE: str
    TABLES: str
    DATA: str

    def tables(self, dataset: Dataset, experiment: Experiment) -> Iterator[ScoreTable]:
        """The paper's tables, each as soon as it is complete."""


def names() -> list[str]:
    """The numbers of the papers that can be run."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.removeprefix(_PREFIX) for name in modules if name.startswith(_PREFIX))


def load(name: str) -> Paper:
    """The experiment of a paper, by its number."""
    return cast(Paper, import_module(f"{__name__}.{_PREFIX}{name}"))
