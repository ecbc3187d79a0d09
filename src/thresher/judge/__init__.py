"""The learned judge behind `auto`: evidence about each block, a small network that reads it, words for its reasons.

    Page  ->  features (numbers)  ┐
          ->  names, wording      ├->  network  ->  probability that each block is content, page type
             (bags of buckets)    ┘

Everything here runs on numpy alone.  Training, which runs the same network backwards, is in `thresher.learn`.
"""
