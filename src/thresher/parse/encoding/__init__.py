"""Bytes -> UTF-8.

declared  the encoding that a page declares
guess     in which encoding do legacy bytes read like a language?
codecs    text from bytes in one known encoding, as the WHATWG reads it
decode    all of it: what encoding is it really?
"""
