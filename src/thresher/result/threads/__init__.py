"""Threads and comments: who wrote what, when, and in reply to whom.

page_kind whether a page is a thread
posts     Post, Comment: the objects, from page and texts
places    where each post stands, its author and date
units     the elements that hold one post each
signs     elements that say who wrote and when, and what else is beside a post
labels    which texts are no part of what was written
replies   which post a post replies to
claims    what the page's JSON-LD says about its posts
"""
