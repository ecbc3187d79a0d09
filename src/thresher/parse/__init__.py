"""Bytes -> Page.

encoding/   bytes -> UTF-8, with encoding detection
kind        which inputs are no HTML: PDF, images, JSON, plain text, … (fragment: a piece of a page is HTML)
plaintext   plain text and Markdown as a page, on request
guards      the companies whose bot checks are nothing but scripts
nested      a noscript that leaves something open, documents in the srcdoc of frames
survey      what one pass over the source tells of it
limits      limits for bytes, tags, elements and depth
budget/     cuts a source down to these limits before it is parsed
parse       parse(): lexbor builds the HTML5 tree and writes it out once
shadow      shadow roots that the markup declares, as a reader sees them
removed     where scripts and styles stood
written     the tree as lexbor writes it, in bytes
islands     what scripts and styles hold that is worth keeping
scan        the columns of a page, read off that serialised form (markup_tags: where its tags are, and which)
shortcodes  what a content system left in its texts (prose: the texts that are in no code)
double_escapes  characters that were escaped twice
kernels     the loops of all these, compiled
"""

from __future__ import annotations

from thresher.parse.parse import parse

__all__ = ["parse"]
