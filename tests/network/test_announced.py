"""The page's name on the network, seen from another machine by a real browser of multicast DNS."""

from __future__ import annotations

import errno
import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.network.home_network import FIRST, SECOND
from tests.network.test_nothing_leaves import NAMESPACES, calls_of, can, reached
from tests.patience import PATIENCE_SECONDS, until
from tests.web.process import ROOT
from web.shared.addresses import ANNOUNCED_NAMES, Announcement, allowed_hosts, announcements
from web.shared.qr_code import qr_text

# to all, or back to the one that asks
MULTICAST_DNS = re.compile(
    r'sin_port=htons\(5353\), sin_addr=inet_addr\("(224\.0\.0\.251|192\.0\.2\.\d)"\)'
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a table and a hub did in a network of their own, and what another machine saw."""
    cable = ("ip", "link", "add", "here", "type", "veth")
    apart = next((each for each in NAMESPACES if can(*each, *cable)), None)
    if apart is None:
        pytest.skip("nobody may have a network of their own here")
    folder = tmp_path_factory.mktemp("home")
    command = [*apart, sys.executable, "-m", "tests.network.home_network", str(folder)]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE_SECONDS,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


@pytest.fixture(scope="module")
def seen(folder: Path) -> dict[str, Any]:
    """What the other machine saw."""
    found: dict[str, Any] = json.loads((folder / "seen.json").read_text())
    return found


def test_a_table_that_gets_a_network_later_is_found_by_its_name(seen: dict[str, Any]) -> None:
    """By its service, too, which says that it takes https; the certificate names it."""
    service = seen["table"]["service"]
    assert service["server"] == "tablescore.local."
    assert (service["port"], service["addresses"]) == (seen["table"]["port"], [FIRST])
    assert service["text"] == {"path": "/", "https": "yes"}
    assert seen["table"]["status"] == 200


@pytest.mark.parametrize("address", [FIRST, SECOND])
def test_the_terminal_shows_the_code_for_each_address_that_comes(
    seen: dict[str, Any], address: str
) -> None:
    """At the start nobody was reached; a code for an address of before would lead nowhere."""
    printed, page = seen["table"]["printed"], f"https://{address}:{seen['table']['port']}/"
    assert f"  open     {page}\n" in printed
    found = re.search(rf"{page}pair on it and type (\d{{3}}) (\d{{3}})", printed)
    assert found is not None
    assert qr_text(f"{page}pair#{found[1]}{found[2]}") in printed


def test_the_network_is_told_that_the_table_ends(seen: dict[str, Any]) -> None:
    """At once: nobody waits for a page that has gone. It moved from address to address before."""
    assert seen["table"]["gone"] == seen["table"]["service"]["name"]
    assert seen["table"]["errors"] == "", "an address that goes is no fault"


def test_a_name_that_another_machine_has_is_not_taken(seen: dict[str, Any]) -> None:
    """The next one is; also when both took it at the same moment, and this one has to yield."""
    hub = seen["hub"]
    assert hub["alone"]["server"] == "tablescore.local."
    assert (hub["alone"]["port"], hub["alone"]["addresses"]) == (hub["port"], [SECOND])
    assert hub["alone"]["text"] == {"path": "/", "https": "no"}
    assert hub["contested"]["server"] == hub["second"]["server"] == "tablescore-2.local."


def test_a_table_finds_a_hub_that_moved(seen: dict[str, Any]) -> None:
    """Where its hub was on the network, and plain: an encrypted one gives way to no plain one."""
    hub = seen["hub"]
    assert hub["found"] == [[f"http://{SECOND}:{hub['port']}"], [], []]


def test_the_systems_own_responder_keeps_the_machines_name(seen: dict[str, Any]) -> None:
    """Avahi would take a second set of addresses for another machine's, and rename this one."""
    assert seen["named"]["service"]["server"] == "tablescore.local."
    assert seen["named"]["told_by_the_hub"] == []


@pytest.mark.parametrize("program", ["run", "hub"])
@pytest.mark.usefixtures("seen")
def test_nothing_else_leaves_the_machine(folder: Path, program: str) -> None:
    """Whoever opens a table to the network tells its name to this network, and no more."""
    left = list(reached(calls_of(folder, program)))
    assert [call for call in left if not MULTICAST_DNS.search(call)] == []
    assert left


def test_a_page_for_this_machine_alone_is_not_announced() -> None:
    """Then it answers to none of these names, either."""
    assert list(announcements("Tablescore", "127.0.0.1", 8000)) == []
    assert not set(ANNOUNCED_NAMES) & allowed_hosts("127.0.0.1", "dice", (), ())
    assert set(ANNOUNCED_NAMES) <= allowed_hosts("192.0.2.7", "dice", (), ())


def test_what_cannot_be_announced_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """However often it is tried: here the interfaces cannot be listed."""
    tried: list[str] = []

    def find() -> list[str]:
        tried.append(FIRST)
        raise OSError(errno.ENODEV, "No such device")

    announcement = Announcement("Tablescore", 8000, find, rest_seconds=0.01)
    with caplog.at_level(logging.INFO):
        announcement.start()
        until(lambda: len(tried) >= 5)
        announcement.stop()
    (line,) = caplog.messages
    assert "could not be told" in line
