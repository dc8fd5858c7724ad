"""This machine's addresses and names on the network: found, watched, and announced by mDNS.

Finding sends nothing. An `Announcement` names the page `tablescore.local`, and its `_http._tcp`; a
table or a hub for this machine alone makes none: then nothing is sent.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import click

from scoreboard.worker import STOP_SECONDS, Worker

if TYPE_CHECKING:
    from zeroconf import Zeroconf

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, never bound
CHECK_SECONDS: Final = 5.0
# What an `Announcement` may call the page: the first that no other machine has.
ANNOUNCED_NAMES: Final = (
    "tablescore.local",
    *(f"tablescore-{number}.local" for number in range(2, 10)),
)
SERVICE: Final = "_http._tcp.local."
HUB: Final = "Tablescore hub"  # what its announcement is called
LONGEST_LABEL: Final = 63  # bytes, RFC 1035
PROBE_MILLISECONDS: Final = 3000  # an answer may be held back for a second after the last one
LOG: Final = logging.getLogger(__name__)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that host address or name."""
    address = parsed_address(host)
    return host.lower() in LOOPBACK_NAMES if address is None else address.is_loopback


def parsed_address(host: str) -> IPv4Address | IPv6Address | None:
    """The IP address, None for a name; an IPv4-mapped IPv6 address is that IPv4 address."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_addresses() -> tuple[str, ...]:
    """This machine's network addresses, IPv4's first, but loopback's and IPv6's link-local ones."""
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
    """Prints each new address of a page served at `host`, as the start text prints the first.

    A Wi-Fi that comes up after the start, or a router that hands out another address, changes the
    address for tablets. `report` may be replaced.
    """

    def __init__(
        self,
        host: str,
        port: int,
        find: Callable[[], Iterable[str]] = network_addresses,
        rest_seconds: float = CHECK_SECONDS,
        *,
        https: bool = False,
    ) -> None:
        super().__init__("addresses", self._check, rest_seconds)
        self._find: Callable[[], tuple[str, ...]] = lambda: reachable_addresses(
            host, port, find(), https=https
        )
        self.report: Callable[[str], object] = lambda each: click.echo(f"  open     {each}")
        self._known = self._find()

    def _check(self) -> None:
        before, self._known = self._known, self._find()
        for address in self._known:
            if address not in before:
                self.report(address)


class Announcement(Worker):
    """Announces a page, and follows the addresses of its machine, until it is stopped.

    `find` gives the page's current addresses. The name is the first of `ANNOUNCED_NAMES` that no
    other machine answers to. A failure is logged once and retried.
    """

    def __init__(
        self,
        called: str,
        port: int,
        find: Callable[[], Iterable[str]],
        *,
        https: bool = False,
        rest_seconds: float = CHECK_SECONDS,
    ) -> None:
        super().__init__("mdns", self._follow, rest_seconds)
        logging.getLogger("zeroconf").setLevel(logging.ERROR)  # it warns of networks that went
        self._machine = socket.gethostname().partition(".")[0]
        label = f"{called} on {self._machine}".replace(".", " ")
        self._service = label.encode()[:LONGEST_LABEL].decode(errors="ignore")
        self._port = port
        self._find = find
        self._properties = {"path": "/", "https": "yes" if https else "no"}
        self._announced: tuple[str, ...] = ()
        self._zeroconf: Zeroconf | None = None
        self._fault = ""
        self.name = ""

    def stop(self, timeout_seconds: float | None = STOP_SECONDS) -> None:
        """End the thread, and tell the network that the page has gone."""
        super().stop(timeout_seconds)
        self._withdraw()

    def _follow(self) -> None:
        try:
            found = tuple(each for each in self._find() if parsed_address(each) is not None)
            if found != self._announced or self._is_contested(found):
                self._withdraw()
                if found:
                    self._announce(found)
        except Exception as error:  # noqa: BLE001 -- a table is played at without a name, too
            self._withdraw()
            if str(error) != self._fault:
                self._fault = str(error)
                LOG.warning("the network could not be told of the page: %r", error)

    def _announce(self, found: tuple[str, ...]) -> None:
        from zeroconf import ServiceInfo, Zeroconf  # noqa: PLC0415 -- as late as in the wiring

        self._zeroconf = Zeroconf(interfaces=list(found))
        for name in ANNOUNCED_NAMES:
            holders = self._holders(name, ask=True)
            if holders <= set(found):
                break
        else:
            raise LookupError(f"{ANNOUNCED_NAMES[-1]} and all names before it are taken")
        # The system's own responder tells each network only that network's address of this machine,
        # and would take another set of them for another machine's.
        told_already = holders and name == f"{self._machine}.local".lower()
        service = ServiceInfo(
            SERVICE,
            f"{self._service}.{SERVICE}",
            port=self._port,
            properties=self._properties,
            server=f"{name}.",
            parsed_addresses=[] if told_already else list(found),
        )
        self._zeroconf.register_service(service, allow_name_change=True)
        self._announced, self.name, self._fault = found, name, ""
        LOG.info("announced as %s, port %d", name, self._port)

    def _is_contested(self, found: Collection[str]) -> bool:
        """Whether another machine that took the name at the same moment may keep it."""
        others = self._holders(self.name, ask=False) - set(found)
        return bool(others) and min(others) < min(found)

    def _holders(self, name: str, *, ask: bool) -> set[str]:
        """The addresses that answer for that name; those heard before if none is asked."""
        # Documented, and missing in its __all__
        from zeroconf import AddressResolver  # type: ignore[attr-defined]  # noqa: PLC0415 -- as above

        if self._zeroconf is None:
            return set()
        resolver = AddressResolver(f"{name}.")
        if ask:
            resolver.request(self._zeroconf, PROBE_MILLISECONDS)
        else:
            resolver.load_from_cache(self._zeroconf)
        return set(resolver.parsed_addresses())

    def _withdraw(self) -> None:
        if self._zeroconf is not None:
            self._zeroconf.close()
        self._zeroconf, self._announced = None, ()


def announced_hubs(address: str) -> tuple[str, ...]:
    """The addresses of hubs announced now, unless this one was this machine's own or encrypted."""
    from zeroconf import ServiceBrowser, Zeroconf  # noqa: PLC0415 -- as late as in the wiring

    parts, networks = urlsplit(address), network_addresses()
    if parts.scheme != "http" or is_loopback(parts.hostname or "") or not networks:
        return ()
    names: list[str] = []

    def heard(name: str, **_more: object) -> None:
        if name.startswith(HUB):
            names.append(name)

    try:
        with closing(Zeroconf(interfaces=list(networks))) as zeroconf:
            ServiceBrowser(zeroconf, SERVICE, handlers=[heard])
            time.sleep(PROBE_MILLISECONDS / 1000)
            found = [zeroconf.get_service_info(SERVICE, name) for name in names]
    except OSError as error:  # a network that went meanwhile
        LOG.info("no hub was looked for: %r", error)
        return ()
    plain = (each for each in found if each and each.properties.get(b"https") != b"yes")
    return tuple(f"http://{host}:{each.port}" for each in plain for host in each.parsed_addresses())


def announcements(
    called: str, host: str, port: int, *, https: bool = False
) -> Iterator[Announcement]:
    """The one announcement of a page served at `host`; none where only this machine is served."""
    if not is_loopback(host):
        yield Announcement(
            called, port, lambda: served_addresses(host, network_addresses()), https=https
        )
