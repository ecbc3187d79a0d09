"""Training of `auto`.

train          the whole training: read, cross-validate, fit to all pages, write weights and model card
examples       labelled pages as inputs of the network (name_bags; perturb: data augmentation; folds: split by site)
page_types     the logistic regression that tells page types, which comes first
fit            the network in PyTorch: Adam (optimiser) over batches of pages (batch, torch_network; pytorch: or a
               message that says how to get it)
predict        what the network at run time makes of an example
validate       cross-validation (extracts: scores of whole results, as users get them)
"""
