"""Runs over the pages of one site.

archive  saved pages: the folder of a crawl (thresher.crawl), WARC files, HTML files
sources  the pages to compare a page with: live, from a folder, from an archive
memory   site rules (thresher.rules) learned from pages
"""
