"""The renderer's command line: `python -m vision.train.rendering --help`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from vision.train.rendering import tongtong
from vision.train.rendering.decks.designs import ALL_DESIGNS
from vision.train.rendering.decks.measurement import measure_all, page
from vision.train.rendering.decks.photo_session import take_deck
from vision.train.rendering.evening import (
    TURNS,
    Cache,
    spread,
    write_contact_sheet,
    write_evening,
    write_truth,
)
from vision.train.rendering.films import write_clips
from vision.train.rendering.studio import open_studio
from vision.train.rendering.tiles import evening as tile_evening
from vision.train.rendering.tiles.stage import take_tiles
from vision.train.rendering.tracing import open_tracer
from vision.train.rendering.training_photos import missing, take_all

_A_PATH: Final = click.Path(path_type=Path)


@click.group()
def main() -> None:
    """Render photographs of dice and tiles (needs the training extra)."""


@main.command()
@click.option("--out", type=_A_PATH, required=True, help="Where the pictures go.")
@click.option("--cache", type=_A_PATH, required=True, help="Where drawn ones are kept.")
@click.option("--truth", type=_A_PATH, help="Where the values go, for tests.")
@click.option("--turns", type=click.IntRange(1, TURNS), default=TURNS, help="Only the first ones.")
def evening(out: Path, cache: Path, truth: Path | None, turns: int) -> None:
    """Render the demo evening; a broken-off run goes on where it stopped.

    Example: python -m vision.train.rendering evening --out hardware/cameras/demo_evening
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

    Example: python -m vision.train.rendering contact-sheet --pictures hardware/cameras/demo_evening
    --out docs/images/demo-evening.jpg
    """
    throws = sorted(pictures.glob("turn*/throw*"))
    write_contact_sheet(out, [max(folder.glob("*.webp")) for folder in throws])


@main.command()
@click.option("--out", type=_A_PATH, required=True, help="Where the pictures go.")
@click.option("--cache", type=_A_PATH, required=True, help="Where taken ones are kept.")
@click.option("--truth", type=_A_PATH, help="Where it goes what lies there, for tests.")
def rummikub_evening(out: Path, cache: Path, truth: Path | None) -> None:
    """Render the demo's round of Rummikub; a broken-off run goes on where it stopped.

    Example: python -m vision.train.rendering rummikub-evening --out hardware/cameras/demo_rummikub
    --cache .cache/rendering --truth tests/hardware/cameras/demo_rummikub_truth.json
    """
    shown = []
    with open_studio(threads=1) as studio:
        darkroom = tile_evening.TileDarkroom(cache / "rummikub", studio)
        for each in tile_evening.write_round(
            darkroom, out, tile_evening.steps_of(tile_evening.planned_text())
        ):
            shown.append(each)
            click.echo(f"{each.folder} done")
    if truth is not None:
        tile_evening.write_truth(truth, shown)


@main.command()
@click.option("--out", type=_A_PATH, required=True, help="Where the pictures and the deck go.")
@click.option("--cache", type=_A_PATH, required=True, help="Where taken ones are kept.")
@click.option("--truth", type=_A_PATH, help="Where it goes what lies there, for tests.")
def tongtong_evening(out: Path, cache: Path, truth: Path | None) -> None:
    """Render the demo's match of Tong Tong and teach its deck; a broken-off run goes on.

    Example: python -m vision.train.rendering tongtong-evening --out hardware/cameras/demo_tongtong
    --cache .cache/rendering --truth tests/hardware/cameras/demo_tongtong_truth.json
    """
    shown = []
    with open_studio(threads=1) as studio:
        darkroom = tongtong.CardDarkroom(cache / "tongtong", studio)
        deck = tongtong.write_lesson(darkroom, out)
        click.echo(f"{deck.name} taught, {'trusted' if deck.trusted else 'not trusted'}")
        for each in tongtong.write_match(darkroom, out):
            shown.append(each)
            click.echo(f"{each.step} done")
    if truth is not None:
        tongtong.write_truth(truth, shown)


@main.command()
@click.option("--cache", type=_A_PATH, required=True, help="Pictures go to its folder `dice`.")
@click.option("--count", type=click.IntRange(1), default=3000, help="How many pictures.")
@click.option("--start", type=click.IntRange(0), default=0, help="The first one's number.")
@click.option("--seed", type=int, default=1)
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count() or 1)
def dice(cache: Path, count: int, start: int, seed: int, workers: int) -> None:
    """Render training photographs of dice with their labels; those that are there are kept.

    A picture takes about a second on two cores with nothing else to do, 3,000 some 50 minutes.

    Example: python -m vision.train.rendering dice --cache .cache/rendering --count 3000 --seed 1
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

    Example: python -m vision.train.rendering clips --out tests/vision/clips --cache CACHE
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

    Example: python -m vision.train.rendering dice-sheet --cache .cache/rendering
    --out docs/images/rendered-dice.jpg
    """
    write_contact_sheet(out, spread(sorted((cache / "dice").glob("*.jpg")), count))


@main.command()
@click.option("--cache", type=_A_PATH, required=True, help="Pictures go to its folder `tiles`.")
@click.option("--count", type=click.IntRange(1), default=900, help="How many pictures.")
@click.option("--start", type=click.IntRange(0), default=0, help="The first one's number.")
@click.option("--seed", type=int, default=1)
@click.option("--workers", type=click.IntRange(1), default=1)
def tiles(cache: Path, count: int, start: int, seed: int, workers: int) -> None:
    """Render photographs of Rummikub tiles with their labels; those that are there are kept.

    A picture takes about four seconds on one core, 900 an hour.

    Example: python -m vision.train.rendering tiles --cache .cache/rendering --count 900 --seed 1
    """
    from tqdm import tqdm  # noqa: PLC0415  the training extra: the other commands do without

    numbers, folder = range(start, start + count), cache / "tiles" / "images"
    taken = take_all(folder, seed, numbers, workers, take_tiles)
    for _ in tqdm(taken, total=len(missing(folder, numbers)), unit="picture"):
        pass


@main.command()
@click.option("--cache", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=_A_PATH, required=True)
@click.option("--count", type=click.IntRange(1), default=36, help="How many pictures.")
def tile_sheet(cache: Path, out: Path, count: int) -> None:
    """Put some of the photographs of tiles on one sheet.

    Example: python -m vision.train.rendering tile-sheet --cache .cache/rendering
    --out docs/images/rendered-tiles.jpg
    """
    write_contact_sheet(out, spread(sorted((cache / "tiles" / "images").glob("*.jpg")), count))


@main.command()
@click.option("--cache", type=_A_PATH, required=True, help="Pictures go to its folder `decks`.")
def decks(cache: Path) -> None:
    """Photograph the decks and dice with symbols that taught sets are measured on.

    Those that are there are kept; all take some ten minutes on two cores.

    Example: python -m vision.train.rendering decks --cache .cache/rendering
    """
    with open_studio() as studio:
        for design in ALL_DESIGNS:
            folder = cache / "decks" / design.name
            for name in take_deck(folder, design, design.seed, studio.shoot):
                click.echo(f"{design.name} {name} done")


@main.command()
@click.option("--cache", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=_A_PATH, required=True, help="The page to write.")
@click.option("--again", is_flag=True, help="Also what was measured before.")
def decks_measure(cache: Path, out: Path, *, again: bool) -> None:
    """Teach every deck, read its evenings, and write the page of what came of it.

    What was measured before is kept: after a change of the reader measure --again.

    Example: python -m vision.train.rendering decks-measure --cache .cache/rendering
    --out docs/reference/taught-sets.md
    """
    measured = []
    for each in measure_all(cache / "decks", again=again):
        click.echo(f"{each.name}, {each.photographs} a face: {each.own.right} of {each.own.pieces}")
        measured.append(each)
    tuned = [design.name for design in ALL_DESIGNS if design.tuned_on]
    out.write_text(page(tuned, measured), encoding="utf-8")


if __name__ == "__main__":
    main()
