"""Regular expressions that are compiled when they are first used: most pages need few of them.

Compiling all that stand in the modules which one extract loads takes longer than the extract.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

__all__ = ["compile_later"]


class _Pattern:
    """Stands in for the compiled expression; what is asked of it once is then there at once."""

    def __init__(self, expression: str | bytes, flags: int) -> None:
        self._expression, self._flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self._expression, self._flags), name)  # `re` remembers what it has compiled
        self.__dict__[name] = value
        return value


def compile_later(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The same as `re.compile(expression, flags)`, later."""
    return cast("re.Pattern[AnyStr]", _Pattern(expression, flags))
