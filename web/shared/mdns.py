"""The page's name on the local network, by multicast DNS: `tablescore.local`, and `_http._tcp`.

    announcement = Announcement("Tablescore", 8000, lambda: ["192.0.2.7"])
    announcement.start()
    ...
    announcement.stop()

A table or a hub for this machine alone makes none: then nothing is sent.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from scoreboard.worker import STOP_SECONDS, Worker
from web.shared.addresses import (
    ANNOUNCED_NAMES,
    CHECK_SECONDS,
    is_loopback,
    network_addresses,
    parsed_address,
    served_addresses,
)

if TYPE_CHECKING:
    from zeroconf import Zeroconf

SERVICE: Final = "_http._tcp.local."
HUB: Final = "Tablescore hub"  # what its announcement is called
LONGEST_LABEL: Final = 63  # bytes, RFC 1035
PROBE_MILLISECONDS: Final = 3000  # an answer may be held back for a second after the last one
LOG: Final = logging.getLogger(__name__)


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
        pause_seconds: float = CHECK_SECONDS,
    ) -> None:
        super().__init__("mdns", self._follow, pause_seconds)
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
    """The addresses of hubs announced now, if the one at an address was on a network.

    None is sought if it was this machine's own, or encrypted: no plain one takes its place.
    """
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

        def find() -> tuple[str, ...]:
            return served_addresses(host, network_addresses())

        yield Announcement(called, port, find, https=https)
