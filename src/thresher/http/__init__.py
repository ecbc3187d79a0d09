"""What HTTP and its addresses are made of; nothing here opens a connection.

urls             an address as browsers read it, in one spelling
session_ids      addresses without the session that they carry
domains          the domain that somebody registered
media_types      what a Content-Type header says
response         what a fetch gives back: status, headers, body
content_codings  gzip, deflate, brotli and zstd undone within a limit
"""
