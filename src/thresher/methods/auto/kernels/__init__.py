"""The loops of `auto`, compiled where a compiler is at hand (see thresher.kernels), each for the module of its name.

groups       equal keys to equal numbers (blocks)
hashing      words of texts and of names to buckets
vectors      sums of the vectors of words (names, wording)
vocabulary   words in common with the title and the prose
units        siblings of one kind, what they hold, the units around each element
network      what stands around a block, and what a layer does with its products
decision     the choice of blocks (threshold), and the rules that count words
"""
