"""TP: group, score and choose with dictionaries and loops, as the docstring of thresher.methods.tp tells it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tests.reference import columns
from tests.reference.segments import branch, children, is_shown, linked, seen_chars, texts, up
from thresher.methods.tp import Options
from thresher.page import Page
from thresher.visible.readable import readable

TABLE = set("table tbody tr td th".split())
CONTAINERS = TABLE | set(
    "div li ul ol dl dd dt article section aside main details blockquote fieldset form figure center".split()
)
PROPERTIES = ("border", "width", "align", "cellspacing", "cellpadding")


def bodies(page: Page, segment: int, options: Options) -> set[int] | None:
    """The elements chosen, without their subtrees; None when nothing repeats enough."""
    text = running_text(page)
    size = [sum(text[k] for k in texts(page, row)) for row in range(len(page))]
    keys = all_keys(page, size)
    groups: dict[Any, list[int]] = defaultdict(list)
    for row in branch(page, segment)[1:]:
        if is_container(page, row, size):
            groups[keys[row]].append(row)
    scores = {
        key: score(page, members, size, options, options.share * size[segment]) for key, members in groups.items()
    }
    for key in sorted(groups, key=lambda key: (-scores[key], order(keys, key)))[:8]:
        if scores[key] > 0 and comparable(page, groups[key], keys):
            return part(page, key, groups, size, options, keys)
    return None


def running_text(page: Page) -> list[int]:
    chars, words = seen_chars(page), columns.words(page)
    unlinked = [bool(readable(page)[k]) and not linked(page, k) for k in range(len(page.text))]
    block_words: Counter[int] = Counter()
    for k in range(len(page.text)):
        block_words[int(page.block[k])] += words[k] * unlinked[k]
    return [chars[k] * unlinked[k] * min(20, block_words[int(page.block[k])]) for k in range(len(page.text))]


def is_container(page: Page, row: int, size: list[int]) -> bool:
    return (page.name(row) in CONTAINERS or not page.tag[row]) and is_shown(page, row) and size[row] > 0


def all_keys(page: Page, size: list[int]) -> list[Any]:
    own = own_keys(page, size)
    keys = []
    for row in range(len(page)):
        anchor = next((above for above in up(page, row) if own[above]), 0)
        levels = int(page.depth[row] - page.depth[anchor])
        keys.append((own[anchor], levels, int(page.tag[row]) if levels else 0, column(page, row)))
    return keys


def column(page: Page, row: int) -> int:
    if page.name(row) not in ("td", "th"):
        return 0
    cells = [child for child in children(page, int(page.parent[row])) if page.name(child) in ("td", "th")]
    return cells.index(row) + 1


def own_keys(page: Page, size: list[int]) -> list[Any]:
    wanted = [row for row in range(len(page)) if is_container(page, row, size)]
    attributes = {row: page.attributes(row) for row in wanted}
    for row, found in attributes.items():
        if any('"' in name for name in found):  # a malformed tag; the kernel does not read its attributes
            attributes[row] = {}
    names = {row: class_names(attributes[row].get("class", "")) for row in wanted}
    count = Counter(name for row in wanted for name in names[row])
    keys: list[Any] = [None] * len(page)
    for row in wanted:
        common = {name for name in names[row] if count[name] > 1} or names[row]
        properties = [(name, attributes[row][name]) for name in PROPERTIES if name in attributes[row]]
        if page.name(row) not in TABLE:
            properties = []
        unknown = "" if page.tag[row] else page.name(row)
        if common or properties or unknown:
            keys[row] = (int(page.tag[row]), frozenset(common), tuple(properties), unknown)
    return keys


def class_names(value: str) -> set[str]:
    names = {"".join(letter for letter in name if letter not in "0123456789") for name in value.lower().split()}
    return names - {"odd", "even", "alt", "first", "last", ""}


def order(keys: list[Any], key: Any) -> tuple[int, int, int, int]:
    """Groups of equal score: by column, where the class or property first occurs, the levels below it, and the tag."""
    own, levels, tag, column = key
    first = [other[0] for other in keys if other[1] == 0 and other[0]]
    return (column, first.index(own) if own in first else -1, levels, tag)


def outermost(page: Page, members: list[int]) -> list[int]:
    return [row for row in members if not set(page.ancestors(row)) & set(members)]


def score(page: Page, members: list[int], size: list[int], options: Options, least: float) -> int:
    sizes = [size[row] for row in outermost(page, members)]
    if len(members) < options.members or sum(sizes) < least:
        return 0
    return sum(sizes) * (sum(sizes) - max(sizes))


def comparable(page: Page, members: list[int], keys: list[Any]) -> bool:
    count = Counter(kind for row in members for kind in {keys[child] for child in children(page, row)})
    bare = sum(not children(page, row) for row in members)
    return 2 * max([bare, *count.values()]) > len(members)


def part(
    page: Page, best: Any, groups: dict[Any, list[int]], size: list[int], options: Options, keys: list[Any]
) -> set[int]:
    members = groups[best]
    whole = seen_chars(page)
    fitting = []
    for key, rows in groups.items():
        inner = [row for row in rows if key != best and set(page.ancestors(row)) & set(members)]
        holders = {next(above for above in page.ancestors(row) if above in members) for row in inner}
        outer = [row for row in inner if row in outermost(page, rows)]
        held = sum(size[row] for row in outer)
        enough = held >= options.body_share * sum(size[row] for row in outermost(page, members))
        if enough and len(holders) >= 0.7 * len(members) and len(inner) <= 1.5 * len(members):
            in_all = sum(whole[k] for row in outer for k in texts(page, row))
            fitting.append((in_all, order(keys, key), key))
    return set(groups[min(fitting, key=lambda one: one[:2])[2]] if fitting else members)
