"""`tablescore watch`: what the table would propose while a clip or a camera is played.

OpenCV is loaded once something is watched: a second on a small machine.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from scoreboard.table.proposal import Light, Proposal
from scoreboard.table.requests import HealthChanged, Proposed
from web.cli.options import Refusal, as_json, settings_option
from web.shared.plan import Plan, chosen_settings
from web.shared.settings import Settings
from web.table.camera.camera_setup import open_camera_setup
from web.wiring import open_table_camera, open_watching_pipeline

if TYPE_CHECKING:
    from hardware.camera import Camera
    from vision.capture.frame import Frame
    from vision.watch.pipeline import TablePipeline

PAGE_ONLY: Final = ("demo", "phone", "upload")  # they show what the page asks for or sends
SHOWN_EVERY_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Footage:
    """What is watched: its frames (None where a camera has none yet), and how many, if known."""

    frames: Iterator[Frame | None]
    length: int = 0


class Progress:
    """Prints how far a file was watched, on a line of a terminal; nothing elsewhere."""

    def __init__(self, stream: IO[str], length: int) -> None:
        self._stream = stream if stream.isatty() else None
        self._length = length
        self._due = 0.0

    def show(self, frame: int) -> None:
        """Print the number of the frame that is watched, twice a second at most."""
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + SHOWN_EVERY_SECONDS
            self._write(f"frame {frame}{f' of {self._length}' if self._length else ''}")

    def clear(self) -> None:
        self._write("")

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(f"\r\033[K{text}")
            self._stream.flush()


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
    with opened(clip, settings) as footage:
        pipeline = open_watching_pipeline(Plan.of(settings))
        progress = Progress(sys.stderr, footage.length)
        try:
            for line in lines(pipeline, footage, progress, as_json=as_json):
                progress.clear()
                click.echo(line)
        finally:
            progress.clear()


@contextmanager
def opened(clip: str, settings: Settings) -> Iterator[Footage]:
    """The file or camera of that name, opened. Raises ClipError, CameraError, Refusal."""
    from hardware.cameras import CAMERAS
    from vision.capture.clip import Clip

    name = clip.partition(":")[0]
    if name not in CAMERAS or Path(clip).is_file():
        with Clip(Path(clip)) as file:
            yield Footage(file.frames(), file.length)
        return
    if name in PAGE_ONLY:
        raise Refusal(f"{name} needs the page; watch a video file, webcam:N, picamera or a folder.")
    try:
        setup = open_camera_setup(Plan.of(settings))
        with open_table_camera(settings, setup) as camera:
            yield Footage(camera_frames(camera))
    except KeyboardInterrupt:
        return


def camera_frames(camera: Camera) -> Iterator[Frame | None]:
    """What an entered camera gives, without end, numbered from 0. Raises CameraError."""
    from vision.capture.frame import Frame

    numbers = count()
    while True:
        capture = camera.capture()
        if capture is None:
            yield None
        else:
            number = next(numbers)
            yield Frame(number, capture.captured_at, capture.image, single=capture.single)


def lines(
    pipeline: TablePipeline, footage: Footage, progress: Progress, *, as_json: bool
) -> Iterator[str]:
    """A line for each proposal, as soon as it is made; why nothing is read goes to stderr."""
    begun: datetime | None = None
    for frame in footage.frames:
        if frame is not None:
            begun = begun or frame.captured_at
            progress.show(frame.sequence)
        for happening in pipeline.feed(frame):
            if isinstance(happening, Proposed) and begun is not None:
                yield proposal_line(happening.proposal, begun, as_json=as_json)
            elif isinstance(happening, HealthChanged) and frame is not None:
                health = happening.health
                if health is not None and health.light is Light.RED:
                    progress.clear()
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
