"""`tablescore watch`: what the table would propose while a clip or a camera is played."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

import click

from hardware.camera import Camera
from hardware.cameras import CAMERAS
from scoreboard.table.proposal import Light, Proposal
from scoreboard.table.requests import HealthChanged, Proposed
from vision.capture.clip import Clip
from vision.capture.frame import Frame
from web.cli.options import as_json, settings_option
from web.cli.refusal import Refusal
from web.plan import Plan, chosen_settings
from web.settings import Settings
from web.table.camera_watch import Pipeline
from web.wiring import open_table_camera, open_watching_pipeline

PAGE_ONLY: Final = ("demo", "upload")  # they show what the page asks for or sends
CONFIDENCE_DIGITS: Final = 4
SECONDS_DIGITS: Final = 3
TELL_EVERY_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Footage:
    """What is watched: its frames (None where a camera has none yet), and how many, if known."""

    frames: Iterator[Frame | None]
    length: int = 0


class Progress:
    """How far a file was watched, on a terminal's own line; nothing elsewhere."""

    def __init__(self, stream: IO[str], length: int) -> None:
        self._stream = stream if stream.isatty() else None
        self._length = length
        self._due = 0.0

    def tell(self, frame: int) -> None:
        """Tell the frame that is watched, twice a second."""
        if self._stream is None or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + TELL_EVERY_SECONDS
        whole = f" of {self._length}" if self._length else ""
        self._stream.write(f"\r\033[Kframe {frame}{whole}")
        self._stream.flush()

    def clear(self) -> None:
        """Free the line for something else."""
        if self._stream is not None:
            self._stream.write("\r\033[K")
            self._stream.flush()


@click.command(epilog="Example: tablescore watch evening.mp4 --json")
@click.argument("clip", metavar="CLIP")
@as_json
@settings_option
def watch(clip: str, settings_file: Path | None, *, as_json: bool) -> None:
    """Say what the table would propose while CLIP is played: one line a proposal.

    CLIP is a video file, or a camera as for run: webcam:N, picamera or folder:PATH, which
    Ctrl-C ends. Frames are counted from 0. The settings' tray applies to a file too; a stored
    calibration only to the camera that it was made for.
    """
    settings = chosen_settings(settings_file)
    settings = replace(settings, camera=replace(settings.camera, source=clip))
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
    """The file or the camera of that name, open as long as it is watched; Ctrl-C ends a camera.

    Raises:
        ClipError: the file is no video.
        CameraError: the camera cannot be used.
        Refusal: the source shows nothing without a page.
    """
    name = clip.partition(":")[0]
    if name not in CAMERAS or Path(clip).is_file():
        with Clip(Path(clip)) as file:
            yield Footage(file.frames(), file.length)
        return
    if name in PAGE_ONLY:
        raise Refusal(f"{name} needs the page; watch a video file, webcam:N, picamera or a folder.")
    try:
        with open_table_camera(settings) as camera:
            yield Footage(camera_frames(camera))
    except KeyboardInterrupt:
        return


def camera_frames(camera: Camera) -> Iterator[Frame | None]:
    """What a camera that was entered gives, without end; its pictures are numbered from 0.

    Raises:
        CameraError: the camera is gone.
    """
    number = 0
    while True:
        capture = camera.capture()
        if capture is None:
            yield None
            continue
        yield Frame(number, capture.captured_at, capture.image, single=capture.single)
        number += 1


def lines(
    pipeline: Pipeline, footage: Footage, progress: Progress, *, as_json: bool
) -> Iterator[str]:
    """A line for each proposal, as soon as it is made; why nothing is read goes to stderr."""
    begun: datetime | None = None
    for frame in footage.frames:
        if frame is not None:
            begun = begun or frame.captured_at
            progress.tell(frame.sequence)
        for happening in pipeline.feed(frame):
            if isinstance(happening, Proposed) and begun is not None:
                yield told(happening.proposal, begun, as_json=as_json)
            elif isinstance(happening, HealthChanged) and frame is not None:
                # Say why nothing is proposed from here on
                health = happening.health
                if health is not None and health.light is Light.RED:
                    progress.clear()
                    click.echo(f"frame {frame.sequence}: {health.reasons[0]}", err=True)


def told(proposal: Proposal, begun: datetime, *, as_json: bool) -> str:
    """A proposal as one line, in a clip whose first frame was taken at `begun`."""
    result = document(proposal, begun)
    if as_json:
        return json.dumps(result, ensure_ascii=False)
    reasons = "".join(f" - {doubt}" for doubt in proposal.doubts)
    shown = result["roll"] or "no readable dice"
    return f"{result['seconds']:.2f} s, frame {result['frame']}: {shown}{reasons}"


def document(proposal: Proposal, begun: datetime) -> dict[str, Any]:
    """A proposal as the JSON object that the command prints."""
    seconds = (proposal.seen_at - begun).total_seconds()
    return {
        "frame": proposal.frame,
        "seconds": round(seconds, SECONDS_DIGITS),
        "roll": str(proposal.roll),
        "confidence": round(proposal.confidence, CONFIDENCE_DIGITS),
        "needs_review": bool(proposal.doubts),
    }
