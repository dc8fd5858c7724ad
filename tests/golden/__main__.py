"""`python -m tests.golden write FOLDER` before a move, and `compare FOLDER` after it.

Everything is written anew each time, but for the readings of photographs: they are asked for with
`--readings`, and go on where they were stopped. The dumps are the same byte for byte wherever and
whenever they are written: clock, ids, seeds and secrets are given from outside, the codes by which
tables join a hub are left out, and a table's port is written as PORT.
"""

from __future__ import annotations

from pathlib import Path

import click

from tests.golden.dumps import READ, READINGS, differences, keep_digests, write_all
from tests.golden.readings import digests, write_readings

FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
WITH_READINGS = click.option("--readings", is_flag=True, help="Read all photographs too.")
PROCESSES = click.option("--processes", default=1, show_default=True, help="That read at once.")


@click.group()
def golden() -> None:
    """Write everything that Tablescore writes and says, and compare it later."""


@golden.command()
@FOLDER
@WITH_READINGS
@PROCESSES
def write(folder: Path, processes: int, *, readings: bool) -> None:
    """Write the dumps into FOLDER."""
    write_all(folder)
    if readings:
        write_readings(folder / READINGS, processes)


@golden.command()
@FOLDER
@WITH_READINGS
@PROCESSES
def compare(folder: Path, processes: int, *, readings: bool) -> None:
    """Write the dumps into FOLDER.now and tell what differs from FOLDER; the status is 1 then."""
    now = folder.with_name(f"{folder.name}.now")
    write_all(now)
    if readings:
        write_readings(now / READINGS, processes)
    told = list(differences(folder, now, readings=readings))
    click.echo("\n".join(told) if told else "Nothing differs.")
    if told:
        raise click.exceptions.Exit(1)


@golden.command()
@FOLDER
def keep(folder: Path) -> None:
    """Keep the digests of FOLDER's dumps in the repository, of its readings where there are."""
    keep_digests(folder)
    if (folder / READINGS).is_dir():
        READ.write_text(digests(folder / READINGS), encoding="utf-8")


if __name__ == "__main__":
    golden()
