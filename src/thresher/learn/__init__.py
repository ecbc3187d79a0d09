"""Training: labels by alignment, pages as examples, the trainers, reports and model cards.  Models are arrays.

labels      how many words of each block belong to the gold text (labelfile: labels that people gave to elements)
reading     how every training begins and ends: the records that can be learned from, the files that it leaves
auto/       training of `auto`
seeker/     training of `seeker`
"""
