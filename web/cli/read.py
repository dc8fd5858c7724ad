"""`tablescore read`: what the pieces on photographs show."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from vision.capture.frame import Frame, Image
from vision.errors import PhotoError
from vision.read.observation import UNREADABLE, Detection, Observation
from web.cli.options import as_json, pieces_option
from web.wiring import Eyes, open_eyes

CONFIDENCE_DIGITS: Final = 4
PIXEL_DIGITS: Final = 1
DICE: Final = "dice"
_TOLD: Final = (UNREADABLE, "1", "2", "3", "4", "5", "6")


class Reading:
    """The photographs of one call, read one after the other; drawings go to `folder`."""

    def __init__(self, eyes: Eyes, folder: Path | None) -> None:
        self._eyes = eyes
        self._folder = folder
        self._drawn: set[Path] = set()

    def read(self, file: str) -> dict[str, Any]:
        """What one photograph shows, as JSON values.

        Raises:
            PhotoError: the file is no whole photograph.
            OSError: the drawing cannot be written.
        """
        image = self._eyes.open_photo(file)
        observation, milliseconds = self._observe(image)
        if self._folder is not None:
            path = self._eyes.drawing_path(self._folder, Path(file), self._drawn)
            self._eyes.draw(path, image, observation)
            self._drawn.add(path)
        return document(file, observation, milliseconds)

    def _observe(self, image: Image) -> tuple[Observation, float]:
        frame = Frame(0, datetime.now(UTC), image)
        start = time.perf_counter()
        observation = self._eyes.recognise(frame)
        return observation, (time.perf_counter() - start) * 1000


def document(file: str, observation: Observation, milliseconds: float) -> dict[str, Any]:
    """An observation as the JSON object that the command prints."""
    return {
        "file": file,
        "pieces": observation.recogniser,
        **_told(observation),
        "detections": [_detection(each) for each in observation.detections],
        **_sets(observation),
        "needs_review": observation.needs_review,
        "reasons": [str(doubt) for doubt in observation.doubts],
        "milliseconds": round(milliseconds, 1),
    }


def _told(observation: Observation) -> dict[str, Any]:
    """What was read, in the notation of its pieces."""
    if observation.recogniser == DICE:
        return {"roll": str(observation.roll)}
    return {observation.recogniser: " ".join(observation.labels)}


def _sets(observation: Observation) -> dict[str, Any]:
    """The sets of a table of tiles as they lie, each with the rule that allows or forbids it."""
    if not observation.sets:
        return {}
    sets = [
        {
            "tiles": list(each.pieces),
            "detections": list(each.indices),
            "legal": each.legal,
            "rule": each.rule,
        }
        for each in observation.sets
    ]
    return {"sets": sets}


def _detection(seen: Detection) -> dict[str, Any]:
    said: dict[str, Any] = {
        "label": seen.label,
        "confidence": round(seen.confidence, CONFIDENCE_DIGITS),
        "box": [round(edge, PIXEL_DIGITS) for edge in seen.box],
        "angle": seen.angle,
    }
    if seen.chances:
        said |= {"chances": dict(zip(_TOLD, seen.chances, strict=True)), "leaning": seen.leaning}
    if seen.quad:
        said |= {"quad": [list(point) for point in seen.quad], "readings": dict(seen.readings)}
        said |= {"inferred": seen.inferred}
    return said


@click.command(epilog="Example: tablescore read throw.jpg --draw out/")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@pieces_option
@as_json
@click.option(
    "--draw",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write each photograph with what was read on it into this folder.",
)
def read(photos: Sequence[str], pieces: str, folder: Path | None, *, as_json: bool) -> None:
    """Say what the dice or tiles on each PHOTO show.

    A photograph that cannot be read is named with the reason, the others are read, and the
    exit status is 1.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    reading = Reading(open_eyes(pieces), folder)
    results = [_tell(reading, photo, as_json=as_json) for photo in photos]
    if not all(results):
        raise click.exceptions.Exit(1)


def _tell(reading: Reading, photo: str, *, as_json: bool) -> bool:
    """Read and print one photograph; whether it could be read."""
    try:
        result = reading.read(photo)
    except (PhotoError, OSError) as error:
        fault = {"file": photo, "error": _reason(error)}
        if as_json:
            click.echo(json.dumps(fault, ensure_ascii=False))
        else:
            click.echo(f"{photo}: {fault['error']}", err=True)
        return False
    click.echo(json.dumps(result, ensure_ascii=False) if as_json else _line(result))
    return True


def _reason(error: PhotoError | OSError) -> str:
    if isinstance(error, PhotoError):
        return str(error)
    return f"The drawing cannot be written ({error.strerror or error}); choose another folder."


def _line(result: dict[str, Any]) -> str:
    told = result["roll"] if result["pieces"] == DICE else result[result["pieces"]]
    text = f"{result['file']}: {told or 'nothing'}"
    return " ".join([text, *(f"- {reason}" for reason in result["reasons"])])
