"""The cameras of this machine listed, tried with buttons and lamps, and calibrated.

OpenCV, and what tries the parts, are loaded on first use.
"""
# ruff: noqa: PLC0415 -- see above: a second on a small machine

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware.camera import public_name
from web.cli.options import Refusal, camera_option, games_options, same_games
from web.shared.plan import Plan, chosen_settings, own_key
from web.table.camera.tray import calibration_file, open_tray

if TYPE_CHECKING:
    from hardware.cameras.webcam import FoundWebcam


@click.command(epilog="Example: tablescore cameras")
def cameras() -> None:
    """List the cameras of this machine, each as run's --camera names it.

    A webcam's path in /dev/v4l/by-id stays when it gets another number. What is in the network is
    not looked for: name a stream by its address.
    """
    from hardware.cameras.picamera import found_pi_cameras
    from hardware.cameras.webcam import plugged_webcams

    for line in lines(found_pi_cameras(), plugged_webcams()):
        click.echo(line)


def lines(pi_cameras: Sequence[str], webcams: Sequence[FoundWebcam]) -> Iterator[str]:
    """A line for each camera, what to type first; a single one if there is none."""
    for number, model in enumerate(pi_cameras):
        yield f"{f'picamera:{number}' if number else 'picamera':<12}{model}"
    for each in webcams:
        always = f"; always: webcam:{each.by_id}" if each.by_id else ""
        yield f"{f'webcam:{each.number}':<12}{each.model}{always}"
    if not (pi_cameras or webcams):
        yield (
            "This system names no camera. Where it has one, try webcam:0; a phone can be one with "
            "--camera upload, and a camera in the network with --camera stream:URL."
        )


@click.command(epilog="Example: tablescore check --camera webcam:0")
@camera_option
@games_options
def check(camera: str | None, database: str | None, settings_file: Path | None) -> None:
    """Try the camera, each button and each lamp, and say what was seen.

    What a running table uses is not tried; the table is asked what it sees. The exit status is 1
    when one of them fails. Simulated parts are called so.
    """
    from web.cli.part_trials import try_parts

    works = True
    settings = chosen_settings(settings_file, camera=camera, database=database)
    for trial in try_parts(settings, click.echo):
        click.echo(str(trial))
        works = works and trial.works
    if not works:
        raise click.exceptions.Exit(1)


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
@camera_option
@games_options
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
    kept with the games and used from the next start on; a running table is calibrated on
    its page, and uses it at once.
    """
    if clear and (automatic or photo or drawing):
        raise click.UsageError("--clear forgets the tray; it goes with no PHOTO and no other act.")
    if (photo or drawing) and not automatic:
        raise click.UsageError("PHOTO and --draw go with --automatic.")
    plan = Plan.of(chosen_settings(settings_file, camera=camera, database=database))
    file = calibration_file(plan)
    if automatic:
        _find(plan, file, photo, drawing)
    elif not clear:
        _print_page(plan)
    elif file is None or not file.exists():
        click.echo("There was no calibration to forget.")
    else:
        file.unlink()
        click.echo(f"The calibration {file} is forgotten; the whole picture is read from now on.")


def _find(plan: Plan, file: Path | None, photo: Path | None, drawing: Path | None) -> None:
    from vision.evaluate.annotation import draw_outline, write_drawing
    from web.cli.part_trials import look_for_tray

    tray = open_tray(plan)
    image, corners = look_for_tray(plan.settings, photo)
    written = ", ".join(f"[{x:.4f}, {y:.4f}]" for x, y in corners.around)
    click.echo(f"corners = [{written}]")
    if drawing is not None:
        drawing.parent.mkdir(parents=True, exist_ok=True)
        write_drawing(drawing, draw_outline(image, corners))
        click.echo(f"drawn in {drawing}")
    obstacle = tray.keep_found(image, corners)
    if obstacle is not None:
        raise Refusal(f"The tray was found, but not kept. {obstacle}")
    if file is not None:
        click.echo(f"kept in {file}, for {public_name(plan.settings.camera.source)}")


def _print_page(plan: Plan) -> None:
    """Print where the corners are tapped, and what to do first where nothing listens there."""
    page = plan.settings.page
    for address in (plan.own_link(page.port, own_key()), *plan.reachable(page.port)):
        click.echo(f"{address}calibrate")
    try:
        socket.create_connection((page.host, page.port), timeout=0.5).close()
        click.echo("Open this page, and tap where the dice lie.")
    except OSError:
        start = same_games("run")
        click.echo(f"No table runs there yet: start it with “{start}”, then open this page.")
