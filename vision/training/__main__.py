"""`python -m vision.training`: train the dice reader and write `models/dice`."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import cv2
import torch

from vision.evaluation import score_photos, summarise
from vision.photo import open_photo
from vision.recognisers.dice import DiceRecogniser
from vision.training.finding import finder_plan, train_finder
from vision.training.page import table
from vision.training.photographs import Pictures, read_pictures, read_rendered
from vision.training.publishing import (
    SEEN,
    Trained,
    judge,
    publish,
    see_left_out,
    trained_on,
    write_uncalibrated,
)
from vision.training.reading import reader_plan, train_reader
from vision.training.recording import record
from vision.training.sheets import worst

_FINDER_STEPS: Final = 9600
_READER_STEPS: Final = 8400
_SHORT_STEPS: Final = 3000
_MOST_RENDERED: Final = 3000
_Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Task:
    """What one process trains on, and where it keeps its checkpoint."""

    pictures: Pictures
    cache: Path
    steps: int
    seed: int


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


@click.group()
def main() -> None:
    """Train what reads the pieces; needs the `training` extra.

    Interrupted, the same command goes on from the last checkpoint in the cache.
    """
    _keep_to_one_core()  # before anything is read: a process with threads must not be forked


@main.command()
@_where
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
@click.option("--finder-steps", default=_FINDER_STEPS, show_default=True)
@click.option("--reader-steps", default=_READER_STEPS, show_default=True)
def dice(  # noqa: PLR0913 - one parameter an option
    *,
    data: Path,
    rendered: Path,
    most_rendered: int,
    cache: Path,
    seed: int,
    models: Path,
    finder_steps: int,
    reader_steps: int,
) -> None:
    """Train finder and reader side by side, on one core each, then write the model.

    Its thresholds are chosen by what the command `left-out` left in the cache.
    """
    seen = {each.name: cache / f"without-{each.name}" / SEEN for each in trained_on(data)}
    missing = [name for name, file in seen.items() if not file.is_file()]
    if missing:
        raise click.ClickException(
            f"No model was trained without {', '.join(missing)} yet: call left-out first."
        )
    place = cache / "dice"
    pictures = _pictures(data, rendered, most_rendered)
    _train(pictures, place, seed, finder_steps, reader_steps)
    command = (
        f"python -m vision.training dice --finder-steps {finder_steps}"
        f" --reader-steps {reader_steps} --seed {seed}"
    )
    click.echo(publish(data, Trained(place, pictures), models, command, judge(data, seen)))


@main.command()
@_where
@click.option("--steps", default=_SHORT_STEPS, show_default=True, help="Of each network.")
@click.option("--source", default="", help="Leave out this source only.")
def left_out(  # noqa: PLR0913 - one parameter an option
    *,
    data: Path,
    rendered: Path,
    most_rendered: int,
    cache: Path,
    seed: int,
    steps: int,
    source: str,
) -> None:
    """Train without each source in turn, on a shorter schedule, and keep what is seen of it."""
    for name in [source] if source else [each.name for each in trained_on(data)]:
        place = cache / f"without-{name}"
        if not (place / SEEN).is_file():
            pictures = _pictures(data, rendered, most_rendered, without=name)
            _train(pictures, place, seed, steps, steps)
            click.echo(see_left_out(data, Trained(place, pictures), name))


@main.command()
@_where
@click.option("--steps", default=_SHORT_STEPS, show_default=True, help="Of each network.")
def rendered_alone(  # noqa: PLR0913 - one parameter an option
    *, data: Path, rendered: Path, most_rendered: int, cache: Path, seed: int, steps: int
) -> None:
    """Train on rendered pictures alone, to see what they are worth; nothing is shipped."""
    place = cache / "rendered-alone"
    pictures = Pictures(read_rendered(rendered, most_rendered))
    _train(pictures, place, seed, steps, steps)
    model = write_uncalibrated(Trained(place, pictures), place / "models")
    for source in trained_on(data):
        scores = score_photos(source, None, DiceRecogniser(model), open_photo)
        click.echo(table([summarise(source.name, scores)]))


main.add_command(record)
main.add_command(worst)


def _pictures(data: Path, rendered: Path, most: int, without: str = "") -> Pictures:
    return Pictures([*read_pictures(data, without=without), *read_rendered(rendered, most)])


def _train(
    pictures: Pictures, place: Path, seed: int, finder_steps: int, reader_steps: int
) -> None:
    forking = multiprocessing.get_context("fork")  # both see the same pictures, held once
    tasks = [
        forking.Process(target=_finder, args=(Task(pictures, place, finder_steps, seed),)),
        forking.Process(target=_reader, args=(Task(pictures, place, reader_steps, seed),)),
    ]
    for task in tasks:
        task.start()
    for task in tasks:
        task.join()
    if any(task.exitcode for task in tasks):
        raise click.ClickException("The training was cut short; the same command resumes it.")


def _finder(task: Task) -> None:
    _keep_to_one_core()
    train_finder(task.pictures, finder_plan(task.steps, task.cache), task.seed)


def _reader(task: Task) -> None:
    _keep_to_one_core()
    train_reader(task.pictures, reader_plan(task.steps, task.cache), task.seed)


def _keep_to_one_core() -> None:
    """Each task has one core; more threads would only take turns."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)


if __name__ == "__main__":
    main()
