"""`tablescore calibrate`: find the fixed tray."""

from __future__ import annotations

import socket
from pathlib import Path

import click

from hardware.camera import public_name
from web.cli.options import Refusal, database_option, same_games, settings_option
from web.cli.part_trials import draw_tray, look_for_tray
from web.shared.plan import Plan, chosen_settings, own_key
from web.table.camera.tray import CalibrationFile, calibration_file, open_tray

PATIENCE_SECONDS = 0.5


@click.command(epilog="Example: tablescore calibrate --automatic --camera webcam:0 --draw tray.jpg")
@click.argument("photo", required=False, type=click.Path(path_type=Path), metavar="[PHOTO]")
@click.option("--automatic", is_flag=True, help="Find the tray by itself, in PHOTO or the camera.")
@click.option(
    "--draw",
    "drawing",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the picture with the tray that was found into this file.",
)
@click.option("--clear", is_flag=True, help="Forget the calibration: the whole picture is read.")
@click.option("--camera", metavar="SOURCE", help="The camera to calibrate, as for run.")
@database_option
@settings_option
def calibrate(  # noqa: PLR0913 -- click hands over one argument an option
    photo: Path | None,
    drawing: Path | None,
    camera: str | None,
    database: str | None,
    settings_file: Path | None,
    *,
    automatic: bool,
    clear: bool,
) -> None:
    """Tell where the tray lies, so that only the tray is read, from straight above.

    Without an option: the address of the page on which four taps do it. The calibration is
    kept beside the games and used from the next start on; a running table is calibrated on
    its page, and uses it at once.
    """
    if clear and (automatic or photo or drawing):
        raise click.UsageError("--clear forgets the tray; it goes with no PHOTO and no other act.")
    if (photo or drawing) and not automatic:
        raise click.UsageError("PHOTO and --draw go with --automatic.")
    plan = Plan.of(chosen_settings(settings_file, camera=camera, database=database))
    file = calibration_file(plan.database)
    if automatic:
        _find(plan, file, photo, drawing)
    elif not clear:
        _print_page(plan)
    elif file is None or not file.clear():
        click.echo("There was no calibration to forget.")
    else:
        forgotten = f"The calibration {file.path} is forgotten"
        click.echo(f"{forgotten}; the whole picture is read from now on.")


def _find(
    plan: Plan, file: CalibrationFile | None, photo: Path | None, drawing: Path | None
) -> None:
    tray = open_tray(plan.settings, plan.database)
    image, corners = look_for_tray(plan.settings, photo)
    written = ", ".join(f"[{x:.4f}, {y:.4f}]" for x, y in corners.around)
    click.echo(f"corners = [{written}]")
    if drawing is not None:
        draw_tray(drawing, image, corners)
        click.echo(f"drawn in {drawing}")
    obstacle = tray.keep_found(image, corners)
    if obstacle is not None:
        raise Refusal(f"The tray was found, but not kept. {obstacle}")
    if file is not None:
        click.echo(f"kept in {file.path}, for {public_name(plan.settings.camera.source)}")


def _print_page(plan: Plan) -> None:
    """Print where the corners are tapped, and what to do first where nothing listens there."""
    page = plan.settings.page
    for address in (plan.own_link(page.port, own_key()), *plan.reachable(page.port)):
        click.echo(f"{address}calibrate")
    try:
        socket.create_connection((page.host, page.port), PATIENCE_SECONDS).close()
        click.echo("Open this page, and tap where the dice lie.")
    except OSError:
        start = same_games("run")
        click.echo(f"No table runs there yet: start it with “{start}”, then open this page.")
