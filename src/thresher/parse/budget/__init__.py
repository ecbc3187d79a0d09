"""What is cut from a source before the parse, so that no page costs more than its size allows.

source_tags  the tags of a source, one after the other
leaf_tags    a source without the tags that hold nothing
nesting      a source without the tags that nest too deep
attributes   tags with thousands of attributes
"""
