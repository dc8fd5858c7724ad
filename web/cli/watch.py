"""`tablescore watch`: what the table would propose while a clip or a camera is played."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

import click

from hardware.camera import Camera
from hardware.cameras import CAMERAS
from scoreboard.table.proposal import Light, Proposal
from scoreboard.table.requests import HealthChanged, Proposed
from vision.capture.frame import Frame
from vision.capture.photo import Clip
from vision.watch.pipeline import TablePipeline
from web.cli.options import Refusal, as_json, settings_option
from web.shared.plan import Plan, chosen_settings
from web.shared.settings import Settings
from web.table.camera.camera_setup import open_camera_setup
from web.wiring import open_table_camera, open_watching_pipeline

PAGE_ONLY: Final = ("demo", "phone", "upload")  # they show what the page asks for or sends


@click.command(epilog="Example: tablescore watch evening.mp4 --json")
@click.argument("clip", metavar="CLIP")
@as_json
@settings_option
def watch(clip: str, settings_file: Path | None, *, as_json: bool) -> None:
    """Say what the table would propose while CLIP is played: one line a proposal.

    CLIP is a video file, or a camera as for run: webcam:N, stream:URL, picamera or folder:PATH,
    which Ctrl-C ends. Frames are counted from 0. The settings' tray applies to a file too; a stored
    calibration only to the camera that it was made for.
    """
    settings = chosen_settings(settings_file, camera=clip)
    with opened(clip, settings) as frames:
        for line in lines(open_watching_pipeline(Plan.of(settings)), frames, as_json=as_json):
            click.echo(line)


@contextmanager
def opened(clip: str, settings: Settings) -> Iterator[Iterable[Frame | None]]:
    """The frames of that file or camera, None where it has none yet.

    Raises ClipError, CameraError, Refusal.
    """
    name = clip.partition(":")[0]
    if name not in CAMERAS or Path(clip).is_file():
        with Clip(Path(clip)) as file:
            yield file.frames()
        return
    if name in PAGE_ONLY:
        raise Refusal(f"{name} needs the page; watch a video file, webcam:N, picamera or a folder.")
    try:
        setup = open_camera_setup(Plan.of(settings))
        with open_table_camera(settings, setup) as camera:
            yield camera_frames(camera)
    except KeyboardInterrupt:
        return


def camera_frames(camera: Camera) -> Iterator[Frame | None]:
    """What an entered camera gives, without end, numbered from 0. Raises CameraError."""
    numbers = count()
    while True:
        capture = camera.capture()
        if capture is None:
            yield None
        else:
            yield Frame(next(numbers), capture.captured_at, capture.image, single=capture.single)


def lines(
    pipeline: TablePipeline, frames: Iterable[Frame | None], *, as_json: bool
) -> Iterator[str]:
    """A line for each proposal, as soon as it is made; why nothing is read goes to stderr."""
    begun: datetime | None = None
    for frame in frames:
        if frame is not None:
            begun = begun or frame.captured_at
        for happening in pipeline.feed(frame):
            if isinstance(happening, Proposed) and begun is not None:
                yield proposal_line(happening.proposal, begun, as_json=as_json)
            elif isinstance(happening, HealthChanged) and frame is not None:
                health = happening.health
                if health is not None and health.light is Light.RED:
                    click.echo(f"frame {frame.sequence}: {health.reasons[0]}", err=True)


def proposal_line(proposal: Proposal, begun: datetime, *, as_json: bool) -> str:
    """A proposal as one line, in a clip whose first frame was taken at `begun`."""
    roll, seconds = str(proposal.roll), (proposal.seen_at - begun).total_seconds()
    if as_json:
        document = {
            "frame": proposal.frame,
            "seconds": round(seconds, 3),
            "roll": roll,
            "confidence": round(proposal.confidence, 4),
            "needs_review": bool(proposal.doubts),
        }
        return json.dumps(document, ensure_ascii=False)
    reasons = "".join(f" - {doubt}" for doubt in proposal.doubts)
    shown = roll or "no readable dice"
    return f"{seconds:.2f} s, frame {proposal.frame}: {shown}{reasons}"
