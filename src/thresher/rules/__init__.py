"""A site's own rules: which elements are content and which are not, by CSS selectors.

rules      SiteRules: a file that people can read and change
selectors  how rules name elements
ruling     rules on a page
"""
