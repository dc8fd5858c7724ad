"""`python -m vision.training dice`: train the dice reader and write `models/dice`."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import torch

from vision.evaluation import score_photos, summarise
from vision.labels import read_sources
from vision.photo import open_photo
from vision.recognisers.dice import READER, DiceRecogniser
from vision.training.finding import finder_plan, train_finder
from vision.training.photographs import Pictures, read_pictures, read_rendered
from vision.training.publishing import EVALUATION, publish
from vision.training.reading import reader_plan, train_reader
from vision.training.report import log_reading
from vision.weights import load_model


@dataclass(frozen=True, slots=True)
class Task:
    """What one process trains on, and where it keeps its checkpoint."""

    pictures: Pictures
    cache: Path
    steps: int
    seed: int


@click.group()
def main() -> None:
    """Train what reads the pieces; needs the `training` extra."""


@main.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--rendered", type=click.Path(path_type=Path), default=Path(".cache/rendering/dice"))
@click.option("--most-rendered", default=3000, show_default=True)
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".cache/training"))
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
@click.option("--finder-steps", default=5400, show_default=True)
@click.option("--reader-steps", default=5700, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--without", default="", help="Leave this source out, to see how strangers fare.")
def dice(  # noqa: PLR0913 - one parameter an option
    *,
    data: Path,
    rendered: Path,
    most_rendered: int,
    cache: Path,
    models: Path,
    finder_steps: int,
    reader_steps: int,
    seed: int,
    without: str,
) -> None:
    """Train finder and reader side by side, on one core each, then write the model.

    Interrupted, the same command goes on from the last checkpoint in the cache.
    """
    place = cache / (f"without-{without}" if without else "dice")
    pictures = Pictures(
        [*read_pictures(data, without=without), *read_rendered(rendered, most_rendered)]
    )
    _side_by_side(
        (_finder, Task(pictures, place, finder_steps, seed)),
        (_reader, Task(pictures, place, reader_steps, seed)),
    )
    target = place / "models" if without else models
    command = (
        f"python -m vision.training dice --finder-steps {finder_steps}"
        f" --reader-steps {reader_steps} --seed {seed}"
    )
    click.echo(publish(data, place, target, command, without))


@main.command()
@click.option("--source", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
@click.option("--note", default="")
def record(source: Path, models: Path, note: str) -> None:
    """Read a source that nothing was chosen by, and log the reading in evaluation.md."""
    model = load_model("dice", folder=models)
    recogniser = DiceRecogniser(model)
    for each in read_sources(source):
        scores = score_photos(each, None, recogniser, open_photo)
        row = summarise(each.name, scores)
        log_reading(models / "dice" / EVALUATION, row, model.card["checksums"][READER][:8], note)
        click.echo(row)


def _side_by_side(*works: tuple[Callable[[Task], None], Task]) -> None:
    forking = multiprocessing.get_context("fork")  # both see the same pictures, held once
    tasks = [forking.Process(target=work, args=(task,)) for work, task in works]
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
