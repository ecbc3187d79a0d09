"""PyTorch, or a message that says how to get it: `from thresher.learn.auto.pytorch import torch`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thresher.errors import MissingExtra

try:
    import torch
    from torch import Tensor
except ImportError as missing:
    raise MissingExtra("training auto needs PyTorch: pip install 'thresher[train]'") from missing

__all__ = ["Tensor", "one_thread", "torch"]


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch and linear algebra on one thread: our products are too small to gain from more, and sums are made in the
    same order on any number of cores."""
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        torch.set_num_threads(threads)
