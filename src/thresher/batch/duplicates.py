"""The last pass of --dedupe: each page whose text nearly is that of an earlier page names it in `duplicate_of`.

Earlier means in the order of the parts and their rows, so the result is the same whatever the engine.  Texts are
compared by their fingerprints (text.simhash): near-duplicates differ in at most MAX_BITS of 64 bits, so of the eight
bytes of their fingerprints at least one is the same.  Pages are looked up by that byte.

A part whose column changes is written anew, then its manifest.  Killed in between, the slice does not count as done
and is extracted again; started again, this pass ends in the same bytes.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np

from thresher.batch.job import Job
from thresher.batch.parts import open_writer, read_rows
from thresher.batch.plan import Plan, Slice
from thresher.batch.rows import Row
from thresher.batch.slices import Manifest, manifest_name
from thresher.batch.store import OutputStore

__all__ = ["MAX_BITS", "FirstPages", "mark_duplicates"]

MAX_BITS = 7  # in which near-duplicates differ: fewer than a fingerprint has bytes
_BYTES = 8  # of a fingerprint
_ONES = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)


class FirstPages:
    """The pages that are no duplicates: the fingerprint and id of each, and eight numbers to look it up by."""

    def __init__(self) -> None:
        self._fingerprints = array("Q")
        self._ids: list[str] = []
        self._same: dict[int, int] = {}  # fingerprint -> page
        self._with_byte: dict[tuple[int, int], array[int]] = defaultdict(lambda: array("I"))  # place, byte -> pages

    def original_of(self, fingerprint: int, id: str) -> str | None:
        """The id of the first page that this one repeats; None for one that repeats none, and is kept in mind."""
        first = self._same.get(fingerprint)
        if first is None:
            first = self._nearly(fingerprint)
        if first is not None:
            return self._ids[first]
        number = len(self._ids)
        self._ids.append(id)
        self._fingerprints.append(fingerprint)
        self._same[fingerprint] = number
        for key in enumerate(fingerprint.to_bytes(_BYTES, "big")):
            self._with_byte[key].append(number)
        return None

    def _nearly(self, fingerprint: int) -> int | None:
        keys = enumerate(fingerprint.to_bytes(_BYTES, "big"))
        alike = [np.frombuffer(self._with_byte[key], np.uint32) for key in keys if key in self._with_byte]
        if not alike:
            return None
        pages = np.concatenate(alike)
        differing = np.frombuffer(self._fingerprints, np.uint64)[pages] ^ np.uint64(fingerprint)
        bits = _ONES[differing.view(np.uint8).reshape(-1, _BYTES)].sum(axis=1)
        near = pages[bits <= MAX_BITS]
        return int(near.min()) if len(near) else None


def mark_duplicates(plan: Plan, summaries: dict[int, dict[str, Any]], store: OutputStore) -> int:
    """Write `duplicate_of` into the parts, and what becomes of their manifests into `summaries`; the number of
    duplicates."""
    first_pages, duplicates = FirstPages(), 0
    for piece in plan.slices:
        part = summaries.get(piece.number, {}).get("part")
        if part is None:
            continue
        rows = list(read_rows(store.read(part), plan.job))
        changed = False
        for row in rows:
            fingerprint = int(row["fingerprint"] or "0", 16)
            original = first_pages.original_of(fingerprint, row["id"]) if fingerprint else None
            changed |= row["duplicate_of"] != original
            row["duplicate_of"] = original
            duplicates += original is not None
        if changed:
            manifest = Manifest.from_dict(summaries[piece.number])
            summaries[piece.number] = _write_again(plan.job, piece, manifest, rows, store).to_dict()
    return duplicates


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
