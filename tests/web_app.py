"""The web app under test: in this process for the API, as a real server for the browser."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn
from fastapi.testclient import TestClient

from thresher.web.app import create_app
from thresher.web.connections import server_config
from thresher.web.context import Context
from thresher.web.settings import ServerSettings

__all__ = ["BASE", "client", "page", "serving", "token"]

BASE = "http://127.0.0.1:8177"
_WORDS = "The threshing machine took the grain out of the ears and left the straw behind it on the floor of the barn. "


def page(
    title: str = "On threshing",
    text: str = "",
    head: str = "",
    more: str = "",
    menu: tuple[str, ...] = ("home", "news", "shop", "about"),
) -> str:
    """A page with an article, a menu and a footer."""
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in menu)
    body = "".join(f"<p>{text} {_WORDS * 3}</p>" for _ in range(4))
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head><body><nav><ul>{links}</ul></nav>"
        f"<article><h1>{title}</h1>{body}</article>{more}<footer><p>Imprint, privacy, terms of use</p></footer></body>"
    )


@contextlib.contextmanager
def client(**settings: Any) -> Iterator[TestClient]:
    """A client of an application with one worker."""
    app = create_app(ServerSettings(**{"workers": 1, **settings}))
    with TestClient(app, base_url=BASE) as found:
        yield found


def token(found: TestClient) -> dict[str, str]:
    """What our own pages send along."""
    context: Context = found.app.state.context  # type: ignore[attr-defined]
    return {"X-Thresher-Token": context.secrets.page, "X-Fragment": "1"}


@contextlib.contextmanager
def serving(**settings: Any) -> Iterator[str]:
    """The address of a server in another thread."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    given = ServerSettings(**{"workers": 1, "port": port, **settings})
    server = uvicorn.Server(server_config(create_app(given), given))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()
