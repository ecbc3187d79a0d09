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
_MAX_STATEMENTS = 10_000  # at-rules of a sheet that are looked at


def apply_animations(won: Styles, reasons: dict[str, Bools]) -> None:
    """Change the rows that each property hides by what animations end with."""
    stays = won.hides("animation") | (won.hides("animation-fill-mode") & (won.winner["animation"] > 0))
    reasons["animation"] = np.zeros(len(stays), bool)
    if won.sheet is None:
        return
    for entry in np.unique(won.winner["animation"][stays]).tolist():
        rows = stays & (won.winner["animation"] == entry)
        for effect in _ends(won.sheet, frozenset(_WORD.findall(won.declared(entry).value))):
            if effect.hides and (effect.property in HIDE_ALONE or effect.property == "visibility"):
                reasons["animation"] |= rows
            elif not effect.hides and effect.property in reasons:
                reasons[effect.property] = reasons[effect.property] & ~rows


def _ends(sheet: CompiledSheet, names: frozenset[bytes]) -> Iterator[Effect]:
    """What the last key frames of some animations declare."""
    blocks, text = sheet.structure.blocks, sheet.text
    starts, opened = sheet.structure.statements.start.tolist(), sheet.structure.statements.opened.tolist()
    named = []
    for start, block in zip(starts[:_MAX_STATEMENTS], opened[:_MAX_STATEMENTS], strict=True):
        match = _KEYFRAMES.match(text, start) if block >= 0 else None
        if match and match[1].lower() in names and sheet.outer(sheet.parent(block)) is not None:
            named.append(block)
    frames = np.flatnonzero(np.isin(blocks.parent, named)).tolist() if named else []
    last = [block for block in frames if _LAST.search(sheet.prelude(block).lower())]
    for number in np.flatnonzero(np.isin(sheet.declared.block, last)).tolist() if last else ():
        effect = effect_of(sheet.declarations.text(number))
        if effect is not None:
            yield effect
