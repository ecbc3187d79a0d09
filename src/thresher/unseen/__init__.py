"""Which elements a page hides from its readers, and by what.

declarations   does a list of declarations hide what it applies to?
sheet          the rules of a style sheet that may hide, or show again
selector       which elements a selector names
verdict        attributes, inline styles and rules, cascaded: `hidden(page)` and `causes(page)`
"""

from __future__ import annotations

from thresher.unseen.verdict import causes, hidden

__all__ = ["causes", "hidden"]
