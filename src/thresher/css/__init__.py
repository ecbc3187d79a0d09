"""A small reader of CSS: enough to tell which elements a page's own style rules hide.

    sheets  ->  rules that hold  ->  the rows they match and what they declare there  ->  what wins on each row

===================== =================================================================================================
text                  comments, strings, escapes, lists
structure             where blocks and declarations stand in the text of a sheet
sheet                 rules and declarations of the properties that can hide
media, supports       which conditional rules hold: `@media` on a desktop screen, `@supports` in a browser of today
layers                which cascade layer is stronger
variables             `var(…)`, where it is plain what it stands for
selector              the grammar of selectors
invalid_selectors     selectors that make a browser drop a whole rule
values                the distinct values of an attribute, and the rows that have each
subjects              which rules can match a page, by the last name of their selectors
match, rowsets        the rows that a selector matches; sets of rows as integers
hiding                what one declaration does to an element: hides it, may hide it, shows it
property_values       what the value of one property says (lengths, shapes, colour, colour_spaces: its parts)
rules                 the rules of a page, in two passes: those that hide, then those that answer them
cascade_entries       declarations and the rows they reach, and which of them wins
cascade               all of that over a page
combined_declarations declarations that hide only together
===================== =================================================================================================
"""
