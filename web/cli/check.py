"""`tablescore check`: camera, buttons and lamps, tried one by one."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli.options import database_option, settings_option
from web.cli.part_trials import try_parts
from web.shared.plan import chosen_settings


@click.command(epilog="Example: tablescore check --camera webcam:0")
@click.option(
    "--camera",
    metavar="SOURCE",
    help="folder:PATH, picamera, stream:URL, webcam:N, phone or upload, as for run.",
)
@database_option
@settings_option
def check(camera: str | None, database: str | None, settings_file: Path | None) -> None:
    """Try the camera, each button and each lamp, and say what was seen.

    What a running table uses is not tried; the table is asked what it sees. The exit status is 1
    when one of them fails. Simulated parts are called so.
    """
    works = True
    settings = chosen_settings(settings_file, camera=camera, database=database)
    for trial in try_parts(settings, click.echo):
        click.echo(str(trial))
        works = works and trial.works
    if not works:
        raise click.exceptions.Exit(1)
