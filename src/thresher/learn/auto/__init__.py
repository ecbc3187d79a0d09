"""Training of `auto`.

train        from start to end: read, validate out of fold, fit to everything, write weights and card
examples     labelled pages as the network reads them (perturb, respelling: pages made harder, in other scripts)
fit          Adam over batches of pages (gradient: the network backwards; page_types: its last layer)
validate     how good it is on sites it has never seen (extracts: as users get them)
"""
