"""Hostile inputs, made by generators: one named case each, with the property it checks.

endurance      no input kills or hangs it: depth, breadth, length, noise
bombs          little input that costs much
nothing_lost   empty and cut results have a reason
encodings      whatever is declared, the text comes out as it was written
labels         more of them: labels, headers, wide and damaged ones
formats        what is no page is refused by name; XML is inert
kinds          more of it, and pages that begin like something else
inert          output runs and loads nothing
doors          addresses that run, through every place that takes one
unseen         what readers do not see stays out, what they see stays in
smuggled       messages in characters that show nothing
opened         pages that hide themselves are read; tabs come back on request
findings       what fuzzing found
"""
