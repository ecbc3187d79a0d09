"""Where results are written: standard output, a file, or a folder with a file for each input.

Never over an input: `thresher extract page.html -o page.html` would leave nothing to read.
"""

from __future__ import annotations

import hashlib
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from thresher.result.inputs import is_url

__all__ = ["Target"]

_MAX_NAME_LENGTH = 100  # characters of a file name that is made of an address


@dataclass(frozen=True, slots=True)
class Target:
    """A place for results; `path` is None for standard output."""

    path: Path | None
    is_folder: bool
    ending: str  # of the files in a folder

    @classmethod
    def of(cls, output: str | None, inputs: tuple[str, ...], ending: str, join: bool = False) -> Target:
        """What `-o` names; a usage error where two results (unless they `join`), or a result and an input, are one
        file."""
        if output is None:
            return cls(None, False, ending)
        path = Path(output)
        target = cls(path, output.endswith("/") or path.is_dir(), ending)
        if not target.is_folder and len(inputs) > 1 and not join:
            raise click.UsageError(
                f"{len(inputs)} pages into one file: --join does that; -o {output}/ writes a file for each"
            )
        names = [target._file(source) for source in inputs] if target.is_folder else [path]
        twice, count = Counter(names).most_common(1)[0]
        if count > 1:
            raise click.UsageError(f"two inputs would be written to {twice.name!r} in {output!r}; run them apart")
        read = {_identity(Path(source)) for source in inputs if not is_url(source)} - {None}
        lost = next((name for name in names if _identity(name) in read), None)
        if lost:
            raise click.UsageError(f"{str(lost)!r} is an input; write the result somewhere else")
        return target

    @contextmanager
    def opened(self) -> Iterator[Callable[[str, str], None]]:
        """A function that takes an input and its result, and writes the result."""
        with self._stream() as stream:

            def write(source: str, result: str) -> None:
                if stream is None:
                    self._file(source).write_text(result, encoding="utf-8")
                else:
                    stream.write(result)
                    stream.flush()

            yield write

    def _stream(self) -> AbstractContextManager[TextIO | None]:
        """What all results go to; None where each has a file of its own."""
        if self.path is None:
            return nullcontext(sys.stdout)
        try:
            if not self.is_folder:
                return self.path.open("w", encoding="utf-8")
            self.path.mkdir(parents=True, exist_ok=True)
            return nullcontext(None)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise click.UsageError(f"cannot write {str(self.path)!r}: {reason}") from None

    def _file(self, source: str) -> Path:
        """The file in the folder that is an input's."""
        assert self.path is not None
        if is_url(source):
            return self.path / (_slug(source) + self.ending)
        stem = "stdin" if source == "-" else Path(source.removesuffix(".gz")).stem
        return self.path / (stem + self.ending)


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from all others, under whatever name; None if there is no such file."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return (about.st_dev, about.st_ino) if stat.S_ISREG(about.st_mode) else None


def _slug(url: str) -> str:
    """A file name for an address: its words, and a digest where they are not all of it."""
    whole = url.partition(":")[2].strip("/\\")
    words = re.sub(r"[^\w.-]+", "-", whole).strip(".-")
    if len(words) <= _MAX_NAME_LENGTH and words == whole.replace("/", "-"):
        return words
    return f"{words[:_MAX_NAME_LENGTH]}-{hashlib.sha256(url.encode(errors='surrogateescape')).hexdigest()[:8]}"
