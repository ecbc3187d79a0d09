"""The type of a page, told from the page as a whole before its blocks are judged.

The same evidence, a unit of heading, date and snippet that repeats, is content in a listing and chaff in an article.
So the type comes first:

    t = softmax(Σ_k z_k V_k + b)

    numbers   the features of the blocks: mean over the page, over the container with most prose and over the longest
              run of prose, highest value, spread; standardised and held within ±4
    meta      } what the page says of itself in its head and in its address (claims)
    url       }
    names     the words of names, and the tags, that stand anywhere on the page
    words     the words with which blocks begin

The last four are bags: each entry has a row of V, and a bag with n entries counts 1/√n.  Any of them may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from thresher.methods.auto.claims import claims
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.kernels.hashing import collect
from thresher.methods.auto.kernels.page_type import put_together, tell_type
from thresher.methods.auto.names import names_of_page
from thresher.methods.auto.wording import first_words
from thresher.page import Page
from thresher.page.types import Rows, Singles

__all__ = ["BAGS_OF_PAGE", "MAX_DEVIATION", "TYPES", "bags_of_page", "page_numbers", "page_types"]


TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
BAGS_OF_PAGE = ("meta", "url", "names", "words")
_IN_CONTAINER, _IN_RUN = FEATURES.index("prose in_container"), FEATURES.index("prose in_run")
MAX_DEVIATION = 4


def page_types(weights: Mapping[str, Singles], numbers: Singles, bags: Sequence[Rows]) -> Singles:
    """t of the module's docstring."""
    types = np.empty(len(weights["type.b"]), np.float32)
    meta, url, names, words = bags
    tell_type(
        numbers, weights["type.middle"], weights["type.spread"], MAX_DEVIATION, weights["type.numbers"],
        meta, weights["type.meta"], url, weights["type.url"], names, weights["type.names"],
        words, weights["type.words"], weights["type.b"], types,
    )  # fmt: skip
    return types


def page_numbers(x: Singles, weight: Singles) -> Singles:
    """The features of a page's blocks put together; `weight` is that of each block in a mean, with the sum 1.  What
    x has behind the features is passed over."""
    if not len(x):
        return np.zeros(5 * len(FEATURES), np.float32)
    numbers = np.empty((5, len(FEATURES)), np.float32)
    put_together(x, weight, _IN_CONTAINER, _IN_RUN, numbers)
    return numbers.reshape(-1)


def bags_of_page(page: Page) -> tuple[Rows, ...]:
    """The bags named in BAGS_OF_PAGE, each entry once."""
    begins = np.empty(BUCKETS, np.intp)
    count = collect(first_words(page).bucket, page.tag[:0], BUCKETS, np.empty(BUCKETS, np.uint8), begins)
    return *claims(page), names_of_page(page), begins[:count]
