"""HTTP without a network: URLs, headers, media types, content codings.  Nothing here opens a connection (`fetch` does).

urls             a URL parsed and normalised as browsers do it
session_ids      a URL without session ids and tracking parameters
domains          the registrable domain of a host: example.co.uk of www.example.co.uk
media_types      the media type and charset of a Content-Type header
response         Response: status, headers, body of a fetch
content_codings  gzip, deflate, brotli and zstd, decompressed within a limit
"""
