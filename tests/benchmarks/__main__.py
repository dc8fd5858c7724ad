"""Run all or the named benchmarks, and write their figures into `figures.md` beside this file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from tests.benchmarks.harness import PAGE, Benchmark, put, section

BENCHMARKS: Final[Mapping[str, Benchmark]] = {
    "viewers": Benchmark(
        "Fifty browsers watch one table by server-sent events while KEEP is pressed; each press is "
        "recorded on disk before it is shown. Then the same while 200 connections have sent half a "
        "request each, and with one of the fifty a real Chromium. The viewers share the machine.",
        "viewers:viewers",
    ),
    "steps": Benchmark(
        "One tap in a long game of Rummikub, from the request to the new view, with the store in "
        "memory. Two tables take turns: one at step 2, one at step 2,000.",
        "rules:steps",
    ),
    "stored-games": Benchmark(
        "A database of 10,000 finished games of Yahtzee. Wall times; the start and the command are "
        "processes of their own.",
        "stored_games:stored_games",
    ),
    "statistics": Benchmark(
        "The same games with their players' figures. Processor milliseconds; each page is rendered "
        "anew.",
        "stored_games:statistics",
    ),
    "scale": Benchmark(
        "Whole tournaments of eight rounds at `tablescore hub --workers 2` with PostgreSQL on this "
        "machine, filled over HTTP by simulated tables of four that deliver legal rounds of "
        "Rummikub. Six rounds come a game at a time; in the next the last presses come one by one "
        "as fast as the hub takes them; in the last each table presses once in ten seconds while "
        "500 boards watch. An event is a press, an opening or a signature.",
        "scale:scale",
    ),
    "reading": Benchmark(
        "Five dice of 60 to 200 pixels on a decoded picture of 1280x960, one thread, processor "
        "milliseconds; beside our reader an untrained network of YOLOv8n's shape, in the same run.",
        "reading:dice",
    ),
    "tiles": Benchmark(
        "Drawn Rummikub tiles in sets on a decoded picture of 1600x1200, one thread, processor "
        "milliseconds; beside our reader an untrained network of YOLOv8n's shape at 1280 pixels.",
        "reading:tiles",
    ),
    "watching": Benchmark(
        "Each stage from a camera's picture to a proposal, five dice at 1280x960, one thread, "
        "processor milliseconds.",
        "reading:watching",
    ),
    "advice": Benchmark(
        "All that may be done with a roll, for random cards; tables loaded and worked out.",
        "rules:advice",
    ),
    "chances": Benchmark(
        "Futures of games of dice, as the big screen plays them; seconds of one processor.",
        "rules:chances",
    ),
    "sets": Benchmark(
        "Random heaps of tiles divided into legal sets, or not; a first meld of many sets judged.",
        "rules:sets",
    ),
    "best-turns": Benchmark(
        "The best turn of Rummikub for a rack of 5 to 20 tiles.", "rules:best_turns"
    ),
    "standings": Benchmark(
        "The whole standings of an event in its last of eight rounds at tables of four.",
        "rules:standings",
    ),
    "seating": Benchmark(
        "Draws that take all earlier of eight rounds into account, at fours from twenty clubs and "
        "by the Swiss system; processor milliseconds a round.",
        "rules:seating",
    ),
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(tuple(BENCHMARKS)))
@click.option(
    "--beside",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Another tree: its own benchmarks of these names run first, each just before ours.",
)
def main(names: Sequence[str], beside: Path | None) -> None:
    """Run the named benchmarks, or all, and write their figures into tests/benchmarks/figures.md.

    All of them take half an hour. The exit status is 1 if a promise was not kept.
    """
    broken = False
    for name in names or BENCHMARKS:
        if beside is not None:
            click.echo(f"{name} in {beside}:")
            subprocess.run(
                [sys.executable, "-m", "tests.benchmarks", name], cwd=beside, check=False
            )
        lines = BENCHMARKS[name].lines()
        text = section(name, BENCHMARKS[name].about, lines)
        PAGE.write_text(put(text, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        click.echo(text)
        broken = broken or not all(each.kept for each in lines)
    click.echo("a promise was not kept" if broken else "all promises kept")
    sys.exit(broken)


if __name__ == "__main__":
    main(prog_name="python -m tests.benchmarks")
