"""`tablescore diagnose`: everything that a bug report needs, in one zip."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.diagnosis import write_diagnosis
from web.cli.options import Refusal, database_option, settings_option
from web.shared.plan import chosen_settings


@click.command(epilog="Example: tablescore diagnose table.zip")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--camera",
    metavar="SOURCE",
    help="folder:PATH, picamera, stream:URL, webcam:N, phone or upload, as for run; tried where "
    "no table runs.",
)
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The log file that run was given; a running table gives its newest lines without one.",
)
@database_option
@settings_option
def diagnose(
    file: Path,
    camera: str | None,
    log_file: Path | None,
    database: str | None,
    settings_file: Path | None,
) -> None:
    """Write versions, settings, log, picture and the last events into the new zip FILE.

    It works beside a running table, which is asked, and without one. Nothing is sent anywhere.
    """
    settings = chosen_settings(settings_file, camera=camera)
    exists = Refusal(f"{file} is there already: name a new file.")
    if file.exists():
        raise exists
    try:
        found = write_diagnosis(settings, database, log_file, file)
    except FileExistsError as error:
        raise exists from error
    for each in found:
        click.echo(str(each))
    click.echo(
        f"Written to {file}. Look at frame.jpg, a photo of your table, and at the names in "
        "events.jsonl and log.txt before you share it."
    )
