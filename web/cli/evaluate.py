"""`tablescore evaluate`: how well the reader reads labelled photographs.

OpenCV is loaded once they are read: a second on a small machine.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from web.cli.options import as_json, edition_option, pieces_option
from web.cli.read import DICE
from web.table.sets.taught_readers import open_recogniser

if TYPE_CHECKING:
    from vision.evaluate.scoring import ScoredSource
    from vision.read.tile_views import Edition

HEADINGS: Final = (
    "source", "photos", "pieces", "found", "right", "false/photo",
    "exact", "silent", "needless", "median ms", "p95 ms", "right of 20 px",
)  # fmt: skip


@click.command(epilog="Example: tablescore evaluate photographs/ --split dev")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@pieces_option
@edition_option
@click.option("--split", metavar="NAME", help="Only the photographs of this split, as in dev.")
@click.option(
    "--label",
    "asks",
    is_flag=True,
    help="First ask what the dice show on each photograph in FOLDER; values.txt keeps it.",
)
@click.option("--count", "counted", is_flag=True, help="Tell the reader how many are labelled.")
@as_json
def evaluate(  # noqa: PLR0913 -- click hands over one argument an option
    folder: Path,
    pieces: str,
    *,
    edition: Edition | None,
    split: str | None,
    asks: bool,
    counted: bool,
    as_json: bool,
) -> None:
    """Read the labelled photographs in FOLDER and count what was right.

    FOLDER holds photographs and values.txt, with a line for each as “IMG_1.jpg 3 5 5”; or images/
    and labels.jsonl; or folders that do. Found and right are shares of
    the labelled pieces; exact, silent (wrong without asking) and needless (asked though
    right) are shares of the photographs. Below the table, for all of them: how reliable the
    confidence is, and what was read as what. With --json one object a line and source.
    """
    from vision.capture.photo import open_to_read
    from vision.evaluate.scoring import evaluate as scores

    if asks and pieces != DICE:
        raise click.UsageError("--label asks for dice: leave it out with other pieces.")
    if asks:
        _ask(folder)
    recogniser = open_recogniser(pieces, edition=edition)
    scored = scores(folder, split, recogniser, open_to_read, counted=counted)
    if as_json:
        for each in scored:
            click.echo(json.dumps(_object(each), ensure_ascii=False))
        return
    click.echo(_table([HEADINGS, *map(_row, scored)]))
    reliability = scored[-1].reliability
    ranks = "-" if reliability.auroc is None else f"{reliability.auroc:.3f}"
    error = f"{reliability.calibration_error:.4f}"
    click.echo(f"expected calibration error {error}, AUROC of right against wrong {ranks}\n")
    for confusion in scored[-1].confusions:
        rows = ((shown, *map(str, confusion.row(shown))) for shown in confusion.shown)
        click.echo(_table([("shown \\ said", *confusion.read_as), *rows]), nl=False)


def _ask(folder: Path) -> None:
    """Ask for the dice on each photograph that the folder's values lack; each answer is kept."""
    from hardware.cameras.folder import SUFFIXES
    from vision.evaluate.labels import VALUES, lines_of, typed

    file = folder / VALUES
    lines = lines_of(file) if file.exists() else []
    known = {each.path for line in lines if (each := typed(folder, line))}

    def line_of(photo: Path, values: str) -> str:
        if typed(folder, f"{photo.name} {values}") is None:
            raise click.UsageError("type what each die shows, as in 3 5 5, or 0 without dice")
        return f"{photo.name} {values}"

    for photo in sorted(folder.glob("[!.]*")):  # a Mac leaves “._IMG_1.jpg” beside each
        if photo.suffix.lower() in SUFFIXES and photo not in known:
            lines.append(click.prompt(f"{photo.name} shows", value_proc=partial(line_of, photo)))
            file.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _object(scored: ScoredSource) -> dict[str, Any]:
    reliability = dataclasses.asdict(scored.reliability)
    confusion = {
        each.aspect: {
            shown: dict(zip(each.read_as, each.row(shown), strict=True)) for shown in each.shown
        }
        for each in scored.confusions
    }
    return {**dataclasses.asdict(scored.row), **reliability, "confusion": confusion}


def _row(scored: ScoredSource) -> tuple[str, ...]:
    score = scored.row
    return (
        score.source,
        str(score.photos),
        str(score.pieces),
        *(f"{share:.1%}" for share in (score.found, score.right)),
        f"{score.false_per_photo:.2f}",
        *(f"{share:.1%}" for share in (score.exact, score.silent, score.needless)),
        f"{score.median_milliseconds:.1f}",
        f"{score.p95_milliseconds:.1f}",
        f"{score.right_of_20px:.1%}",
    )


def _table(rows: Iterable[Sequence[str]]) -> str:
    listed = list(rows)
    first, *others = (max(map(len, column)) for column in zip(*listed, strict=True))
    lines = ("  ".join([row[0].ljust(first), *map(str.rjust, row[1:], others)]) for row in listed)
    return "".join(f"{line}\n" for line in lines)
