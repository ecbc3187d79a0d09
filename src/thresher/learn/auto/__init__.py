"""Training of `auto`.

train        the whole training: read, cross-validate, fit to all pages, write weights and model card
examples     labelled pages as inputs of the network (perturb: data augmentation; respelling: pages in other scripts)
fit          Adam over batches of pages (gradient: backpropagation; page_types: the last layer)
validate     cross-validation, folds split by site (extracts: scores of whole results, as users get them)
"""
