"""`tablescore evaluate`: how well the reader reads labelled photographs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from vision.evaluation import SourceScore
from web.commands.options import as_json, pieces_option
from web.wiring import evaluate_photographs

HEADINGS: Final = (
    "source", "photos", "pieces", "found", "right", "false/photo",
    "exact", "silent", "needless", "median ms", "p95 ms",
)  # fmt: skip


@click.command(epilog="Example: tablescore evaluate photographs/ --split dev")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@pieces_option
@click.option("--split", metavar="NAME", help="Only the photographs of this split, as in dev.")
@as_json
def evaluate(folder: Path, pieces: str, split: str | None, *, as_json: bool) -> None:
    """Read the labelled photographs in FOLDER and count what was right.

    FOLDER holds images/ and labels.jsonl, or folders that do. Found and right are shares of
    the labelled dice; exact, silent (wrong without asking) and needless (asked though
    right) are shares of the photographs. With --json one object a line and source.
    """
    scores = evaluate_photographs(folder, pieces, split)
    if as_json:
        for score in scores:
            click.echo(json.dumps(dataclasses.asdict(score), ensure_ascii=False))
        return
    click.echo(_table([HEADINGS, *map(_row, scores)]), nl=False)


def _row(score: SourceScore) -> tuple[str, ...]:
    return (
        score.source,
        str(score.photos),
        str(score.pieces),
        *(f"{share:.1%}" for share in (score.found, score.right)),
        f"{score.false_per_photo:.2f}",
        *(f"{share:.1%}" for share in (score.exact, score.silent, score.needless)),
        f"{score.median_milliseconds:.1f}",
        f"{score.p95_milliseconds:.1f}",
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "".join(
        "  ".join(
            [row[0].ljust(first), *map(str.rjust, row[1:], others)],
        )
        + "\n"
        for row in rows
    )
