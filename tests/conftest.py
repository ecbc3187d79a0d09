"""Property tests look for new examples when run by hand; a change is judged by the same examples every time."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("judge", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("judge")
