"""A small web site on this machine, for tests of the crawler."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

__all__ = ["LocalSite", "Reply", "html", "resolver"]


@dataclass(frozen=True)
class Reply:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "text/html; charset=utf-8"
    seconds: float = 0.0  # before the answer comes


Answer = Reply | Callable[[str], Reply | None]


def html(*links: str, title: str = "A page", head: str = "", text: str = "") -> Reply:
    """A page with links."""
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    page = f"<!doctype html><title>{title}</title>{head}<h1>{title}</h1><p>{text or title}</p>{anchors}"
    return Reply(page.encode())


def resolver(host: str, port: int) -> list[tuple[int, tuple[str, int]]]:
    """Every name is this machine."""
    return [(socket.AF_INET, ("127.0.0.1", port))]


class LocalSite:
    """Answers by path, `*` for all others, and 404 where there is nothing; remembers what it was asked."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str, float]] = []  # host, path, time
        self.agents: set[str] = set()
        self.at_once: Counter[str] = Counter()
        self.most_at_once: Counter[str] = Counter()
        self.most_together = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.port = self._server.server_port
        self.host = f"127.0.0.1:{self.port}"

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        """What was asked for, in order, without robots.txt and guessed sitemaps."""
        return [path for _, path, _ in self.asked if path not in ("/robots.txt", "/sitemap.xml")]

    def answer(self, host: str, path: str) -> Reply:
        with self._lock:
            self.asked.append((host, path, time.monotonic()))
            self.at_once[host] += 1
            self.most_at_once[host] = max(self.most_at_once[host], self.at_once[host])
            self.most_together = max(self.most_together, sum(self.at_once.values()))
        chosen = self.answers.get(f"{host.partition(':')[0]}{path}", self.answers.get(path, self.answers.get("*")))
        reply = chosen(path) if callable(chosen) else chosen
        reply = reply or Reply(b"<p>nothing here</p>", 404)
        time.sleep(reply.seconds)
        with self._lock:
            self.at_once[host] -= 1
        return reply

    def __enter__(self) -> LocalSite:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle (it was killed) is no news."""


def _handler(site: LocalSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet
        timeout = 5

        def do_GET(self) -> None:
            site.agents.add(self.headers["User-Agent"])
            reply = self._part(site.answer(self.headers["Host"], self.path))
            self.send_response(reply.status)
            for name, value in {"Content-Type": reply.kind, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)
            self.wfile.flush()

        do_HEAD = do_GET

        def _part(self, reply: Reply) -> Reply:
            """The bytes that were asked for, of files that say `Accept-Ranges`."""
            wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            if not wanted or "Accept-Ranges" not in reply.headers:
                return reply
            first, last = int(wanted[1]), min(int(wanted[2]), len(reply.body) - 1)
            place = {"Content-Range": f"bytes {first}-{last}/{len(reply.body)}"}
            return replace(reply, body=reply.body[first : last + 1], status=206, headers={**reply.headers, **place})

        def log_message(self, *arguments: object) -> None:
            pass

    return Handler
