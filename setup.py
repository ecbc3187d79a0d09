"""Compiles the kernels (src/thresher/kernels/__init__.py lists them); all else is said in pyproject.toml.

As many are compiled at a time as there are processors.  Where no C compiler is found the build goes on without them.
THRESHER_PURE=1 does not try; THRESHER_DEBUG=1 checks bounds and overflows in the compiled code; THRESHER_SANITIZE=1 has
the compiler's sanitizers check its memory and arithmetic (tests/fuzz/sanitized runs it).  In a checkout: python
setup.py build_ext --inplace
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

SHARED = "thresher._memoryviews"
DEBUG = os.environ.get("THRESHER_DEBUG", "0") not in ("", "0")
SANITIZE = os.environ.get("THRESHER_SANITIZE", "0") not in ("", "0")
PURE = os.environ.get("THRESHER_PURE", "0") not in ("", "0")
PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]


def options() -> dict[str, list[str]]:
    """What the compiler and the linker are told."""
    if sys.platform == "win32":
        return {}
    if SANITIZE:
        return {"extra_compile_args": ["-O1", "-g", *SANITIZERS], "extra_link_args": SANITIZERS}
    return {"extra_compile_args": ["-O1", "-g"] if DEBUG else ["-O3", "-g0"]}


def extensions() -> list[Extension]:
    listed = runpy.run_path(str(Path("src/thresher/kernels/__init__.py")))["KERNELS"]
    modules = [Extension(name, [f"src/{name.replace('.', '/')}.py"], **options()) for name in listed]
    directives = {
        "language_level": 3,
        "boundscheck": DEBUG,
        "wraparound": False,
        "initializedcheck": DEBUG,
        "cdivision": True,
        "freethreading_compatible": True,
        "show_performance_hints": False,
    }
    # What all of them need for typed memoryviews is compiled once, not in each.
    shared = Extension(SHARED, [f"src/{SHARED.replace('.', '/')}.c"], **options())
    built: list[Extension] = cythonize(
        [*modules, shared],
        compiler_directives=directives,
        build_dir="build/cython",
        shared_utility_qualified_name=SHARED,
        force=DEBUG,
        nthreads=PROCESSORS if sys.platform == "linux" else 0,  # others start processes in ways that take longer
    )
    return built


class OptionalBuild(build_ext):
    """All kernels or none: without a working compiler the sources run."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or PROCESSORS

    def build_extensions(self) -> None:
        try:
            super().build_extensions()
        except (BaseError, CCompilerError, OSError) as problem:
            print(f"the kernels could not be compiled, thresher will be slow: {problem}", file=sys.stderr)
            self.extensions = []


if __name__ == "__main__":  # processes that Cython starts may import this
    setup(ext_modules=[] if PURE else extensions(), cmdclass={"build_ext": OptionalBuild})
