"""`python -m vision.train tiles`: train the tile reader and write `models/tiles`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from vision.train.descent import RATE, Plan
from vision.train.report import table
from vision.train.schedule import steps_of
from vision.train.side_by_side import Cores, side_by_side
from vision.train.tiles.album import Album
from vision.train.tiles.finder import train_finder
from vision.train.tiles.labels import read_rendered, read_tiled
from vision.train.tiles.publication import (
    SEEN,
    Trained,
    dev_scores,
    judge,
    photographs,
    publish,
    see_left_out,
    write_uncalibrated,
)
from vision.train.tiles.reader import train_reader

_BASE_STEPS: Final = (2600, 2600)
_LEFT_OUT_STEPS: Final = (700, 700)
_STEPS: Final = (2200, 2400)
_BASE: Final = "rendered-alone"
_Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Task:
    """What two processes train on, where they keep their checkpoints, and where they start from.

    `steps` are those of the finder and of the reader.
    """

    album: Album
    place: Path
    steps: tuple[int, int]
    seed: int
    base: Path | None = None


def _where(command: _Command) -> _Command:
    """Add the options that every training has."""
    path: Any = click.Path(path_type=Path)
    rendered = Path(".cache/rendering/tiles")
    for option in (
        click.option("--data", type=click.Path(path_type=Path, exists=True), required=True),
        click.option("--rendered", type=path, default=rendered, show_default=True),
        click.option("--cache", type=path, default=Path(".cache/tiles"), show_default=True),
        click.option("--seed", default=1, show_default=True),
    ):
        command = option(command)
    return command


@click.group()
def tiles() -> None:
    """Train the tile reader: `rendered-alone` first, then `left-out`, then `all`."""


@tiles.command()
@_where
@steps_of(_BASE_STEPS)
def rendered_alone(
    *, data: Path, rendered: Path, cache: Path, seed: int, steps: tuple[int, int]
) -> None:
    """Train on rendered and drawn tiles alone: what the other trainings start from.

    Shows what it reads of the photographs, which it has not seen; nothing is shipped.
    """
    trained = Trained(cache / _BASE, Album([], read_rendered(rendered)))
    _train(Task(trained.album, trained.cache, steps, seed))
    write_uncalibrated(trained, trained.cache / "models")
    click.echo(table([each.row for each in dev_scores(data, trained.cache / "models")]))


@tiles.command()
@_where
@steps_of(_LEFT_OUT_STEPS)
@click.option("--scene", default="", help="Leave out this scene only.")
def left_out(  # noqa: PLR0913 - one parameter an option
    *, data: Path, rendered: Path, cache: Path, seed: int, steps: tuple[int, int], scene: str
) -> None:
    """Train without each scene in turn, on a shorter schedule, and keep what is seen of it."""
    drawn, real = read_rendered(rendered), read_tiled(data, "train")
    for each in [scene] if scene else scenes(data):
        place = _without(cache, each)
        if not (place / SEEN).is_file():
            album = Album([picture for picture in real if picture.scene != each], drawn)
            _train(Task(album, place, steps, seed, _base(cache)))
            click.echo(see_left_out(data, rendered, Trained(place, album), each))


@tiles.command("all")
@_where
@steps_of(_STEPS)
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
def everything(  # noqa: PLR0913 - one parameter an option
    *, data: Path, rendered: Path, cache: Path, seed: int, models: Path, steps: tuple[int, int]
) -> None:
    """Train on all that may be trained on, then write the model.

    It starts from what `rendered-alone` reached; its thresholds are chosen by what the command
    `left-out` left in the cache.
    """
    seen = {scene: _without(cache, scene) / SEEN for scene in scenes(data)}
    missing = [scene for scene, file in seen.items() if not file.is_file()]
    if missing:
        raise click.ClickException(
            f"No model was trained without {', '.join(missing)} yet: call left-out first."
        )
    album = Album(read_tiled(data, "train"), read_rendered(rendered))
    trained = Trained(cache / "all", album)
    _train(Task(album, trained.cache, steps, seed, _base(cache)))
    command = f"python -m vision.train tiles all --steps {steps[0]} {steps[1]} --seed {seed}"
    click.echo(publish(data, trained, models, command, judge(data, rendered, list(seen.values()))))


def scenes(data: Path) -> list[str]:
    """The scenes that have photographs to train on."""
    return sorted({each.scene for each in photographs(data, "train")})


def _without(cache: Path, scene: str) -> Path:
    return cache / f"without-{scene}"


def _base(cache: Path) -> Path:
    """Where the training on rendered pictures alone ended."""
    base = cache / _BASE
    if not (base / "models").is_dir():
        raise click.ClickException("Nothing was trained on renders alone yet: call rendered-alone.")
    return base


def _train(task: Task) -> None:
    def find() -> None:
        train_finder(task.album, _plan(task, 0, "finder"), task.seed)

    def read(cores: Cores) -> None:
        train_reader(task.album, _plan(task, 1, "reader", cores), task.seed)

    side_by_side(find, read)


def _plan(task: Task, which: int, title: str, cores: Cores = lambda: 1) -> Plan:
    """From an earlier result on, half as bold."""
    file = f"{title}.pt"
    base = None if task.base is None else task.base / file
    rate = RATE if base is None else RATE / 2
    return Plan(task.steps[which], rate, task.place / file, title, base, cores)
