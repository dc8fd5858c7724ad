"""`python -m vision.train`: train the readers and write `models/`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from vision.train.finder import finder_plan, train_finder
from vision.train.gate_log import record
from vision.train.paths import TrainingPaths
from vision.train.photographs import Pictures, read_rendered
from vision.train.publication import (
    SEEN,
    Trained,
    dev_scores,
    judge,
    publish,
    see_left_out,
    trained_on,
    write_uncalibrated,
)
from vision.train.reader import reader_plan, train_reader
from vision.train.report import table
from vision.train.schedule import steps_of
from vision.train.sheets import worst
from vision.train.side_by_side import Cores, keep_to_one_core, side_by_side
from vision.train.tiles.commands import tiles

_BASE_STEPS: Final = (6500, 6500)
_LEFT_OUT_STEPS: Final = (2800, 2400)
_STEPS: Final = (8000, 7000)
_MOST_RENDERED: Final = 3000
_BASE: Final = "rendered-alone"
_Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Task:
    """What two processes train on, where they keep their checkpoints, and where they start from.

    `steps` are those of the finder and of the reader.
    """

    pictures: Pictures
    place: Path
    steps: tuple[int, int]
    seed: int
    base: Path | None = None


def _where(command: _Command) -> _Command:
    """Add the options that every training has."""
    path: Any = click.Path(path_type=Path)
    rendered = Path(".cache/rendering/dice")
    for option in (
        click.option("--data", type=click.Path(path_type=Path, exists=True), required=True),
        click.option("--rendered", type=path, default=rendered, show_default=True),
        click.option("--most-rendered", default=_MOST_RENDERED, show_default=True),
        click.option("--cache", type=path, default=Path(".cache/training"), show_default=True),
        click.option("--seed", default=1, show_default=True),
    ):
        command = option(command)
    return command


_bare: Final = click.option(
    "--bare",
    type=click.Path(path_type=Path, exists=True),
    help="Labelled photographs that show no dice, as those of tiles.",
)


@click.group()
def main() -> None:
    """Train what reads the pieces; needs the `training` extra.

    Interrupted, the same command goes on from the last checkpoint in the cache.
    """
    keep_to_one_core()  # before anything is read: a process with threads must not be forked


@main.command()
@_where
@_bare
@steps_of(_STEPS)
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
def dice(  # noqa: PLR0913 - one parameter an option
    *,
    data: Path,
    bare: Path | None,
    rendered: Path,
    most_rendered: int,
    cache: Path,
    seed: int,
    models: Path,
    steps: tuple[int, int],
) -> None:
    """Train finder and reader side by side, on one core each, then write the model.

    It starts from what `rendered-alone` reached; its thresholds are chosen by what the command
    `left-out` left in the cache.
    """
    seen = {each.name: cache / f"without-{each.name}" / SEEN for each in trained_on(data)}
    missing = [name for name, file in seen.items() if not file.is_file()]
    if missing:
        raise click.ClickException(
            f"No model was trained without {', '.join(missing)} yet: call left-out first."
        )
    base, pictures = _base(cache), TrainingPaths(data, bare, rendered, most_rendered).gather(seed)
    _train(Task(pictures, cache / "dice", steps, seed, base))
    command = f"python -m vision.train dice --steps {steps[0]} {steps[1]} --seed {seed}"
    trained = Trained(cache / "dice", pictures)
    click.echo(publish(data, trained, models, command, judge(data, seen)))


@main.command()
@_where
@_bare
@steps_of(_LEFT_OUT_STEPS)
@click.option("--source", default="", help="Leave out this source only.")
def left_out(  # noqa: PLR0913 - one parameter an option
    *,
    data: Path,
    bare: Path | None,
    rendered: Path,
    most_rendered: int,
    cache: Path,
    seed: int,
    steps: tuple[int, int],
    source: str,
) -> None:
    """Train without each source in turn, on a shorter schedule, and keep what is seen of it."""
    base, shelf = _base(cache), TrainingPaths(data, bare, rendered, most_rendered)
    for name in [source] if source else [each.name for each in trained_on(data)]:
        place = cache / f"without-{name}"
        if not (place / SEEN).is_file():
            pictures = shelf.gather(seed, without=name)
            _train(Task(pictures, place, steps, seed, base))
            click.echo(see_left_out(data, Trained(place, pictures), name))


@main.command()
@_where
@steps_of(_BASE_STEPS)
def rendered_alone(  # noqa: PLR0913 - one parameter an option
    *,
    data: Path,
    rendered: Path,
    most_rendered: int,
    cache: Path,
    seed: int,
    steps: tuple[int, int],
) -> None:
    """Train on rendered pictures alone: what the other trainings start from.

    Shows what it reads of the photographs, which it has not seen; nothing is shipped.
    """
    place = cache / _BASE
    pictures = Pictures(read_rendered(rendered, most_rendered))
    _train(Task(pictures, place, steps, seed))
    write_uncalibrated(Trained(place, pictures), place / "models")
    click.echo(table([each.row for each in dev_scores(trained_on(data), place / "models")]))


main.add_command(record)
main.add_command(tiles)
main.add_command(worst)


def _base(cache: Path) -> Path:
    """Where the training on rendered pictures alone ended."""
    base = cache / _BASE
    if not (base / "models").is_dir():
        raise click.ClickException("Nothing was trained on renders alone yet: call rendered-alone.")
    return base


def _train(task: Task) -> None:
    finder = finder_plan(task.steps[0], task.place, task.base)

    def read(cores: Cores) -> None:
        plan = reader_plan(task.steps[1], task.place, task.base, cores)
        train_reader(task.pictures, plan, task.seed)

    side_by_side(lambda: train_finder(task.pictures, finder, task.seed), read)


if __name__ == "__main__":
    main()
