"""This machine's names on the network, found without sending anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import click

from scoreboard.worker import Worker

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, never bound
CHECK_SECONDS: Final = 5.0
# What `web.shared.mdns` may announce the page as: the first that no other machine has.
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
    """
    import ifaddr  # noqa: PLC0415 -- it runs a program to find the system's own library

    found = [each.ip for adapter in ifaddr.get_adapters() for each in adapter.ips]
    ipv4 = [each for each in found if isinstance(each, str)]
    ipv6 = [IPv6Address(each[0]) for each in found if isinstance(each, tuple)]
    lasting = [str(each) for each in ipv6 if not each.is_link_local]
    return tuple(dict.fromkeys(each for each in (*ipv4, *lasting) if not is_loopback(each)))


def page_addresses(
    host: str, port: int, on_network: Iterable[str], *, https: bool = False
) -> tuple[str, ...]:
    """Browser addresses of a page served at `host`; this machine's own first.

    `on_network` are the addresses of the network interfaces, which replace a wildcard (those of
    IPv6 only for IPv6's). With `https` only this machine still speaks http.
    """
    hosts = served_addresses(host, on_network)
    hosts = ("127.0.0.1", *hosts) if host in WILDCARDS else hosts
    return tuple(
        f"{'https' if https and not is_loopback(each) else 'http'}://"
        f"{f'[{each}]' if ':' in each else each}:{port}/"
        for each in hosts
    )


def served_addresses(host: str, on_network: Iterable[str]) -> tuple[str, ...]:
    """The addresses of a page served at `host`: those `on_network` for a wildcard."""
    if host not in WILDCARDS:
        return (host,)
    return tuple(each for each in on_network if host == "::" or ":" not in each)


def reachable_addresses(
    host: str, port: int, on_network: Iterable[str], *, https: bool = False
) -> tuple[str, ...]:
    """The addresses for other devices; none if only this machine is served."""
    if is_loopback(host):
        return ()
    addresses = page_addresses(host, port, on_network, https=https)
    return addresses[1 if host in WILDCARDS else 0 :]


def allowed_hosts(
    host: str, machine: str, on_network: Iterable[str], more: Iterable[str]
) -> frozenset[str]:
    """The names of the page, in lower case and without port.

    They are loopback's, the address bound to (with a wildcard: those of the network), the machine's
    name with and without `.local`, the announced names (no name server outside the network knows
    them), and `more`.
    """
    bound = frozenset(on_network) if host in WILDCARDS else frozenset({host})
    if not is_loopback(host):
        bound |= frozenset(ANNOUNCED_NAMES)
    short = machine.partition(".")[0]
    names = LOOPBACK_NAMES | bound | {machine, short, f"{short}.local"} | frozenset(more)
    return frozenset(name.lower().strip("[]") for name in names if name)


class AddressWatch(Worker):
    """Reports each new address of the served page.

    A Wi-Fi that comes up after the start, or a router that hands out another address, changes the
    address for tablets. `find` gives the current addresses; the first ones are known. `report` may
    be replaced.
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
