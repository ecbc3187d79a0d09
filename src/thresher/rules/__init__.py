"""A site's own rules: which elements are content and which are not, by CSS selectors.

rules      SiteRules: a file that people can read and change
selectors  ElementSelectors: CSS selectors by which rules name elements
ruling     Ruling: the rules applied to a page
"""
