"""What a type checker must refuse: every line with a mistake says so (tests/test_typed.py)."""

from __future__ import annotations

import thresher

thresher.extract(17)  # mistake
thresher.extract("<p>", focus="everything")  # mistake
number: int = thresher.extract("<p>").text  # mistake
headline = thresher.extract("<p>").headline  # mistake
thresher.extract_url(url=None)  # mistake
