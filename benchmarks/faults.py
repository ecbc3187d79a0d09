"""What a batch run survives: PYTHONPATH=. python benchmarks/faults.py kills [--times 60] | archives

kills      a run is killed at random moments (its main process, one of its workers, all of them), and started again
           until it has been so often; then it runs to its end.  Its parts must be those of a run that was left alone,
           byte for byte, and no process of it may be left.
archives   WARC archives, plain and gzipped, are overwritten with zeros and noise, cut, and given wrong lengths.  Every
           record that was not hit must come out whole, and what was lost must be reported.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.archives import gzipped, page, read, record, response

COUNT, HIT = 40, 20  # records of an archive, and the one that is hit
BODIES = [response(page(number)) for number in range(COUNT)]
RECORDS = [record(body, number) for number, body in enumerate(BODIES)]

# ---- archives ------------------------------------------------------------------------------------------------

Parts = list[bytes]
NOISE = random.Random(1).randbytes(3_000)


def _replaced(new: Callable[[bytes], bytes], first: int = HIT, last: int = HIT) -> Callable[[Parts], bytes]:
    return lambda parts: b"".join(new(part) if first <= k <= last else part for k, part in enumerate(parts))


def _between(what: bytes, at: int = HIT) -> Callable[[Parts], bytes]:
    return lambda parts: b"".join(parts[:at]) + what + b"".join(parts[at:])


def _zeros(part: bytes) -> bytes:
    return bytes(len(part))


def _over_a_border(parts: Parts) -> bytes:
    at = len(b"".join(parts[:HIT]))
    whole = b"".join(parts)
    return whole[: at - 100] + bytes(200) + whole[at + 100 :]


# What is done, and the records that are lost by it.
DAMAGES: dict[str, tuple[Callable[[Parts], bytes], set[int]]] = {
    "zeros over one": (_replaced(_zeros), {HIT}),
    "zeros over the first": (_replaced(_zeros, 0, 0), {0}),
    "zeros over the last": (_replaced(_zeros, COUNT - 1, COUNT - 1), {COUNT - 1}),
    "zeros over ten": (_replaced(_zeros, HIT, HIT + 9), set(range(HIT, HIT + 10))),
    "zeros over the last five": (_replaced(_zeros, COUNT - 5, COUNT), set(range(COUNT - 5, COUNT))),
    "zeros over a border": (_over_a_border, {HIT - 1, HIT}),
    "zeros over the end of one": (_replaced(lambda part: part[:-150] + bytes(150)), {HIT}),
    "zeros in a head": (_replaced(lambda part: part[:40] + bytes(60) + part[100:]), {HIT}),
    "a few KB of zeros between": (_between(bytes(5_000)), set()),
    "200 KB of zeros between": (_between(bytes(200_000)), set()),
    "zeros before": (_between(bytes(5_000), 0), set()),
    "zeros at the end": (_between(bytes(5_000), COUNT), set()),
    "zeros and data at the end": (_between(bytes(5_000) + b"data", COUNT), set()),
    "noise over one": (_replaced(lambda part: (NOISE * 9)[: len(part)]), {HIT}),
    "noise between": (_between(NOISE), set()),
    "noise before": (_between(NOISE, 0), set()),
    "noise at the end": (_between(NOISE, COUNT), set()),
    "text between": (_between(b"lorem ipsum\n" * 300), set()),
    "cut at the end": (lambda parts: b"".join(parts)[:-300], {COUNT - 1}),
    "cut in the middle": (lambda parts: b"".join(parts[:HIT]) + parts[HIT][:200], set(range(HIT, COUNT))),
    "half of one missing": (_replaced(lambda part: part[: len(part) // 2]), {HIT}),
    "some of one missing": (_replaced(lambda part: part[:100] + part[300:]), {HIT}),
    "another version": (_replaced(lambda part: part.replace(b"WARC/", b"WARX/") if part[:1] == b"W" else NOISE), {HIT}),
}
WRONG = {"+10": 10, "+2": 2, "-1": -1, "-10": -10, "0": -(10**6), "too large": 10**9, "three records": 4_000}


def archives() -> tuple[int, int]:
    """How many archives were read as they should, of how many."""
    good = total = 0
    for packed in (False, True):
        pack = gzipped if packed else list
        made = {name: (change(list(pack(RECORDS))), lost) for name, (change, lost) in DAMAGES.items()}
        for name, by in WRONG.items():
            changed = list(RECORDS)
            for k in range(0, COUNT, 7):
                changed[k] = record(BODIES[k], k, length=max(len(BODIES[k]) + by, 0))
            made[f"lengths {name}"] = (b"".join(pack(changed)), set())
            changed[HIT + 2] = bytes(len(changed[HIT + 2]))
            parts = [bytes(len(part)) if not any(part) else part for part in changed]
            packed_parts = [part if not any(part) else pack([part])[0] for part in parts]
            made[f"lengths {name}, and zeros over one"] = (b"".join(packed_parts), {HIT + 2})
        for name, (data, lost) in made.items():
            total += 1
            fault = _fault(data, lost, "a.warc.gz" if packed else "a.warc")
            good += not fault
            if fault:
                print(f"{name}, {'gzip' if packed else 'plain'}: {fault}")
    return good, total


def _fault(data: bytes, lost: set[int], name: str) -> str:
    blocks, reader = read(data, name)
    contents = [block.content for block in blocks]  # behind one of a wrong length stands what comes before the next
    missing = [number for number in range(COUNT) if number not in lost and not _is_in(contents, number)]
    if missing:
        return f"records {missing} are missing"
    told = reader.damage or reader.wrong_lengths or any(block.problem for block in blocks)
    return "" if told else "nothing is reported"


def _is_in(contents: list[bytes], number: int) -> bool:
    return any(content.startswith(BODIES[number]) for content in contents)


# ---- kills ---------------------------------------------------------------------------------------------------

RUN = """import sys
from thresher.batch import Job, run
pages, output = sys.argv[1:]
job = Job((pages,), output, format="jsonl", method="plain", function="tests.batch_faults:slowly", slice_pages=20)
run(job, workers=2)
"""


def kills(times: int) -> tuple[int, bool]:
    """How often it was killed, and whether it ended in the same bytes with nothing left behind."""
    choice = random.Random(7)
    with tempfile.TemporaryDirectory() as name:
        folder, done = Path(name), 0
        (folder / "pages").mkdir()
        for number in range(400):
            (folder / f"pages/{number:03}.html").write_bytes(page(number))
        _start(folder, "whole").wait()
        attempt = 0
        while done < times:
            process = _start(folder, f"killed-{attempt}")
            try:
                process.wait(choice.uniform(1, 6))
                attempt += 1  # it was done: another one
            except subprocess.TimeoutExpired:
                _kill(process, choice)
                done += 1
        _start(folder, f"killed-{attempt}").wait()
        whole = _parts(folder / "whole")
        same = all(_parts(folder / f"killed-{k}") == whole for k in range(attempt + 1))
        time.sleep(2)
        left = subprocess.run(["pgrep", "-f", name], capture_output=True, text=True).stdout.split()
        return done, bool(whole) and same and not left


def _start(folder: Path, output: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", RUN, str(folder / "pages"), str(folder / output)]
    return subprocess.Popen(command, start_new_session=True)


def _kill(process: subprocess.Popen[bytes], choice: random.Random) -> None:
    below = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    victim = choice.choice(("main", "group", "worker"))
    if victim == "worker" and below:
        os.kill(int(choice.choice(below)), signal.SIGKILL)
        time.sleep(0.5)
    if victim == "group":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _parts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("kills", "archives"))
    parser.add_argument("--times", type=int, default=60)
    asked = parser.parse_args()
    if asked.what == "archives":
        good, total = archives()
        print(f"{good} of {total} archives were read as they should")
        return
    done, survived = kills(asked.times)
    print(f"killed {done} times; {'the same bytes, and nothing left behind' if survived else 'NOT the same'}")


if __name__ == "__main__":
    main()
