"""Which detector of encodings reads most paragraphs that declare none: PYTHONPATH=. python benchmarks/detectors.py

The paragraphs of tests/test_decode.py, one for each encoding and language.
Our own guess (parse/encoding/guess.py) comes first; the detector is asked for the rest.
charset-normalizer and chardet are counted where they are installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from tests.test_decode import ENCODINGS, page

from thresher.parse.encoding.decode import decode

DETECTORS = ("cchardet", "charset_normalizer", "chardet")


def detector(name: str) -> Callable[[bytes], dict[str, Any]] | None:
    """A module's function, None where the module is not installed."""
    try:
        function: Callable[[bytes], dict[str, Any]] = import_module(name).detect
    except ImportError:
        return None
    return function


def main() -> None:
    """Put each detector in the place of the one that is used."""
    found = {name: detector(name) for name in DETECTORS}
    found["none"] = lambda data: {"encoding": None, "confidence": 0.0}
    rows = [row[:3] for row in ENCODINGS if row[3]]
    for name, detect in found.items():
        if detect is None:
            continue
        sys.modules["cchardet"] = SimpleNamespace(detect=detect)  # type: ignore[assignment]
        right, began = 0, time.process_time()
        wrong = []
        for label, codec, language in rows:
            html = page(language, codec)
            if decode(html.encode(codec)).text == html:
                right += 1
            else:
                wrong.append(label)
        spent = time.process_time() - began
        print(f"{name:<20}{right:>4} of {len(rows)}{spent:>8.2f} s   {' '.join(wrong)}")


if __name__ == "__main__":
    main()
