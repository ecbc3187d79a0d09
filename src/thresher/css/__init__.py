"""A small reader of CSS: enough to tell which elements a page's own style rules hide.

    sheets  ->  rules that hold  ->  the rows they match and what they declare there  ->  what wins on each row

===================== =================================================================================================
text                  comments, strings, escapes, lists
tokeniser             where blocks and declarations begin and end: one compiled pass over the bytes
structure             the columns that it fills
sheet                 rules and declarations of the properties that can hide
suspects              which declarations may hide anything
media, supports       which conditional rules hold: `@media` on a desktop screen, `@supports` in a browser of today
layers                which cascade layer is stronger
variables             `var(…)`, where it is plain what it stands for
selector              the grammar of selectors
invalid_selectors     selectors that make a browser drop a whole rule
values                the distinct values of an attribute, and the rows that have each
shadow_scopes         which rows the sheets of a page and of its shadow roots may reach
names                 the tags, classes and ids of a page, numbered, and the rows that have each
selector_reader       selectors read from their bytes: compounds, combinators, names and conditions
selector_table        all selectors of a sheet as columns; what a page has of their names
row_match             the rows that they match: loops over names and combinators
match, rowsets        the rows that satisfy a condition which is more than a name; sets of rows as integers
hiding                what one declaration does to an element: hides it, may hide it, shows it
properties            the properties by which something may be hidden, and what they need beside them
outcome               what a reader of values may say
property_values       what the value of one property says (lengths, shapes, colour, colour_names, colour_spaces)
sheet_selectors       which rules of a sheet apply, and the table of their selectors
sheet_declarations    what the declarations of a sheet say: columns that pages fill in as they ask
page_sheets           the style sheets of a page, as they are to be read
compiled_sheet        a sheet with these columns; those read last are kept
rules                 the rules of a page, in two passes: those that hide, then those that answer them
rule_kernels          loops over declarations: which matter on a page, block by block
winners               loops over entries: which of them wins on each row
style_attributes      the declarations of style attributes, with the variables that those around define
cascade_entries       declarations and the rows they reach
cascade               all of that over a page
conditionals          values that depend on a condition: `if()`
combined_declarations declarations that hide only together
animations, references what animations end with; masks and clip paths that are elements
===================== =================================================================================================
"""
