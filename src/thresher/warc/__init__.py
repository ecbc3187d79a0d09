"""WARC files (ISO 28500:2017), read past whatever is broken in them, and written.

streams    a file -> members: plain …
members    … gzip, Zstandard, a decoder for each
cursor     the place where an archive is being read
reader     members -> records: WarcReader
head       `name: value`, the lines above a record and above a response
http       the response in a record: status, headers, its body without codings
writer     responses -> records

with open(path, "rb") as file:
    reader = WarcReader(open_stream(file, size, path))
    for block in reader.records(): parse_response(block.content) …
    reader.damage                                              what could not be read
"""

from __future__ import annotations

__all__ = ["ENDINGS"]

ENDINGS = (".warc", ".warc.gz", ".warc.zst")
