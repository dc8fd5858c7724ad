"""`tablescore cameras`: what is there to look at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from hardware.cameras.webcam import FoundWebcam


@click.command(epilog="Example: tablescore cameras")
def cameras() -> None:
    """List the cameras of this machine, each as run's --camera names it.

    A webcam's path in /dev/v4l/by-id stays when it gets another number. What is in the network is
    not looked for: name a stream by its address.
    """
    # OpenCV takes a second to load
    from hardware.cameras.picamera import found_pi_cameras  # noqa: PLC0415
    from hardware.cameras.webcam import plugged_webcams  # noqa: PLC0415

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
