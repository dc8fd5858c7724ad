"""Contact sheets of the photographs that were read worst, to look at; never committed."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.evaluate.annotation import write_drawing
from vision.evaluate.labels import Source, read_sources
from vision.evaluate.scoring import ScoredSource, score_photos
from vision.read.networks import load_model
from vision.read.observation import Box
from vision.read.readers import RECOGNISERS
from vision.train.report import BadPhoto, worst_photos

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
        scores = score_photos(each, split, recogniser, open_photo)
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
        text = seen.said if seen.right else f"{seen.said}/{truth}"
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
    told = textwrap.wrap(str(bad), _CAPTION_LETTERS, max_lines=3, placeholder=" ...")
    for line, text in enumerate((bad.score.file, *told)):
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
