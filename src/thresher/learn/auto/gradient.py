"""The network backwards: from the gradient of the loss at its outputs to that of every weight and of its inputs.

A layer is  h' = h + relu(S W + b)  with  S = [A_1(h) … A_k(h)], so with  g = dL/dh' ⊙ [S W + b > 0]

    dL/dW = Sᵀ g      dL/db = Σ g      dL/dh = dL/dh' + Σ_j A_jᵀ(g W_jᵀ)

and each adjoint A_jᵀ is as simple as its map: a shift goes the other way, a mean hands its gradient out in equal parts.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thresher.methods.auto.network import DILATIONS, POOLS, Inputs, Trace, group_mean, page_mean, shift, softmax

__all__ = ["Gradients", "backward", "hinted", "losses"]

Floats = NDArray[np.float32]
Gradients = dict[str, Floats]


def backward(
    weights: Mapping[str, Floats], inputs: Inputs, trace: Trace, d_logit: Floats, d_hint: Floats | None = None
) -> tuple[Gradients, Floats]:
    """The gradients of the weights, and of `inputs.x`; `d_hint` is that of `hinted`, if it is part of the loss."""
    gradients = {"out.w": trace.last.T @ d_logit, "out.b": d_logit.sum(keepdims=True)[0]}
    d_h = np.outer(d_logit, weights["out.w"])
    if d_hint is not None:
        gradients |= {"hint.w": np.outer(page_mean(trace.last, inputs), d_hint), "hint.b": d_hint}
        d_h += np.outer(inputs.weight, weights["hint.w"] @ d_hint)
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


def losses(logit: Floats, share: Floats, size: Floats, gold: float, entropy_weight: float) -> tuple[float, Floats]:
    """The loss of a page and its gradient at the logits of the blocks.

        L = c Σ_b w_b CE(p_b, y_b)  +  1 − 2 Σ p_b y_b n_b / (Σ p_b n_b + G)

    y is the share of a block's words that is gold, n its words, w ∝ √n with sum 1, c a weight, G the words of the gold
    text.  The second term is one minus the F1 of the page, with probabilities in place of verdicts.
    """
    p = 1 / (1 + np.exp(-logit))
    w = np.sqrt(size)
    w = w * (entropy_weight / max(float(w.sum()), 1e-6))
    entropy = np.logaddexp(0, logit) - share * logit
    loss = float(w @ entropy)
    d_logit = w * (p - share)
    if gold > 0:
        hits, whole = float(p @ (share * size)), float(p @ size) + gold
        loss += 1 - 2 * hits / whole
        d_logit = d_logit - 2 * size * (share * whole - hits) / whole**2 * p * (1 - p)
    return loss, d_logit.astype(np.float32)


def hinted(
    weights: Mapping[str, Floats], inputs: Inputs, trace: Trace, page_type: int, weight: float
) -> tuple[float, Floats]:
    """A guess at the page's type that is part of the loss, so that h learns to tell types apart, and its gradient:

        a · CE(softmax(mean(h) V + b), type)

    Page type -1 is unknown.  At run time a better layer, fitted later, takes its place (page_types.py).
    """
    hint = page_mean(trace.last, inputs) @ weights["hint.w"] + weights["hint.b"]
    if page_type < 0:
        return 0.0, np.zeros_like(hint)
    d_hint = softmax(hint)
    d_hint[page_type] -= 1
    return weight * float(np.logaddexp.reduce(hint) - hint[page_type]), np.float32(weight) * d_hint
