"""Sites: crawling them, choosing pages of them that are alike, and what their pages have in common."""
