"""Lists of tasks: items that begin with a box, ticked or not."""

from __future__ import annotations

from itertools import islice

from thresher.page import Page

__all__ = ["is_task"]

_MAX_ANCESTORS = 4  # elements: a label, a paragraph, the item, the list


def is_task(page: Page, row: int) -> bool:
    """Whether an `input` is the box of a task: one that no reader can tick, or one in a list that says so.  Others are
    filters of shops, and menus that open by a style sheet."""
    names = page.attributes(row)
    if names.get("type", "").lower() != "checkbox":
        return False
    around = (page.attribute(above, "class") or "" for above in islice(page.ancestors(row), _MAX_ANCESTORS))
    return "disabled" in names or any("task-list" in value for value in around)
