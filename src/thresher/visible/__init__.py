"""What a reader sees of a page, and what is hidden.

hidden        elements hidden by attributes, inline styles and the page's own style sheets (thresher.css)
by_styles     of these, what styles hide, by each property
cut_off       text that stands where a low box does not show it
vanishing     text in the colour of what is behind it
doubts        what may be hidden though nobody can tell, for `hidden="strict"`
screen_readers  what `aria-hidden`, which is no matter of eyes, leaves out
until_script  pages that hide themselves until a script runs
browser       which texts of a rendered page are visible
readable      the result of these three: the texts that a reader can see; no method keeps others
openers       what opens a hidden box: tabs, buttons, accordion headers
panels        closed tabs and accordions, as opposed to text that is hidden for other reasons
kernels       the loops of hidden, until_script and readable, compiled; colour_kernels: that of vanishing;
              word_kernels: those over the bytes of attributes and texts
"""
