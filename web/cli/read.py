"""`tablescore read`: what the pieces on photographs show.

OpenCV is loaded once one is read: a second on a small machine.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from vision.errors import PhotoError, TrayError
from web.cli.options import as_json, edition_option, pieces_option
from web.table.sets.taught_readers import open_recogniser

if TYPE_CHECKING:
    from vision.capture.frame import PlayArea
    from vision.evaluate.scoring import ScoredSource
    from vision.read.observation import Detection, Observation, Recogniser
    from vision.read.tile_views import Edition

CONFIDENCE_DIGITS: Final = 4
PIXEL_DIGITS: Final = 1
DICE: Final = "dice"
AREA: Final = "0.1,0.2 0.9,0.2 0.9,0.9 0.1,0.9"
AUTO: Final = "auto"
MOST_THREADS: Final = 64
OUTCOMES: Final = ("?", "1", "2", "3", "4", "5", "6")  # to which a die's chances belong


def _area(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Any:
    """The area that “x,y x,y x,y” enclose, or AUTO; what is neither is refused with the cure."""
    from vision.capture.frame import PlayArea

    if value is None or value == AUTO:
        return value
    try:
        corners = [tuple(map(float, corner.split(","))) for corner in value.split()]
    except ValueError:
        corners = []
    if not corners or any(len(corner) != 2 for corner in corners):  # noqa: PLR2004 -- across and down
        raise click.BadParameter(f"{value!r} is no area: write its corners as “{AREA}”, or auto.")
    if any(share > 1 for corner in corners for share in corner):
        raise click.BadParameter(
            "corners are shares of the picture, from 0 to 1: divide pixels by the picture's width "
            "and height."
        )
    try:
        return PlayArea.around_taps([(x, y) for x, y in corners])
    except TrayError as error:
        raise click.BadParameter(str(error)) from error


@dataclass(frozen=True, slots=True)
class PhotoReader:
    """Reads the `area` of the photographs of one call; drawings go to `folder`.

    `expected` is the known number of pieces on each. With AUTO the area is each photograph's own
    tray.
    """

    recognise: Recogniser
    folder: Path | None
    expected: int | None
    area: PlayArea | Literal["auto"] | None
    drawn: set[Path] = field(default_factory=set)

    def read(self, file: str) -> dict[str, Any]:
        """What one photograph shows, as JSON values.

        Raises PhotoError if the file is no whole photograph; TrayError if no tray is distinct,
        which is the area wanted; OSError if the drawing cannot be written.
        """
        from vision.capture.frame import Frame, PlayArea
        from vision.capture.photo import open_to_read
        from vision.evaluate.annotation import (
            draw_observation,
            draw_outline,
            drawing_path,
            write_drawing,
        )
        from vision.quality.health import health
        from vision.quality.tray import find_tray
        from vision.read.observation import read_photo, scaled

        image, shrunk = open_to_read(file)
        area = PlayArea(find_tray(image).around) if self.area == AUTO else self.area
        frame = Frame(0, datetime.now(UTC), image, single=True, area=area)
        start = time.perf_counter()
        observation = read_photo(self.recognise, frame, self.expected)
        milliseconds = (time.perf_counter() - start) * 1000
        if not observation.detections:  # the picture itself may be why
            doubts = (*observation.doubts, *health(image, area=area).reasons)
            observation = replace(observation, doubts=doubts)
        if self.folder is not None:
            path = drawing_path(self.folder, Path(file), self.drawn)
            drawn = draw_observation(image, observation)
            write_drawing(path, drawn if area is None else draw_outline(drawn, area))
            self.drawn.add(path)
        return document(file, scaled(observation, shrunk), milliseconds)


def document(file: str, observation: Observation, milliseconds: float) -> dict[str, Any]:
    """An observation as the JSON object that the command prints."""
    if observation.recogniser == DICE:
        read = {"roll": str(observation.roll)}
    else:
        read = {observation.recogniser: " ".join(observation.labels)}
    sets = [
        {
            "tiles": list(each.pieces),
            "detections": list(each.indices),
            "legal": each.legal,
            "rule": each.rule,
        }
        for each in observation.sets
    ]
    return {
        "file": file,
        "pieces": observation.recogniser,
        **read,
        "detections": [_detection(each) for each in observation.detections],
        **({"sets": sets} if sets else {}),
        "needs_review": observation.needs_review,
        "reasons": [str(doubt) for doubt in observation.doubts],
        "milliseconds": round(milliseconds, 1),
    }


def _detection(seen: Detection) -> dict[str, Any]:
    found: dict[str, Any] = {
        "label": seen.label,
        "confidence": round(seen.confidence, CONFIDENCE_DIGITS),
        "box": [round(edge, PIXEL_DIGITS) for edge in seen.box],
        "angle": seen.angle,
    }
    if seen.chances:
        chances = dict(zip(OUTCOMES, seen.chances, strict=True))
        found |= {"chances": chances, "leaning": seen.leaning}
    if seen.quad:
        found |= {"quad": [list(point) for point in seen.quad], "readings": dict(seen.readings)}
        found |= {"inferred": seen.inferred}
    return found


@click.command(epilog="Example: tablescore read roll.jpg --draw out/")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@pieces_option
@edition_option
@as_json
@click.option(
    "--count",
    "--dice",
    "expected",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many dice or tiles lie on each photograph: it asks where it sees another number.",
)
@click.option(
    "--draw",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write each photograph with what was read on it into this folder.",
)
@click.option(
    "--area",
    callback=_area,
    metavar="CORNERS",
    help=f"Read only what lies within these corners: “{AREA}”, shares of width and height; or"
    " within the tray that stands out on each photograph: auto.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    metavar="N",
    help="How many processor threads may read; else the networks use one.",
)
def read(  # noqa: PLR0913 -- click hands over one argument an option
    photos: Sequence[str],
    pieces: str,
    *,
    edition: Edition | None,
    expected: int | None,
    folder: Path | None,
    area: PlayArea | Literal["auto"] | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Say what the dice or tiles on each PHOTO show.

    A photograph that cannot be read is named with the reason, the others are read, and the
    exit status is 1.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    reader = PhotoReader(open_recogniser(pieces, threads, edition), folder, expected, area)
    results = [_print(reader, photo, as_json=as_json) for photo in photos]
    if not all(results):
        raise click.exceptions.Exit(1)


def _print(reader: PhotoReader, photo: str, *, as_json: bool) -> bool:
    """Read one photograph and print what it shows; whether it could be read."""
    try:
        result = reader.read(photo)
    except (PhotoError, TrayError, OSError) as error:
        fault = str(error)
        if isinstance(error, TrayError):
            fault = f"{fault} Or leave out --area."
        elif not isinstance(error, PhotoError):
            reason = error.strerror or error
            fault = f"The drawing cannot be written ({reason}); choose another folder."
        result = {"file": photo, "error": fault}
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False))
    elif "error" in result:
        click.echo(f"{photo}: {result['error']}", err=True)
    else:
        read = result["roll" if result["pieces"] == DICE else result["pieces"]]
        reasons = (f"- {reason}" for reason in result["reasons"])
        click.echo(" ".join([f"{photo}: {read or 'nothing'}", *reasons]))
    return "error" not in result


@click.command("read-slip")
@click.argument("photos", type=click.Path(path_type=Path), nargs=-1, required=True)
def read_slip(photos: tuple[Path, ...]) -> None:
    """Read the printed result slips in PHOTOS, as a hub does.

    Prints a line of JSON for each slip: the photo, the slip's code, and for each row the game, the
    seat, the score, and whether it is sure. A score that is not sure needs a person.

    Example: tablescore read-slip table-7.jpg
    """
    from vision.capture.photo import open_photo
    from vision.read.slips import load_slip_reader

    reader = load_slip_reader()
    for photo in photos:
        for slip in reader.read(open_photo(photo)):
            rows: list[dict[str, Any]] = [
                {"game": row.game, "seat": row.seat + 1, "score": row.score, "sure": row.is_sure}
                for row in slip.rows
            ]
            code = None if slip.code is None else str(slip.code)
            click.echo(json.dumps({"photo": str(photo), "slip": code, "rows": rows}))


# The table's columns: the heading, and how the figure of a source is written.
COLUMNS: Final = {
    "source": "{source}",
    "photos": "{photos}",
    "pieces": "{pieces}",
    "found": "{found:.1%}",
    "right": "{right:.1%}",
    "false/photo": "{false_per_photo:.2f}",
    "exact": "{exact:.1%}",
    "silent": "{silent:.1%}",
    "needless": "{needless:.1%}",
    "median ms": "{median_milliseconds:.1f}",
    "p95 ms": "{p95_milliseconds:.1f}",
    "right of 20 px": "{right_of_20px:.1%}",
}


@click.command(epilog="Example: tablescore evaluate photographs/ --split dev")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@pieces_option
@edition_option
@click.option("--split", metavar="NAME", help="Only the photographs of this split, as in dev.")
@click.option(
    "--label",
    "asks",
    is_flag=True,
    help="First ask what the dice show on each photograph in FOLDER; values.txt keeps it.",
)
@click.option("--count", "counted", is_flag=True, help="Tell the reader how many are labelled.")
@as_json
def evaluate(  # noqa: PLR0913 -- click hands over one argument an option
    folder: Path,
    pieces: str,
    *,
    edition: Edition | None,
    split: str | None,
    asks: bool,
    counted: bool,
    as_json: bool,
) -> None:
    """Read the labelled photographs in FOLDER and count what was right.

    FOLDER holds photographs and values.txt, with a line for each as “IMG_1.jpg 3 5 5”; or images/
    and labels.jsonl; or folders that do. Found and right are shares of
    the labelled pieces; exact, silent (wrong without asking) and needless (asked though
    right) are shares of the photographs. Below the table, for all of them: how reliable the
    confidence is, and what was read as what. With --json one object a line and source.
    """
    from vision.capture.photo import open_to_read
    from vision.evaluate.scoring import evaluate as scores

    if asks and pieces != DICE:
        raise click.UsageError("--label asks for dice: leave it out with other pieces.")
    if asks:
        _ask(folder)
    recogniser = open_recogniser(pieces, edition=edition)
    scored = scores(folder, split, recogniser, open_to_read, counted=counted)
    if as_json:
        for each in scored:
            click.echo(json.dumps(_object(each), ensure_ascii=False))
        return
    figures = [asdict(each.row) for each in scored]
    rows = [[written.format(**each) for written in COLUMNS.values()] for each in figures]
    click.echo(_table([[*COLUMNS], *rows]))
    reliability = scored[-1].reliability
    ranks = "-" if reliability.auroc is None else f"{reliability.auroc:.3f}"
    error = f"{reliability.calibration_error:.4f}"
    click.echo(f"expected calibration error {error}, AUROC of right against wrong {ranks}\n")
    for confusion in scored[-1].confusions:
        lines = ((shown, *map(str, confusion.row(shown))) for shown in confusion.shown)
        click.echo(_table([("shown \\ said", *confusion.read_as), *lines]), nl=False)


def _ask(folder: Path) -> None:
    """Ask for the dice on each photograph that the folder's values lack; each answer is kept."""
    from hardware.cameras.folder import SUFFIXES
    from vision.evaluate.labels import VALUES, lines_of, typed

    file = folder / VALUES
    lines = lines_of(file) if file.exists() else []
    known = {each.path for line in lines if (each := typed(folder, line))}

    def line_of(photo: Path, values: str) -> str:
        if typed(folder, f"{photo.name} {values}") is None:
            raise click.UsageError("type what each die shows, as in 3 5 5, or 0 without dice")
        return f"{photo.name} {values}"

    for photo in sorted(folder.glob("[!.]*")):  # a Mac adds “._IMG_1.jpg” to each
        if photo.suffix.lower() in SUFFIXES and photo not in known:
            lines.append(click.prompt(f"{photo.name} shows", value_proc=partial(line_of, photo)))
            file.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _object(scored: ScoredSource) -> dict[str, Any]:
    reliability = asdict(scored.reliability)
    confusion = {
        each.aspect: {
            shown: dict(zip(each.read_as, each.row(shown), strict=True)) for shown in each.shown
        }
        for each in scored.confusions
    }
    return {**asdict(scored.row), **reliability, "confusion": confusion}


def _table(rows: Iterable[Sequence[str]]) -> str:
    listed = list(rows)
    first, *others = (max(map(len, column)) for column in zip(*listed, strict=True))
    lines = ("  ".join([row[0].ljust(first), *map(str.rjust, row[1:], others)]) for row in listed)
    return "".join(f"{line}\n" for line in lines)
