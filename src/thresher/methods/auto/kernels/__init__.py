"""The loops of `auto`, compiled where a compiler is at hand (see thresher.kernels), by the module that they are for.

columns      where what the loops share stands in its tables; no loops
elements     what stands before each element, and what it stands in
blocks       the blocks, their containers, groups of them
features     the loops of features, all in one: counts, own, repeats, containers, prose, links, units, vocabulary, signs
counts       sums over texts and blocks
own          what a block is made of, where it stands, the page it stands on (features)
repeats      how many blocks are like it (features)
containers   what is around it (features)
prose        the longest run of prose, the container with most of it
links        which links lead to pages, and the text in them
units        siblings of one kind, what they hold, the units around each element
title        words of headings in common with the title
vocabulary   words in common with the title and the prose
signs        dates, prices, what blocks stand in
described    blocks that begin as the page's own data has it
hashing      words of texts and of names to buckets
vectors      sums of the vectors of words (names, wording)
page_type    features within their bounds and what is seen at once (model), the type of the page
means        means over the containers around a block, and over the blocks alike (network)
network      what a layer does with its products, and what follows the last
decision     the choice of blocks (threshold)
candidates   blocks that a rule may be about by what is chosen (rules)
lines        lines of some kind: labels, bylines, comments (rules)
"""
