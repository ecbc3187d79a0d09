"""The last pass of --dedupe: each page whose text nearly is that of an earlier page names it in `duplicate_of`.

Earlier means in the order of the parts and their rows, so the result is the same whatever the engine.  Texts are
compared by their fingerprints (text.simhash): those of near-duplicates differ in at most MAX_BITS of 64 bits.  Pages
are looked up by bands of these bits (near_kernels), so a page is compared with one in 963 of the others.

A part whose column changes is written anew, then its manifest.  Killed in between, the slice does not count as done
and is extracted again; started again, this pass ends in the same bytes.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from thresher.batch.job import Job
from thresher.batch.near_kernels import first_of_each
from thresher.batch.parts import open_writer, read_rows
from thresher.batch.plan import Plan, Slice
from thresher.batch.rows import Row
from thresher.batch.slices import Manifest, manifest_name
from thresher.batch.store import OutputStore

__all__ = ["MAX_BITS", "FirstPages", "mark_duplicates"]

MAX_BITS = 7  # in which near-duplicates differ: fewer than two for each band of near_kernels
_BANDS, _KEYS = 4, 1 << 16  # of near_kernels


class FirstPages:
    """The pages that are no duplicates: fingerprint and id of each, and the chains that they are looked up in."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._fingerprints = np.empty(0, np.uint64)
        self._newest = np.full((_BANDS, _KEYS), -1, np.int32)
        self._before = np.empty((0, _BANDS), np.int32)

    def originals_of(self, fingerprints: list[int], ids: list[str]) -> list[str | None]:
        """For each page the id of the first page that it repeats; None for one that repeats none: it is kept in
        mind."""
        self._make_room(len(ids))
        first = np.empty(len(ids), np.int64)
        given = np.array(fingerprints, np.uint64)
        arrays = (self._fingerprints, self._newest, self._before, first)
        first_of_each(given, MAX_BITS, len(self._ids), *(array.data for array in arrays))
        originals: list[str | None] = []
        for id, number in zip(ids, first.tolist(), strict=True):
            originals.append(self._ids[number] if number >= 0 else None)
            if number < 0:
                self._ids.append(id)
        return originals

    def _make_room(self, more: int) -> None:
        """Room for so many further pages; doubled when it is used up, so that copying costs little."""
        needed, room = len(self._ids) + more, len(self._fingerprints)
        if needed > room:
            self._fingerprints = np.resize(self._fingerprints, max(needed, 2 * room))
            self._before = np.resize(self._before, (max(needed, 2 * room), _BANDS))


def mark_duplicates(plan: Plan, summaries: dict[int, dict[str, Any]], store: OutputStore) -> int:
    """Write `duplicate_of` into the parts, and what becomes of their manifests into `summaries`; the number of
    duplicates."""
    first_pages, duplicates = FirstPages(), 0
    for piece in plan.slices:
        part = summaries.get(piece.number, {}).get("part")
        if part is None:
            continue
        rows = list(read_rows(store.read(part), plan.job))
        duplicates_before = [row["duplicate_of"] for row in rows]
        duplicates += _mark(rows, first_pages)
        if duplicates_before != [row["duplicate_of"] for row in rows]:
            manifest = Manifest.from_dict(summaries[piece.number])
            summaries[piece.number] = _write_again(plan.job, piece, manifest, rows, store).to_dict()
    return duplicates


def _mark(rows: list[Row], first_pages: FirstPages) -> int:
    """Write `duplicate_of` into rows; the number of duplicates."""
    for row in rows:
        row["duplicate_of"] = None
    texts = [row for row in rows if int(row["fingerprint"] or "0", 16)]
    originals = first_pages.originals_of([int(row["fingerprint"], 16) for row in texts], [row["id"] for row in texts])
    for row, original in zip(texts, originals, strict=True):
        row["duplicate_of"] = original
    return sum(original is not None for original in originals)


def _write_again(job: Job, piece: Slice, manifest: Manifest, rows: list[Row], store: OutputStore) -> Manifest:
    assert manifest.part is not None
    with store.draft(manifest.part) as draft:
        writer = open_writer(draft, job)
        try:
            for row in rows:
                writer.write(row)
            writer.close()
        except BaseException:
            writer.abandon()
            raise
    manifest = replace(manifest, size=draft.size, sha256=draft.sha256)
    _, _, lines = store.read(manifest_name(piece)).partition(b"\n")
    store.write(manifest_name(piece), json.dumps(manifest.to_dict()).encode() + b"\n" + lines)
    return manifest
