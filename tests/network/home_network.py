"""A table and a hub in a network of their own, seen by a real browser of multicast DNS.

`unshare --net python -m tests.network.home_network FOLDER` runs them behind a virtual cable, each
watched by strace, and writes what another machine sees into FOLDER/seen.json.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any, Final

from zeroconf import (  # type: ignore[attr-defined]  # documented, missing in its __all__
    AddressResolver,
    ServiceBrowser,
    ServiceInfo,
    Zeroconf,
)

from tests.network.alone import HOME, TEMPORARY, raise_loopback, stop, watched
from tests.patience import PATIENCE_SECONDS, until
from tests.web.process import RunningProcess
from web.shared.addresses import announced_hubs

SERVICE: Final = "_http._tcp.local."
NAME: Final = "tablescore.local"
HERE: Final = "192.0.2.1"
FIRST: Final = "192.0.2.7"
SECOND: Final = "192.0.2.8"
RESPONDER: Final = (
    "import sys, time; from zeroconf import ServiceInfo, Zeroconf; name, address = sys.argv[1:]; "
    "kind = '_workstation._tcp.local.'; zeroconf = Zeroconf(interfaces=[address]); "
    "zeroconf.register_service(ServiceInfo(kind, 'this machine.' + kind, port=9, "
    "server=name + '.', parsed_addresses=[address])); time.sleep(1000)"
)


def ip(*words: str) -> None:
    """Change the network of this process."""
    subprocess.run(["ip", *words], check=True)  # noqa: S607 -- of iproute2


class Cable:
    """A cable from this machine to another one, which is a namespace of its own."""

    def __init__(self) -> None:
        self.other = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])  # noqa: S607
        self.inside = ("nsenter", f"--net=/proc/{self.other.pid}/ns/net")
        until(lambda: self._net() != Path("/proc/self/ns/net").readlink())
        ip("link", "add", "here", "type", "veth", "peer", "name", "there")
        ip("link", "set", "there", "netns", str(self.other.pid))
        ip("address", "add", f"{HERE}/24", "dev", "here")
        ip("link", "set", "here", "up")
        self.ip("link", "set", "lo", "up")
        self.ip("link", "set", "there", "up")

    def _net(self) -> Path:
        return Path(f"/proc/{self.other.pid}/ns/net").readlink()

    def ip(self, *words: str) -> None:
        """Change the network of the other machine."""
        subprocess.run([*self.inside, "ip", *words], check=True)


class Browser:
    """What a phone finds on the network."""

    def __init__(self) -> None:
        self.zeroconf = Zeroconf(interfaces=[HERE])
        self.gone: list[str] = []
        self._found: list[str] = []
        ServiceBrowser(self.zeroconf, SERVICE, listener=self)  # type: ignore[arg-type]

    def add_service(self, _zeroconf: Zeroconf, _kind: str, name: str) -> None:
        """A page was announced."""
        self._found.append(name)

    def update_service(self, _zeroconf: Zeroconf, _kind: str, name: str) -> None:
        """It changed."""

    def remove_service(self, _zeroconf: Zeroconf, _kind: str, name: str) -> None:
        """It went."""
        self.gone.append(name)

    def service(self) -> dict[str, Any]:
        """The next page that is announced."""
        return self.service_called(until(lambda: self._found.pop() if self._found else ""))

    def service_called(self, name: str) -> dict[str, Any]:
        """What is told of a page now."""
        info: Any = until(lambda: self.zeroconf.get_service_info(SERVICE, name))
        return {
            "name": name,
            "server": info.server,
            "port": info.port,
            "addresses": info.parsed_addresses(),
            "text": {key.decode(): value.decode() for key, value in info.properties.items()},
        }

    def addresses(self) -> list[str]:
        """What the name leads to."""
        resolver = AddressResolver(f"{NAME}.")
        resolver.request(self.zeroconf, 500)
        return resolver.parsed_addresses()


def status_by_name(port: int, name: str) -> int:
    """What a phone gets that opens the page by its name, and trusts the table."""
    plain = HTTPConnection(FIRST, port, timeout=PATIENCE_SECONDS)
    plain.request("GET", "/certificate/tablescore.crt", headers={"Host": f"{name}:{port}"})
    trusted = ssl.create_default_context(cadata=plain.getresponse().read().decode())
    secure = HTTPSConnection(name, port, timeout=PATIENCE_SECONDS, context=trusted)
    bare = socket.create_connection((FIRST, port), PATIENCE_SECONDS)
    secure.sock = trusted.wrap_socket(bare, server_hostname=name)
    secure.request("GET", "/")
    return secure.getresponse().status


def follow_a_table(folder: Path, cable: Cable, browser: Browser) -> dict[str, Any]:
    """It starts before there is a network, gets an address, then another one, and ends."""
    under = (*cable.inside, *watched(folder, "run"))
    table = RunningProcess("--https", "--host", "0.0.0.0", under=under)  # noqa: S104 -- as meant
    table.wait_until_listening()
    seen: dict[str, Any] = {"port": table.port}
    cable.ip("address", "add", f"{FIRST}/24", "dev", "there")
    seen["service"] = browser.service()
    until(lambda: browser.addresses() == [FIRST])
    seen["status"] = status_by_name(table.port, NAME)
    cable.ip("address", "delete", f"{FIRST}/24", "dev", "there")
    cable.ip("address", "add", f"{SECOND}/24", "dev", "there")
    until(lambda: browser.addresses() == [SECOND])
    assert table.process.poll() is None
    browser.gone.clear()
    os.killpg(table.process.pid, signal.SIGTERM)
    seen["gone"] = until(lambda: browser.gone and browser.gone[-1])
    seen["printed"], seen["errors"] = table.process.communicate()
    return seen


def meet_others(folder: Path, cable: Cable) -> dict[str, Any]:
    """A hub takes the name; a machine that may keep it takes it, too; then a hub comes second."""
    browser = Browser()
    under = (*cable.inside, *watched(folder, "hub"))
    hub = RunningProcess("--host", "0.0.0.0", command="hub", under=under)  # noqa: S104 -- as meant
    hub.wait_until_listening()
    seen: dict[str, Any] = {"port": hub.port, "alone": browser.service()}
    lost = ("http://192.0.2.99:8100", "https://192.0.2.99", "http://127.0.0.1:8100")
    seen["found"] = [announced_hubs(each) for each in lost]
    holder = Zeroconf(interfaces=[HERE])
    other = f"Another table.{SERVICE}"
    holder.register_service(
        ServiceInfo(SERVICE, other, port=80, server=f"{NAME}.", parsed_addresses=[HERE])
    )
    hub_name = seen["alone"]["name"]
    seen["contested"] = until(
        lambda: (found := browser.service_called(hub_name))["server"] != f"{NAME}." and found
    )
    stop(hub)
    browser = Browser()
    hub = RunningProcess("--host", "0.0.0.0", command="hub", under=under)  # noqa: S104 -- as meant
    hub.wait_until_listening()
    seen["second"] = until(lambda: (found := browser.service())["name"] != other and found)
    stop(hub)
    holder.close()
    return seen


def live_with_the_systems_responder(folder: Path, cable: Cable) -> dict[str, Any]:
    """The machine is called tablescore, and Avahi (or a stand-in) tells so already."""
    responder = subprocess.Popen([*cable.inside, sys.executable, "-c", RESPONDER, NAME, SECOND])
    browser = Browser()
    until(lambda: browser.addresses() == [SECOND])
    named = ("unshare", "--uts", "sh", "-c", 'hostname tablescore; exec "$@"', "named")
    under = (*cable.inside, *named, *watched(folder, "named"))
    hub = RunningProcess("--host", "0.0.0.0", command="hub", under=under)  # noqa: S104 -- as meant
    hub.wait_until_listening()
    seen: dict[str, Any] = {"service": browser.service()}
    responder.kill()
    responder.wait()
    seen["told_by_the_hub"] = Browser().addresses()
    stop(hub)
    return seen


def main() -> None:
    """Do all three in FOLDER."""
    folder = Path(sys.argv[1])
    raise_loopback()
    (folder / HOME).mkdir()
    (folder / TEMPORARY).mkdir()
    cable = Cable()
    try:
        browser = Browser()
        seen: dict[str, Any] = {"table": follow_a_table(folder, cable, browser)}
        seen["hub"] = meet_others(folder, cable)
        seen["named"] = live_with_the_systems_responder(folder, cable)
    finally:
        cable.other.kill()
    (folder / "seen.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main()
