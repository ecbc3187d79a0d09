"""Dask: a data frame of pages, mapped partition by partition.

pages = dask.dataframe.read_parquet("s3://bucket/pages/")
texts = extract_frame(pages, markdown=True)
"""

from __future__ import annotations

from typing import Any

from thresher.arrow import TableOptions, extract, schema

__all__ = ["extract_frame"]


def extract_frame(pages: Any, **options: Any) -> Any:
    """The Dask data frame of the results; the arguments are those of `thresher.arrow.extract`."""
    chosen = TableOptions(**options)
    passed_on = pages._meta[list(chosen.pass_on)] if chosen.pass_on else None
    empty = schema(TableOptions(**{**options, "pass_on": ()})).empty_table().to_pandas()
    meta = empty if passed_on is None else empty.join(passed_on.reset_index(drop=True))
    return pages.map_partitions(_extracted, options, meta=meta)


def _extracted(frame: Any, options: dict[str, Any]) -> Any:
    return extract(frame, **options).to_pandas()
