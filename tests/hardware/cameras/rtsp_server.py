"""A local server of RTSP: JPEG over RTP, inside of its TCP connection, only with a password."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread

from tests.hardware.cameras.mjpeg_server import BITS, PASSWORD, USER, stamped

CLOCK = 90_000  # of RTP's video
PACE = 20.0
WIDTH, HEIGHT = 8 * BITS, 120
PIECE = 1200  # bytes of a picture in one packet
EXPECTED = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=camera\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\nc=IN IP4 0.0.0.0\r\na=control:track1\r\n"
)


def packets(picture: bytes, frame: int) -> Iterator[bytes]:
    """One picture as RTP packets: its tables and its scan, without the rest (RFC 2435)."""
    tables = b"".join(
        picture[found.end() : found.end() + 64]
        for found in re.finditer(rb"\xff\xdb\x00\x43[\x00\x01]", picture)
    )
    start = picture.index(b"\xff\xda")
    scan = picture[start + 2 + int.from_bytes(picture[start + 2 : start + 4], "big") : -2]
    for offset in range(0, len(scan), PIECE):
        piece = scan[offset : offset + PIECE]
        last = offset + PIECE >= len(scan)
        number = frame * 64 + offset // PIECE
        head = struct.pack(
            ">BBHII", 0x80, 26 | last << 7, number & 0xFFFF, frame * int(CLOCK / PACE), 7
        )
        shape = struct.pack(">IBBBB", offset, 1, 255, WIDTH // 8, HEIGHT // 8)
        yield head + shape + (b"" if offset else struct.pack(">HH", 0, 128) + tables) + piece


class Handler(StreamRequestHandler):
    """One viewer, who asks to be told of the stream, to have it set up, and to see it."""

    server: RtspServer

    def handle(self) -> None:
        """Answer until the stream plays, then send pictures."""
        while line := self.rfile.readline():
            head = b"".join(iter(self.rfile.readline, b"\r\n")).decode()
            method = line.split()[0].decode()
            asked = re.search(r"(?im)^cseq: *(\d+)", head)
            answer = [f"CSeq: {asked[1] if asked else 0}"]
            if method != "OPTIONS" and f"Basic {EXPECTED}" not in head:
                self._answer("401 Unauthorized", [*answer, 'WWW-Authenticate: Basic realm="x"'])
            elif method == "DESCRIBE":
                length = ["Content-Type: application/sdp", f"Content-Length: {len(SDP)}"]
                self._answer("200 OK", [*answer, *length], SDP)
            elif method == "SETUP":
                transport = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1"
                self._answer("200 OK", [*answer, transport, "Session: 1"])
            else:
                self._answer("200 OK", [*answer, "Session: 1", "Public: DESCRIBE, SETUP, PLAY"])
            if method == "PLAY":
                with suppress(OSError):  # the viewer has gone
                    self._play()
                return

    def _answer(self, status: str, lines: list[str], body: str = "") -> None:
        self.wfile.write("\r\n".join([f"RTSP/1.0 {status}", *lines, "", body]).encode())

    def _play(self) -> None:
        frame = 0
        while not self.server.closed.wait(1 / PACE):
            frame += 1
            for packet in packets(stamped(frame), frame):
                self.wfile.write(b"$\0" + struct.pack(">H", len(packet)) + packet)


class RtspServer(ThreadingTCPServer):
    """Sends pictures of the numbers from 1 on."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.closed = Event()

    @property
    def address(self) -> str:
        return f"rtsp://{USER}:{PASSWORD}@127.0.0.1:{self.server_address[1]}/stream1"


@contextmanager
def rtsp_server() -> Iterator[RtspServer]:
    """A server that is gone at the end."""
    with RtspServer() as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.closed.set()
        server.shutdown()
