"""Load on the server: 50 clients at a time, pages of 200 KB, for a minute; not one error.

    python benchmarks/web.py [--clients 50] [--seconds 60] [--kilobytes 200] [--workers N]

Clients are threads of another process, so that they do not compete with the server for Python's lock; each sends its
next page as soon as it has its answer.  Printed: requests, errors, requests a second, and the times of the answers.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

WORDS = (
    "grain straw chaff barn field harvest ear stalk seed wind flail sieve mill sack cart horse autumn wheat rye".split()
)


def page(kilobytes: int, seed: int) -> bytes:
    """A page of so many kilobytes, different for every seed: as on the web, a third of it is scripts and styles, an
    eighth is the article, and the rest are menus, cards and their markup."""
    choose = random.Random(seed)

    def text(words: int) -> str:
        return " ".join(choose.choice(WORDS) for _ in range(words)).capitalize() + "."

    def grown(share: float, part: Callable[[int], str]) -> str:
        parts, size = [], 0.0
        while size < share * kilobytes * 1000:
            parts.append(part(len(parts)))
            size += len(parts[-1])
        return "".join(parts)

    script = grown(0.33, lambda n: f"function f{n}(a,b){{return a.querySelectorAll('.c{n}').length*b+{n}}}\n")
    menu = grown(
        0.17, lambda n: f'<li class="menu-item item-{n}"><a class="link" href="/section/{n}">{text(2)}</a></li>'
    )
    article = grown(0.12, lambda n: f'<p class="text">{text(60)} <a href="/{n}">{text(3)}</a> {text(20)}</p>')
    card = '<div class="card col-{0}"><div class="inner"><a class="card-link" href="/p/{0}"><span>{1}</span></a>'
    cards = grown(0.38, lambda n: card.format(n, text(6)) + '<div class="meta"><i class="icon"></i></div></div></div>')
    return (
        f"<!doctype html><html lang=en><head><title>{text(5)}</title><script>{script}</script></head><body><header>"
        f'<ul class="nav">{menu}</ul></header><main><h1>{text(5)}</h1>{article}</main><aside>{cards}</aside></body>'
    ).encode()


def load(port: int, clients: int, seconds: float, kilobytes: int) -> None:
    """Ask, and print what came of it as JSON."""
    bodies = [json.dumps({"html": page(kilobytes, seed).decode()}).encode() for seed in range(20)]
    times: list[float] = []
    answers: Counter[str] = Counter()
    end = time.monotonic() + seconds

    def ask(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        while time.monotonic() < end:
            started = time.monotonic()
            number += 1
            try:
                headers = {"Content-Type": "application/json"}
                connection.request("POST", "/extract", bodies[number % len(bodies)], headers)
                answer = connection.getresponse()
                body = answer.read()
                good = answer.status == 200 and json.loads(body)["status"] == "ok"
                answers["ok" if good else f"status {answer.status}"] += 1
            except (OSError, http.client.HTTPException) as error:
                answers[type(error).__name__] += 1
                connection.close()
            times.append(time.monotonic() - started)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"times": sorted(times), "answers": answers, "seconds": time.monotonic() - started}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kilobytes", type=int, default=200)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--load", type=int, metavar="PORT", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.load:
        load(asked.load, asked.clients, asked.seconds, asked.kilobytes)
        return
    port = 8178
    command = [sys.executable, "-m", "thresher", "serve", "--no-open", "--port", str(port)]
    server = subprocess.Popen(command + (["--workers", str(asked.workers)] if asked.workers else []))
    try:
        _wait(port)
        clients = [sys.executable, __file__, "--load", str(port), "--clients", str(asked.clients)]
        clients += ["--seconds", str(asked.seconds), "--kilobytes", str(asked.kilobytes)]
        found = json.loads(subprocess.run(clients, capture_output=True, check=True).stdout)
    finally:
        server.terminate()
        server.wait(20)
    times, answers = found["times"], found["answers"]
    print(f"{asked.clients} clients, pages of {asked.kilobytes} KB, {found['seconds']:.0f} s")
    print(f"answers: {', '.join(f'{count:,} {name}' for name, count in answers.items())}")
    print(f"{len(times) / found['seconds']:.0f} requests a second")
    shares = ", ".join(f"p{share} {times[int(len(times) * share / 100)]:.2f} s" for share in (50, 95, 99))
    print(f"{shares}, longest {times[-1]:.2f} s")
    sys.exit(set(answers) != {"ok"})


def _wait(port: int) -> None:
    """Until the server has answered one page: its processes are up then."""
    body = json.dumps({"html": page(10, 0).decode()})
    for _ in range(600):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", "/extract", body, {"Content-Type": "application/json"})
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)
    sys.exit("the server does not start")


if __name__ == "__main__":
    main()
