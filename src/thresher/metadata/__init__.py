"""Page -> title, author, dates, language, site, address, description, image, tags, licence, kind of page.

    structured   json_ld, microdata -> items        the item that describes the page
                 head                               <meta>, <link>, <title>, <html lang>
    visible      bylines                            only where the structured sources are silent
    values       clean, dates, names, titles, licenses, page_types
    decision     evidence, fields                   who is asked first, field by field

Every value has its source in `Metadata.sources`.  A field that no source gives in a believable way stays empty.
"""

from thresher.metadata.fields import metadata
from thresher.metadata.record import Metadata

__all__ = ["Metadata", "metadata"]
