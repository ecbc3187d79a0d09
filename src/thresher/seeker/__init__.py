"""content-seeker (paper 000): which elements are segments of good granularity, and which segments are main content.

stopwords   function words of each text, and the page's own most frequent words
features    section 2.2 for all elements of a page at once (sums: what an element holds; surroundings: where it stands;
            cues: what its names say)
segments    structural elements; the outermost good ones are the segments
content     which segments are main content (filters: what LBS, SLS and TP keep of them)
trees       a decision tree as arrays
model       the trees of each page type, from an .npz file
types       news, blog, forum or another page
"""
