"""PyTorch, or a message that says how to get it: `from thresher.learn.auto.pytorch import torch`."""

from __future__ import annotations

from thresher.errors import MissingExtra

try:
    import torch
    from torch import Tensor
except ImportError as missing:
    raise MissingExtra("training auto needs PyTorch: pip install 'thresher[train]'") from missing

__all__ = ["Tensor", "torch"]
