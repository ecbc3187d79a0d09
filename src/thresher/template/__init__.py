"""Pages of one site compared: what they share is template.

links        where a page leads to on its site
distance     hyperlink and DOM distance: the order in which pages are compared
nset         the n-SET: the n pages to compare with, and which of them are copies
nodes        elements and texts as nodes of one tree
fingerprint  numbers for pieces of a page, equal where the pieces are
media        pictures and videos, told apart by what they load
mapping      nodes of two pages that stand at the same place
subtrees     numbers for whole subtrees and positions, equal where these are
style_tree   the style tree: every way in which the pages lay out one place
evidence     what the other pages say of each element and text, as columns
"""
