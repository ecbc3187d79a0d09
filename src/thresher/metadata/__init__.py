"""Page -> title, author, dates, language, site, address, description, image, tags, licence, kind of page, product.

    structured   json_ld, microdata -> items        the item that describes the page
                 head                               <meta>, <link>, <title>, <html lang>
                                                    (meta_names: which names are which field)
    visible      bylines, datelines                 only where the structured sources give nothing
                                                    (byline_area: around the heading; byline_elements: by class;
                                                    text_blocks: as a reader sees them)
    products     products, shown_price              what the page sells, and for how much
    values       clean, titles, licenses, page_types
    decision     evidence, fields                   which source is asked first for each field (terms: tags, categories)
    result       record                             Metadata

Every value has its source in `Metadata.sources`.  A field that no source gives in a believable way stays empty.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thresher.metadata.fields import metadata
    from thresher.metadata.record import Metadata

__all__ = ["Metadata", "metadata"]

_HOME = {"Metadata": "record", "metadata": "fields"}


def __getattr__(name: str) -> Any:
    """Loaded when first asked for: who reads only the head of a page needs nothing else of all this."""
    if name not in _HOME:
        raise AttributeError(f"module 'thresher.metadata' has no attribute {name!r}")
    value = getattr(import_module(f"thresher.metadata.{_HOME[name]}"), name)
    globals()[name] = value
    return value
