"""How well taught sets are read: each deck taught from its sheets, read in its evenings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.learn.piece_finder import FoundPiece
from vision.learn.prototypes import Likeness, learn
from vision.learn.quads import Quad, overlap
from vision.learn.school import Inspected, School, TaughtPhoto
from vision.learn.taught_reader import PieceVerdict, ReadPiece, read_found, shapes
from vision.learn.taught_sets import TaughtSets
from vision.train.rendering.decks.designs import ALL_DESIGNS, Design
from vision.train.rendering.decks.photo_session import TEACHING
from vision.train.report import markdown_table

_SAME: Final = 0.5


@dataclass
class Tally:
    """Counts of pieces: `right` ones may have been doubted, `silent` ones were wrong and sure.

    `refused` are strangers or pieces that were doubted or refused although they lay there; `extra`
    are places without a piece read as one.
    """

    pieces: int = 0
    right: int = 0
    sure: int = 0
    silent: int = 0
    refused: int = 0
    missed: int = 0
    extra: int = 0

    def add(self, face: str | None, verdict: PieceVerdict | None) -> None:
        """Count one piece; its face is None where it is of another set."""
        self.pieces += 1
        if verdict is None:
            self.missed += 1
            return
        is_right = not verdict.strange and verdict.face == face
        self.right += is_right
        self.sure += is_right and verdict.sure
        self.silent += verdict.sure and not is_right
        self.refused += not verdict.sure and not is_right


@dataclass(frozen=True, eq=False)
class PhotographedTable:
    """An evening photograph: its shapes, and the faces and corners of the pieces on it."""

    image: Image
    found: tuple[FoundPiece, ...]
    pieces: tuple[tuple[str, Quad], ...]


@dataclass(frozen=True)
class Measured:
    """What came of one set: its own pieces, those of other sets, and its own forgotten faces."""

    name: str
    photographs: int
    unused: int
    own: Tally = field(default_factory=Tally)
    others: Tally = field(default_factory=Tally)
    forgotten: Tally = field(default_factory=Tally)


def measure(folder: Path, design: Design, others: Sequence[str], photographs: int) -> Measured:
    """Teach a deck from that many scenes, read its evenings, and those of other decks."""
    name, solid = design.name, design.is_die
    inspected = taught_photographs(folder / name, photographs, solid=solid)
    unused = sum(each.problem is not None for each in inspected)
    likeness = learn([one for each in inspected for one in each.specimens], solid=solid)
    measured = Measured(name, photographs, unused)
    for table in _evening(folder / name, solid=solid):
        _count(measured.own, read_found(table.image, table.found, likeness), table.pieces)
        _count_forgotten(measured.forgotten, table, likeness)
    for other in others:
        for table in _evening(folder / other, solid=solid):
            strangers = [(None, quad) for _, quad in table.pieces]
            _count(measured.others, read_found(table.image, table.found, likeness), strangers)
    return measured


def taught_photographs(deck: Path, photographs: int, *, solid: bool) -> tuple[Inspected, ...]:
    """The sheets of the first scenes, looked at as the teaching command does."""
    photos = []
    for scene in range(min(photographs, TEACHING)):
        for path in sorted((deck / "teaching" / str(scene)).glob("*.jpg")):
            faces = tuple(piece["face"] for piece in _labels(path)["pieces"])
            photos.append(TaughtPhoto(path, faces, scene))
    school = School(TaughtSets(deck), open_photo, lambda: datetime.now(UTC))
    return school.inspect(photos, solid=solid)


@cache
def _evening(deck: Path, *, solid: bool) -> tuple[PhotographedTable, ...]:
    return tuple(_table(path, solid=solid) for path in sorted(deck.glob("evening/*/*.jpg")))


def _table(path: Path, *, solid: bool) -> PhotographedTable:
    image = open_photo(path)
    pieces = tuple(
        (str(piece["face"]), np.array(piece["quad"], np.float32))
        for piece in _labels(path)["pieces"]
    )
    return PhotographedTable(image, tuple(shapes(image, solid=solid)), pieces)


def _labels(path: Path) -> dict[str, Any]:
    labels: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return labels


def _count(
    tally: Tally, read: Sequence[ReadPiece], pieces: Sequence[tuple[str | None, Quad]]
) -> None:
    """Count the readings of each piece, and those without a piece."""
    used = set()
    for face, quad in pieces:
        at = _at(read, quad)
        used.add(at)
        tally.add(face, None if at is None else read[at].verdict)
    tally.extra += sum(at not in used for at in range(len(read)))


def _at(read: Sequence[ReadPiece], quad: Quad) -> int | None:
    """The number of what was read at a place, None where nothing was."""
    best = max(range(len(read)), key=lambda at: overlap(read[at].quad, quad), default=None)
    return None if best is None or overlap(read[best].quad, quad) < _SAME else best


def _count_forgotten(tally: Tally, table: PhotographedTable, likeness: Likeness) -> None:
    """Read one piece of the picture as if its face had never been taught."""
    face, quad = table.pieces[0]
    read = read_found(table.image, table.found, likeness.without(face))
    at = _at(read, quad)
    tally.add(None, None if at is None else read[at].verdict)


_HEAD: Final = """\
# Taught sets, measured

How well the reader reads sets that no model was trained for: decks of 40 long cards of made-up
design (`vision/train/rendering/decks/`) and dice with symbols, rendered by path tracing on plain
tables of felt, wood, linen, leather, plastic, marble, granite and carpet. A deck is taught from
sheets of eight cards in a row, seen from 64 to 90 degrees above the table; each scene has its own
table, light and camera. It is read in five other scenes: pieces scattered without touching, turned
at random, seen from 45 to 90 degrees, with other tables, lights, white balance, sharpness, noise
and compression, in pictures of 800 x 600. The measurement works like `tablescore teach` and
`tablescore read`: it searches the whole picture for pieces, and knows only the taught names.

*Right* pieces have the right label, doubted or not; *sure* pieces are right and not doubted;
*silent* ones are wrong without any doubt; *asked* ones are wrong but doubted or refused; *extra*
counts places read as pieces where there is none. The reader was tuned on the sets marked as such.
Nobody looked at the errors of the others: abacus and sash were drawn after its first version was
finished, and lanterns, mosaic and weather after this one.

Written by `python -m vision.train.rendering decks-measure`.
"""
_STRANGERS: Final = """\
The shares that were refused, doubted or ignored, for pieces of two other decks (for dice: of the
other dice) read with this set, and for pieces of this set whose own face was forgotten. A forgotten
face is the harder case: everything but its numeral, or everything but its colour, was taught.
"""
_COLUMNS: Final = (
    "set", "photographs a face", "pieces", "right", "sure", "silent", "asked", "missed", "extra",
)  # fmt: skip


def page(tuned: Sequence[str], measured: Iterable[Measured]) -> str:
    """The whole page; `tuned` are the names of the sets that were tuned on."""
    listed = list(measured)
    most = max(each.photographs for each in listed)
    full = [each for each in listed if each.photographs == most]
    parts = [
        _HEAD,
        f"## {most} photographs a face\n",
        _page_table(full, tuned),
        "## Strangers\n",
        _STRANGERS,
        _strangers(full),
    ]
    fewer = [each for each in listed if each.photographs < most]
    if fewer:
        parts += ["## Fewer photographs\n", _page_table(fewer, tuned)]
    return "\n".join(parts)


def _page_table(measured: Iterable[Measured], tuned: Sequence[str]) -> str:
    rows = [
        (
            f"{each.name}{' (tuned on)' if each.name in tuned else ''}",
            str(each.photographs),
            str(each.own.pieces),
            _share(each.own.right, each.own),
            _share(each.own.sure, each.own),
            *(
                str(count)
                for count in (each.own.silent, each.own.refused, each.own.missed, each.own.extra)
            ),
        )
        for each in measured
    ]
    return markdown_table(_COLUMNS, rows)


def _strangers(measured: Iterable[Measured]) -> str:
    rows = []
    for each in measured:
        others, forgotten = each.others, each.forgotten
        rows.append(
            (
                each.name,
                str(others.pieces),
                _share(others.refused + others.missed, others),
                str(others.silent),
                str(forgotten.pieces),
                _share(forgotten.refused + forgotten.missed, forgotten),
            )
        )
    columns = ("set", "pieces of others", "refused", "silent", "forgotten faces", "not guessed")
    return markdown_table(columns, rows)


def _share(count: int, tally: Tally) -> str:
    return f"{count / tally.pieces:.1%}" if tally.pieces else "–"


_UNTAUGHT: Final = 2


def measure_all(folder: Path, *, again: bool) -> Iterator[Measured]:
    """Every set with three photographs a face, and with fewer; all anew if again."""
    for photographs in range(TEACHING, 0, -1):
        for design in ALL_DESIGNS:
            path = folder / design.name / f"measured-{photographs}.json"
            if again or not path.exists():
                measured = measure(folder, design, _others(design, photographs), photographs)
                path.write_text(json.dumps(asdict(measured)) + "\n", encoding="utf-8")
            yield _measured(json.loads(path.read_text(encoding="utf-8")))


def _others(design: Design, photographs: int) -> list[str]:
    """The sets whose pieces are strangers to this one: the next two of the same shape, once."""
    if photographs < TEACHING:
        return []
    same_shape = [each.name for each in ALL_DESIGNS if each.is_die == design.is_die]
    at = same_shape.index(design.name)
    return [*same_shape[at + 1 :], *same_shape[:at]][:_UNTAUGHT]


def _measured(stored: dict[str, Any]) -> Measured:
    own, others, forgotten = (Tally(**stored[name]) for name in ("own", "others", "forgotten"))
    return Measured(stored["name"], stored["photographs"], stored["unused"], own, others, forgotten)
