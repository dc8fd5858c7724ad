"""The machine's names on the network."""

from __future__ import annotations

import ipaddress
import queue
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS
from web.shared.addresses import (
    LOOPBACK_NAMES,
    AddressWatch,
    allowed_hosts,
    is_loopback,
    network_addresses,
    page_addresses,
)

ROOT = Path(__file__).parents[3]
EVERYWHERE = "0.0.0.0"  # noqa: S104 - compared with, never bound
ON_NETWORK = ("192.0.2.7", "198.51.100.9")


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost", True), ("LOCALHOST", True), ("127.0.1.1", True), ("::1", True),
     ("::ffff:127.0.0.1", True), ("::ffff:192.0.2.7", False), ("127.evil.example", False),
     ("192.0.2.7", False), (EVERYWHERE, False), ("", False)],
)  # fmt: skip
def test_loopback_differs_from_the_network(host: str, *, expected: bool) -> None:
    """Only loopback keeps the network out."""
    assert is_loopback(host) is expected


def test_interfaces_are_found_without_loopback() -> None:
    """What is found are addresses that another device could type."""
    found = [ipaddress.ip_address(address) for address in network_addresses()]
    assert not any(address.is_loopback or address.is_link_local for address in found)
    assert len(set(found)) == len(found)


def test_every_address_of_an_interface_is_found() -> None:
    """A second address of one is an address, too; tried in a network of its own."""
    python = shlex.quote(sys.executable)
    script = (
        "ip link set lo up && ip address add 192.0.2.7/24 dev lo "
        "&& ip address add 198.51.100.9/24 dev lo && ip address add 2001:db8::7/64 dev lo "
        f"&& {python} -c 'from web.shared.addresses import *; print(*network_addresses())'"
    )
    made = subprocess.run(
        ["unshare", "--net", "--map-root-user", "sh", "-c", script],  # noqa: S607 -- util-linux
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"no network of its own can be made here: {made.stderr}")
    assert made.stdout.split() == [*ON_NETWORK, "2001:db8::7"]


def test_an_address_that_comes_later_is_reported() -> None:
    """Each once, as often as it comes."""
    reported: queue.Queue[str] = queue.Queue()
    one, other = "192.0.2.7", "192.0.2.8"
    found = iter([[one], [one, other], [one, other], [other], [one]])
    ends = threading.Event()

    def find() -> list[str]:
        now = next(found, None)
        if now is None:
            ends.set()
            return [one]
        return now

    watch = AddressWatch(EVERYWHERE, 8000, find, 0.001)
    watch.report = reported.put
    watch.start()
    assert ends.wait(PATIENCE_SECONDS)
    watch.stop()
    assert list(reported.queue) == [f"http://{other}:8000/", f"http://{one}:8000/"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", ["http://127.0.0.1:8000/"]),
        ("::1", ["http://[::1]:8000/"]),
        ("192.0.2.7", ["http://192.0.2.7:8000/"]),
        (
            EVERYWHERE,
            ["http://127.0.0.1:8000/", "http://192.0.2.7:8000/", "http://198.51.100.9:8000/"],
        ),
        (
            "::",
            [
                "http://127.0.0.1:8000/",
                "http://192.0.2.7:8000/",
                "http://198.51.100.9:8000/",
                "http://[2001:db8::7]:8000/",
            ],
        ),
    ],
)
def test_addresses_are_reported_as_a_browser_takes_them(host: str, expected: list[str]) -> None:
    """A wildcard stands for this machine and for each of its networks."""
    network = [*ON_NETWORK, "2001:db8::7"]
    assert list(page_addresses(host, 8000, network)) == expected
    # over https only this machine is still spoken to without
    secure = [re.sub(r"^http(?!://(127|\[::1))", "https", address) for address in expected]
    assert list(page_addresses(host, 8000, network, https=True)) == secure


def test_loopback_and_own_names_may_call() -> None:
    """On loopback the network's addresses are no names of the page."""
    assert allowed_hosts("127.0.0.1", "Dice", ON_NETWORK, ["Table.LAN"]) == LOOPBACK_NAMES | {
        "dice",
        "dice.local",
        "table.lan",
    }


def test_a_wildcard_may_be_called_by_each_address() -> None:
    """Bound to all, every interface's address is one of the page's; the wildcard itself isn't."""
    hosts = allowed_hosts(EVERYWHERE, "dice.home", ON_NETWORK, ())
    assert {*ON_NETWORK, "dice.home", "dice", "dice.local"} <= hosts
    assert EVERYWHERE not in hosts


def test_a_bound_address_may_be_called() -> None:
    """Bound to one address, that one is the page's."""
    assert "192.0.2.7" in allowed_hosts("192.0.2.7", "dice", ON_NETWORK, ())
    assert "198.51.100.9" not in allowed_hosts("192.0.2.7", "dice", ON_NETWORK, ())
