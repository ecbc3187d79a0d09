"""From an address to its result: `extract_url`, and the same for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from thresher.fetch import USER_AGENT, FetchLimits, Response, fetch
from thresher.page import Problem
from thresher.result.extraction import Extraction, extract
from thresher.result.inputs import Input

__all__ = ["aextract_url", "afetch", "extract_url"]


def extract_url(
    url: str,
    *,
    allow_hosts: Iterable[str] = (),
    limits: FetchLimits = FetchLimits(),
    user_agent: str = USER_AGENT,
    cache: str | Path | None = None,
    headers: Mapping[str, str] | None = None,
    **options: Any,
) -> Extraction:
    """Fetch a page, as `thresher.fetch` does, and extract its main content.

    options     further arguments of `extract`: method, focus, …

    A page that comes with an error (404 and the like) has status `failed`; its warning says which.
    """
    response = fetch(url, allow_hosts=allow_hosts, limits=limits, user_agent=user_agent, cache=cache, headers=headers)
    result = extract(response.body, **{"url": response.url, "encoding": response.encoding, **options})
    problems = tuple(Problem(*problem.split(": ", 1)) for problem in Input(response.body, response).problems)
    status = result.status if response.ok else "failed"
    return replace(result, status=status, problems=(*problems, *result.problems))


async def afetch(url: str, **options: Any) -> Response:
    """`thresher.fetch` for programs with an event loop, in a thread of its own."""
    return await asyncio.to_thread(fetch, url, **options)


async def aextract_url(url: str, **options: Any) -> Extraction:
    """`thresher.extract_url` for programs with an event loop, in a thread of its own."""
    return await asyncio.to_thread(extract_url, url, **options)
