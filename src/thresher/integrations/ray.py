"""Ray Data: `Extract`, whose workers keep their process from batch to batch.

    pages = ray.data.read_parquet("s3://bucket/pages/")
    texts = pages.map_batches(Extract, batch_format="pyarrow", batch_size=256, concurrency=8,
                              fn_constructor_kwargs={"markdown": True})
    texts.write_parquet("s3://bucket/texts/")

Nothing here imports Ray.  Archives (WARC) that must be resumable: `thresher batch --engine ray` (docs/batch.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.arrow import TableExtractor, TableOptions

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Extract"]


class Extract:
    """A table of pages -> a table of results; the arguments are the options of `thresher.arrow.extract`."""

    def __init__(self, **options: Any) -> None:
        self._extractor = TableExtractor(TableOptions(**options))

    def __call__(self, batch: Any) -> pyarrow.Table:
        return self._extractor(batch)

    def __del__(self) -> None:
        # Not every engine says when it is done with an object.
        if hasattr(self, "_extractor"):
            self._extractor.close()
