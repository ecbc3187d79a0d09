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
names                 the tags, classes and ids of a page, numbered, and the rows that have each
selector_names        the names that selectors ask for, read from their bytes
rule_choice           which rules can matter: the page has all names that they ask for
plain_match           the rows that plain selectors match: tags, classes, ids and combinators alone
match, rowsets        the rows that any selector matches; sets of rows as integers
hiding                what one declaration does to an element: hides it, may hide it, shows it
property_values       what the value of one property says (lengths, shapes, colour, colour_spaces: its parts)
rules                 the rules of a page, in two passes: those that hide, then those that answer them
cascade_entries       declarations and the rows they reach, and which of them wins
cascade               all of that over a page
combined_declarations declarations that hide only together
===================== =================================================================================================
"""
