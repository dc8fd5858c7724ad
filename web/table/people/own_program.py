"""Which program of this machine sends a request, by its kernel's tables.

A script that its user starts on the table's machine need not bring the key, since it could read the
file that holds it. A forwarder must: a proxy or a tunnel has a connection to its client, or listens
for one. Only Linux reveals this; elsewhere no program is believed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
TABLES: Final = ("tcp", "tcp6", "udp", "udp6")
LISTENS: Final = "0A"


@dataclass(frozen=True, slots=True)
class _Socket:
    """A row of the kernel's tables: its two ends, its owner, and its number."""

    here: tuple[str, int]
    there: tuple[str, int]
    user: int
    inode: str
    listens: bool

    @property
    def reaches_others(self) -> bool:
        """Whether it may serve another machine."""
        return self.listens or not (self.there[1] == 0 or ip_address(self.there[0]).is_loopback)


def is_own_program(address: str, port: int, to: int) -> bool:
    """Whether that end of a connection to our port `to` is a program's of this user.

    One that serves others is not: another program may have that end of a connection elsewhere.
    """
    try:
        sockets = {each.inode: each for table in TABLES for each in _sockets(table)}
        asking = [
            each.inode
            for each in sockets.values()
            if each.here == (address, port) and each.there[1] == to and each.user == os.getuid()
        ]
        holders = [held for held in _held() if held.intersection(asking)]
    except (OSError, AttributeError):  # another system, or a kernel that keeps it to itself
        return False
    return bool(holders) and not any(
        sockets[inode].reaches_others for held in holders for inode in held & sockets.keys()
    )


def _sockets(table: str) -> Iterator[_Socket]:
    for line in (PROC / "net" / table).read_text("ascii").splitlines()[1:]:
        _, here, there, state, *_, user, _timeout, inode = line.split()[:10]
        yield _Socket(
            _end(here), _end(there), int(user), inode, table[:3] + state == f"tcp{LISTENS}"
        )


def _end(written: str) -> tuple[str, int]:
    """An address in the kernel's words of four bytes, the last byte of each first, and a port."""
    words, port = written.split(":")
    raw = b"".join(bytes.fromhex(words[at : at + 8])[::-1] for at in range(0, len(words), 8))
    found = ip_address(raw)
    plain = found.ipv4_mapped if isinstance(found, IPv6Address) and found.ipv4_mapped else found
    return str(plain), int(port, 16)


def _held() -> Iterator[set[str]]:
    """The numbers of the open sockets of each program of this user."""
    for folder in PROC.iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            links = [str(each.readlink()) for each in (folder / "fd").iterdir()]
        except OSError:  # another user's, or gone meanwhile
            continue
        yield {link[8:-1] for link in links if link.startswith("socket:[")}
