"""Training of the methods that learn.  Models are arrays in .npz files, with a model card beside them.

labels      gold text -> labels: how many words of each block belong to it (labelfile: labels given by annotators)
reading     what all trainings share: the usable records of a data set, and the files that are written
auto/       training of `auto`
cluster/    training of `cluster` over many sites
seeker/     training of `seeker`
"""
