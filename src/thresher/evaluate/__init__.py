"""Evaluation: labelled pages, measures, other extractors, and the scores of methods on them.

datasets/    folders of labelled pages as records
measures     text and element overlap as precision, recall and F1 (elements: the masks that the nodes measure compares)
statistics   mean ± sd, bootstrap intervals, is A really better than B
peers        other extractors under the same measures
extractors   from a method's name to a function of a record
rendered     records as a browser shows them
versions     what a method's results depend on, as a digest
cache        results on disk, under that digest
work, run    one page under all methods; all pages on all cores
results      the outcome of a run, and the columns in it
tables       the papers' tables as text and Markdown
lines        the same as JSON lines
report       the same as one HTML file (plots, diff, report.css below it)
"""
