"""The plan of a run: every input cut into slices, each of which becomes one part.

    inputs -> slices -> plan file, written once, before anything else

Slices depend on the inputs and the job alone, never on the workers, so a run that goes on after a crash, or on another
engine, has the same ones.  A slice of a WARC or JSONL file holds the records that begin between two offsets; of a
Parquet file, the rows of some row groups; of pages in a folder or addresses in a list, some of them.

Where the first record of a WARC slice begins is found by looking for one.  That is a guess: a page may hold an archive
of its own.  But the slice before knows where it ended, and slices that do not meet are read again (`misplaced`).
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from thresher import __version__
from thresher.batch.digests import Digests
from thresher.batch.files import PRIVATE, open_binary
from thresher.batch.inputs import BatchInputError, InputFile, find_inputs, host_of, is_address
from thresher.batch.job import Job, Kind
from thresher.batch.rows import model
from thresher.batch.store import OutputStore, open_store
from thresher.errors import MissingExtra, ThresherError
from thresher.warc.members import open_stream
from thresher.warc.streams import Position

__all__ = ["Changed", "Plan", "Slice", "has_plan", "make_plan", "read_plan", "store_plan"]

PLAN = f"{PRIVATE}/plan.jsonl"


class Changed(ThresherError):
    """The output folder belongs to another job."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece of an input that becomes one part."""

    number: int
    kind: Kind
    source: str = ""
    start: int = 0  # offsets in the file; row groups for Parquet
    stop: int = 0
    begin: tuple[int, int] | None = None  # where its first record is known to begin
    items: tuple[tuple[str, str], ...] = ()  # files or addresses, each with its position in the source
    size: int = 0  # bytes, for the progress
    digest: str = ""  # of the source, or of all files of the slice

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value or name in ("number", "start")}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Slice:
        begin = values.get("begin")
        items = tuple((position, item) for position, item in values.get("items", ()))
        return cls(**values | {"begin": tuple(begin) if begin else None, "items": items})

    def beginning_at(self, position: Position) -> Slice:
        return replace(self, begin=(position.member, position.inner))


@dataclass(frozen=True, slots=True)
class Plan:
    """A job and its slices."""

    job: Job
    slices: tuple[Slice, ...]
    version: str = __version__
    model: str | None = None

    def lines(self) -> Iterator[bytes]:
        """The plan file: a head, then a line per slice."""
        job = {name: value for name, value in self.job.to_dict().items() if name not in ("output", "inputs")}
        head = {"job": job, "version": self.version, "model": self.model, "slices": len(self.slices)}
        for value in (head, *(piece.to_dict() for piece in self.slices)):
            yield json.dumps(value).encode() + b"\n"  # names of files need not be characters: escaped

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.slices)


def make_plan(job: Job, digests: Digests | None = None) -> Plan:
    """Look at the inputs and cut them up; `digests` of an earlier run save reading them."""
    digests = digests or Digests(open_store(job.output))
    inputs = find_inputs(job.inputs, job.input_format)
    pieces: list[Slice] = []
    pages: list[InputFile] = []
    addresses: list[InputFile] = []
    for file in inputs:
        if file.kind == "html":
            pages.append(file)
        elif file.kind == "urls":
            addresses.append(file)
        else:
            digest = digests.of(file.path)
            pieces += [replace(piece, digest=digest) for piece in _file_slices(file, job)]
    pieces += _page_slices(pages, job, digests)
    pieces += _address_slices(addresses, job)
    return Plan(
        job, tuple(replace(piece, number=number) for number, piece in enumerate(pieces)), model=model(job.method)
    )


def store_plan(plan: Plan, store: OutputStore) -> Plan:
    """The plan, written if it is new; Changed if the folder belongs to another one."""
    if not has_plan(plan, store):
        if any(name.startswith("part-") for name in store.names("")):
            raise Changed(f"{plan.job.output} holds parts but no plan of ours; choose another folder")
        store.write(PLAN, b"".join(plan.lines()))
    return plan


def has_plan(plan: Plan, store: OutputStore) -> bool:
    """Whether the folder has this plan; Changed if it has another one."""
    if not store.exists(PLAN):
        return False
    lines = list(plan.lines())
    if store.read(PLAN) != b"".join(lines):
        read_plan(store, plan.job.output)  # says so if it is damaged
        raise Changed(_difference(store.read(PLAN), lines, plan.job.output))
    return True


def read_plan(store: OutputStore, output: str) -> Plan:
    """The plan of a run that has begun."""
    if not store.exists(PLAN):
        raise BatchInputError(f"no run of thresher batch has begun in {output}")
    try:
        head, *lines = store.read(PLAN).splitlines()
        stored = json.loads(head)
        job = Job.from_dict({"inputs": (), "output": output} | stored["job"])
        slices = tuple(Slice.from_dict(json.loads(line)) for line in lines)
        return Plan(job, slices, stored["version"], stored["model"])
    except (ValueError, TypeError, KeyError):
        raise BatchInputError(f"{output}/{PLAN} is damaged; start over with --overwrite") from None


def _difference(stored: bytes, lines: list[bytes], output: str) -> str:
    """Why a folder cannot be gone on with, in words."""
    old, new = json.loads(stored.split(b"\n", 1)[0]), json.loads(lines[0])
    advice = "; choose another folder, or start over with --overwrite"
    changed = [name for name in new["job"] if old["job"].get(name) != new["job"][name]]
    if changed:
        differences = ", ".join(f"{name} was {old['job'].get(name)!r}" for name in changed)
        return f"{output} was begun with other options ({differences}){advice}"
    for name in ("version", "model"):
        if old[name] != new[name]:
            return f"{output} was begun with {name} {old[name]}, this is {new[name]}{advice}"
    return f"{output} was begun with other inputs, or they have changed{_edited(stored, lines)}{advice}"


def _edited(stored: bytes, lines: list[bytes]) -> str:
    """The first input that is the same file with other bytes."""
    for old, new in zip(stored.splitlines()[1:], lines[1:], strict=False):
        before, now = Slice.from_dict(json.loads(old)), Slice.from_dict(json.loads(new))
        if before != now and before == replace(now, digest=before.digest):
            return f" ({now.source or f'one of {len(now.items)} files from {now.items[0][1]} on'} was edited)"
    return ""


# Each kind of input in slices


def _file_slices(file: InputFile, job: Job) -> Iterator[Slice]:
    if file.kind == "parquet":
        yield from _row_group_slices(file, job)
        return
    step = max(job.slice_bytes, 1)
    if file.kind == "jsonl" and _is_compressed(file):
        step = max(file.size, 1)  # nobody can begin in the middle
    for start in range(0, max(file.size, 1), step):
        stop = min(start + step, file.size)
        begin = (0, 0) if file.kind == "warc" and start == 0 else None
        yield Slice(0, file.kind, file.path, start, stop, begin, size=stop - start)


def _is_compressed(input_file: InputFile) -> bool:
    with open_binary(input_file.path) as file:
        return open_stream(file, input_file.size, input_file.path).name != "plain"


def _row_group_slices(file: InputFile, job: Job) -> Iterator[Slice]:
    """Neighbouring row groups, together about as large as a slice."""
    start, size = 0, 0
    sizes = _row_group_sizes(file.path)
    if sizes is None:  # no Parquet file: this slice will fail, and say so; the others are done
        yield Slice(0, "parquet", file.path, size=file.size)
        return
    for number, length in enumerate(sizes):
        size += length
        if size >= job.slice_bytes or number == len(sizes) - 1:
            yield Slice(0, "parquet", file.path, start, number + 1, size=size)
            start, size = number + 1, 0


def _row_group_sizes(path: str) -> list[int] | None:
    """In bytes; None of a file that cannot be read."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as missing:
        raise MissingExtra("reading Parquet needs pyarrow: pip install 'thresher[batch]'") from missing
    try:
        with open_binary(path) as file:
            about = pyarrow.parquet.ParquetFile(file).metadata
            return [about.row_group(number).total_byte_size for number in range(about.num_row_groups)]
    except (pyarrow.ArrowException, OSError):
        return None


def _page_slices(pages: list[InputFile], job: Job, digests: Digests) -> Iterator[Slice]:
    for at in range(0, len(pages), job.slice_pages):
        chosen = pages[at : at + job.slice_pages]
        items = tuple(("0", page.path) for page in chosen)
        digest = digests.of_all([page.path for page in chosen])
        yield Slice(0, "html", "", items=items, size=sum(page.size for page in chosen), digest=digest)


def _address_slices(lists: list[InputFile], job: Job) -> Iterator[Slice]:
    """All addresses of a host in one slice, so that one process is polite to it; hosts spread over slices by hash."""
    for file in lists:
        addresses = list(_addresses(file))
        buckets = max(len(addresses) // job.slice_pages, 1)
        slices: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for position, address in addresses:
            slices[_bucket(host_of(address) or "", buckets)].append((position, address))
        for _, items in sorted(slices.items()):
            yield Slice(0, "urls", file.path, items=tuple(items), size=len(items))


@lru_cache(maxsize=65_536)
def _bucket(host: str, buckets: int) -> int:
    return int.from_bytes(hashlib.sha256(host.encode("utf-8", "replace")).digest()[:8], "big") % buckets


def _addresses(input_file: InputFile) -> Iterator[tuple[str, str]]:
    """Line number and address of every line that holds one; empty lines and those with # are comments."""
    if is_address(input_file.path):
        yield "0", input_file.path
        return
    with open_binary(input_file.path) as file:
        stream = open_stream(file, input_file.size, input_file.path)
        data, at = [], 0
        while stream.open(at):
            while piece := stream.read():
                data.append(piece)
            at = stream.end
    for number, line in enumerate(b"".join(data).decode("utf-8", "replace").split("\n"), 1):
        address = line.strip()
        if address and not address.startswith("#"):
            yield str(number), address
