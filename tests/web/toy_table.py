"""A program that serves next to nothing by `web.shared.server`, for tests to start, stop and kill.

It is called with what shall happen at the start, `serve`, `fail` or `die`, with the host to serve
at, and with a folder for its certificate where it shall speak https too.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import click
from flask import Flask, Response, request

from scoreboard.worker import Worker
from web.shared import worker
from web.shared.addresses import network_addresses
from web.shared.certificates import TableCertificate
from web.shared.server import PageProcess, ServerError, listen, serve

NAME = "name"
RENEWAL_SECONDS = 0.1


class ToyTable:
    """A page with an endless stream, and a word on stdout for each thing that happens to it."""

    def __init__(self) -> None:
        self.app = Flask(__name__)
        self._ended = threading.Event()
        self.alive = True
        self.app.add_url_rule("/", view_func=lambda: str(os.getpid()))
        self.app.add_url_rule("/hang", "hang", self._hang)
        self.app.add_url_rule("/scheme", "scheme", lambda: request.scheme)
        self.app.add_url_rule("/stream", view_func=self._stream)
        self.app.add_url_rule("/slow", view_func=self._slow)
        self.app.add_url_rule("/echo", "echo", self._echo, methods=["POST"])
        self.app.add_url_rule("/limit/<name>/<int:value>", "limit", self._limit)
        self.app.add_url_rule("/refuse", "refuse", lambda: ("too large", 413), methods=["POST"])
        click.echo("started")

    def _stream(self) -> Response:
        def words() -> Iterator[str]:
            while not self._ended.wait(0.5):
                yield "data: tick\n\n"

        return Response(words(), mimetype="text/event-stream")

    def _echo(self) -> bytes:
        return request.get_data()

    def _limit(self, name: str, value: int) -> str:
        vars(worker)[name] = value
        return ""

    def _hang(self) -> str:
        self.alive = False
        return "hanging"

    def _slow(self) -> str:
        click.echo("asked")
        self._ended.wait()
        time.sleep(0.2)
        return "answered"

    def close(self) -> None:
        """Let the viewers go, and say that the end was clean."""
        self._ended.set()
        click.echo("closed")


def certificate_in(folder: Path) -> TableCertificate:
    """A certificate for this machine's addresses, and for the name that is written there."""

    def names() -> frozenset[str]:
        more = [(folder / NAME).read_text()] if (folder / NAME).exists() else []
        return frozenset({"127.0.0.1", *network_addresses(), *more})

    return TableCertificate(folder, names)


def start(how: str) -> ToyTable:
    """The toy, or what is asked to go wrong instead."""
    if how == "fail":
        raise OSError("The toy is broken; buy another.")
    if how == "die":
        time.sleep(0.05)
        os._exit(7)
    return ToyTable()


def main() -> None:
    """Serve on a free port, which is told on stdout."""
    how, host, *folder = sys.argv[1:]
    certificate = certificate_in(Path(folder[0])) if folder else None

    def start_both(_process: PageProcess) -> ToyTable:
        if certificate is not None:
            Worker("certificate", certificate.renew, RENEWAL_SECONDS).start()
        return start(how)

    with listen(host, 0) as listening:
        click.echo(listening.getsockname()[1])
        try:
            serve(listening, start_both, viewer_limit=4, certificate=certificate)
        except ServerError as error:
            click.echo(str(error), err=True)
            sys.exit(1)


if __name__ == "__main__":
    main()
