"""The tools of a release, each with its version and the digest of its file, for `pip install --require-hashes`.

python release/hashes.py build > release/build.txt    # what builds sdist and wheels, on every system
python release/hashes.py sbom > release/sbom.txt      # what writes the bill of materials, on the runner of the release
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

# What is asked for, and for which files: those without compiled code where they have to fit all systems.
_ANY = ["--platform=any", "--abi=none", "--python-version=3.11"]
_RUNNER = [
    *(f"--platform={name}" for name in ("manylinux_2_28_x86_64", "manylinux2014_x86_64", "any")),
    "--python-version=3.14",
]
TOOLS = {
    "build": (["build>=1.3", "setuptools>=77", "Cython>=3.2"], _ANY),
    "sbom": (["cyclonedx-bom==7.1.0"], _RUNNER),
}


def pinned(requirements: list[str], files: list[str]) -> list[str]:
    """A line for each wheel that pip chooses."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", folder]
        subprocess.run([*command, *files, *requirements], check=True, stdout=sys.stderr)
        wheels = sorted(Path(folder).glob("*.whl"))
        return [_line(wheel) for wheel in wheels]


def _line(wheel: Path) -> str:
    name, version = wheel.name.split("-")[:2]
    return f"{name.replace('_', '-').lower()}=={version} --hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}"


if __name__ == "__main__":
    (asked,) = sys.argv[1:]
    print(f"# python release/hashes.py {asked} > release/{asked}.txt")
    print("\n".join(pinned(*TOOLS[asked])))
