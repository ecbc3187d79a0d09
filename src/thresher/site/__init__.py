"""Runs over the pages of one site.

archive  saved pages: the folder of a crawl (thresher.crawl), WARC files, HTML files
sources  the pages to compare a page with: live, from a folder, from an archive
gathering  the pages of a site to learn from: crawled, from a folder or an archive; rendered where that is wanted
rendering  a page and others of its site as Chromium shows them
learning   a site learned from its rendered pages: crawl, render, cluster, label, train
memory   site rules (thresher.rules) learned from pages
"""
