"""The loops of `features`, one after the other: handed to one loop, the tables that most of them read are handed over
once, which for a small page costs as much as to read them.

Each loop makes sure that its arrays are as long as it needs.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

if cython.compiled:
    from cython.cimports.thresher.methods.auto.kernels.containers import write_containers
    from cython.cimports.thresher.methods.auto.kernels.counts import sum_texts
    from cython.cimports.thresher.methods.auto.kernels.links import write_links
    from cython.cimports.thresher.methods.auto.kernels.own import write_own
    from cython.cimports.thresher.methods.auto.kernels.prose import write_prose
    from cython.cimports.thresher.methods.auto.kernels.repeats import write_repeats
    from cython.cimports.thresher.methods.auto.kernels.signs import write_signs
    from cython.cimports.thresher.methods.auto.kernels.units import write_units
    from cython.cimports.thresher.methods.auto.kernels.vocabulary import write_vocabulary
else:
    from thresher.methods.auto.kernels.containers import write_containers
    from thresher.methods.auto.kernels.counts import sum_texts
    from thresher.methods.auto.kernels.links import write_links
    from thresher.methods.auto.kernels.own import write_own
    from thresher.methods.auto.kernels.prose import write_prose
    from thresher.methods.auto.kernels.repeats import write_repeats
    from thresher.methods.auto.kernels.signs import write_signs
    from thresher.methods.auto.kernels.units import write_units
    from thresher.methods.auto.kernels.vocabulary import write_vocabulary

__all__ = ["write_features"]

# Places in `at`
_OWN = cython.declare(cython.int, 0)
_CONTAINERS = cython.declare(cython.int, 2)
_REPEATS = cython.declare(cython.int, 3)
_PLACE = cython.declare(cython.int, 4)
_PROSE = cython.declare(cython.int, 6)
_UNITS = cython.declare(cython.int, 7)
_VOCABULARY = cython.declare(cython.int, 8)
_SIGNS = cython.declare(cython.int, 9)
_LINKS_BEHIND = cython.declare(cython.int, 2)  # columns of links, the last of those of units


def write_features(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    owner: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    counted: cython.const[cython.longlong][:, ::1],
    seen: cython.const[cython.uchar][::1],
    in_link: cython.const[cython.uchar][::1],
    is_foreign: cython.bint,
    markup: cython.const[cython.uchar][::1],
    link_row: cython.const[cython.int][::1],
    link_code: cython.const[cython.int][::1],
    link_start: cython.const[cython.int][::1],
    link_stop: cython.const[cython.int][::1],
    class_start: cython.const[cython.int][::1],
    class_stop: cython.const[cython.int][::1],
    fields: cython.const[cython.int][::1],
    marks: cython.uchar[::1],
    word_block: cython.const[cython.Py_ssize_t][::1],
    word_bucket: cython.const[cython.Py_ssize_t][::1],
    title: cython.const[cython.Py_ssize_t][::1],
    shapes: cython.const[cython.uchar][::1],
    facts: cython.const[cython.ulonglong][::1],
    logs: cython.const[cython.double][::1],
    rarity: cython.const[cython.double][::1],
    no_page: cython.const[cython.uchar][::1],
    link: cython.int,
    secret: cython.ulonglong,
    blocks: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    sums: cython.int[:, ::1],
    own: cython.float[:, ::1],
    headings: cython.int[:, ::1],
    run: cython.Py_ssize_t[::1],
    slots: cython.int[::1],
    ints: cython.int[:, ::1],
    reals: cython.double[:, ::1],
    links: cython.int[:, ::1],
    first_class: cython.ulonglong[::1],
    kinds: cython.double[:, ::1],
    stamp: cython.int[:, ::1],
    x: cython.float[:, ::1],
    at: cython.const[cython.int][::1],
) -> int:
    """Write all columns but those named in DESCRIBED and the words of the title, from at[k] on those of the k-th part
    of FEATURES; the headings that are compared with the title, and how many of them there are.

    What is asked for here, found or used as room each loop explains: counts, own, containers, repeats, prose, signs,
    links, units and vocabulary.
    """
    found: cython.Py_ssize_t
    pages: cython.Py_ssize_t
    links_at: cython.Py_ssize_t
    if len(at) <= _SIGNS:
        raise ValueError("columns have not the lengths they need")
    links_at = cython.cast(cython.Py_ssize_t, at[_VOCABULARY]) - _LINKS_BEHIND
    sum_texts(counted, seen, in_link, owner, tag, facts, is_foreign, blocks, sums, own)
    found = write_own(
        utf8, start, stop, shapes, facts, blocks, sums, own, elements, logs, headings, x, at[_OWN], at[_PLACE]
    )
    write_containers(blocks, sums, own, elements, ints, reals, logs, x, at[_CONTAINERS])
    write_repeats(blocks, start, stop, own, is_foreign, secret, slots, reals, logs, x, at[_REPEATS])
    write_prose(blocks, sums, own, elements, reals, logs, run, x, at[_PROSE])
    write_signs(utf8, start, stop, blocks, sums, own, elements, fields, marks, reals, logs, x, at[_SIGNS])
    pages = write_links(
        markup, link_row, link_code, link_start, link_stop, link, no_page, blocks, sums, elements, links, x, links_at
    )
    write_units(
        markup, class_start, class_stop, facts, links, pages, blocks, sums, elements, secret, slots, ints, first_class,
        kinds, at[_SIGNS], x, at[_UNITS],
    )  # fmt: skip
    write_vocabulary(word_block, word_bucket, title, run, rarity, stamp, blocks, own, reals, logs, x, at[_VOCABULARY])
    return found
