"""What the server did so far, in the text form that Prometheus reads."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.web.workers import WorkerPool

__all__ = ["Metrics"]

_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds


class Metrics:
    """Counts; only the event loop's thread writes them."""

    def __init__(self) -> None:
        self._started = time.time()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._times: dict[str, list[int]] = defaultdict(lambda: [0] * (len(_BOUNDS) + 1))
        self._seconds: Counter[str] = Counter()
        self._pages: Counter[str] = Counter()

    def answered(self, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._answers[route, status] += 1
        self._times[route][bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]

    def extracted(self, status: str) -> None:
        """A page was extracted, with this status."""
        self._pages[status] += 1

    def text(self, pool: WorkerPool) -> str:
        """All of it, as `name{labels} value` lines."""
        lines = [
            *_head("thresher_requests_total", "counter", "Requests by route and HTTP status."),
            *(
                f'thresher_requests_total{{route="{route}",status="{status}"}} {count}'
                for (route, status), count in sorted(self._answers.items())
            ),
            *_head("thresher_request_seconds", "histogram", "Time from a request to its answer."),
        ]
        for route, counts in sorted(self._times.items()):
            total = 0
            for bound, count in zip((*map(str, _BOUNDS), "+Inf"), counts, strict=True):
                total += count
                lines.append(f'thresher_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
            lines.append(f'thresher_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}')
            lines.append(f'thresher_request_seconds_count{{route="{route}"}} {total}')
        lines += _head("thresher_pages_total", "counter", "Pages extracted, by the status of the result.")
        lines += [f'thresher_pages_total{{status="{status}"}} {count}' for status, count in sorted(self._pages.items())]
        gauges = {
            "thresher_workers": ("gauge", pool.size, "Processes that read pages."),
            "thresher_workers_busy": ("gauge", pool.busy, "Processes that are reading one."),
            "thresher_workers_replaced_total": ("counter", pool.replaced, "Processes that were replaced."),
            "thresher_requests_waiting": ("gauge", max(pool.waiting - pool.busy, 0), "Requests that wait for one."),
            "thresher_start_time_seconds": ("gauge", round(self._started, 3), "When the server was started."),
        }
        for name, (kind, value, about) in gauges.items():
            lines += [*_head(name, kind, about), f"{name} {value}"]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
