"""A page as columns, and what can be computed from the columns alone.

types       the arrays that columns are made of
page        Page: elements and text nodes as parallel read-only arrays
tree        sums, inheritance and paths over the tree
columns     shared columns: characters, words, links, sentence ends
textcounts  characters, words, digits, … of every text, from one table of bits
attributes  attributes of all elements at once
verdict     Verdict: what was decided about a page, from the method to the result
xpath       the address of an element in its page
spans       positions inside and outside of spans
types       the array types that signatures name
byte_words  names and spans in a byte array, eight bytes at a time
"""

from __future__ import annotations

from thresher.page.page import Island, Page, Problem, memoised, memoised_by_name, unescape

__all__ = ["Island", "Page", "Problem", "memoised", "memoised_by_name", "unescape"]
