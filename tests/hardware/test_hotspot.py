"""The table's own Wi-Fi: the keyfile for NetworkManager, and when it opens."""

from __future__ import annotations

import configparser
import re
import subprocess

import pytest

from tests.hardware.machine import Machine, program, version


def test_a_hotspot_is_a_keyfile_that_networkmanager_takes(machine: Machine) -> None:
    """It comes up where nothing else does, only root reads it, and its password stays."""
    source = version(machine.folder, "one")
    printed = machine.install(source, "--hotspot", "Hall 1")
    file = machine.root / "etc/NetworkManager/system-connections/tablescore-hotspot.nmconnection"
    assert file.stat().st_mode & 0o777 == 0o600
    keys = configparser.ConfigParser()
    keys.read(file)
    password = keys["wifi-security"]["psk"]
    assert (keys["wifi"]["mode"], keys["wifi"]["ssid"], len(password)) == ("ap", "Hall 1", 10)
    assert (keys["ipv4"]["method"], keys["ipv4"]["address1"]) == ("shared", "10.42.0.1/24")
    assert keys["connection"]["autoconnect"] == "false"
    assert password in printed
    machine.install(source)
    assert password in file.read_text()
    command = (program("nmcli"), "--offline", "connection", "modify", "connection.id", "renamed")
    with file.open() as given:
        taken = subprocess.run(command, stdin=given, capture_output=True, text=True, check=False)
    assert (taken.returncode, taken.stderr) == (0, "")
    assert f"psk={password}\n" in taken.stdout
    assert "mode=ap\n" in taken.stdout


@pytest.mark.parametrize(
    ("states", "opened"),
    [
        (["wifi:disconnected", "wifi:disconnected"], True),
        (["wifi:connected"], False),
        (["wifi:disconnected", "wifi:connecting (getting IP configuration)"], False),
        (["ethernet:connected"], False),
    ],
)
def test_the_own_wifi_opens_after_a_scan_that_found_nothing(
    machine: Machine, states: list[str], *, opened: bool
) -> None:
    """Not at once: before the first scan nothing is known to be there."""
    machine.install(version(machine.folder, "one"), "--hotspot", "Hall 1")
    machine.calls()
    for number, state in enumerate(states):
        (machine.folder / f"state-{number}").write_text(f"{state}\n")
    machine.fake(
        "sleep", f'[ ! -e {machine.folder}/slept ] || [ "$1" = 10 ] && touch {machine.folder}/slept'
    )
    machine.fake(
        "nmcli",
        f"""echo "nmcli $*" >>"$CALLS"
        case "$*" in *"STATE device") for each in {machine.folder}/state-*; do
          cat "$each"; rm "$each"; exit; done ;; esac""",
    )
    unit = machine.unit("tablescore-hotspot.service").replace("\\\n", "")
    (script,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    subprocess.run(["/bin/sh", "-c", script], env=machine.environment(), check=False)
    calls = machine.calls()
    assert ("nmcli connection up tablescore-hotspot" in calls) == opened
    if opened:
        assert calls.index("nmcli device wifi list --rescan yes") < len(calls) - 2
