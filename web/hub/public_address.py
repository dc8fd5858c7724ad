"""The address by which others reach the hub, for links and squares that leave this browser."""

from __future__ import annotations

from urllib.parse import urlsplit

from web.addresses import is_loopback
from web.hub.hub import HubSettings


def public_address(house: HubSettings, asked: str) -> str:
    """The address that the host named, else the one by which the visitor came.

    Who came over this machine's own loopback gets the house's: no phone reaches loopback.
    """
    host = urlsplit(asked).hostname or ""
    return house.address if house.named or is_loopback(host) else asked.rstrip("/")
