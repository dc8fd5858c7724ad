"""Faults of the machine itself: its power, heat, disk and clock.

    for fault in Machine(Path("/home/me/games")).faults():
        print(fault)    # one sentence with its cure

A Raspberry Pi is asked by `vcgencmd`; on other machines only disk and clock are checked.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from scoreboard.message import Message, message

# Bits of `vcgencmd get_throttled`; the upper ones are what happened since the start.
LOW_VOLTAGE: Final = 1 << 0
HOT: Final = 1 << 3  # the soft limit, 60 or 80 degrees by model; bit 2 is for low voltage, too
HAD_LOW_VOLTAGE: Final = 1 << 16
HOT_DEGREES: Final = 80
LEAST_FREE_MEGABYTES: Final = 200
MEGABYTE: Final = 1_000_000
FIRST_RELEASE: Final = datetime(2026, 11, 1, tzinfo=UTC)  # no clock that is right shows less
COMMAND_SECONDS: Final = 2.0


def run_vcgencmd(question: str) -> str:
    """The answer of the Pi's firmware, "" without one."""
    try:
        return subprocess.run(  # noqa: S603 -- two words of ours
            ["vcgencmd", question],  # noqa: S607 -- in /usr/bin, on some systems in /opt/vc/bin
            capture_output=True,
            check=False,
            text=True,
            timeout=COMMAND_SECONDS,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


@dataclass(frozen=True, slots=True)
class Machine:
    """This machine; `folder` holds the games, None if a server keeps them.

    `firmware` answers like `vcgencmd`. In `time_sync` systemd notes that a time server was reached;
    it exists only while systemd asks one.
    """

    folder: Path | None
    firmware: Callable[[str], str] = run_vcgencmd
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    time_sync: Path = Path("/run/systemd/timesync")

    def faults(self) -> tuple[Message, ...]:
        return (*self._power_and_heat(), *self._disk(), *self._clock())

    def _power_and_heat(self) -> Iterator[Message]:
        throttled = re.search(r"throttled=(0x[0-9a-fA-F]+)", self.firmware("get_throttled"))
        if throttled is None:  # no Raspberry Pi
            return
        bits = int(throttled[1], 16)
        if bits & LOW_VOLTAGE:
            yield message(
                "The power is too low for this Raspberry Pi. Use its own power supply and a short "
                "cable."
            )
        elif bits & HAD_LOW_VOLTAGE:
            yield message(
                "The power was too low since this Raspberry Pi was started. Use its own power "
                "supply and a short cable."
            )
        heat = re.search(r"temp=([0-9.]+)", self.firmware("measure_temp"))
        degrees = float(heat[1]) if heat else 0.0
        if bits & HOT or degrees >= HOT_DEGREES:
            yield message(
                "This Raspberry Pi is at {degrees} °C and slows down. Give it air, a heat sink or "
                "a fan.",
                degrees=round(degrees),
            )

    def _disk(self) -> Iterator[Message]:
        if self.folder is None:
            return
        there = next(each for each in (self.folder, *self.folder.parents) if each.exists())
        free = self.free_bytes(there) // MEGABYTE
        if free < LEAST_FREE_MEGABYTES:
            yield message(
                "Only {free} MB are free where the games are kept. Delete what you don’t need: on "
                "a full disk nothing is recorded.",
                free=free,
            )

    def _clock(self) -> Iterator[Message]:
        unset = self.time_sync.is_dir() and not (self.time_sync / "synchronized").exists()
        if unset or self.clock() < FIRST_RELEASE:
            yield message(
                "The clock of this machine was not set since its start, so games may be stored "
                "with a wrong date. Connect it to the internet for a minute, or set the clock "
                "with “sudo date -s”."
            )
