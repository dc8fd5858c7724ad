"""What this machine is called on the network, found out without sending anything."""

from __future__ import annotations

import socket
import struct
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final

import click

from web.clocks import Repeater

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, never bound
GET_ADDRESSES: Final = 0x8912  # SIOCGIFCONF, see netdevice(7)
ENTRY_BYTES: Final = 24 + 2 * struct.calcsize("P")  # of struct ifreq
ADDRESS_BYTES: Final = slice(20, 24)  # of struct ifreq: 16 of the name, 4 of family and port
MOST_ADDRESSES: Final = 256
ELSEWHERE: Final = "192.0.2.1"  # no machine has it: RFC 5737
IPV6_ADDRESSES: Final = Path("/proc/net/if_inet6")
CHECK_SECONDS: Final = 5.0
# What `web.mdns` may announce the page as: the first that no other machine has.
ANNOUNCED_NAMES: Final = (
    "tablescore.local",
    *(f"tablescore-{number}.local" for number in range(2, 10)),
)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that host address or name."""
    address = parsed_address(host)
    return host.lower() in LOOPBACK_NAMES if address is None else address.is_loopback


def parsed_address(host: str) -> IPv4Address | IPv6Address | None:
    """The IP address, None for a name.

    An IPv4-mapped IPv6 address (`::ffff:192.0.2.7`) is that IPv4 address.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_addresses() -> tuple[str, ...]:
    """The addresses of this machine's network interfaces, those of IPv4 first.

    Loopback is left out, and so are IPv6's link-local addresses, which browsers do not take.
    Only Linux tells all of them so; elsewhere it is the one that leads out.
    """
    if sys.platform == "linux":
        found = (*_ipv4_addresses(), *_ipv6_addresses())
    else:
        found = (*_way_out(),)
    return tuple(dict.fromkeys(address for address in found if not is_loopback(address)))


def page_addresses(
    host: str, port: int, on_network: Iterable[str], *, https: bool = False
) -> tuple[str, ...]:
    """What to type into a browser for a page served at `host`; this machine's own first.

    `on_network` are the addresses of the network interfaces; a wildcard stands for them, and
    only that of IPv6 for those of IPv6. With `https` this machine alone still speaks http.
    """
    hosts = served_addresses(host, on_network)
    hosts = ("127.0.0.1", *hosts) if host in WILDCARDS else hosts
    return tuple(
        f"{'https' if https and not is_loopback(each) else 'http'}://"
        f"{f'[{each}]' if ':' in each else each}:{port}/"
        for each in hosts
    )


def served_addresses(host: str, on_network: Iterable[str]) -> tuple[str, ...]:
    """Where a page served at `host` is reached: a wildcard stands for addresses `on_network`."""
    if host not in WILDCARDS:
        return (host,)
    return tuple(each for each in on_network if host == "::" or ":" not in each)


def reachable_addresses(
    host: str, port: int, on_network: Iterable[str], *, https: bool = False
) -> tuple[str, ...]:
    """What to type on another device; none where only this machine is served."""
    if is_loopback(host):
        return ()
    addresses = page_addresses(host, port, on_network, https=https)
    return addresses[1 if host in WILDCARDS else 0 :]


def allowed_hosts(
    host: str, machine: str, on_network: Iterable[str], more: Iterable[str]
) -> frozenset[str]:
    """The names by which the page may be called, in lower case and without port.

    They are loopback's, the address bound to (with a wildcard: those of the network), the
    machine's name with and without `.local`, what the network may be told (no name server outside
    it knows such names), and `more`.
    """
    bound = frozenset(on_network) if host in WILDCARDS else frozenset({host})
    if not is_loopback(host):
        bound |= frozenset(ANNOUNCED_NAMES)
    short = machine.partition(".")[0]
    names = LOOPBACK_NAMES | bound | {machine, short, f"{short}.local"} | frozenset(more)
    return frozenset(name.lower().strip("[]") for name in names if name)


def _way_out() -> Iterator[str]:
    """The address that another machine would see; a datagram's socket sends nothing to connect."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect((ELSEWHERE, 9))
        yield probe.getsockname()[0]


def _ipv4_addresses() -> Iterator[str]:
    import fcntl  # noqa: PLC0415 -- not to be had on Windows

    entries = array("B", bytes(MOST_ADDRESSES * ENTRY_BYTES))
    buffer, _ = entries.buffer_info()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        asked = struct.pack("iP", len(entries), buffer)
        length, _ = struct.unpack("iP", fcntl.ioctl(probe.fileno(), GET_ADDRESSES, asked))
    for start in range(0, length, ENTRY_BYTES):
        entry = entries[start : start + ENTRY_BYTES].tobytes()
        yield socket.inet_ntoa(entry[ADDRESS_BYTES])


def _ipv6_addresses() -> Iterator[str]:
    if not IPV6_ADDRESSES.exists():  # the system was started without it
        return
    for line in IPV6_ADDRESSES.read_text().splitlines():
        address = IPv6Address(bytes.fromhex(line.split()[0]))
        if not address.is_link_local:
            yield str(address)


class AddressWatch(Repeater):
    """Reports each address that the page gets while it is served.

    A Wi-Fi that comes up after the start, or a router that hands out another address, changes
    what to type on a tablet. `find` gives the current addresses; the first ones are known.
    `report` may be set to another one.
    """

    def __init__(
        self,
        find: Callable[[], Iterable[str]],
        report: Callable[[str], None],
        pause_seconds: float = CHECK_SECONDS,
    ) -> None:
        super().__init__("addresses", self._check, pause_seconds)
        self._find = find
        self.report = report
        self._known = frozenset(find())

    def _check(self) -> None:
        found = tuple(self._find())
        for address in found:
            if address not in self._known:
                self.report(address)
        self._known = frozenset(found)


def watch_addresses(
    host: str,
    port: int,
    find: Callable[[], Iterable[str]] = network_addresses,
    pause_seconds: float = CHECK_SECONDS,
    *,
    https: bool = False,
) -> AddressWatch:
    """Print each address that a page served at `host` gets, as the start text prints the first."""
    return AddressWatch(
        lambda: reachable_addresses(host, port, find(), https=https),
        lambda address: click.echo(f"  open     {address}"),
        pause_seconds,
    )
