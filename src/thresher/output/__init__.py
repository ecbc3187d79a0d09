"""Page and verdict -> text, Markdown, HTML, XML: one verdict, several forms.

Each takes the page and the bool array that a method gave, and prints what is kept.  Options choose what of it is
printed and never change the verdict.

text         straight from the columns (containers: what stands around texts and between two)
document     the content as a small tree, which the other forms print (inline: a line of text in it;
             build: from page and verdict; events: what it meets; walk: what is open)
markdown     (markdown_line: one line of it; markdown_escape: what would be taken for syntax)
html, xml    likewise (tag_writer: what both share)
references   the links and images
record       a page as a row of a table
front_matter metadata above a text
painting     a page as it may be shown: inert, with a mark around every text that has one

What they share:

printed      which of the kept texts are printed at all (empty_headings: with nothing under them)
collapse     the texts of a whole page at once, their white space collapsed
listings     programs (preformatted: lines and their numbers; code_lines: an element each; languages: what they are in)
formulas     as TeX (mathml: from Presentation MathML)
notes        footnotes (asides: those that stand in the line)
tables       tables that hold data (grids: those made of other elements)
admonitions  boxes with notes, tips and warnings
media        images, videos, sound (captions: what stands under them)
tasks, ordinals, quotes, permalinks     boxes and numbers of items, marks of quotations, links of headings to themselves
editing      links of headings to an editor
fragments    texts in links to fragments
urls         addresses that can do no harm
classes      elements found by how their class begins
traits       what the names of elements mean to the loops
kernels      the loops over bytes (survey_kernels: what there is to look for; gap_kernels: what stands between texts;
             table_kernels: tables of data; line_kernels: lines; walk_kernels: elements), compiled where a compiler is
             at hand
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thresher.output.html import to_html
    from thresher.output.markdown import to_markdown
    from thresher.output.media import media_mask
    from thresher.output.text import to_text
    from thresher.output.xml import to_xml

__all__ = ["media_mask", "to_html", "to_markdown", "to_text", "to_xml"]


def __getattr__(name: str) -> Any:
    """A form is loaded when it is first asked for: most callers write one."""
    if name not in __all__:
        raise AttributeError(f"module 'thresher.output' has no attribute {name!r}")
    function = getattr(import_module(f"thresher.output.{name.removeprefix('to_').removesuffix('_mask')}"), name)
    globals()[name] = function
    return function
