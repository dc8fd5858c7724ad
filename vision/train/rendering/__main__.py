"""The renderer's command line: `python -m vision.train.rendering --help`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

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
from vision.train.rendering.setups import SETUPS, picture
from vision.train.rendering.studio import open_studio
from vision.train.rendering.tiles import evening as tile_evening
from vision.train.rendering.tiles.held_back import take_all_held_back
from vision.train.rendering.tiles.stage import take_tiles
from vision.train.rendering.tracing import open_tracer
from vision.train.rendering.training_photos import Take, missing, take_all, take_dice

_A_PATH: Final[Any] = click.Path(path_type=Path)
_A_FOLDER: Final[Any] = click.Path(path_type=Path, exists=True)
_OUT: Final = click.option("--out", type=_A_PATH, required=True, help="Where the result goes.")
_CACHE: Final = click.option(
    "--cache", type=_A_PATH, required=True, help="Where taken pictures are kept."
)
_FILLED_CACHE: Final = click.option("--cache", type=_A_FOLDER, required=True)
_TRUTH: Final = click.option(
    "--truth", type=_A_PATH, help="Where it goes what lies there, for tests."
)


@click.group()
def main() -> None:
    """Render photographs of dice and tiles (needs the training extra)."""


@main.command()
@_OUT
@_CACHE
@_TRUTH
@click.option("--turns", type=click.IntRange(1, TURNS), default=TURNS, help="Only the first ones.")
def evening(out: Path, cache: Path, truth: Path | None, turns: int) -> None:
    """Render the demo evening; a broken-off run goes on where it stopped.

    Example: python -m vision.train.rendering evening --out hardware/cameras/demo_evening
    --cache .cache/rendering --truth tests/hardware/cameras/demo_evening_truth.json
    """
    filmed = []
    with open_tracer() as tracer:
        for rolls in write_evening(Cache(cache / "evening", tracer.draw), out, range(turns)):
            filmed.append(rolls)
            click.echo(f"turn {len(filmed)} of {turns} done")
    if truth is not None:
        write_truth(truth, filmed)


@main.command()
@click.option("--pictures", type=_A_FOLDER, required=True)
@_OUT
def contact_sheet(pictures: Path, out: Path) -> None:
    """Put the evening's pictures at rest on one sheet.

    Example: python -m vision.train.rendering contact-sheet --pictures hardware/cameras/demo_evening
    --out docs/images/demo-evening.jpg
    """
    rolls = sorted(pictures.glob("turn*/throw*"))
    write_contact_sheet(out, [max(folder.glob("*.webp")) for folder in rolls])


@main.command()
@_OUT
@_CACHE
@_TRUTH
def rummikub_evening(out: Path, cache: Path, truth: Path | None) -> None:
    """Render the demo's round of Rummikub; a broken-off run goes on where it stopped."""
    shown, steps = [], tile_evening.steps_of(tile_evening.planned_text())
    with open_studio(threads=1) as studio:
        darkroom = tile_evening.TileDarkroom(cache / "rummikub", studio)
        for each in tile_evening.write_round(darkroom, out, steps):
            shown.append(each)
            click.echo(f"{each.folder} done")
    if truth is not None:
        tile_evening.write_truth(truth, shown)


@main.command()
@_OUT
@_CACHE
@_TRUTH
def tongtong_evening(out: Path, cache: Path, truth: Path | None) -> None:
    """Render the demo's match of Tong Tong and teach its deck; a broken-off run goes on."""
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


def _count(default: int) -> Any:
    return click.option(
        "--count", type=click.IntRange(1), default=default, help="How many pictures."
    )


def _add_training_set(
    name: str, take: Take, folder: str, defaults: tuple[int, int, int], pace: str
) -> None:
    """Add what takes the photographs of one kind of pieces, and what shows some of them.

    `defaults` are how many are taken, on how many processes, and how many are shown.
    """
    most, workers, shown = defaults

    def photographs(cache: Path, count: int, start: int, seed: int, workers: int) -> None:
        from tqdm import tqdm  # noqa: PLC0415  the training extra: the other commands do without

        numbers = range(start, start + count)
        taken = take_all(cache / folder, seed, numbers, workers, take)
        for _ in tqdm(taken, total=len(missing(cache / folder, numbers)), unit="picture"):
            pass

    def sheet(cache: Path, out: Path, count: int) -> None:
        write_contact_sheet(out, spread(sorted((cache / folder).glob("*.jpg")), count))

    photographs.__doc__ = f"""Render training photographs of {name} with their labels.

    Those that are there are kept. A picture takes about {pace}.
    """
    sheet.__doc__ = f"""Put some of the training photographs of {name} on one sheet."""
    for option in (
        click.option("--workers", type=click.IntRange(1), default=workers),
        click.option("--seed", type=int, default=1),
        click.option("--start", type=click.IntRange(0), default=0, help="The first one's number."),
        _count(most),
        _CACHE,
    ):
        photographs = option(photographs)
    main.command(name)(photographs)
    main.command(f"{name.removesuffix('s')}-sheet")(_FILLED_CACHE(_OUT(_count(shown)(sheet))))


_add_training_set(
    "dice", take_dice, "dice", (3000, os.cpu_count() or 1, 45),
    "a second on two cores with nothing else to do, 3,000 some 50 minutes",
)  # fmt: skip
_add_training_set(
    "tiles", take_tiles, "tiles/images", (900, 1, 36), "four seconds on one core, 900 an hour"
)


@main.command()
@_CACHE
@click.option("--workers", type=click.IntRange(1), default=1)
def editions(cache: Path, workers: int) -> None:
    """Render tables of editions that no training sees: XL, mini, wooden and Okey tiles.

    Also racks from near. Those that are there are kept; all take a quarter of an hour on one core.
    """
    for name in take_all_held_back(cache / "editions", workers):
        click.echo(f"{name} done")


@main.command("clips")
@_OUT
@_CACHE
def film_clips(out: Path, cache: Path) -> None:
    """Film the clips that the tests watch, with what is true of them."""
    with open_tracer() as tracer:
        for name in write_clips(Cache(cache / "clips", tracer.draw), out):
            click.echo(f"{name} done")


@main.command("setups")
@_OUT
@click.option("--page", type=_A_FOLDER, required=True, help="A screenshot for the screens.")
def render_setups(out: Path, page: Path) -> None:
    """Render three ways to set a camera up, for the documentation; some minutes."""
    with open_studio() as studio:
        for name, setup in SETUPS.items():
            (out / f"{name}.jpg").write_bytes(picture(studio, setup, page))
            click.echo(f"{name} done")


@main.command()
@_CACHE
def decks(cache: Path) -> None:
    """Photograph the decks and dice with symbols that taught sets are measured on.

    Those that are there are kept; all take some ten minutes on two cores.

    Example: python -m vision.train.rendering decks --cache .cache/rendering
    """
    with open_studio() as studio:
        for design in ALL_DESIGNS:
            for name in take_deck(cache / "decks" / design.name, design, design.seed, studio):
                click.echo(f"{design.name} {name} done")


@main.command()
@_FILLED_CACHE
@_OUT
@click.option("--again", is_flag=True, help="Also what was measured before.")
def decks_measure(cache: Path, out: Path, *, again: bool) -> None:
    """Teach every deck, read its evenings, and write the page of what came of it.

    What was measured before is kept: after a change of the reader measure --again.

    Example: python -m vision.train.rendering decks-measure --cache .cache/rendering
    --out vision/train/rendering/decks/evaluation.md
    """
    measured = []
    for each in measure_all(cache / "decks", again=again):
        click.echo(f"{each.name}, {each.photographs} a face: {each.own.right} of {each.own.pieces}")
        measured.append(each)
    tuned = [design.name for design in ALL_DESIGNS if design.tuned_on]
    out.write_text(page(tuned, measured), encoding="utf-8")


if __name__ == "__main__":
    main()
