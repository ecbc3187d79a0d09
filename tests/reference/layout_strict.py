"""Paper 003, section 3, as printed, on pages of blocks, inline elements and line breaks.

Written from the paper's text alone: a recursion from the body, columns that zones join one after another, a search.
A sentence is what ends with a full stop; it holds a verb when one of its words is in `VERBS`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.layout import children, display
from thresher.page import Page
from thresher.visible.readable import readable

VERBS = frozenset({"is", "was", "says", "reads", "follows", "went", "came"})
Node = tuple[str, int]  # "element" or "text", and its number


@dataclass
class Zone:
    nodes: list[Node]
    left: float
    right: float
    children: list[Zone] = field(default_factory=list)


@dataclass
class Column:
    zones: list[Zone]
    left: float
    right: float
    children: list[Column] = field(default_factory=list)
    score: float = 0.0


def kept(page: Page) -> list[int]:
    """The texts of the main content column."""
    body = [page.name(row) for row in range(len(page))].index("body")
    if not texts(page, ("element", body)):
        return []
    root = zone_of(page, [("element", body)], body)
    tree = collapse(column_of([root]))
    total = score_zone(page, root)
    if total == 0:
        return []  # nothing to divide by: no column has a score
    score_column(page, tree, total)
    current = tree
    while current.children:
        following = max(current.children, key=lambda column: column.score)
        if current.score - following.score > 0.3:
            break
        current = following
    return sorted(text for zone in current.zones for node in zone.nodes for text in texts(page, node))


def texts(page: Page, node: Node) -> list[int]:
    """The visible texts of a node."""
    kind, number = node
    numbers = [number] if kind == "text" else range(int(page.first[number]), int(page.last[number]))
    return [text for text in numbers if readable(page)[text] and page.text[text].strip()]


def is_line_break(page: Page, node: Node) -> bool:
    return node[0] == "element" and page.name(node[1]) in ("br", "hr")


def is_block(page: Page, node: Node) -> bool:
    return node[0] == "element" and display(page, node[1]) == "block"


def inside(page: Page, node: Node) -> list[Node]:
    """The children of an element that count: those with visible text, and line breaks."""
    if node[0] == "text":
        return []
    below = children(page, node[1])
    return [child for child in below if is_line_break(page, child) or texts(page, child)]


def introduces_break(page: Page, node: Node) -> bool:
    """The paper's three circumstances, for the element or one of its descendants."""
    below = inside(page, node)
    blocks = [child for child in below if not is_line_break(page, child) and is_block(page, child)]
    inline = [child for child in below if not is_line_break(page, child) and not is_block(page, child)]
    if len(blocks) >= 2 or (blocks and inline):
        return True
    places = [place for place, child in enumerate(below) if child in inline]
    if any(is_line_break(page, child) and places[0] < at < places[-1] for at, child in enumerate(below) if places):
        return True
    return any(introduces_break(page, child) for child in blocks + inline)


def zone_of(page: Page, nodes: list[Node], parent: int) -> Zone:
    zone = Zone(nodes, *edges(page, nodes, parent))
    if not any(introduces_break(page, node) for node in nodes):
        return zone
    run: list[Node] = []
    runs: list[list[Node]] = []
    (around,) = nodes  # on these pages only blocks introduce line breaks
    for child in inside(page, around):
        if is_line_break(page, child) or is_block(page, child):
            runs.append(run)
            run = []
            if not is_line_break(page, child):
                runs.append([child])
        else:
            run.append(child)
    zone.children = [zone_of(page, group, around[1]) for group in [*runs, run] if group]
    return zone


def edges(page: Page, nodes: list[Node], parent: int) -> tuple[float, float]:
    """Of a block its own, of a run of inline elements and texts the outermost."""
    rows = []
    for node in nodes:
        rows += [node[1]] if is_block(page, node) else [int(page.owner[text]) for text in texts(page, node)]
    boxes = [page.box[row] for row in rows]
    return min(float(box[0]) for box in boxes), max(float(box[0] + box[2]) for box in boxes)


def near(zone: Zone | Column, column: Column) -> bool:
    room = 0.10 * (column.right - column.left)
    return abs(zone.left - column.left) <= room and abs(zone.right - column.right) <= room


def column_of(zones: list[Zone]) -> Column:
    """A column of some zones; the children of these are merged, in turn, where they join the column before them."""
    column = Column(zones, min(zone.left for zone in zones), max(zone.right for zone in zones))
    groups: list[Column] = []
    for zone in [child for parent in zones for child in parent.children]:
        if groups and near(zone, groups[-1]):
            last = groups[-1]
            last.zones.append(zone)
            last.left, last.right = min(last.left, zone.left), max(last.right, zone.right)
        else:
            groups.append(Column([zone], zone.left, zone.right))
    column.children = [column_of(group.zones) for group in groups]
    return column


def collapse(column: Column) -> Column:
    """Children that equal their parent are replaced with their own children."""
    waiting, left = list(column.children), []
    while waiting:
        child = waiting.pop(0)
        if near(child, column):
            waiting = child.children + waiting
        else:
            left.append(collapse(child))
    column.children = left
    return column


def score_zone(page: Page, zone: Zone) -> float:
    """The words of a paragraph; of other leaf zones none; of others the sum."""
    if zone.children:
        return sum(score_zone(page, child) for child in zone.children)
    string = " ".join(page.text[text].strip() for node in zone.nodes for text in texts(page, node))
    sentences = [words for part in string.split(".") if VERBS & set(words := part.lower().split())]
    return len(string.split()) if len(sentences) >= 2 else 0


def score_column(page: Page, column: Column, total: float) -> None:
    column.score = sum(score_zone(page, zone) for zone in column.zones) / total
    for child in column.children:
        score_column(page, child, total)
