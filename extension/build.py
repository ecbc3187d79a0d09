"""Make the archive of the add-on: python extension/build.py [-o thresher-extension.zip]

One archive for both browsers: Firefox reads `background.scripts`, Chromium `background.service_worker`.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent
SUFFIXES = {".json", ".js", ".html", ".css", ".png"}
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same files give the same bytes


def files() -> list[Path]:
    """What belongs into the archive."""
    return sorted(path for path in ROOT.rglob("*") if path.is_file() and path.suffix in SUFFIXES)


def build(target: Path) -> None:
    """Write the archive."""
    json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files():
            about = zipfile.ZipInfo(path.relative_to(ROOT).as_posix(), EPOCH)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.external_attr = 0o644 << 16
            archive.writestr(about, path.read_bytes())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("thresher-extension.zip"))
    output = parser.parse_args().output
    build(output)
    print(f"{output}: {len(files())} files, {output.stat().st_size:,} bytes")
