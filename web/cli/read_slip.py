"""`tablescore read-slip`: read the result slips in photographs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click


@click.command("read-slip")
@click.argument("photos", type=click.Path(path_type=Path), nargs=-1, required=True)
def read_slip(photos: tuple[Path, ...]) -> None:
    """Read the printed result slips in PHOTOS, as a hub does.

    Prints a line of JSON for each slip: the photo, the slip's code, and for each row the game, the
    seat, the score, and whether it is sure. A score that is not sure needs a person.

    Example: tablescore read-slip table-7.jpg
    """
    from vision.capture.photo import open_photo  # noqa: PLC0415 -- loads OpenCV
    from vision.read.slips import load_slip_reader  # noqa: PLC0415 -- likewise

    reader = load_slip_reader()
    for photo in photos:
        for slip in reader.read(open_photo(photo)):
            rows: list[dict[str, Any]] = [
                {"game": row.game, "seat": row.seat + 1, "score": row.score, "sure": row.is_sure}
                for row in slip.rows
            ]
            code = None if slip.code is None else str(slip.code)
            click.echo(json.dumps({"photo": str(photo), "slip": code, "rows": rows}))
