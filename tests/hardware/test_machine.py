"""What is wrong with the machine, asked of a firmware, a disk and a clock that a test sets."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hardware.machine import FIRST_RELEASE, MEGABYTE, Machine, run_vcgencmd


def machine(  # noqa: PLR0913 -- one for each thing that a test sets
    folder: Path | None,
    throttled: str = "throttled=0x0\n",
    heat: str = "temp=48.3'C\n",
    *,
    free: int = 5_000,
    now: datetime = datetime(2026, 12, 24, tzinfo=UTC),
    time_sync: Path = Path("/nowhere"),
) -> Machine:
    """One where all is well but for what a test names."""
    answers = {"get_throttled": throttled, "measure_temp": heat}
    return Machine(
        folder, answers.__getitem__, lambda _folder: free * MEGABYTE, lambda: now, time_sync
    )


@pytest.mark.parametrize(
    ("throttled", "heat", "sentences"),
    [
        ("throttled=0x0\n", "temp=48.3'C\n", ()),
        ("throttled=0x50005\n", "temp=48.3'C\n", ("The power is too low",)),
        ("throttled=0x50000\n", "temp=48.3'C\n", ("The power was too low since",)),
        ("throttled=0x8\n", "temp=71.4'C\n", ("This Raspberry Pi is at 71 °C and slows down.",)),
        ("throttled=0xe0000\n", "temp=55.0'C\n", ()),  # it was hot, and is no more
        ("throttled=0x0\n", "temp=84.9'C\n", ("This Raspberry Pi is at 85 °C",)),
        ("throttled=0x5000d\n", "temp=82.0'C\n", ("The power is", "This Raspberry Pi is at 82")),
        ("VCHI initialization failed\n", "", ()),
        ("", "", ()),
    ],
)
def test_power_and_heat_are_what_the_firmware_tells(
    throttled: str, heat: str, sentences: tuple[str, ...]
) -> None:
    """One line each, with its cure; a machine without such a firmware is no Pi."""
    found = [str(fault) for fault in machine(None, throttled, heat).faults()]
    assert len(found) == len(sentences)
    assert all(map(str.startswith, found, sentences))


def test_a_disk_that_fills_is_told_before_nothing_can_be_recorded(tmp_path: Path) -> None:
    """Of the folder of the games, which may not be made yet; a database server has its own."""
    (fault,) = machine(tmp_path / "not" / "made", free=199).faults()
    assert str(fault).startswith("Only 199 MB are free where the games are kept.")
    assert machine(tmp_path, free=200).faults() == ()
    assert machine(None, free=0).faults() == ()
    assert Machine(tmp_path).free_bytes(tmp_path) > 0


@pytest.mark.parametrize(
    ("now", "files", "right"),
    [
        (FIRST_RELEASE, (), True),
        (datetime(1970, 1, 1, tzinfo=UTC), (), False),
        (datetime(1970, 1, 1, tzinfo=UTC), ("synchronized",), False),
        (datetime(2027, 1, 1, tzinfo=UTC), None, True),
        (datetime(2027, 1, 1, tzinfo=UTC), (), False),
        (datetime(2027, 1, 1, tzinfo=UTC), ("synchronized",), True),
    ],
)
def test_a_clock_that_nobody_set_is_told(
    tmp_path: Path, now: datetime, files: tuple[str, ...] | None, *, right: bool
) -> None:
    """It shows a year before this program, or systemd asks a time server and reached none."""
    folder = tmp_path / "timesync"
    if files is not None and now > FIRST_RELEASE:
        folder.mkdir()
    for file in files or ():
        folder.mkdir(exist_ok=True)
        (folder / file).touch()
    assert (machine(None, now=now, time_sync=folder).faults() == ()) == right


@pytest.mark.parametrize(
    ("script", "answer"), [(None, ""), ("echo throttled=0x0", "throttled=0x0\n"), ("exit 1", "")]
)
def test_the_firmware_is_asked_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, answer: str
) -> None:
    """Where there is none, nothing is known, and nothing fails."""
    if script is not None:
        command = tmp_path / "vcgencmd"
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run_vcgencmd("get_throttled") == answer
