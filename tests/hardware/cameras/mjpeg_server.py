"""A local server of MJPEG, as phone apps and ESP32-CAMs have it."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import cv2
import numpy as np
from numpy.typing import NDArray

BITS = 16
USER, PASSWORD = "maker", "s3same-0pen"


def stamped(milliseconds: int) -> bytes:
    """A picture that shows a number, as stripes."""
    image = np.full((120, 8 * BITS, 3), 40, np.uint8)
    for bit in range(BITS):
        image[:, 8 * bit : 8 * bit + 8] = 230 if milliseconds >> bit & 1 else 10
    return cv2.imencode(".jpg", image)[1].tobytes()


def stamp_of(image: NDArray[np.uint8]) -> int:
    """The number that a picture shows."""
    return sum(1 << bit for bit in range(BITS) if image[:, 8 * bit + 4].mean() > 120)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered instead of the pictures."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""


class MjpegServer:
    """Sends a picture of the milliseconds since its start, `pace` a second; only with a password.

    `muted` stands for a camera that hangs: connections stay, and no picture comes. One that means
    harm sends its `picture` each time, or a `reply`.
    """

    def __init__(self, port: int = 0, pace: float = 25.0) -> None:
        self.pace = pace
        self.viewers = 0  # that were let in so far
        self.picture: bytes | None = None
        self.reply: Reply | None = None
        self.muted = Event()
        self._closed = Event()
        self._start = time.monotonic()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                expected = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
                if self.headers.get("Authorization") != f"Basic {expected}":
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                outer.viewers += 1
                if outer.reply is not None:
                    self.send_response(outer.reply.status)
                    for name, value in outer.reply.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(outer.reply.body)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with suppress(OSError):  # the viewer has gone
                    outer._send(self)

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://{USER}:{PASSWORD}@127.0.0.1:{self.port}/video?quality=high"

    @property
    def now(self) -> int:
        """Milliseconds since the start, as the pictures show them."""
        return int((time.monotonic() - self._start) * 1000) % (1 << BITS)

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()

    def _send(self, handler: BaseHTTPRequestHandler) -> None:
        while not self._closed.wait(1 / self.pace):
            if not self.muted.is_set():
                picture = self.picture or stamped(self.now)
                head = (
                    f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                )
                handler.wfile.write(head.encode() + picture + b"\r\n")


@contextmanager
def mjpeg_server(port: int = 0) -> Iterator[MjpegServer]:
    """A server that is gone at the end."""
    server = MjpegServer(port)
    try:
        yield server
    finally:
        server.close()
