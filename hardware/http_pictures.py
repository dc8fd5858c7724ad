"""Pictures over plain http as bytes, none of them decoded: MJPEG, or one still after the other."""

from __future__ import annotations

import base64
import re
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Final, Self
from urllib.parse import unquote, urlsplit

CHUNK_BYTES: Final = 64 * 1024
MOST_BYTES: Final = 16 * 1024 * 1024  # of one picture, head included
STILL_SECONDS: Final = 0.5  # from one still picture to the next
OK: Final = 200
_BOUNDARY: Final = re.compile(r"""boundary\s*=\s*"?([^\s";]+)""", re.IGNORECASE)
_LENGTH: Final = re.compile(rb"^content-length\s*:\s*(\d+)", re.IGNORECASE | re.MULTILINE)
_SIZE: Final = re.compile(rb"\xff[\xc0-\xc2]..\x08(..)(..)", re.DOTALL)  # height and width
_HEAD_ENDS: Final = re.compile(rb"\r?\n\r?\n")


class HttpPictures:
    """The pictures that an http address sends, read one after the other by one thread.

    A server that sends parts (multipart/x-mixed-replace) is read on; one that answers with a
    single JPEG, as `/shot.jpg` or an ESP32's `/capture`, is asked twice a second. For example::

        pictures = HttpPictures.open("http://192.168.1.20:8080/video", seconds=3)
        while pictures is not None:
            good, jpeg = pictures.read()
    """

    def __init__(self, server: HTTPConnection, target: str, headers: dict[str, str]) -> None:
        """Ask once. Raises OSError or HTTPException: it is not there, or does not speak http."""
        self._server, self._target, self._headers = server, target, headers
        self._answer = self._ask()
        self._due = time.monotonic()
        self._buffer = bytearray()
        kind = self._answer.headers.get("Content-Type", "").strip()
        named = _BOUNDARY.search(kind) if kind.lower().startswith("multipart/") else None
        # A camera may write the dashes before it into its name, or leave them out
        self._boundary = named[1].strip("-").encode("latin-1") if named else b""
        self._is_still = kind.lower().startswith(("image/jpeg", "image/jpg"))

    @classmethod
    def open(cls, address: str, seconds: float) -> Self | None:
        """Ask an address; None if it is not plain http, or answers otherwise.

        No step may take longer than `seconds`. A redirect is not followed: it would have the table
        ask another machine.
        """
        parts = urlsplit(address)
        if parts.scheme != "http" or not parts.hostname:
            return None
        user, at, _ = parts.netloc.rpartition("@")
        code = base64.b64encode(unquote(user).encode()).decode()
        target = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
        server = HTTPConnection(parts.hostname, parts.port, timeout=seconds)
        try:
            pictures = cls(server, target, {"Authorization": f"Basic {code}"} if at else {})
        except (OSError, ValueError, HTTPException):
            server.close()
            return None
        if pictures.is_understood:
            return pictures
        pictures.release()
        return None

    @property
    def is_understood(self) -> bool:
        """Whether the server's answer holds pictures."""
        return self._answer.status == OK and (self._is_still or bool(self._boundary))

    def read(self) -> tuple[bool, bytes]:
        """Whether there was a next picture, and its file, not looked at: it may be damaged."""
        try:
            picture = self._next_still() if self._is_still else self._next_part()
        except (OSError, ValueError, HTTPException):
            picture = b""
        return bool(picture), picture

    def release(self) -> None:
        """Close the connection."""
        self._answer.close()
        self._server.close()

    def _ask(self) -> HTTPResponse:
        self._server.request("GET", self._target, headers=self._headers)
        return self._server.getresponse()

    def _next_still(self) -> bytes:
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._due = time.monotonic() + STILL_SECONDS
        if self._answer.closed:
            self._answer = self._ask()
        picture = self._answer.read(MOST_BYTES)
        is_whole = self._answer.status == OK and self._answer.read(1) == b""
        self._answer.close()
        return picture if is_whole else b""

    def _next_part(self) -> bytes:
        """The next part that holds something; empty where the server ends or sends no end."""
        while True:
            start = self._find(self._boundary, 0)
            if start < 0:
                return b""
            head = self._match_head(start)
            if head is None:
                return b""
            length = _LENGTH.search(self._buffer, start, head[0])
            if length:
                end = head[1] + int(length[1])
                if not self._has(end):
                    return b""
            else:
                end = self._find(self._boundary, head[1])
                if end < 0:
                    return b""
            picture = bytes(self._buffer[head[1] : end])
            del self._buffer[:end]
            picture = picture if length else picture.rstrip(b"-").rstrip(b"\r\n")
            if picture:
                return picture

    def _find(self, sought: bytes, start: int) -> int:
        """Where that begins from `start` on, once it is here; -1 if it never is."""
        while (at := self._buffer.find(sought, start)) < 0:
            start = max(start, len(self._buffer) - len(sought) + 1)
            if not self._has(len(self._buffer) + 1):
                return -1
        return at

    def _match_head(self, start: int) -> tuple[int, int] | None:
        """Where the head of the part ends, and where its content begins."""
        while (found := _HEAD_ENDS.search(self._buffer, start)) is None:
            if not self._has(len(self._buffer) + 1):
                return None
        return found.span()

    def _has(self, count: int) -> bool:
        """Whether this number of bytes is here, or comes."""
        while len(self._buffer) < count:
            chunk = b"" if count > MOST_BYTES else self._answer.read1(CHUNK_BYTES)
            if not chunk:
                return False
            self._buffer += chunk
        return True


def pixels_of(picture: bytes) -> int:
    """The pixels of a JPEG by its head, or those of its largest part; 0 for anything else."""
    sizes = (map(int.from_bytes, found.groups()) for found in _SIZE.finditer(picture))
    return max((height * width for height, width in sizes), default=0)
