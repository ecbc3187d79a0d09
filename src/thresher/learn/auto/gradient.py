"""The network backwards: from the gradient of the loss at its outputs to that of every weight and of its inputs.

A layer is  h' = h + relu(S W + b)  with  S = [A_1(h) … A_k(h)], so with  g = dL/dh' ⊙ [S W + b > 0]

    dL/dW = Sᵀ g      dL/db = Σ g      dL/dh = dL/dh' + Σ_j A_jᵀ(g W_jᵀ)

and each adjoint A_jᵀ is as simple as its map: a shift goes the other way, a mean hands its gradient out in equal parts.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thresher.judge.network import DILATIONS, POOLS, Inputs, Trace, group_mean, page_mean, shift

__all__ = ["Gradients", "backward", "losses"]

Floats = NDArray[np.float32]
Gradients = dict[str, Floats]


def backward(
    weights: Mapping[str, Floats], inputs: Inputs, trace: Trace, d_logit: Floats, d_types: Floats
) -> tuple[Gradients, Floats]:
    """The gradients of the weights, and of `inputs.x`."""
    last = trace.hidden[-1]
    mean = inputs.weight @ last
    gradients = {
        "out.w": last.T @ d_logit,
        "out.b": d_logit.sum(keepdims=True)[0],
        "type.w": np.outer(mean, d_types),
        "type.b": d_types,
    }
    d_h = np.outer(d_logit, weights["out.w"]) + np.outer(inputs.weight, weights["type.w"] @ d_types)
    for k in reversed(range(len(DILATIONS))):
        h, seen = trace.hidden[k], trace.around[k]
        d_step = d_h * (trace.hidden[k + 1] > h)
        gradients[f"layer{k}.w"] = seen.T @ d_step
        gradients[f"layer{k}.b"] = d_step.sum(axis=0)
        d_seen = d_step @ weights[f"layer{k}.w"].T
        gradients[f"layer{k}.pool"], d_around = _surroundings_adjoint(
            h, weights[f"layer{k}.pool"], DILATIONS[k], inputs, d_seen
        )
        d_page = gradients[f"layer{k}.b"]
        gradients[f"layer{k}.page"] = np.outer(page_mean(h, inputs), d_page)
        d_h = d_h + d_around + np.outer(inputs.weight, weights[f"layer{k}.page"] @ d_page)
    d_h *= trace.hidden[0] > 0
    gradients["in.w"] = inputs.x.T @ d_h
    gradients["in.b"] = d_h.sum(axis=0)
    return gradients, d_h @ weights["in.w"].T


def _surroundings_adjoint(
    h: Floats, pool: Floats, distance: int, inputs: Inputs, d_seen: Floats
) -> tuple[Floats, Floats]:
    """The gradients of `pool` and of h from that of `surroundings(h, pool, …)`."""
    blocks, width = h.shape
    narrow = pool.shape[1]
    d_h = d_seen[:, :width].copy()
    moved = np.empty_like(d_h)
    for part, by in ((1, -distance), (2, distance)):
        shift(d_seen[:, part * width : (part + 1) * width], by, moved)
        d_h += moved
    d_running = np.zeros((blocks + 1, narrow))
    at = 3 * width
    for level in POOLS:
        begin, stop = inputs.begin[level], inputs.stop[level]
        part = d_seen[:, at : at + narrow] / np.maximum(stop - begin, 1)[:, None]
        np.add.at(d_running, stop, part)
        np.subtract.at(d_running, begin, part)
        at += narrow
    d_pooled = np.cumsum(d_running[:0:-1], axis=0)[::-1].astype(np.float32)
    d_pooled += group_mean(d_seen[:, at:], inputs.alike)
    return h.T @ d_pooled, d_h + d_pooled @ pool.T


def losses(
    trace: Trace, share: Floats, size: Floats, gold: float, page_type: int, type_weight: float, entropy_weight: float
) -> tuple[float, Floats, Floats]:
    """The loss of a page and its gradients at the logits of the blocks and of the types.

        L = c Σ_b w_b CE(p_b, y_b)  +  1 − 2 Σ p_b y_b n_b / (Σ p_b n_b + G)  +  a · CE(types)

    y is the share of a block's words that is gold, n its words, w ∝ √n with sum 1, a and c weights, G the words of
    the gold text.  The second term is one minus the F1 of the page, with probabilities in place of verdicts.
    page_type -1 is unknown.
    """
    p = 1 / (1 + np.exp(-trace.logit))
    w = np.sqrt(size)
    w = w * (entropy_weight / max(float(w.sum()), 1e-6))
    entropy = np.logaddexp(0, trace.logit) - share * trace.logit
    loss = float(w @ entropy)
    d_logit = w * (p - share)
    if gold > 0:
        hits, whole = float(p @ (share * size)), float(p @ size) + gold
        loss += 1 - 2 * hits / whole
        d_logit = d_logit - 2 * size * (share * whole - hits) / whole**2 * p * (1 - p)
    d_types = np.zeros_like(trace.types)
    if page_type >= 0:
        likely = np.exp(trace.types - trace.types.max())
        likely /= likely.sum()
        loss += type_weight * float(np.logaddexp.reduce(trace.types) - trace.types[page_type])
        likely[page_type] -= 1
        d_types = type_weight * likely
    return loss, d_logit.astype(np.float32), d_types.astype(np.float32)
