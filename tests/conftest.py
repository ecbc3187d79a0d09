"""Property tests look for new examples when run by hand; a change is judged by the same examples every time.

No test depends on the speed of the machine: an example has no deadline.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("judge", parent=settings.get_profile("here"), derandomize=True)
settings.load_profile("judge" if os.environ.get("CI") else "here")
