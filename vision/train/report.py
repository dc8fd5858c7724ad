"""Reports on a model: its page, sheets of the worst photographs, and readings for the record.

Photographs for the record are of a source that nothing was chosen by. They are read at most once a
day, and each reading is logged: to read them often and keep what reads them best is to train on
them.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import fmean
from typing import Final

import click
import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import open_photo, open_to_read
from vision.evaluate.annotation import write_drawing
from vision.evaluate.labels import Source, read_sources
from vision.evaluate.scoring import (
    Confusion,
    PhotoScore,
    Reliability,
    ScoredSource,
    SourceScore,
    score_photos,
    together,
)
from vision.read.networks import FINDER, READER, Model, load_model
from vision.read.observation import UNREADABLE, Box
from vision.read.readers import RECOGNISERS


@dataclass(frozen=True, slots=True)
class BadPhoto:
    """A photograph that was not read exactly, with the name of its source."""

    source: str
    score: PhotoScore

    @property
    def mistakes(self) -> int:
        """How many pieces are wrong or missed, and how many were seen where none lie."""
        return len(self.score.judged) - self.score.right + self.score.false

    @property
    def silent(self) -> bool:
        """Whether no person was asked to look."""
        return not self.score.needs_review

    def __str__(self) -> str:
        """Tell what went wrong: "said 3 for 5, missed 4 (2 times), false 1"."""
        mistakes = Counter(
            f"said {each.read_as} for {each.label}" if each.found else f"missed {each.label}"
            for each in self.score.judged
            if not each.right
        )
        false = (each.read_as for each in self.score.detections if each.label is None)
        mistakes.update(f"false {each if each != UNREADABLE else 'piece'}" for each in false)
        return ", ".join(
            what if times == 1 else f"{what} ({times} times)" for what, times in mistakes.items()
        )


def worst_photos(sources: Iterable[ScoredSource], count: int) -> tuple[BadPhoto, ...]:
    """The photographs with most mistakes, at most `count`; the silent one first of equals."""
    bad = [
        BadPhoto(source.name, photo)
        for source in sources
        for photo in source.photos
        if not photo.exact
    ]
    bad.sort(key=lambda each: (-each.mistakes, not each.silent, each.source, each.score.file))
    return tuple(bad[:count])


LOG: Final = "## For the record"
EDITIONS: Final = "## Other editions"  # which another command writes, before the log
_GATE: Final = ("<!-- the gate: written by `make gate` -->\n", "<!-- the gate ends -->\n")
WORST_COUNT: Final = 10
_CONFUSION_HEAD: Final = """\
## Confusion

Rows are the true faces, columns the readings; all dev photographs.
"""
_RELIABILITY_HEAD: Final = """\
## Reliability of the confidence

Every detection counts; a "?" or one without a labelled piece counts as wrong. The expected
calibration error uses 15 bins with equally many detections (Guo et al. 2017; Nguyen and O'Connor
2015); the AUROC is the chance that a right detection has a higher confidence than a wrong one.
"""
_THRESHOLDS_HEAD: Final = "## Thresholds chosen\n"


@dataclass(frozen=True, slots=True)
class Wording:
    """The page's text on one reader between its tables.

    `title` and `about` begin it; `left_out`, `worst` and `record` are the paragraphs of the
    sections so called.
    """

    title: str
    about: str
    left_out: str
    worst: str
    record: str


DICE: Final = Wording(
    title="How well the dice reader reads",
    about="""\
Scored like `tablescore evaluate`: found and right are shares of the labelled dice; exact,
silent (wrong without a doubt) and needless (doubted though exact) are shares of the photos.
The training command writes this page from the dev photographs of the trained sources, which come
from the same cameras as the training photographs. Milliseconds are processor time on one thread.

All numbers and thresholds are from x86 processors. onnxruntime computes slightly different results
on ARM, as in a Raspberry Pi: on 24 photographs of strangers' dice all rolls were the same (emulated
Cortex-A72 and A76), the confidences differed by 0.003 on average and by 0.084 at most, and one
roll was asked about only on x86. Of a photo with 25 dice ARM read all; x86 read 23 and one as "?".
""",
    left_out="""\
## Sources left out

Each source in turn was left out of the training, and then all of it was read. This is the best
estimate for photographs from an unknown camera.
""",
    worst="""\
## The worst photographs

We may not publish the photographs themselves; `python -m vision.train worst` draws them, with
their readings, on sheets in an ignored folder.
""",
    record="""\
Until they became a part of the gate, DamianTab's photographs were used to choose nothing, and each
reading of them was logged here.
""",
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the page tells.

    `scored`: the dev photographs by source, at least one; `left_out`: each source or scene as read
    by a model trained without it; `thresholds`: those of the card; `notes`: further paragraphs
    below the head.
    """

    scored: Sequence[ScoredSource]
    left_out: Sequence[ScoredSource]
    thresholds: Mapping[str, float]
    notes: Sequence[str] = ()
    wording: Wording = DICE

    @property
    def rows(self) -> list[SourceScore]:
        return [each.row for each in (*self.scored, together(self.scored))]


def evaluation_page(evaluation: Evaluation, old: Path) -> str:
    """Write the page anew, keeping the old one's gate and log as they stand."""
    wording, every = evaluation.wording, together(evaluation.scored)
    gate = kept_gate(old.read_text(encoding="utf-8")) if old.is_file() else ""
    left_out = [each.row for each in evaluation.left_out]
    sections = [
        f"# {wording.title}\n",
        wording.about,
        *(f"{note}\n" for note in evaluation.notes),
        table(evaluation.rows),
        *(
            [wording.left_out, left_out_table(left_out)]
            if left_out
            else _kept_left_out(old, wording)
        ),
        _CONFUSION_HEAD,
        *map(confusion_table, every.confusions),
        _RELIABILITY_HEAD,
        reliability_tables(every.reliability),
        _THRESHOLDS_HEAD,
        markdown_table(("threshold", "value"), evaluation.thresholds.items()),
        wording.worst,
        worst_table(worst_photos(evaluation.scored, WORST_COUNT)),
        log(old, wording),
    ]
    page = "\n".join(sections)
    return with_gate(page, gate) if gate else page


def table(rows: Sequence[SourceScore]) -> str:
    """Set the scores as a table, one source a line."""
    return markdown_table(_HEADINGS, map(_line, rows))


def left_out_table(rows: Sequence[SourceScore]) -> str:
    """The same for sources that were left out, and the mean of their shares of right dice."""
    mean = fmean(row.right for row in rows)
    large = fmean(row.right_of_20px for row in rows)
    untimed = (_line(row)[:-_TIMES] for row in rows)  # scored from what was kept of a reading
    return markdown_table(_HEADINGS[:-_TIMES], untimed) + (
        f"\nRight in the mean of the sources: {mean:.1%} of all, {large:.1%} of those of 20 px and"
        " more.\n"
    )


_HEADINGS: Final = (
    *("source", "photos", "pieces", "found", "right", "right of 20 px and more", "false a photo"),
    *("exact", "silent", "needless", "median ms", "p95 ms"),
)
_TIMES: Final = 2  # of the headings, at the end


def _line(row: SourceScore) -> tuple[str, ...]:
    return (
        row.source,
        str(row.photos),
        str(row.pieces),
        f"{row.found:.1%}",
        f"{row.right:.1%}",
        f"{row.right_of_20px:.1%} of {row.pieces_of_20px}",
        f"{row.false_per_photo:.3f}",
        *(f"{share:.1%}" for share in (row.exact, row.silent, row.needless)),
        f"{row.median_milliseconds:.1f}",
        f"{row.p95_milliseconds:.1f}",
    )


def confusion_table(confusion: Confusion) -> str:
    """A confusion as a table, zeros left empty."""
    rows = ((shown, *(count or "" for count in confusion.row(shown))) for shown in confusion.shown)
    return markdown_table(("shown", *confusion.read_as), rows)


def reliability_tables(reliability: Reliability) -> str:
    """Error and ranking in a sentence, then the bins, then the histogram without empty bars."""
    ranks = "not defined" if reliability.auroc is None else f"{reliability.auroc:.3f}"
    bins = (
        (
            each.readings,
            f"{each.least:.3f} to {each.most:.3f}",
            f"{each.confidence:.3f}",
            f"{each.right:.3f}",
        )
        for each in reliability.bins
    )
    bars = (
        (f"{bar.least:.2f} to {bar.most:.2f}", bar.right, bar.wrong)
        for bar in reliability.bars
        if bar.right or bar.wrong
    )
    return "\n".join(
        [
            f"Expected calibration error {reliability.calibration_error:.4f}, AUROC {ranks}.\n",
            markdown_table(("detections", "confidence", "mean confidence", "share right"), bins),
            markdown_table(("confidence", "right", "wrong"), bars),
        ]
    )


def worst_table(bad: Sequence[BadPhoto]) -> str:
    """Name the worst photographs and what went wrong on each."""
    rows = (
        (
            each.source,
            each.score.file,
            len(each.score.judged),
            "nobody" if each.silent else "a person",
            str(each),
        )
        for each in bad
    )
    return markdown_table(("source", "photo", "pieces", "asked", "what went wrong"), rows)


def _kept_left_out(old: Path, wording: Wording) -> list[str]:
    """The old page's section on what was left out: it is valid as long as the networks are."""
    text = old.read_text(encoding="utf-8") if old.is_file() else ""
    _, heading, rest = text.partition(wording.left_out.partition("\n")[0] + "\n")
    confusion = _CONFUSION_HEAD.partition("\n")[0]
    return [f"{heading}{rest.partition(confusion)[0].rstrip()}\n"] if heading else []


def kept_gate(page: str) -> str:
    """The gate's section of a page, unchanged between its marks; empty if there is none."""
    first, last = _GATE
    return page.partition(first)[2].partition(last)[0]


def with_gate(page: str, section: str) -> str:
    """The page with that section in place of the gate's, before the log or at the end."""
    first, last = _GATE
    marked = f"{first}{section}{last}"
    if first in page:
        before, _, rest = page.partition(first)
        return f"{before}{marked}{rest.partition(last)[2]}"
    before, heading, rest = page.partition(LOG)
    return f"{before.rstrip()}\n\n{marked}" + (f"\n{heading}{rest}" if heading else "")


def log(old: Path, wording: Wording = DICE) -> str:
    """Other commands' text in the old page, unchanged: its log, an empty one if none."""
    text = old.read_text(encoding="utf-8") if old.is_file() else ""
    if LOG not in text:
        return f"{LOG}\n\n{wording.record}"
    return text[text.index(EDITIONS if EDITIONS in text else LOG) :]


def markdown_table(headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table of a page."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


CELL_WIDTH: Final = 400
_COLUMNS: Final = 5
_CAPTION: Final = 64
_CAPTION_LETTERS: Final = 58  # that fit into a line of the caption
_RIGHT: Final = (80, 200, 60)
_WRONG: Final = (60, 60, 255)
_MISSED: Final = (0, 230, 255)
_INK: Final = (20, 20, 20)
_PAPER: Final = (245, 245, 245)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_LETTERS: Final = 0.4


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path(".cache/training/worst"))
@click.option("--split", help="Only the photographs of this split, as in dev; else all.")
@click.option("--source", help="Only the source of this name; else all but those of dev alone.")
@click.option("--pieces", type=click.Choice(sorted(RECOGNISERS)), default="dice")
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
@click.option("--count", default=10, show_default=True, help="Photographs on a sheet.")
def worst(  # noqa: PLR0913 - one parameter an option
    *,
    data: Path,
    out: Path,
    split: str | None,
    source: str | None,
    pieces: str,
    models: Path,
    count: int,
) -> None:
    """Read labelled photographs and draw the worst of each source on a sheet."""
    recogniser = RECOGNISERS[pieces](load_model(pieces, folder=models))
    for each in _chosen(read_sources(data), source):
        scores = score_photos(each, split, recogniser, open_to_read)
        bad = worst_photos([ScoredSource(each.name, tuple(scores))], count)
        for photo in bad:
            click.echo(f"{each.name}  {photo.score.file}  {photo}")
        if bad:
            click.echo(write_sheet(each, bad, out))


def _chosen(sources: Sequence[Source], name: str | None) -> list[Source]:
    """The sources that were trained on; one that is kept for the record is left unread."""
    trained = [
        each for each in sources if any(photo.split == "train" for photo in each.photographs)
    ]
    chosen = [each for each in trained if name in {None, each.name}]
    if not chosen:
        raise click.ClickException(f"No source with train photographs is called {name}.")
    return chosen


def write_sheet(source: Source, bad: Sequence[BadPhoto], folder: Path) -> Path:
    """Write `worst-<source>.jpg`: the photographs with what is right, wrong and missed."""
    paths = {photo.path.name: photo.path for photo in source.photographs}
    cells = [cell(open_photo(paths[each.score.file]), each) for each in bad]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"worst-{source.name}.jpg"
    write_drawing(file, sheet(cells))
    return file


def cell(image: Image, bad: BadPhoto) -> Image:
    """One photograph CELL_WIDTH wide with its boxes, and under it name and mistakes.

    Green: right. Red: wrong or no die, with what was said and, after a stroke, the truth.
    Yellow: missed, with the truth.
    """
    factor = CELL_WIDTH / image.shape[1]
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    size = (CELL_WIDTH, max(1, round(image.shape[0] * factor)))
    drawn = np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)
    for box, colour, text in _marks(bad):
        _mark(drawn, [edge * factor for edge in box], colour, text)
    return np.vstack([drawn, _caption(bad)])


def _marks(bad: BadPhoto) -> Iterator[tuple[Box, tuple[int, int, int], str]]:
    for seen in bad.score.detections:
        truth = "none" if seen.label is None else seen.label
        text = seen.read_as if seen.right else f"{seen.read_as}/{truth}"
        yield seen.box, _RIGHT if seen.right else _WRONG, text
    for piece in bad.score.judged:
        if not piece.found:
            yield piece.box, _MISSED, piece.label


def _mark(drawn: Image, box: Sequence[float], colour: tuple[int, int, int], text: str) -> None:
    left, top, right, bottom = (round(edge) for edge in box)
    cv2.rectangle(drawn, (left, top), (right, bottom), colour, 1)
    for ink, width in ((_INK, 3), (colour, 1)):
        cv2.putText(drawn, text, (left, max(10, top - 2)), _FONT, _LETTERS, ink, width, cv2.LINE_AA)


def _caption(bad: BadPhoto) -> Image:
    paper = np.full((_CAPTION, CELL_WIDTH, 3), _PAPER, np.uint8)
    lines = textwrap.wrap(str(bad), _CAPTION_LETTERS, max_lines=3, placeholder=" ...")
    for line, text in enumerate((bad.score.file, *lines)):
        cv2.putText(paper, text, (3, 13 + 15 * line), _FONT, _LETTERS, _INK, 1, cv2.LINE_AA)
    return paper


def sheet(cells: Sequence[Image]) -> Image:
    """Lay the cells out in rows, each at the upper left of its place; there is at least one."""
    columns = min(_COLUMNS, len(cells))
    height = max(each.shape[0] for each in cells)
    paper = np.full(
        (math.ceil(len(cells) / columns) * height, columns * CELL_WIDTH, 3), _PAPER, np.uint8
    )
    for place, each in enumerate(cells):
        row, column = divmod(place, columns)
        top, left = row * height, column * CELL_WIDTH
        paper[top : top + each.shape[0], left : left + CELL_WIDTH] = each
    return paper


_MODELS: Final = Path("models")
_PAGE: Final = "evaluation.md"
_CHECKSUM_DIGITS: Final = 8
_LOG_HEADINGS: Final = """\
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

    Whatever --models is, the log is that of the shipped model: there is but one.
    """
    today = datetime.now(UTC).date()
    page = _MODELS / pieces / _PAGE
    for each in read_sources(source):
        refuse_second(page, each.name, today)
        for model in [load_model(pieces, folder=folder) for folder in models]:
            scores = score_photos(each, None, RECOGNISERS[pieces](model), open_to_read)
            row = ScoredSource(each.name, tuple(scores)).row
            line = log_line(today, row, checksums(model), note)
            add_to_log(page, line, pieces)
            click.echo(line)


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
    # Tell the source of a line from its second cell, which once was the model's checksum
    return [
        (date.fromisoformat(day), _FIRST_SOURCE if re.fullmatch(r"[0-9a-f]{8}", second) else second)
        for day, second in rows
    ]


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
    headings = _LOG_HEADINGS.format(pieces=pieces)
    page.write_text(text + ("" if headings in text else f"\n{headings}") + line, encoding="utf-8")
