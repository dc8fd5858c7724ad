"""The renderer's command line: `python -m vision.rendering --help`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from vision.rendering.album import write_evening, write_truth
from vision.rendering.evening import TURNS
from vision.rendering.gallery import Cache, spread, write_contact_sheet
from vision.rendering.photographing import missing, take_all
from vision.rendering.reel import write_clips
from vision.rendering.tracing import open_tracer

_A_PATH: Final = click.Path(path_type=Path)


@click.group()
def main() -> None:
    """Render photographs of dice (needs the training extra)."""


@main.command()
@click.option("--out", type=_A_PATH, required=True, help="Where the pictures go.")
@click.option("--cache", type=_A_PATH, required=True, help="Where drawn ones are kept.")
@click.option("--truth", type=_A_PATH, help="Where the values go, for tests.")
@click.option("--turns", type=click.IntRange(1, TURNS), default=TURNS, help="Only the first ones.")
def evening(out: Path, cache: Path, truth: Path | None, turns: int) -> None:
    """Render the demo evening; a broken-off run goes on where it stopped.

    Example: python -m vision.rendering evening --out hardware/cameras/demo_evening
    --cache .cache/rendering --truth tests/hardware/cameras/demo_evening_truth.json
    """
    filmed = []
    with open_tracer() as tracer:
        for throws in write_evening(Cache(cache / "evening", tracer.draw), out, range(turns)):
            filmed.append(throws)
            click.echo(f"turn {len(filmed)} of {turns} done")
    if truth is not None:
        write_truth(truth, filmed)


@main.command()
@click.option("--pictures", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=_A_PATH, required=True)
def contact_sheet(pictures: Path, out: Path) -> None:
    """Put the evening's pictures at rest on one sheet.

    Example: python -m vision.rendering contact-sheet --pictures hardware/cameras/demo_evening
    --out docs/images/demo-evening.jpg
    """
    throws = sorted(pictures.glob("turn*/throw*"))
    write_contact_sheet(out, [max(folder.glob("*.webp")) for folder in throws])


@main.command()
@click.option("--cache", type=_A_PATH, required=True, help="Pictures go to its folder `dice`.")
@click.option("--count", type=click.IntRange(1), default=3000, help="How many pictures.")
@click.option("--start", type=click.IntRange(0), default=0, help="The first one's number.")
@click.option("--seed", type=int, default=1)
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count() or 1)
def dice(cache: Path, count: int, start: int, seed: int, workers: int) -> None:
    """Render training photographs of dice with their labels; those that are there are kept.

    A picture takes about a second on two cores with nothing else to do, 3,000 some 50 minutes.

    Example: python -m vision.rendering dice --cache .cache/rendering --count 3000 --seed 1
    """
    from tqdm import tqdm  # noqa: PLC0415  the training extra: the other commands do without

    numbers = range(start, start + count)
    taken = take_all(cache / "dice", seed, numbers, workers)
    for _ in tqdm(taken, total=len(missing(cache / "dice", numbers)), unit="picture"):
        pass


@main.command("clips")
@click.option("--out", type=_A_PATH, required=True, help="Where the videos and their truth go.")
@click.option("--cache", type=_A_PATH, required=True, help="Where drawn pictures are kept.")
def film_clips(out: Path, cache: Path) -> None:
    """Film the clips that the tests watch, with what is true of them.

    Example: python -m vision.rendering clips --out tests/vision/clips --cache .cache/rendering
    """
    with open_tracer() as tracer:
        for name in write_clips(Cache(cache / "clips", tracer.draw), out):
            click.echo(f"{name} done")


@main.command()
@click.option("--cache", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=_A_PATH, required=True)
@click.option("--count", type=click.IntRange(1), default=45, help="How many pictures.")
def dice_sheet(cache: Path, out: Path, count: int) -> None:
    """Put some of the training photographs on one sheet.

    Example: python -m vision.rendering dice-sheet --cache .cache/rendering
    --out docs/images/rendered-dice.jpg
    """
    write_contact_sheet(out, spread(sorted((cache / "dice").glob("*.jpg")), count))


if __name__ == "__main__":
    main()
