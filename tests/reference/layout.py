"""Paper 003, section 3, read out slowly: zones and columns as objects, built by walking the page node by node."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from thresher.page import Page
from thresher.page.columns import words
from thresher.visible.readable import readable

INLINE = ("inline", "ruby", "ruby-text", "math", "contents", "none")


@dataclass
class Zone:
    """An element that is a zone, or a leaf: a list of texts."""

    element: int | None
    texts: list[int]
    children: list[Zone] = field(default_factory=list)


def leaves(page: Page) -> list[list[int]]:
    """Runs of visible texts with no line break between them, by a walk over the body."""
    body = [page.name(row) for row in range(len(page))].index("body")
    seen = readable(page)
    found: list[list[int]] = [[]]

    def cut() -> None:
        if found[-1]:
            found.append([])

    def walk(row: int, in_line: bool) -> None:
        breaks = not in_line and breaks_line(page, row)
        in_line = in_line or stands_in_line(page, row)
        if breaks:
            cut()
        for kind, number in children(page, row):
            if kind == "text" and seen[number]:
                found[-1].append(number)
            elif kind == "element":
                walk(number, in_line)
        if breaks:
            cut()

    walk(body, False)
    return [run for run in found if run]


def children(page: Page, row: int) -> list[tuple[str, int]]:
    """Child elements and texts in reading order."""
    inside = [
        (int(page.tag_start[k]), "element", k) for k in range(row + 1, int(page.end[row])) if page.parent[k] == row
    ]
    inside += [(int(page.position[k]), "text", k) for k in range(len(page.start)) if page.owner[k] == row]
    return [(kind, number) for _, kind, number in sorted(inside)]


def display(page: Page, row: int) -> str:
    return str(page.style.of("display")[row])


def has_box(page: Page, row: int) -> bool:
    return not np.isnan(page.box[row, 0])


def word_count(page: Page, row: int) -> int:
    seen = readable(page)
    return sum(int(words(page)[k]) for k in range(int(page.first[row]), int(page.last[row])) if seen[k])


def is_block(page: Page, row: int) -> bool:
    kind = display(page, row)
    return has_box(page, row) and (
        page.name(row) == "br" or not (kind in INLINE or kind.startswith(("inline", "ruby", "math")))
    )


def holds_break(page: Page, row: int) -> bool:
    """Whether two visible or invisible texts of an inline box are parted by a block boundary, itself left aside."""
    first, last = int(page.first[row]), int(page.last[row])
    marks = set()
    for other in range(len(page)):
        if is_block(page, other):
            marks |= {int(page.first[other]), int(page.last[other])}
    return any(first < mark < last for mark in marks)


def is_region(page: Page, row: int) -> bool:
    """An inline box with line breaks inside, or as high as three lines."""
    size = page.style.pixels("font-size")[row]
    return holds_break(page, row) or page.box[row, 3] > 3.5 * max(16.0 if np.isnan(size) else size, 1)


def stands_in_line(page: Page, row: int) -> bool:
    if not has_box(page, row) or not word_count(page, row):
        return False
    lifted = page.style.of("float")[row] != "none" or page.style.of("position")[row] in ("absolute", "fixed")
    if lifted and word_count(page, row) == 1:
        return True
    return display(page, row).startswith("inline-") and not is_region(page, row)


def breaks_line(page: Page, row: int) -> bool:
    if stands_in_line(page, row) or any(page.name(above) == "math" for above in page.ancestors(row)):
        return False
    if display(page, row).startswith("inline-"):
        return has_box(page, row) and bool(word_count(page, row)) and is_region(page, row)
    return is_block(page, row)


def zone_tree(page: Page) -> Zone | None:
    """The body, and below it every element with a box that holds two leaves or more, whole; leaves at the ends."""
    runs = leaves(page)
    if not runs:
        return None
    leaf_of = {text: number for number, run in enumerate(runs) for text in run}
    names = [page.name(row) for row in range(len(page))]
    body = names.index("body")

    def held(row: int) -> list[int]:
        return [text for text in range(int(page.first[row]), int(page.last[row])) if text in leaf_of]

    def is_zone(row: int) -> bool:
        texts = held(row)
        if row == body:
            return True
        numbers = {leaf_of[text] for text in texts}
        whole = sorted(texts) == sorted(text for number in numbers for text in runs[number])
        return len(numbers) > 1 and whole and has_box(page, row)

    root = Zone(body, held(body))
    stack = {body: root}

    def nearest(row: int) -> Zone:
        while row not in stack:
            row = int(page.parent[row])
        return stack[row]

    for row in range(body + 1, int(page.end[body])):
        if is_zone(row):
            stack[row] = Zone(row, held(row))
            nearest(int(page.parent[row])).children.append(stack[row])
    for run in runs:
        nearest(int(page.owner[run[0]])).children.append(Zone(None, run))
    for zone in stack.values():
        zone.children.sort(key=lambda child: child.texts[0])
    return root


@dataclass
class Column:
    zones: list[int]
    left: float
    right: float
    children: list[Column] = field(default_factory=list)


def column_tree(zones, tolerance: float = 0.10) -> Column:
    """Merge the children of a column's zones, then go on with each of the new columns."""
    below: dict[int, list[int]] = {}
    for zone in range(len(zones)):
        below.setdefault(int(zones.parent[zone]), []).append(zone)

    def make(members: list[int]) -> Column:
        column = Column(members, min(zones.left[z] for z in members), max(zones.right[z] for z in members))
        inside = sorted(child for zone in members for child in below.get(zone, []))
        groups: list[list[int]] = []
        for zone in inside:
            before = groups[-1][-1] if groups else None
            if before is not None and _equal(zones, before, zone, tolerance):
                groups[-1].append(zone)
            else:
                groups.append([zone])
        column.children = [make(group) for group in groups]
        return column

    return make([0])


def collapse(column: Column, tolerance: float = 0.10) -> Column:
    """Replace children that are as wide as the column by their own children."""
    room = tolerance * (column.right - column.left)
    waiting, kept = list(column.children), []
    while waiting:
        child = waiting.pop(0)
        if abs(child.left - column.left) <= room and abs(child.right - column.right) <= room:
            waiting = child.children + waiting
        else:
            kept.append(collapse(child, tolerance))
    return Column(column.zones, column.left, column.right, kept)


def _equal(zones, one: int, other: int, tolerance: float) -> bool:
    room = tolerance * (zones.right[one] - zones.left[one])
    near_left = abs(zones.left[one] - zones.left[other]) <= room
    return bool(near_left and abs(zones.right[one] - zones.right[other]) <= room)
