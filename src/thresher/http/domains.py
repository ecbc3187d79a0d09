"""The domain that somebody registered, by the public suffix list of the installed tldextract: never the network, never
a file.

    registrable_domain("www.example.co.uk")                example.co.uk
    registrable_domain("anna.github.io")                   anna.github.io: a hoster's customers are sites of their own
    registrable_domain("anna.github.io", hosters=True)     github.io: they share its templates
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from thresher.errors import MissingExtra

if TYPE_CHECKING:
    from tldextract import TLDExtract

__all__ = ["registrable_domain"]


@lru_cache(4096)
def registrable_domain(host: str, hosters: bool = False) -> str:
    """The registered domain of a host; "" for IP addresses and bare names."""
    return _suffixes(hosters).extract_str(host).top_domain_under_public_suffix


@cache
def _suffixes(hosters: bool) -> TLDExtract:
    try:
        from tldextract import TLDExtract
    except ImportError as missing:
        raise MissingExtra(
            "finding the domain of a site needs: pip install 'thresher[fetch]', or 'thresher[learn]' to train"
        ) from missing
    return TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=not hosters)
