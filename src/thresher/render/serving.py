"""The files of a small web site on this machine, for a browser to load them.

`x/` is `x/index.html`, query strings are ignored, what is not there is a 404, and no folder is listed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from thresher.http.media_types import PAGE_SUFFIXES

__all__ = ["no_host", "serve"]


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """`127.0.0.1:PORT`, where the folder is served until the end of the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def no_host(host: str, port: int) -> list[tuple[int, tuple[object, ...]]]:
    """A name server that knows no host: with it a browser reaches nothing but what is served here."""
    raise OSError(f"{host}:{port} is not asked for pages that were saved")


class _Handler(SimpleHTTPRequestHandler):
    # What a script of the site once served is a page, whatever its name ends in.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | dict.fromkeys(PAGE_SUFFIXES, "text/html")

    def list_directory(self, path: object) -> None:
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: stderr belongs to the run."""
