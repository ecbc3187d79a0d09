"""The learned judge behind `auto`: evidence about each block, a small network that reads it, words for its reasons.

    Page  ->  features (numbers)  ┐
          ->  names, wording      ├->  network  ->  probability that each block is content, page type
             (bags of buckets)    ┘

blocks       the blocks to judge, and where they stand
features     numbers (script: is the page in letters of the kind that the network learned from?)
names        words of classes, ids, roles and tags around a block     } sums of learned vectors,
wording      words with which a block begins                          } found by numbers of words (hashing)
claims       what the page says of itself in head and address         }
network      one pass over the blocks of a page
model        the weights, and the page as the network wants it
layout       what a rendering adds
verdict      which blocks are kept: those that are likely enough (threshold), with what belongs to them (belonging),
             without what stands apart (apart; contents: the table of contents)
reasons      why, in words

Everything here runs on numpy alone.  Training, which runs the same network backwards, is in `thresher.learn`.
"""
