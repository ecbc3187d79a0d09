"""What is done of a run, read from its folder; works while it runs, and after it was killed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from thresher.batch.plan import read_plan
from thresher.batch.slices import is_intact, manifest_name, part_name, read_manifest
from thresher.batch.store import open_store

__all__ = ["status"]


def status(output: str, verify: bool = False) -> dict[str, Any]:
    """Slices, rows, errors, damage, failures; with `verify`, parts whose bytes are not those that were written."""
    store = open_store(output)
    plan = read_plan(store, output)
    done = rows = size = read = 0
    seconds = 0.0
    errors: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    damage, wrong, failed = [], [], []
    for piece in plan.slices:
        manifest = read_manifest(piece, store)
        if manifest is None:
            if verify and store.exists(manifest_name(piece)):  # it vouches for other bytes, or is damaged itself
                wrong.append(part_name(piece, plan.job))
            continue
        done += 1
        rows += manifest.rows
        size += manifest.size
        read += manifest.read
        seconds += manifest.seconds
        errors.update(manifest.errors)
        skipped.update(manifest.skipped)
        damage += [{"source": manifest.source, **each} for each in manifest.damage]
        if manifest.failed:
            failed.append({"slice": piece.number, "source": manifest.source, "reason": manifest.failed})
        if verify and manifest.part and not is_intact(manifest, store):
            wrong.append(manifest.part)
    summary: dict[str, Any] = {
        "output": output,
        "complete": done == len(plan.slices) and not failed,
        "slices": len(plan.slices),
        "slices_done": done - len(failed),
        "rows": rows,
        "rows_without_text": errors.total(),
        "errors": dict(errors.most_common()),
        "skipped": dict(skipped.most_common()),
        "damage": damage,
        "failed": failed,
        "bytes_read": read,
        "bytes_total": plan.size,
        "bytes_written": size,
        "cpu_seconds": round(seconds, 3),
        "method": plan.job.method,
        "model": plan.model,
        "version": plan.version,
    }
    return summary | ({"wrong": wrong} if verify else {})
