"""Pages that hide or show a sentence in random ways, and what Chromium's pixels say about each.

declarations  properties, with values that are likely to hide and values that are not
markup        the same for elements and attributes
cases         a page: declarations, where they stand, what chooses the element, what is around it
oracle        whether the sentence is seen: two screenshots, one of the sentence, one of it written backwards
"""
