"""The fuzzer of the kernels gets into every one of their functions."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from thresher import kernels

ROOT = Path(__file__).parents[1]
STRINGS = 256

# Runs the sources, whose calls Python tells; prints the functions that were called.
RUN = f"""
import sys
called = set()
def note(frame, event, argument):
    if event == "call":
        called.add(frame.f_code)
from tests.fuzz import fuzz_kernels
sys.setprofile(note)
fuzz_kernels.run_strings(range({STRINGS}))
sys.setprofile(None)
for code in called:
    print(code.co_filename, code.co_name)
"""


def test_every_function_of_every_kernel_is_reached() -> None:
    environment = os.environ | {kernels.PURE: "1", "PYTHONPATH": f"{ROOT}/src{os.pathsep}{ROOT}"}
    done = subprocess.run([sys.executable, "-c", RUN], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    called = {tuple(line.rsplit(" ", 1)) for line in done.stdout.splitlines()}
    missed = [
        f"{name}.{function}"
        for name in kernels.KERNELS
        for function in functions(kernels.source(name))
        if (str(kernels.source(name)), function) not in called
    ]
    assert not missed, "\n".join(missed)


def functions(source: Path) -> list[str]:
    return [node.name for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.FunctionDef)]
