"""The network of methods/auto/network.py in PyTorch, over a batch of pages, with its loss: PyTorch finds the gradient.

The formulas are those of the module at run time; a test compares the two.  While it is trained, the network is told
from which data set a page comes, by vectors that are added where the page types are: sets differ in what they count as
content, and what is only the convention of one is learned as such.  At run time there are none (fit.folded).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from thresher.learn.auto.batch import Batch, TensorBags
from thresher.learn.auto.pytorch import Tensor, torch
from thresher.methods.auto.names import MAX_SUM
from thresher.methods.auto.network import DILATIONS

__all__ = ["block_inputs", "claim_inputs", "gradients", "layers", "logits", "loss"]

Weights = Mapping[str, Tensor]


def logits(weights: Weights, batch: Batch, conventions: Tensor | None = None) -> Tensor:
    """The logit of each block; `conventions` (P, D) tells the data set of each page."""
    return layers(weights, block_inputs(weights, batch), claim_inputs(weights, batch), batch, conventions)


def block_inputs(weights: Weights, batch: Batch) -> Tensor:
    """x of the docstring of methods/auto/network.py."""
    named = _sums(weights["names"], batch.names).view(len(batch.x), -1).clamp(-MAX_SUM, MAX_SUM)
    above = _with_nothing(_means(weights["headings"], batch.words))[batch.heading]
    return torch.cat((batch.x, named, _means(weights["words"], batch.words), above), 1)


def claim_inputs(weights: Weights, batch: Batch) -> Tensor:
    tables = weights["claims"].chunk(len(batch.claims), 1)
    return torch.cat([_means(table, bags) for table, bags in zip(tables, batch.claims, strict=True)], 1)


def layers(weights: Weights, x: Tensor, claims: Tensor, batch: Batch, conventions: Tensor | None) -> Tensor:
    """The logits from the inputs on."""

    def bias(layer: str) -> Tensor:
        told = weights[f"{layer}.b"] + batch.types @ weights[f"{layer}.types"]
        return told if conventions is None else told + conventions @ weights[f"{layer}.sets"]

    h = torch.relu(x @ weights["in.w"] + (bias("in") + claims @ weights["in.page"])[batch.page])
    for k in range(len(DILATIONS)):
        page = _by_page(h * batch.weight[:, None], batch) @ weights[f"layer{k}.page"] + bias(f"layer{k}")
        seen = _surroundings(h, weights[f"layer{k}.pool"], k, batch)
        h = h + torch.relu(seen @ weights[f"layer{k}.w"] + page[batch.page])
    last = weights["out.w"] + batch.types @ weights["out.types"]
    shift = weights["out.b"] + batch.types @ weights["out.types_b"]
    if conventions is not None:
        last, shift = last + conventions @ weights["out.sets"], shift + conventions @ weights["out.sets_b"]
    return (h * last[batch.page]).sum(1) + shift[batch.page]


def _surroundings(h: Tensor, pool: Tensor, layer: int, batch: Batch) -> Tensor:
    before, behind = batch.neighbours[layer]
    padded = _with_nothing(h)
    narrow = h @ pool
    running = _with_nothing(narrow.double().cumsum(0)).roll(1, 0)
    means = [
        ((running[stop] - running[begin]) / (stop - begin).clamp(min=1)[:, None]).float()[which]
        for begin, stop, which in batch.containers
    ]
    count = torch.bincount(batch.alike)
    groups = narrow.new_zeros(len(count), narrow.shape[1]).index_add(0, batch.alike, narrow) / count[:, None]
    return torch.cat((h, padded[before], padded[behind], *means, groups[batch.alike]), 1)


def loss(logit: Tensor, batch: Batch, entropy_weight: float) -> Tensor:
    """The loss of each page.

        L = c Σ_b w_b CE(p_b, y_b)  +  1 − 2 Σ p_b y_b n_b / (Σ p_b n_b + G)

    y is the share of a block's words that is gold, n its words, w ∝ √n with sum 1, c a weight, G the words of the gold
    text.  The second term is one minus the F1 of the page, with probabilities in place of verdicts.  Blocks that the
    data set does not speak of have no words here.
    """
    size = batch.size * batch.said
    weight = size.sqrt()
    weight = weight / _by_page(weight, batch).clamp(min=1e-6)[batch.page]
    entropy = _by_page(weight * (torch.nn.functional.softplus(logit) - batch.share * logit), batch)
    p = torch.sigmoid(logit)
    hits, kept = _by_page(p * batch.share * size, batch), _by_page(p * size, batch)
    missed = 1 - 2 * hits / (kept + batch.gold).clamp(min=1)
    return entropy_weight * entropy + missed * (batch.gold > 0)


def gradients(mean_loss: Callable[[Weights], Tensor], weights: Weights) -> dict[str, Tensor]:
    """The gradient of a loss at each of these weights, which are left as they are."""
    leaves = {name: value.detach().requires_grad_(True) for name, value in weights.items()}
    return dict(zip(leaves, torch.autograd.grad(mean_loss(leaves), list(leaves.values())), strict=True))


def _by_page(values: Tensor, batch: Batch) -> Tensor:
    """Sums over the blocks of each page."""
    return values.new_zeros((batch.pages, *values.shape[1:])).index_add(0, batch.page, values)


def _sums(table: Tensor, bags: TensorBags) -> Tensor:
    return torch.nn.functional.embedding_bag(bags.row, table, bags.start, mode="sum")


def _means(table: Tensor, bags: TensorBags) -> Tensor:
    """Σ vectors / √count"""
    return _sums(table, bags) / bags.size.clamp(min=1).sqrt()[:, None]


def _with_nothing(h: Tensor) -> Tensor:
    return torch.cat((h, h.new_zeros(1, h.shape[1])))
