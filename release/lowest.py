"""The lowest versions that pyproject.toml allows, as constraints for pip.

python release/lowest.py > lowest.txt                 # of what the package needs
python release/lowest.py fetch batch > lowest.txt     # and of some extras
pip install --constraint lowest.txt '.[fetch,batch]'
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[(?P<extras>[\w,.-]+)\])?>=(?P<version>[\w.]+)(?P<marker>\s*;.*)?")
_OWN_EXTRAS = re.compile(r"thresher\[(?P<extras>[\w,-]+)\]")


def lowest(extras: list[str], project: dict) -> list[str]:
    """One constraint for each dependency of the package and of these extras, sorted by name."""
    constraints = {}
    requirements = list(project["dependencies"])
    waiting, known = list(extras), set()
    while waiting:
        extra = waiting.pop()
        if extra not in known:
            known.add(extra)
            requirements += project["optional-dependencies"][extra]
            waiting += [
                name
                for text in requirements
                if (own := _OWN_EXTRAS.fullmatch(text))
                for name in own["extras"].split(",")
            ]
    for text in requirements:
        if _OWN_EXTRAS.fullmatch(text):
            continue
        requirement = _REQUIREMENT.fullmatch(text)
        if requirement is None:
            raise SystemExit(f"{text!r} has no lower bound")
        constraints[requirement["name"].lower()] = f"=={requirement['version']}{requirement['marker'] or ''}"
    return [name + version for name, version in sorted(constraints.items())]


if __name__ == "__main__":
    try:
        print("\n".join(lowest(sys.argv[1:], tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"])))
    except KeyError as missing:
        raise SystemExit(f"no extra is called {missing}") from None
