"""Training of `seeker`.  Paper 000.

train             from start to end: read, label, fit two trees a page type, report out of fold, write
examples, fit     good segments and content; the trees
tables, rivals    tables 2 and 3 of the paper; tables 4 to 6 (report: all of them as Markdown)
"""
