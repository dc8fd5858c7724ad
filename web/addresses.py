"""What this machine is called on the network, found out without sending anything."""

from __future__ import annotations

import fcntl
import socket
import struct
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, never bound
LONGEST_INTERFACE_NAME: Final = 15
GET_INTERFACE_ADDRESS: Final = 0x8915  # SIOCGIFADDR, see netdevice(7)
ADDRESS_BYTES: Final = slice(20, 24)  # of struct ifreq: 16 of the name, 4 of family and port


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that host address or name."""
    address = parsed_address(host)
    return host.lower() in LOOPBACK_NAMES if address is None else address.is_loopback


def parsed_address(host: str) -> IPv4Address | IPv6Address | None:
    """The address that is written there, None for a name.

    An IPv4 address in IPv6's clothes (`::ffff:192.0.2.7`) is that IPv4 address.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine's network interfaces, loopback left out."""
    return tuple(address for address in _interface_addresses() if not is_loopback(address))


def page_addresses(host: str, port: int, on_network: Iterable[str]) -> tuple[str, ...]:
    """What to type into a browser for a page served at `host`; this machine's own first.

    `on_network` are the addresses of the network interfaces, told when `host` stands for all.
    """
    hosts = ("127.0.0.1", *on_network) if host in WILDCARDS else (host,)
    return tuple(f"http://{_bracketed(each)}:{port}/" for each in hosts)


def allowed_hosts(
    host: str, machine: str, on_network: Iterable[str], more: Iterable[str]
) -> frozenset[str]:
    """The names by which the page may be called, in lower case and without port.

    They are loopback's, the address bound to (with a wildcard: those of the network), the
    machine's name with and without `.local`, and `more`.
    """
    bound = frozenset(on_network) if host in WILDCARDS else frozenset({host})
    short = machine.partition(".")[0]
    names = LOOPBACK_NAMES | bound | {machine, short, f"{short}.local"} | frozenset(more)
    return frozenset(name.lower().strip("[]") for name in names if name)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _interface_addresses() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:LONGEST_INTERFACE_NAME])
            try:
                answer = fcntl.ioctl(probe.fileno(), GET_INTERFACE_ADDRESS, request)
            except OSError:  # the interface has no IPv4 address
                continue
            yield socket.inet_ntoa(answer[ADDRESS_BYTES])
