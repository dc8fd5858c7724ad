"""`python -m vision.train`: train the readers and write `models/`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from vision.train.descent import keep_to_one_core
from vision.train.dice.piece import DiceKind
from vision.train.gate import gate
from vision.train.piece import PieceKind, TrainingPaths
from vision.train.publication import (
    SEEN,
    Trained,
    dev_scores,
    judge,
    publish,
    publish_rolls,
    see_left_out,
    write_uncalibrated,
)
from vision.train.report import record, table, worst
from vision.train.robustness import robustness
from vision.train.slips.reader import slips
from vision.train.tiles.editions import editions
from vision.train.tiles.piece import TileKind
from vision.train.training import train_both

_BASE: Final = "rendered-alone"
_PATH: Final[Any] = click.Path(path_type=Path)
_FOLDER: Final[Any] = click.Path(path_type=Path, exists=True)
_Command = Callable[..., Any]
_Option = Callable[[Any], Any]
Steps = tuple[int, int]  # of the finder and of the reader


@dataclass(frozen=True, slots=True)
class Course:
    """The trainings of one kind of pieces: what their commands are called, and how long they take.

    `full` is the command that trains on everything, in the folder so called of the cache; `group`
    names what the command `left-out` leaves out. `paths` are further options of all trainings,
    `bare` of those with photographs.
    """

    piece: PieceKind[Any]
    full: str
    command: str
    group: str
    rendered: str
    cache: str
    base_steps: Steps
    left_out_steps: Steps
    steps: Steps
    paths: Iterable[_Option] = ()
    bare: Iterable[_Option] = ()

    def add_to(self, commands: click.Group) -> None:
        commands.add_command(self._rendered_alone())
        commands.add_command(self._left_out())
        commands.add_command(self._full())

    def _rendered_alone(self) -> click.Command:
        def rendered_alone(
            *, cache: Path, seed: int, steps: Steps, makers: int, **where: Any
        ) -> None:
            """Train on rendered pictures alone: what the other trainings start from.

            Shows what it reads of the photographs, which it has not seen; nothing is shipped.
            """
            piece, paths, place = self.piece, TrainingPaths(**where), cache / _BASE
            lessons = piece.rendered_lessons(paths)
            train_both(lessons, place, steps, seed, makers=makers)
            write_uncalibrated(piece, Trained(place, lessons), place / "models")
            scored = dev_scores(piece, paths, place / "models")
            click.echo(table([each.row for each in scored]))

        return self._command(_BASE, rendered_alone, self.base_steps, self.paths)

    def _left_out(self) -> click.Command:
        def left_out(
            *, cache: Path, seed: int, steps: Steps, makers: int, group: str, **where: Any
        ) -> None:
            """Train without each group in turn, on a shorter schedule; keep what is seen of it."""
            piece, paths, base = self.piece, TrainingPaths(**where), _base(cache)
            for each in [group] if group else piece.groups(paths):
                place = _without(cache, each)
                if not (place / SEEN).is_file():
                    lessons = piece.lessons(paths, seed, without=each)
                    train_both(lessons, place, steps, seed, base, makers)
                    click.echo(see_left_out(piece, paths, Trained(place, lessons), each))

        only = click.option(
            f"--{self.group}", "group", default="", help=f"Leave out this {self.group} only."
        )
        options = (*self.paths, *self.bare, only)
        return self._command("left-out", left_out, self.left_out_steps, options)

    def _full(self) -> click.Command:
        def everything(
            *, cache: Path, seed: int, steps: Steps, makers: int, models: Path, **where: Any
        ) -> None:
            """Train finder and reader side by side, on one core each, then write the model.

            It starts from what `rendered-alone` reached; its thresholds are chosen by what the
            command `left-out` left in the cache.
            """
            piece, paths = self.piece, TrainingPaths(**where)
            seen = {each: _without(cache, each) / SEEN for each in piece.groups(paths)}
            missing = [each for each, file in seen.items() if not file.is_file()]
            if missing:
                raise click.ClickException(
                    f"No model was trained without {', '.join(missing)} yet: call left-out first."
                )
            base, place = _base(cache), cache / self.full
            lessons = piece.lessons(paths, seed)
            train_both(lessons, place, steps, seed, base, makers)
            command = f"{self.command} --steps {steps[0]} {steps[1]} --seed {seed}"
            judgement = judge(piece, paths, seen)
            trained = Trained(place, lessons)
            click.echo(publish(piece, paths, trained, models, command, judgement))

        written = click.option("--models", type=_PATH, default=Path("models"))
        options = (*self.paths, *self.bare, written)
        return self._command(self.full, everything, self.steps, options)

    def _command(
        self, name: str, command: _Command, steps: Steps, options: Iterable[_Option]
    ) -> click.Command:
        for option in (
            *options,
            click.option("--data", type=_FOLDER, required=True),
            click.option("--rendered", type=_PATH, default=Path(self.rendered), show_default=True),
            click.option("--cache", type=_PATH, default=Path(self.cache), show_default=True),
            click.option("--seed", default=1, show_default=True),
            click.option(
                "--makers",
                default=0,
                show_default=True,
                help="Processes that make the batches of each network, for a graphics card.",
            ),
            click.option(
                "--steps",
                type=(int, int),
                default=steps,
                show_default=True,
                help="Of finder and reader.",
            ),
        ):
            command = option(command)
        made: click.Command = click.command(name)(command)
        return made


def _without(cache: Path, group: str) -> Path:
    return cache / f"without-{group}"


def _base(cache: Path) -> Path:
    base = cache / _BASE
    if not (base / "models").is_dir():
        raise click.ClickException("Nothing was trained on renders alone yet: call rendered-alone.")
    return base


DICE: Final = Course(
    DiceKind(),
    full="dice",
    command="python -m vision.train dice",
    group="source",
    rendered=".cache/rendering/dice",
    cache=".cache/training",
    base_steps=(6500, 6500),
    left_out_steps=(2800, 2400),
    steps=(8000, 7000),
    paths=(click.option("--most-rendered", "most", default=3000, show_default=True),),
    bare=(
        click.option(
            "--bare",
            type=_FOLDER,
            help="Labelled photographs that show no dice, as those of tiles.",
        ),
    ),
)
TILES: Final = Course(
    TileKind(),
    full="all",
    command="python -m vision.train tiles all",
    group="scene",
    rendered=".cache/rendering/tiles",
    cache=".cache/tiles",
    base_steps=(2600, 2600),
    left_out_steps=(700, 700),
    steps=(2200, 2400),
)


@click.group()
def main() -> None:
    """Train what reads the pieces; needs the `training` extra.

    Interrupted, the same command goes on from the last checkpoint in the cache.
    """
    keep_to_one_core()  # before anything is read: a process with threads must not be forked


@main.group()
def tiles() -> None:
    """Train the tile reader: `rendered-alone` first, then `left-out`, then `all`."""


@main.command()
@click.option("--data", type=_FOLDER, required=True)
@click.option("--models", type=_PATH, default=Path("models"), show_default=True)
def rolls(data: Path, models: Path) -> None:
    """Fit anew from where a roll of dice is accepted, by dev photographs; nothing is trained."""
    click.echo(publish_rolls(DiceKind(), TrainingPaths(data, Path()), models))


DICE.add_to(main)
TILES.add_to(tiles)
tiles.add_command(editions)
main.add_command(gate)
main.add_command(record)
main.add_command(robustness)
main.add_command(slips)
main.add_command(worst)


if __name__ == "__main__":
    main()
