"""What is cut from the source before the parse, so that no page costs more time or memory than its size allows.

source_tags  the tags of a source, one after the other
leaf_tags    removes tags that contain nothing
nesting      removes tags that are nested too deep; their text stays
flatten      the text of what follows where very many are
kernels      a survey of the source, compiled, that says which of these are needed
attributes   tags with thousands of attributes
"""
