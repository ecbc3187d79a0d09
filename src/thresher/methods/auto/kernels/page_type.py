"""The loops of `page_type` and `model`: the features within their bounds, what is seen at once, the type of the page.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, expm1, sqrt
else:
    from math import exp, expm1, sqrt

__all__ = ["limit", "look", "put_together", "tell_type"]

_COLUMNS = cython.declare(cython.int, 7)  # those that `look` reads
_TITLE = cython.declare(cython.double, 0.5)  # shares of a heading's words that the page's title has
_VERBATIM = cython.declare(cython.double, 0.9)
_PHRASE = cython.declare(cython.double, 2.5)  # words, more than which are a phrase


def limit(
    x: cython.float[:, ::1],
    low: cython.const[cython.float][::1],
    high: cython.const[cython.float][::1],
    words: cython.Py_ssize_t,
    weight: cython.float[::1],
) -> None:
    """Put the first columns of x, as many as there are bounds, within these; and write what each block weighs, the
    logarithm of its words and a little more."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    little: cython.float = 1e-3
    if not len(low) == len(high) <= x.shape[1] or len(weight) != x.shape[0] or not 0 <= words < x.shape[1]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(x.shape[0]):
            for column in range(len(low)):
                x[b, column] = min(max(x[b, column], low[column]), high[column])
            weight[b] = x[b, words] + little


def look(
    x: cython.const[cython.float][:, ::1],
    columns: cython.const[cython.int][::1],
    seen: cython.float[:, ::1],
    kinds: cython.uchar[:, ::1],
) -> None:
    """Write of each block its words and its share in links; and whether it is a main heading that says what the page's
    title says, or the only one there is if none does, a heading that is a phrase of the title, a heading, code, a
    caption.

    `columns` are those with the words, links, headings, main headings, code, captions, and words of the title.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    mains: cython.Py_ssize_t = 0
    said: cython.Py_ssize_t = 0
    blocks: cython.Py_ssize_t = x.shape[0]
    if len(columns) < _COLUMNS or seen.shape[0] < 2 or kinds.shape[0] < 5:
        raise ValueError("columns have not the lengths they need")
    if not blocks == seen.shape[1] == kinds.shape[1]:
        raise ValueError("columns have not the lengths they need")
    for k in range(_COLUMNS):
        if not 0 <= columns[k] < x.shape[1]:
            raise ValueError("there are no such columns")
    with cython.nogil:
        for b in range(blocks):
            seen[0, b] = expm1(x[b, columns[0]])
            seen[1, b] = x[b, columns[1]]
            kinds[0, b] = x[b, columns[3]] > 0 and x[b, columns[6]] >= _TITLE
            kinds[1, b] = x[b, columns[6]] >= _VERBATIM and seen[0, b] > _PHRASE
            kinds[2, b] = x[b, columns[2]] > 0
            kinds[3, b] = x[b, columns[4]] > 0
            kinds[4, b] = x[b, columns[5]] > 0
            mains += x[b, columns[3]] > 0
            said += kinds[0, b]
        if mains == 1 and said == 0:
            for b in range(blocks):
                kinds[0, b] = x[b, columns[3]] > 0


def put_together(
    x: cython.const[cython.float][:, ::1],
    weight: cython.const[cython.float][::1],
    in_container: cython.Py_ssize_t,
    in_run: cython.Py_ssize_t,
    numbers: cython.float[:, ::1],
) -> None:
    """Write the means of the first columns of x, as many as `numbers` has, with these weights alone, times the column
    `in_container`, and times `in_run`; their highest values; and their spread."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    row: cython.Py_ssize_t
    width: cython.Py_ssize_t = numbers.shape[1]
    alone: cython.float
    contained: cython.float
    running: cython.float
    total: cython.double = 0
    total_contained: cython.double = 0
    total_running: cython.double = 0
    if x.shape[0] != len(weight) or not len(weight) or numbers.shape[0] != 5 or x.shape[1] < width:
        raise ValueError("columns have not the lengths they need")
    if not (0 <= in_container < width and 0 <= in_run < width):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for column in range(width):
            for row in range(5):
                numbers[row, column] = x[0, column] if row == 3 else 0
        for b in range(len(weight)):
            alone = weight[b]
            contained = alone * x[b, in_container]
            running = alone * x[b, in_run]
            total += alone
            total_contained += contained
            total_running += running
            for column in range(width):  # loops so short that compilers turn them into vector instructions
                numbers[0, column] += alone * x[b, column]
                numbers[4, column] += alone * x[b, column] * x[b, column]
            for column in range(width):
                numbers[3, column] = max(numbers[3, column], x[b, column])
            if contained != 0:
                for column in range(width):
                    numbers[1, column] += contained * x[b, column]
            if running != 0:
                for column in range(width):
                    numbers[2, column] += running * x[b, column]
        for column in range(width):
            numbers[0, column] /= max(total, 1e-6)
            numbers[1, column] /= max(total_contained, 1e-6)
            numbers[2, column] /= max(total_running, 1e-6)
            numbers[4, column] = sqrt(max(numbers[4, column] - numbers[0, column] * numbers[0, column], 0))


def tell_type(
    numbers: cython.const[cython.float][::1],
    middle: cython.const[cython.float][::1],
    spread: cython.const[cython.float][::1],
    most: cython.float,
    of_numbers: cython.const[cython.float][:, ::1],
    meta: cython.const[cython.Py_ssize_t][::1],
    of_meta: cython.const[cython.float][:, ::1],
    url: cython.const[cython.Py_ssize_t][::1],
    of_url: cython.const[cython.float][:, ::1],
    names: cython.const[cython.Py_ssize_t][::1],
    of_names: cython.const[cython.float][:, ::1],
    words: cython.const[cython.Py_ssize_t][::1],
    of_words: cython.const[cython.float][:, ::1],
    own: cython.const[cython.float][::1],
    types: cython.float[::1],
) -> None:
    """Write the probability of each type (`page_type`): the numbers and the bags, each with its weights, and b."""
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    z: cython.float
    highest: cython.double
    whole: cython.double = 0
    count: cython.Py_ssize_t = len(types)
    if not len(numbers) == len(middle) == len(spread) == of_numbers.shape[0] or not len(own) == count > 0:
        raise ValueError("columns have not the lengths they need")
    if not count == of_numbers.shape[1] == of_meta.shape[1] == of_url.shape[1] == of_names.shape[1]:
        raise ValueError("columns have not the lengths they need")
    if of_words.shape[1] != count:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for t in range(count):
            types[t] = own[t]
        for k in range(len(numbers)):
            z = min(max((numbers[k] - middle[k]) / max(spread[k], 1e-6), -most), most)
            for t in range(count):
                types[t] += z * of_numbers[k, t]
        _add_bag(meta, of_meta, types)
        _add_bag(url, of_url, types)
        _add_bag(names, of_names, types)
        _add_bag(words, of_words, types)
        highest = types[0]
        for t in range(count):
            highest = max(highest, types[t])
        for t in range(count):
            types[t] = exp(types[t] - highest)
            whole += types[t]
        for t in range(count):
            types[t] /= whole


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_bag(
    bag: cython.const[cython.Py_ssize_t][::1], weights: cython.const[cython.float][:, ::1], logit: cython.float[::1]
) -> cython.void:
    """Add the rows of a bag, divided by the root of how many there are."""
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    share: cython.float
    if len(bag) == 0:
        return
    share = 1 / sqrt(len(bag))
    for k in range(len(bag)):
        if 0 <= bag[k] < weights.shape[0]:
            for t in range(len(logit)):
                logit[t] += share * weights[bag[k], t]
