"""Character encodings: bytes -> UTF-8.

declared  the encoding that a page declares: <meta charset>, XML declaration
guess     the encoding in which legacy bytes read like a language
codecs    bytes in a known encoding -> text, as the WHATWG standard decodes them
mojibake  text that was decoded wrongly before it was saved: "weâ€™re"
decode    all of it: BOM, HTTP charset, declaration, UTF-8, detection, in this order
"""
