"""What of a page a reader sees.

hidden        which elements a page hides, by attributes, inline styles and its own style sheets
until_script  pages that hide themselves until a script runs
browser       which texts of a rendered page can be seen
readable      which texts a reader gets to see, by these three
openers       what on a page opens a hidden box: tabs, buttons, headers of an accordion
panels        closed tabs and accordions, told from what is hidden for other reasons
"""
