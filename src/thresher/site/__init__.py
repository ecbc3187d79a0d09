"""Pages of one site: where to get them, how they are compared, and rules that are learned from them.

where      archive     saved pages: the folder of a crawl (thresher.crawl), WARC files, HTML files
           sources     the pages to compare a page with: live, from a folder, from an archive
           links       where a page leads to on its site (distance: how near an address is to another)
           nset        the n pages worth comparing with, and which of them are copies
compared   nodes       elements and texts as nodes of one tree
           fingerprint numbers for pieces of a page, equal where the pieces are
           mapping     nodes of two pages that stand at the same place
           subtrees    numbers for whole subtrees and positions, equal where these are
           styles      the style tree: every way in which the pages lay out one place
           evidence    what the other pages say of each element and text, as columns
rules      rules       SiteRules: a file that people can read and change (selectors: how they name elements)
           ruling      rules on a page
           memory      rules learned from pages
"""
