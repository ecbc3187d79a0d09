"""A small reader of CSS: enough to tell which elements a page's own style rules hide.

    sheets  ->  rules that hold  ->  rows they match, what they say there  ->  what wins on each row

sheet        rules and declarations (structure: where they stand; text: comments, strings, escapes, lists)
rules        those of a page, in two passes (subjects: which can matter to it; values: attributes, value by value)
media        which conditions hold (supports: those about the browser; layers: which layer is stronger)
selector     the grammar (invalid_selectors: what drops a whole rule)
match        which rows a selector matches (rowsets: sets of rows as integers)
hiding       what one declaration says about being seen (property_values: what its value says; variables: `var(…)`)
             lengths, shapes, colour, colour_spaces: far out, tiny, cut away, the colour of the ground
combined_selectors  declarations that hide only together
cascade_entries     what was said about which rows, in any order
cascade      all of that over a page
"""
