"""Plain: everything that is text.  The floor each method must beat (Gottron's "plain" baseline, paper 004, Table II).

Text that no reader sees (hidden elements, templates, the head) is no text of the page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.page import Page
from thresher.visible.readable import readable

__all__ = ["Options", "extract"]


@dataclass(frozen=True, slots=True)
class Options:
    """There is nothing to choose."""


def extract(page: Page, options: Options = Options()) -> NDArray[np.bool_]:
    """Keep every readable text."""
    return readable(page)
