"""What a machine takes to watch a table, as a text that its owner can send in: `make measure`.

It needs what `make run` needs, and nothing of the tests' tools. The text names the machine's model
and its software, and neither the owner nor the network.
"""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click
import cv2

from tests.benchmarks.composing import crowd, five_dice
from tests.benchmarks.harness import Work, for_a_while, machine, moment, spread, versions
from tests.benchmarks.pressing import Crowd, press, version_of
from tests.benchmarks.tiles_picture import tiles_picture
from tests.benchmarks.watching import (
    FRAMES_A_SECOND,
    READING,
    WatchingCost,
    stages_of,
)
from tests.web.process import NEW_GAME, running
from vision.capture.frame import Frame, Image
from vision.read.dice import DiceRecogniser
from vision.read.networks import load_model
from vision.read.observation import Recogniser
from vision.read.tiles import TilesRecogniser

SECONDS: Final = 4.0  # that each kind of work is repeated
DICE: Final = 32
TILES: Final = 28
PRESSES: Final = 10
SECOND: Final = 1000  # milliseconds
MANY_DICE: Final = f"reading {DICE} dice"
ALL_CORES: Final = f"{MANY_DICE} on all cores"
MANY_TILES: Final = f"reading {TILES} tiles of Rummikub, 1600x1200"
NO_PINS: Final = '[buttons]\npins = "simulated"\n'
THERMOMETER: Final = Path("/sys/class/thermal/thermal_zone0/temp")
KERNEL: Final = re.compile(r"[\d.]*\d")

TEMPLATE: Final = """\
# Measured on a table's machine

- machine: {machine}
- memory: {memory}
- system: {system}
- {versions}
- {moment}
- processor before and after: {heat}

Milliseconds on the clock: the median, with the 10th and 90th percentiles. Pictures have 1280x960
pixels and one thread works, where nothing else is said.

| what | ms | repeats |
|---|---|---|
{stages}
| from a press to the page, recorded on disk | {press} | {presses} |

A table at rest with a calibrated tray takes {rest:.1f} ms of each second, {share:.1%} of one
core, the camera's own work apart. A frame that is read and proposed takes {read:.0f} ms, and has
{most:.0f}.
"""


@dataclass(frozen=True, slots=True)
class Findings:
    """The milliseconds of each kind of work, from presses to their page, and degrees Celsius."""

    stages: Mapping[str, Sequence[float]]
    presses: Sequence[float]
    heat: tuple[float | None, float | None]


@click.command()
def main() -> None:
    """Measure for two minutes, and print a text to be sent in."""
    found = measure(SECONDS, lambda words: click.echo(f"... {words}", err=True))
    click.echo(page(found))
    click.echo("Please send us the text above; it names your machine and nobody.", err=True)


def measure(seconds: float, announce: Callable[[str], None]) -> Findings:
    """Repeat each kind of work for about that long; `announce` gets what is done next.

    Raises:
        WeightsError: a model cannot be loaded.
    """
    announce("preparing the pictures")
    cold, stages = degrees(), {}
    cv2.setNumThreads(1)
    work = works()
    for number, (name, each) in enumerate(work.items(), start=1):
        announce(f"{number} of {len(work) + 1}: {name}")
        stages[name] = for_a_while(each, seconds).wall
    announce(f"{len(work) + 1} of {len(work) + 1}: presses on a running table")
    return Findings(stages, from_press_to_page(), (cold, degrees()))


def works() -> dict[str, Work]:
    """All that is timed, but for presses, ready to run."""
    stages = stages_of(five_dice(1)[0].image)
    dice, tiles = crowd(DICE).image, tiles_picture(TILES, seed=0).image
    many = DiceRecogniser(load_model("dice", threads=os.cpu_count() or 1))
    return {
        READING: stages.pop(READING),
        MANY_DICE: partial(_read, DiceRecogniser(), dice),
        ALL_CORES: partial(_read_on_all, many, dice),
        MANY_TILES: partial(_read, TilesRecogniser(), tiles),
        **stages,
    }


def _read(recogniser: Recogniser, image: Image) -> object:
    return recogniser(Frame(0, datetime.now(UTC), image))


def _read_on_all(recogniser: Recogniser, image: Image) -> object:
    cv2.setNumThreads(os.cpu_count() or 1)
    try:
        return _read(recogniser, image)
    finally:
        cv2.setNumThreads(1)


def from_press_to_page() -> list[float]:
    """Milliseconds from each of ten presses to the last byte of the page that shows it.

    A table of its own runs for it, with games in a temporary folder and without pins.
    """
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "table.toml"
        settings.write_text(NO_PINS, encoding="utf-8")
        database = f"sqlite:///{folder}/games.sqlite3"
        options = ("--camera", "upload", "--database", database, "--settings", str(settings))
        with running(*options) as table:
            table.ask("/setup", NEW_GAME)
            with closing(Crowd(table, 1)) as watching:
                watching.wait_for(version_of(table.seen()))
                presses = [press(table, watching, number) for number in range(PRESSES)]
            (viewer,) = watching.viewers
            return [(viewer.came_at[one.version] - one.begun) * SECOND for one in presses]


def degrees() -> float | None:
    """How hot the processor is, where the machine says so."""
    try:
        return int(THERMOMETER.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return None


def page(found: Findings) -> str:
    """The text."""
    spreads = {name: spread(times) for name, times in found.stages.items()}
    cost = WatchingCost(spreads)
    rows = (f"| {name} | {took} | {len(found.stages[name])} |" for name, took in spreads.items())
    return TEMPLATE.format(
        machine=machine(),
        memory=_memory(),
        system=_system(),
        versions=versions(),
        moment=moment(),
        heat=" and ".join("unknown" if one is None else f"{one:.0f} °C" for one in found.heat),
        stages="\n".join(rows),
        press=spread(found.presses),
        presses=len(found.presses),
        rest=cost.second_at_rest,
        share=cost.second_at_rest / SECOND,
        read=cost.read_frame,
        most=SECOND / FRAMES_A_SECOND,
    )


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB"


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, kernel {kernel_number(platform.release())}, {platform.machine()}"


def kernel_number(release: str) -> str:
    """The number alone: the rest is whatever the one who built it wrote."""
    found = KERNEL.match(release)
    return found[0] if found else "unknown"


if __name__ == "__main__":
    main()
