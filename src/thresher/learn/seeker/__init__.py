"""Training of `seeker` (paper 000).

train             the whole training: read, label, fit two trees for each page type, cross-validate, write
pages             the labelled pages of some data sets, by page type, rendered if asked for
examples, fit     labels of segments and of content; the decision trees
splits            which pages train and which are judged: folds, or a share of the pages, sources disjoint
learners, tables  the four learners of the paper; its tables 2 and 3
rivals            tables 4 to 6, with the methods compared
experiment        all of these tables, with and without visual features (report: as Markdown)
"""
