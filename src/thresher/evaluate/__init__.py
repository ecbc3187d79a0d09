"""Evaluation: data sets, measures, statistics, peers, runs and their reports.

measures    text and element overlap as precision, recall and F1
lcs         the longest common subsequence under two of them
statistics  mean ± sd, bootstrap intervals, is A really better than B
datasets/   folders of labelled pages as records
peers       other extractors under the same measures
"""
