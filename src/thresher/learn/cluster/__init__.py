"""Training of `cluster` over many sites, and the experiments of paper 001.

examples   sites of rendered pages from data sets, with their labels
train      the three regimes with cross-validation, and a model over all pages
report     the results as tables
"""
