"""Animations that stay as they end: `animation: leave 1s forwards` with `@keyframes leave { to { opacity: 0 } }`.

What a reader sees in the end is what the last of the key frames says, whatever the element itself declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from thresher.css.cascade_entries import Styles
from thresher.css.compiled_sheet import CompiledSheet
from thresher.css.hiding import Effect, effect_of
from thresher.css.properties import HIDE_ALONE
from thresher.page.types import Bools
from thresher.text.patterns import compile_later

__all__ = ["apply_animations"]

_KEYFRAMES = compile_later(rb"@(?:-webkit-)?keyframes\s+[\"']?([^\s\"'{]+)", re.IGNORECASE)
_LAST = compile_later(rb"(?:^|,)\s*(?:to|100%)\s*(?:,|$)")
_WORD = compile_later(rb"[^\s,]+")
_MAX_ANIMATIONS, _MAX_FRAMES = 50, 200  # that are looked at, and key frames of each
_MAX_STATEMENTS = 10_000  # at-rules of a sheet that are looked at


def apply_animations(won: Styles, reasons: dict[str, Bools]) -> None:
    """Change the rows that each property hides by what animations end with."""
    stays = won.hides("animation") | (won.hides("animation-fill-mode") & (won.winner["animation"] > 0))
    reasons["animation"] = np.zeros(len(stays), bool)
    if won.sheet is None or not stays.any():
        return
    blocks = _blocks(won.sheet)
    # np.unique would load masked arrays
    for entry in sorted(set(won.winner["animation"][stays].tolist()))[:_MAX_ANIMATIONS]:
        rows = stays & (won.winner["animation"] == entry)
        named = [blocks[name] for name in _WORD.findall(won.declared(entry).value) if name in blocks]
        for effect in _ends(won.sheet, named) if named else ():
            if effect.hides and (effect.property in HIDE_ALONE or effect.property == "visibility"):
                reasons["animation"] |= rows
            elif not effect.hides and effect.property in reasons:
                reasons[effect.property] = reasons[effect.property] & ~rows


def _blocks(sheet: CompiledSheet) -> dict[bytes, int]:
    """The block of each animation."""
    starts, opened = sheet.structure.statements.start.tolist(), sheet.structure.statements.opened.tolist()
    blocks = {}
    for start, block in zip(starts[:_MAX_STATEMENTS], opened[:_MAX_STATEMENTS], strict=True):
        match = _KEYFRAMES.match(sheet.text, start) if block >= 0 else None
        if match and sheet.outer(sheet.parent(block)) is not None:
            blocks[match[1].lower()] = block
    return blocks


def _ends(sheet: CompiledSheet, blocks: list[int]) -> Iterator[Effect]:
    """What the last key frames of some animations declare."""
    frames = np.flatnonzero(np.isin(sheet.structure.blocks.parent, blocks))[:_MAX_FRAMES].tolist()
    last = [frame for frame in frames if _LAST.search(sheet.prelude(frame).lower())]
    for number in np.flatnonzero(np.isin(sheet.declared.block, last))[:_MAX_FRAMES].tolist():
        effect = effect_of(sheet.declarations.text(number))
        if effect is not None:
            yield effect
