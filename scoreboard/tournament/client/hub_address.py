"""Where a hub is, as a person types or a phone reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from scoreboard.errors import NotationError
from scoreboard.message import message

SCHEMES: Final = frozenset({"http", "https"})
HUB_PORT: Final = 8100
HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}")  # a name, or of IPv6
LINK: Final = re.compile(r"/join/([^/]+)/?")


@dataclass(frozen=True, slots=True)
class HubAddress:
    """A hub's address, and the code where it was part of what was typed.

    `10.0.0.7`, `https://hub.example` and the whole link behind a QR code,
    `http://10.0.0.7:8100/join/ACDE-3467`, are all fine; a bare name means http, and the port that a
    hub takes unless told.
    """

    address: str
    code: str = ""

    @classmethod
    def parse(cls, text: str) -> HubAddress:
        """Read what a person typed.

        Raises:
            NotationError: it is no address of a hub.
        """
        typed = text.strip()
        try:
            parts = urlsplit(typed if "://" in typed else f"http://{typed}")
            bare = "://" not in typed and parts.port is None
            called = HOST.fullmatch(parts.hostname or "") is not None
            known = parts.scheme in SCHEMES and called and parts.port != 0
        except ValueError:
            known = False
        if not known or "@" in parts.netloc or not typed.isprintable() or " " in typed:
            raise NotationError(
                message("“{text}” is no address of a hub: write it as 10.0.0.7:8100.", text=typed)
            )
        port = f":{HUB_PORT}" if bare else ""
        place = parts.netloc.rstrip(":")
        return cls(f"{parts.scheme}://{place}{port}", _code(parts))


def _code(parts: SplitResult) -> str:
    found = LINK.fullmatch(parts.path)
    return unquote(found[1]) if found else next(iter(parse_qs(parts.query).get("code", [])), "")
