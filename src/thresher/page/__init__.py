"""A page as columns: parallel read-only arrays, and what can be computed from them alone.

page        Page: one row per element in document order, and one per text node
types       array types for signatures: Bools, Floats, Ints, …
tree        sums, inheritance and paths over the tree
columns     columns that several methods use: characters, words, links, sentence ends
textcounts  characters, words, digits, … of every text
attributes  attributes of all elements at once
parts       which values of an attribute have parts that are looked for on every page
verdict     Verdict: what was decided about a page, from the method to the result
xpath       the XPath of an element
pieces      a page whose texts are cut
spans       positions inside and outside of spans
kernels     the loops of all these, compiled (tree_kernels: those of tree)
byte_words  names and spans in a byte array, eight bytes at a time
"""

from __future__ import annotations

from thresher.page.page import Island, Page, Problem, memoised, memoised_by_name, unescape

__all__ = ["Island", "Page", "Problem", "memoised", "memoised_by_name", "unescape"]
