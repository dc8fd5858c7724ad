"""The gates: strangers' photographs that no training sees, read anew after every change.

Their figures stand in `evaluation.md` between two marks: a table by source, written anew each
time, and a row for each step that was kept. A training that writes the page leaves them alone.
What counts is the mean over the sources: one easy camera must not outweigh ten others.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Final

import click
import cv2

from vision.capture.photo import open_to_read
from vision.errors import LabelError
from vision.evaluate.labels import Source, read_sources
from vision.evaluate.scoring import PhotoScore, ScoredSource, score_photos
from vision.read.dice import NAME, DiceRecogniser
from vision.read.networks import load_model
from vision.read.observation import Recogniser
from vision.train.report import (
    kept_gate,
    markdown_table,
    with_gate,
    worst_photos,
    worst_table,
    write_sheet,
)

GATE: Final = (
    "DamianTab__DiceDetection",
    "Gtomika__dobokockak",
    "burak0206__DiceRecognition",
    "tai-studio__dice-recognition",
)
WIDE_GATE: Final = (
    "Atif-Anwer__Dice-Value-in-image",
    "BartekBanachowicz__dice-value-recognition",
    "CrazyBonze__DiceReader",
    "Darc-Charlie__Dice-Reading",
    "Digital-Image-Processing-kosta__Extract-dice-score-from-image",
    "MarceliJerzynski__DiceDetection",
    "arguingbananas__dicereader",
    "fudw__dice-detection-for-board-games",
    "harshmunshi__D3-Deep-Dice-Detector",
    "oziomek1__diceRecognizer",
    "theSaneHatter__Dice-Recognizer",
)
POLYHEDRA: Final = "BartekBanachowicz__dice-value-recognition-polyhedra"
_MEANS: Final = {"gate": GATE, "wide gate": WIDE_GATE, "all": (*GATE, *WIDE_GATE)}
_ABOUT: Final = """\
## The gates

Tables and dice of fifteen strangers, which no training sees: four of the gate, eleven of the wide
gate. They are read after every change of the reader, and `make gate` writes this table. Figures are
shares of the photographs in per cent: exact / silent / needless, read without a number, and with
the reader told how many dice lie there. Photographs with logo faces are not read with a number,
and a question about one is not needless. Milliseconds are processor time on one thread.
"""
_BESIDES: Final = """\
With a play area that ends a die's side beyond the labelled dice: {within}, the mean of all sources.
Of {pictures} photographs of polyhedra and of cubes with numerals {seen} are told to show dice,
{silent} of them without a doubt.
"""
_STEPS: Final = """\
### Steps

What each change to the reader made of the means over the sources; until 2026-11-26 the figures are
those of all photographs of the gate together.
"""
ROBUST: Final = "### Robustness"
# What people and other commands wrote between the steps and the worst photographs.
_KEPT: Final = re.compile(rf"(?<=\n)(### (?!Steps).*?)?(?={re.escape(worst_table(()))})", re.DOTALL)
_ROBUSTNESS: Final = re.compile(rf"{ROBUST}\n.*?(?=### |\Z)", re.DOTALL)
_HEADINGS: Final = (
    "source",
    "photos",
    "dice",
    "found",
    "right",
    "exact / silent / needless",
    "with the number",
    "median ms",
)
_STEP_HEADINGS: Final = ("date", "step", "gate", "gate, number", "wide gate", "wide gate, number")
_SHEET_PHOTOS: Final = 40


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of photographs read exactly, wrong without a doubt, and doubted though exact."""

    exact: float
    silent: float
    needless: float

    def __str__(self) -> str:
        return " / ".join(f"{100 * share:.1f}" for share in astuple(self))


def mean(rows: Iterable[Shares]) -> Shares:
    """Their mean, each of the same weight."""
    return Shares(*map(fmean, zip(*map(astuple, rows), strict=True)))


@dataclass(frozen=True, slots=True)
class GateScore:
    """One source as read without knowing how many dice lie there, knowing it, and `within` an area.

    `logos` are the photographs with faces that need not be read.
    """

    plain: ScoredSource
    counted: tuple[PhotoScore, ...]
    within: tuple[PhotoScore, ...]
    logos: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.plain.name

    def shares(self, photos: Sequence[PhotoScore]) -> Shares:
        """Those of one way of reading."""
        return Shares(
            fmean(each.exact for each in photos),
            fmean(not each.exact and not each.needs_review for each in photos),
            fmean(
                each.exact and each.needs_review and each.file not in self.logos for each in photos
            ),
        )

    @property
    def line(self) -> tuple[str, ...]:
        row = self.plain.row
        counted = str(self.shares(self.counted)) if self.counted else "–"
        return (
            *(self.name, str(row.photos), str(row.pieces), f"{row.found:.1%}", f"{row.right:.1%}"),
            *(str(self.shares(self.plain.photos)), counted, f"{row.median_milliseconds:.1f}"),
        )


def gate_sources(data: Path, every: int = 1, names: Sequence[str] = ()) -> list[Source]:
    """The photographs of these sources, all of the gates without names, or every n-th of each.

    Raises:
        LabelError: a source is missing.
    """
    names = names or (*GATE, *WIDE_GATE, POLYHEDRA)
    sources = {each.name: each for each in read_sources(data)}
    missing = [name for name in names if name not in sources]
    if missing:
        raise LabelError(f"{data} has no {', '.join(missing)}; name the folder of all dice.")
    named = {
        name: sorted(sources[name].photographs, key=lambda photo: photo.path.name) for name in names
    }
    return [Source(name, tuple(photos[::every])) for name, photos in named.items()]


def pass_gate(
    sources: Iterable[Source], recogniser: Recogniser, tell: Callable[[str], object] = str
) -> list[GateScore]:
    """Read every source three times, and tell each one's line."""
    opened = lru_cache(maxsize=1)(open_to_read)  # decoding costs more than reading
    scores = []
    for source in sources:
        ways: tuple[list[PhotoScore], ...] = ([], [], [])
        logos = set()
        for photograph in source.photographs:
            if any(each.optional for each in photograph.pieces):
                logos.add(photograph.path.name)
            for way, options in zip(ways, ({}, {"counted": True}, {"within": True}), strict=True):
                if way is not ways[1] or (photograph.pieces and photograph.path.name not in logos):
                    one = Source(source.name, (photograph,))
                    clock = time.process_time
                    way.extend(score_photos(one, None, recogniser, opened, clock=clock, **options))
        plain, counted, within = map(tuple, ways)
        scores.append(
            GateScore(ScoredSource(source.name, plain), counted, within, frozenset(logos))
        )
        tell(" | ".join(scores[-1].line))
    return scores


def means(scores: Sequence[GateScore]) -> dict[str, tuple[str, str]]:
    """The means of each gate that has sources here: without and with the number of dice."""
    found = {}
    for name, sources in _MEANS.items():
        ours = [each for each in scores if each.name in sources]
        if ours:
            plain = mean(each.shares(each.plain.photos) for each in ours)
            counted = [each.shares(each.counted) for each in ours if each.counted]
            found[name] = (str(plain), str(mean(counted)) if counted else "–")
    return found


def gate_section(scores: Sequence[GateScore], old: str, step: str, day: str) -> str:
    """The section anew: the table, and the steps of the old one; with a name, one step more."""
    by_gate = means(scores)
    steps = re.findall(r"^\| \d{4}-\d\d-\d\d \|.*\n", old, re.MULTILINE)
    if step:
        figures = (*by_gate["gate"], *by_gate["wide gate"])
        steps.append(f"| {' | '.join((day, step.replace('|', '/'), *figures))} |\n")
    lines = [
        *(each.line for each in scores if each.name != POLYHEDRA),
        *((f"mean, {name}", *[""] * 4, *both, "") for name, both in by_gate.items()),
    ]
    kept = markdown_table(_STEP_HEADINGS, ()) + "".join(steps)
    dice = [each for each in scores if each.name != POLYHEDRA]
    none = [photo for each in scores if each.name == POLYHEDRA for photo in each.plain.photos]
    seen = [photo for photo in none if photo.detections]
    besides = _BESIDES.format(
        within=mean(each.shares(each.within) for each in dice),
        pictures=len(none),
        seen=len(seen),
        silent=sum(not photo.needs_review for photo in seen),
    )
    bad = worst_photos([each.plain for each in dice], _SHEET_PHOTOS)
    table = markdown_table(_HEADINGS, lines)
    below = found.group() if (found := _KEPT.search(old)) else ""
    return "\n".join([_ABOUT, table, besides, _STEPS, kept, below + worst_table(bad)])


def with_robustness(section: str, part: str) -> str:
    """The section with that part in place of the old one."""
    return _KEPT.sub(lambda found: part + _ROBUSTNESS.sub("", found.group()), section, count=1)


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
@click.option("--step", default="", help="What was changed: adds a row with today's date.")
@click.option("--source", "names", multiple=True, help="Read only this; nothing is written.")
@click.option("--every", default=1, help="Read only every n-th photograph; nothing is written.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Draw the photographs that were not read exactly onto sheets in this folder.",
)
def gate(  # noqa: PLR0913, PLR0917 -- click hands over one argument an option
    data: Path, models: Path, step: str, names: tuple[str, ...], every: int, out: Path | None
) -> None:
    """Read the gates' photographs, and write their section of evaluation.md."""
    cv2.setNumThreads(1)
    sources = gate_sources(data, every, names)
    scores = pass_gate(sources, DiceRecogniser(load_model(NAME, folder=models)), click.echo)
    if names or every > 1:
        for name, both in means(scores).items():
            click.echo(f"mean, {name} | {both[0]} | {both[1]}")
    else:
        page = models / NAME / "evaluation.md"
        text = page.read_text(encoding="utf-8")
        day = datetime.now(UTC).date().isoformat()
        section = gate_section(scores, kept_gate(text), step, day)
        page.write_text(with_gate(text, section), encoding="utf-8")
        click.echo(section)
    if out is not None:
        for source, score in zip(sources, scores, strict=True):
            bad = worst_photos([score.plain], _SHEET_PHOTOS)
            for photo in bad:
                click.echo(f"{source.name}  {photo.score.file}  {photo}")
            if bad:
                click.echo(write_sheet(source, bad, out))
