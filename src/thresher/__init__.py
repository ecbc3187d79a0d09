"""Thresher takes the main content out of web pages and leaves the chaff."""

__version__ = "0.1.0"
