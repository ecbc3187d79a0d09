"""A small reader of CSS: enough to tell which elements a page's own style rules hide."""
