"""Content-Type headers as servers write them."""

from __future__ import annotations

import pytest

from thresher.http.media_types import charset_of, media_type


@pytest.mark.parametrize(
    ("header", "kind", "charset"),
    [
        ("text/html", "text/html", None),
        ("Text/HTML ; Charset=UTF-8", "text/html", "UTF-8"),
        ("text/html;charset='koi8-r' ; x=y", "text/html", "koi8-r"),
        ('text/html; charset="x', "text/html", "x"),
        ("text/html; xcharset=a; charset=b", "text/html", "b"),
        ("text/html; charset=utf-8, text/html", "text/html", "utf-8"),
        ("charset=gbk", "charset=gbk", "gbk"),
        ("text/html; charset=", "text/html", None),
        ('text/html; charset=""', "text/html", None),
        ("", "", None),
        (None, "", None),
    ],
)
def test_what_a_header_says(header: str | None, kind: str, charset: str | None) -> None:
    assert (media_type(header), charset_of(header)) == (kind, charset)
