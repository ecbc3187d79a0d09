"""The output folder: every file in it appears whole, or not at all.

A file is a draft until it is complete: written under another name, synced to the disk, renamed, and its folder synced.
Whatever happens in between leaves the draft, which is swept away when a run ends, or the next one begins.  Object
stores have no renames, but their objects appear whole anyway: there a draft is a local file until it is put.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from thresher.batch.files import PRIVATE, filesystem, is_remote, local
from thresher.errors import ThresherError

__all__ = ["Busy", "Draft", "LocalStore", "OutputStore", "RemoteStore", "open_store", "sync_folder"]

_DRAFTS = f"{PRIVATE}/drafts"
# Where an object appears when it is complete, and renaming means copying.
_OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oci", "oss", "r2", "memory"})


class Busy(ThresherError):
    """Another run writes into this folder."""


class Draft:
    """A file that is being written; it counts its bytes and their digest."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self.path = path
        self.size = 0
        self.closed = False
        self.wanted = True  # set to False, it vanishes at the end
        self._file = file
        self._digest = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        self._file.flush()

    def sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


class OutputStore:
    """Names in a folder, with `/` between their parts."""

    def draft(self, name: str) -> Any:
        """A context that gives a Draft and publishes it under its name at the end, unless an exception leaves it."""
        raise NotImplementedError

    def read(self, name: str) -> bytes:
        raise NotImplementedError

    def first_line(self, name: str) -> bytes | None:
        """Of a file that may be long; None when it is not there."""
        raise NotImplementedError

    def size(self, name: str) -> int | None:
        """In bytes; None for a file that is not there."""
        raise NotImplementedError

    def names(self, folder: str) -> list[str]:
        """The names of files directly in a folder, sorted."""
        raise NotImplementedError

    def remove(self, name: str) -> None:
        raise NotImplementedError

    def local_copy(self, name: str) -> str:
        """A path under which this machine can map the file into memory."""
        raise NotImplementedError

    def scratch(self) -> str:
        """A folder on this machine for files that are of no use after the run."""
        raise NotImplementedError

    def lock(self) -> Any:
        """A context in which nobody else may run here; Busy when somebody does."""
        raise NotImplementedError

    def write(self, name: str, data: bytes) -> None:
        """A whole file at once."""
        with self.draft(name) as draft:
            draft.write(data)

    def exists(self, name: str) -> bool:
        return self.size(name) is not None


class LocalStore(OutputStore):
    """A folder of a file system."""

    def __init__(self, root: str) -> None:
        self._root = Path(root)

    @contextmanager
    def draft(self, name: str) -> Iterator[Draft]:
        final = self._root / name
        drafts = self._root / _DRAFTS
        drafts.mkdir(parents=True, exist_ok=True)
        final.parent.mkdir(parents=True, exist_ok=True)
        number, path = tempfile.mkstemp(dir=drafts, prefix=f"{final.name}.")
        try:
            with open(number, "wb") as file:
                draft = Draft(file, Path(path))
                yield draft
                if not draft.wanted:
                    os.unlink(path)
                    return
                draft.sync()
            os.chmod(path, 0o666 & ~_umask())  # mkstemp makes it private
            os.replace(path, final)
            sync_folder(final.parent)
        except BaseException:
            with suppress(OSError):
                os.unlink(path)
            raise

    def read(self, name: str) -> bytes:
        return (self._root / name).read_bytes()

    def first_line(self, name: str) -> bytes | None:
        try:
            with (self._root / name).open("rb") as file:
                return file.readline()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def size(self, name: str) -> int | None:
        try:
            return (self._root / name).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return None

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(entry.name for entry in os.scandir(self._root / folder) if entry.is_file())
        except (FileNotFoundError, NotADirectoryError):
            return []

    def remove(self, name: str) -> None:
        (self._root / name).unlink(missing_ok=True)

    def local_copy(self, name: str) -> str:
        return str(self._root / name)

    def scratch(self) -> str:
        drafts = self._root / _DRAFTS
        drafts.mkdir(parents=True, exist_ok=True)
        return str(drafts)

    @contextmanager
    def lock(self) -> Iterator[None]:
        private = self._root / PRIVATE
        private.mkdir(parents=True, exist_ok=True)
        with open(private / "lock", "w") as file:
            try:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # let go by the system when we die
            except ImportError:
                pass
            except OSError:
                raise Busy(f"another run writes into {self._root}; wait for it, or choose another folder") from None
            shutil.rmtree(self._root / _DRAFTS, ignore_errors=True)  # of runs that were killed
            try:
                yield
            finally:
                shutil.rmtree(self._root / _DRAFTS, ignore_errors=True)  # of workers that were


class RemoteStore(OutputStore):
    """A folder behind fsspec."""

    def __init__(self, root: str) -> None:
        self._fs, self._root = filesystem(root)
        protocol = self._fs.protocol
        protocols = {protocol} if isinstance(protocol, str) else set(protocol)
        self._whole = bool(protocols & _OBJECT_STORES)

    @contextmanager
    def draft(self, name: str) -> Iterator[Draft]:
        with tempfile.NamedTemporaryFile(prefix="thresher-") as file:
            draft = Draft(file, Path(file.name))
            yield draft
            if not draft.wanted:
                return
            draft.flush()
            final = self._path(name)
            self._fs.makedirs(final.rpartition("/")[0], exist_ok=True)
            if self._whole:
                self._fs.put_file(file.name, final)
            else:
                other = self._path(f"{_DRAFTS}/{os.path.basename(file.name)}-{os.getpid()}")
                self._fs.makedirs(other.rpartition("/")[0], exist_ok=True)
                self._fs.put_file(file.name, other)
                self._fs.mv(other, final)

    def read(self, name: str) -> bytes:
        data: bytes = self._fs.cat_file(self._path(name))
        return data

    def first_line(self, name: str) -> bytes | None:
        try:
            with self._fs.open(self._path(name), "rb", block_size=1 << 16) as file:
                line: bytes = file.readline()
        except FileNotFoundError:
            return None
        return line

    def size(self, name: str) -> int | None:
        try:
            return int(self._fs.size(self._path(name)))
        except FileNotFoundError:
            return None

    def names(self, folder: str) -> list[str]:
        try:
            entries = self._fs.ls(self._path(folder), detail=True)
        except FileNotFoundError:
            return []
        return sorted(entry["name"].rpartition("/")[2] for entry in entries if entry["type"] == "file")

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            self._fs.rm_file(self._path(name))

    def local_copy(self, name: str) -> str:
        number, path = tempfile.mkstemp(prefix="thresher-")
        atexit.register(Path(path).unlink, missing_ok=True)
        with open(number, "wb") as file:
            file.write(self.read(name))
        return path

    def scratch(self) -> str:
        folder = tempfile.mkdtemp(prefix="thresher-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder

    @contextmanager
    def lock(self) -> Iterator[None]:
        yield  # object stores cannot; two runs would write the same bytes twice

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"


def open_store(root: str) -> OutputStore:
    """The store for a path or URL."""
    root = local(root)
    return RemoteStore(root) if is_remote(root) else LocalStore(root)


def sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where folders can be synced."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
