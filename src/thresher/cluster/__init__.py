"""Cluster, label, classify: a site learned from its rendered pages without a hand-made label (paper 001).

blocks       Module 1   the text blocks of rendered pages, and what a browser knows of them
features                tokens and numbers of blocks; sparse matrices
distance                how far two blocks are from each other
dbscan       Module 2   clusters of blocks, eps by the knee of the k-distances
claims                  what a page says of itself: descriptions, title
relevance    Module 3   which cluster is the content: common subsequences with these claims (Algorithm 1)
svm          Module 4   a linear classifier with weighted classes
learning                blocks -> clusters -> labels -> classifier, and how well it does on unseen pages of the site
regimes                 one site, unseen sites, random mix: the paper's comparisons
model                   a classifier as a file
picture                 clusters drawn over a page
"""
