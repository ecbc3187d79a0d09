"""Coverage-guided fuzzing of everything between bytes and output: decode, parse, every method's verdict, every form.

    python tests/fuzz/fuzz_extract.py CORPUS -dict=tests/fuzz/html.dict -max_len=4096

The first two bytes of an input choose the focus, the method and the transport's charset; the rest is the page.
README.md tells how to run it for hours and what to do with a finding.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["thresher"]):
    import thresher
    import thresher.css.cascade
    import thresher.metadata
    import thresher.output
    import thresher.page.columns
    import thresher.page.xpath
    import thresher.parse
    import thresher.parse.encoding.decode
    import thresher.text.language
    import thresher.visible.hidden
    from thresher import methods
    from thresher.errors import ThresherError

from tests.hostile.properties import assert_sound, forms

FOCUSES = ("balanced", "recall", "precision", "balanced")
CHARSETS = (None, "utf-8", "iso-8859-1", "shift_jis", "gb18030", "big5", "euc-kr", "iso-2022-jp", "utf-16le", "koi8-r")


def _alone() -> tuple[str, ...]:
    """The methods that need neither other pages nor a rendering."""
    found = []
    for name in methods.names():
        try:
            methods.get(name)(thresher.parse("<p>words"))
        except ThresherError:
            continue
        found.append(name)
    return tuple(found)


NAMES = _alone()


def test_one_input(data: bytes) -> None:
    """What libFuzzer calls: an exception, an assertion or a timeout is a finding."""
    if len(data) < 2:
        return
    first, second, html = data[0], data[1], data[2:]
    method = NAMES[first % len(NAMES)] if first >= 192 else "auto"
    encoding = CHARSETS[second % len(CHARSETS)] if second >= 128 else None
    options = {"method": method, "url": "https://example.org/a/b", "encoding": encoding, "focus": FOCUSES[first & 3]}
    result = thresher.extract(html, **options)
    assert_sound(result)
    if second & 1:
        again = thresher.extract(html, **options)
        assert forms(again) == forms(result), "the same input gave another output"


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
