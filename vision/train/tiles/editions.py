"""How well tiles of other editions are read: rendered tables of a held-back seed, step by step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np

from vision.capture.photo import open_to_read
from vision.evaluate.labels import Source, read_sources
from vision.evaluate.scoring import ScoredSource, score_photos
from vision.read.detection import upright
from vision.read.networks import READER, load_model
from vision.read.tile_readings import KINDS
from vision.read.tiles import NAME, TilesRecogniser
from vision.train.piece import TrainingPaths
from vision.train.report import EDITIONS, LOG, markdown_table, worst_photos, write_sheet
from vision.train.tiles.photographs import read_tiled
from vision.train.tiles.piece import TileKind, rights

# In the section, what `at_true_corners` measured last.
_SHARES: Final = re.compile(r"(?<=share of the numbers:\n).*?(?=\.\n)", re.DOTALL)
_HEADINGS: Final = (
    *("step", "edition", "photos", "tiles", "found", "right", "number", "colour"),
    *("false a photo", "exact", "silent", "needless", "median ms", "p95 ms"),
)
_FOLDER: Final[Any] = click.Path(path_type=Path, exists=True)


@click.command()
@click.option("--data", type=_FOLDER, required=True)
@click.option("--rendered", type=_FOLDER, default=Path(".cache/rendering/editions"))
@click.option("--step", required=True, help="What is new in the reader: the name of the rows.")
@click.option("--models", type=_FOLDER, default=Path("models"))
@click.option("--sheets", type=click.Path(path_type=Path), help="Draw the worst photos here.")
def editions(*, data: Path, rendered: Path, step: str, models: Path, sheets: Path | None) -> None:
    """Read tables of other editions, and write a step's rows into the model's evaluation.md."""
    cv2.setNumThreads(1)
    scored = []
    recogniser = TilesRecogniser()
    for source in (_dev(data), *read_sources(rendered)):
        one = ScoredSource(source.name, tuple(score_photos(source, None, recogniser, open_to_read)))
        scored.append(one)
        bad = worst_photos([one], len(one.photos))
        for each in bad:
            click.echo(f"{each.source} {each.score.file}{' SILENT' * each.silent}: {each}")
        if bad and sheets is not None:
            click.echo(write_sheet(source, bad, sheets))
    page = models / NAME / "evaluation.md"
    rows = [edition_row(step, each) for each in scored]
    text = with_step(page.read_text(encoding="utf-8"), rows, at_true_corners(rendered))
    page.write_text(text, encoding="utf-8")
    click.echo(markdown_table(_HEADINGS, rows))


def _dev(data: Path) -> Source:
    sources = TileKind().dev(TrainingPaths(data, rendered=Path()))
    return Source("dev", tuple(photo for each in sources for photo in each.photographs))


def edition_row(step: str, scored: ScoredSource) -> tuple[str, ...]:
    """One edition's line of a step."""
    row, (number, colour) = scored.row, rights(scored)
    wrong = sum(
        not piece.right
        for photo in scored.photos
        if not photo.needs_review
        for piece in photo.judged
    )
    return (
        *(step, scored.name, str(row.photos), str(row.pieces)),
        *(f"{share:.1%}" for share in (row.found, row.right, number, colour)),
        *(f"{row.false_per_photo:.2f}", f"{row.exact:.1%}"),
        f"{row.silent:.1%} / {wrong}",
        *(f"{row.needless:.1%}", f"{row.median_milliseconds:.0f}", f"{row.p95_milliseconds:.0f}"),
    )


def at_true_corners(rendered: Path) -> str:
    """How many numbers the reader network gets of tiles cut out where they really lie."""
    reader = load_model(NAME).networks[READER]
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for picture in read_tiled(rendered, "dev"):
        tiles = [each for each in picture.tiles if each.clear]
        if tiles:
            kinds = reader(np.stack([upright(picture.image, each.corners) for each in tiles]))
            true = np.array([each.kind for each in tiles])
            right[picture.source] += int((kinds[:, :KINDS].argmax(axis=1) == true).sum())
            asked[picture.source] += len(tiles)
    return ", ".join(f"{right[each] / asked[each]:.1%} ({each})" for each in sorted(asked))


def with_step(page: str, rows: Sequence[Sequence[str]], shares: str = "") -> str:
    """The page with these shares and rows in its section, in place of older ones of their step.

    Raises:
        ValueError: the page has no log, before which the section belongs.
    """
    before, log = page[: page.index(LOG)], page[page.index(LOG) :]
    head, _, old = before.partition(EDITIONS)
    about = old.partition(f"\n{markdown_table(_HEADINGS, ())}")[0] or "\n"
    steps = {row[0] for row in rows}
    kept = [cells for cells in _rows(old) if cells[0] not in steps]
    table = markdown_table(_HEADINGS, [*kept, *rows])
    return f"{head}{EDITIONS}{_SHARES.sub(shares, about)}\n{table}\n{log}"


def _rows(section: str) -> Iterator[list[str]]:
    lines = [line for line in section.splitlines() if re.match(r"\| (?!step|---)", line)]
    return ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
