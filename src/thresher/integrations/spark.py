"""Spark: functions for `mapInArrow` and `mapInPandas`, and the columns that they give.

    pages = spark.read.parquet("s3://bucket/pages/")
    texts = pages.mapInArrow(in_arrow(markdown=True), columns(markdown=True))
    texts = pages.mapInPandas(in_pandas(), columns())

Nothing here imports Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from thresher.arrow import TableExtractor, TableOptions, schema

__all__ = ["columns", "in_arrow", "in_pandas"]

_TYPES = {"string": "string", "int32": "int", "double": "double"}


def columns(**options: Any) -> str:
    """The columns of the result, as Spark writes a schema; the arguments are those of `thresher.arrow.extract`.

    Columns that are passed on have types that only the input knows: add them to the schema yourself.
    """
    own = schema(TableOptions(**{**options, "pass_on": ()}))
    return ", ".join(f"{field.name} {_spark_type(field.type)}" for field in own)


def in_arrow(**options: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """For `mapInArrow`: batches of pages -> batches of results."""

    def extract(batches: Iterator[Any]) -> Iterator[Any]:
        with TableExtractor(TableOptions(**options)) as extractor:
            for batch in batches:
                yield from extractor(batch).to_batches()

    return extract


def in_pandas(**options: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """For `mapInPandas`: data frames of pages -> data frames of results."""

    def extract(frames: Iterator[Any]) -> Iterator[Any]:
        with TableExtractor(TableOptions(**options)) as extractor:
            for frame in frames:
                yield extractor(frame).to_pandas()

    return extract


def _spark_type(type: Any) -> str:
    return f"array<{_spark_type(type.value_type)}>" if hasattr(type, "value_field") else _TYPES[str(type)]
