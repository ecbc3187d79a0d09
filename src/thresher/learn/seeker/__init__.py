"""Training of `seeker` (paper 000).

train             the whole training: read, label, fit two trees for each page type, cross-validate, write
examples, fit     labels of segments and of content; the decision trees
tables, rivals    tables 2 and 3 of the paper; tables 4 to 6, with the methods compared (report: all as Markdown)
"""
