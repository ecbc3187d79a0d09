"""The functions of other extractors, so that changing one import line switches a program.

trafilatura   extract, bare_extraction, fetch_url, extract_metadata, with trafilatura's arguments

docs/migrate.md has a table of their options and ours.
"""
