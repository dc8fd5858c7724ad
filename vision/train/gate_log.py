"""Readings for the record: of a source that nothing was chosen by, at most one a day, each logged.

Who reads such photographs often, and keeps what read them best, has trained on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import click

from vision.capture.photo import open_photo
from vision.evaluate.labels import Source, read_sources
from vision.evaluate.scoring import SourceScore, score_photos, summarise
from vision.read.networks import FINDER, READER, Model, load_model
from vision.read.readers import RECOGNISERS
from vision.train.report import LOG

_MODELS: Final = Path("models")
_PAGE: Final = "evaluation.md"
_CHECKSUM_DIGITS: Final = 8
_HEADINGS: Final = """\
| date | source | model (finder, reader) | {pieces} wrong | photos inexact | silent | needless \
| false {pieces} | note |
|---|---|---|---|---|---|---|---|---|
"""
# The first readings were logged without their source's name: all were of this one.
_FIRST_SOURCE: Final = "DamianTab__DiceDetection"


@click.command()
@click.option("--source", type=click.Path(path_type=Path, exists=True), required=True)
@click.option(
    "--models",
    type=click.Path(path_type=Path),
    multiple=True,
    default=[Path("models")],
    help="May be said again: what several models read at once is one reading.",
)
@click.option("--pieces", type=click.Choice(sorted(RECOGNISERS)), default="dice")
@click.option("--note", default="", help="What was new in this model, for the log.")
def record(source: Path, models: Sequence[Path], pieces: str, note: str) -> None:
    """Read a source that nothing was chosen by, once a day at most, and log it in evaluation.md.

    Whatever --models says, the log is that of the shipped model: there is but one.
    """
    today = datetime.now(UTC).date()
    page = _MODELS / pieces / _PAGE
    for each in read_sources(source):
        refuse_second(page, each.name, today)
        for model in [load_model(pieces, folder=folder) for folder in models]:
            line = log_line(today, _read(each, pieces, model), checksums(model), note)
            add_to_log(page, line, pieces)
            click.echo(line)


def _read(source: Source, pieces: str, model: Model) -> SourceScore:
    recogniser = RECOGNISERS[pieces](model)
    return summarise(source.name, score_photos(source, None, recogniser, open_photo))


def checksums(model: Model) -> str:
    """Which networks these are: the first digits of the checksums of finder and reader."""
    known = model.card["checksums"]
    return ", ".join(str(known[file])[:_CHECKSUM_DIGITS] for file in (FINDER, READER))


def refuse_second(page: Path, source: str, today: date) -> None:
    """Let a reading pass unless the page's log has one of that source and day.

    Raises:
        click.ClickException: it has, or there is no such log.
    """
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    if LOG not in text:
        raise click.ClickException(
            f"{page} has no section “{LOG.strip('# ')}”; call this in the project's folder."
        )
    if (today, source) in readings(text):
        raise click.ClickException(
            f"{source} was read today already, and may be read once a day at most:"
            " read it tomorrow, and choose by other photographs."
        )


def readings(page: str) -> list[tuple[date, str]]:
    """The days and sources of the readings that the page's log tells of."""
    rows = re.findall(r"^\| (\d{4}-\d\d-\d\d) \| ([^|]+) \|", page[page.index(LOG) :], re.MULTILINE)
    return [(date.fromisoformat(day), _source(second)) for day, second in rows]


def _source(cell: str) -> str:
    """Tell the source of a line from its second cell, which once was the model's checksum."""
    return _FIRST_SOURCE if re.fullmatch(r"[0-9a-f]{8}", cell) else cell


def log_line(day: date, row: SourceScore, model: str, note: str) -> str:
    """One reading as a line of the log, in counts of pieces and photographs."""
    wrong = round(row.pieces * (1 - row.right))
    inexact, silent, needless, false = (
        round(row.photos * share)
        for share in (1 - row.exact, row.silent, row.needless, row.false_per_photo)
    )
    counts = (
        f"{wrong} of {row.pieces} | {inexact} of {row.photos} | {silent} | {needless} | {false}"
    )
    return f"| {day} | {row.source} | {model} | {counts} | {note.replace('|', '/')} |\n"


def add_to_log(page: Path, line: str, pieces: str = "dice") -> None:
    """Add a line to the end of the page, below the headings of the log's table."""
    text = page.read_text(encoding="utf-8").rstrip("\n") + "\n"
    headings = _HEADINGS.format(pieces=pieces)
    page.write_text(text + ("" if headings in text else f"\n{headings}") + line, encoding="utf-8")
