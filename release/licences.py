"""The licences of what is installed beside the package, as a table: every dependency of it and of some extras.

python release/licences.py                 # of what the package needs
python release/licences.py fetch web       # and of some extras
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

_NAME = re.compile(r"[\w.-]+")
_EXTRAS = re.compile(r"^[\w.-]+\s*\[([^\]]*)\]")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w.-]+)["']""")
_MAX_LICENCE_CHARS = 60  # some packages have the whole text of the licence in this field


def licences(package: str, extras: set[str]) -> dict[str, tuple[str, str]]:
    """Version and licence by name, of all that is installed of a package's dependencies and theirs."""
    table: dict[str, tuple[str, str]] = {}
    waiting, known = [(package, frozenset(extras))], set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in known:
            continue
        known.add((name, wanted))
        try:
            installed = distribution(name)
        except PackageNotFoundError:  # for another system, or another version of Python
            continue
        if name != package:
            table[installed.metadata["Name"]] = (installed.version, licence(installed))
        for text in installed.requires or ():
            extra = _EXTRA.search(text)
            further = _EXTRAS.match(text)
            if (extra is None or extra[1] in wanted) and (match := _NAME.match(text)):
                names = further[1].split(",") if further else []
                waiting.append((match[0].lower(), frozenset(one.strip() for one in names)))
    return table


def licence(installed: Distribution) -> str:
    """The licence as the package states it: an SPDX expression, else its classifiers, else its short name."""
    metadata = installed.metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classifiers = [text for text in metadata.get_all("Classifier") or () if text.startswith("License :: ")]
    if names := [text.rpartition(" :: ")[2] for text in classifiers]:
        return ", ".join(names)
    stated = str(metadata.get("License") or "").strip()
    return stated.splitlines()[0][:_MAX_LICENCE_CHARS] if stated else "not stated"


if __name__ == "__main__":
    print("| package | version | licence |\n|---|---|---|")
    for name, (version, stated) in sorted(
        licences("thresher", set(sys.argv[1:])).items(), key=lambda row: row[0].lower()
    ):
        print(f"| {name} | {version} | {stated} |")
