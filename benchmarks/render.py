"""What rendering costs: python benchmarks/render.py FOLDER [PAGES]

Pages of a folder are given to a warm browser, offline, and measured one by one: wall time, CPU of the browser with its
whole family, CPU of our own process (protocol, snapshot, parse).  The start of a browser and its memory come first.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path

from thresher.render import Pool, Settings, render
from thresher.render.chromium import Chromium, find_chromium
from thresher.render.watchdog import descendants

TICK = os.sysconf("SC_CLK_TCK")


def family_cpu() -> float:
    """Seconds that the processes below us have used, and the dead ones among them."""
    total = 0
    for pid in descendants(os.getpid()):
        try:
            numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
        except OSError:
            continue
        total += sum(map(int, numbers))
    return total / TICK


def family_memory() -> tuple[float, float]:
    """MB that they hold: shares of shared pages counted once (Pss), and what is shared with no file."""
    pss = anonymous = 0
    for pid in descendants(os.getpid()):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        values = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:] if line.endswith("kB")}
        pss += values.get("Pss", 0)
        anonymous += values.get("Anonymous", 0)
    return pss / 1000, anonymous / 1000


def spread(values: list[float]) -> str:
    ordered = sorted(values)
    return f"median {1000 * statistics.median(ordered):7.0f} ms   worst {1000 * ordered[-1]:7.0f} ms"


def main() -> None:
    folder, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 30
    starts, costs, kills = [], [], []
    for _ in range(3):
        start = time.perf_counter()
        browser = Chromium(find_chromium(), 2000)
        starts.append(time.perf_counter() - start)
        costs.append(family_cpu())
        start = time.perf_counter()
        browser.kill()
        kills.append(time.perf_counter() - start)
    print(f"start   wall {spread(starts)}")
    print(f"        CPU  {spread(costs)}")
    print(f"kill    wall {spread(kills)}")
    files = sorted(folder.rglob("*.html"))
    files = files[:: max(1, len(files) // most)][:most]
    settings = Settings(offline=True, wait="load", scroll=False)
    with Pool() as pool:
        render("<p>warm", pool=pool, settings=settings)
        print("memory  {:.0f} MB (Pss), {:.0f} MB of its own, with no page open".format(*family_memory()))
        wall, theirs, ours, elements = [], [], [], []
        for path in files:
            data = path.read_bytes()
            before = time.perf_counter(), family_cpu(), time.process_time()
            page = render(data, pool=pool, settings=settings)
            after = time.perf_counter(), family_cpu(), time.process_time()
            for column, old, new in zip((wall, theirs, ours), before, after, strict=True):
                column.append(new - old)
            elements.append(len(page))
        print("memory  {:.0f} MB (Pss), {:.0f} MB of its own, after them all".format(*family_memory()))
    print(f"pages   {len(files)}, elements median {statistics.median(elements):.0f}, most {max(elements)}")
    print(f"page    wall         {spread(wall)}")
    print(f"        CPU browser  {spread(theirs)}")
    print(f"        CPU ours     {spread(ours)}")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
