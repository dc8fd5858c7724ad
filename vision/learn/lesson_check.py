"""What the photographs of a lesson show: their pieces, or what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Image
from vision.errors import PhotoError
from vision.learn.lesson import TaughtPhoto
from vision.learn.piece_finder import Found, candidates
from vision.learn.piece_groups import pieces_alike, pieces_of_one_face
from vision.learn.prototypes import Specimen, specimen
from vision.learn.quads import Quad, proportion
from vision.learn.solids import looks

OpenPhoto = Callable[[Path], Image]
Find = Callable[[Image], list[Found]]
Turn = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True, eq=False)
class Inspected:
    """One photograph: its specimens in reading order, or the problem with it."""

    photo: TaughtPhoto
    specimens: tuple[Specimen, ...] = ()
    problem: Message | None = None


Look = Callable[[TaughtPhoto, float | None], Inspected]


def inspect(
    photos: Sequence[TaughtPhoto],
    open_photo: OpenPhoto,
    *,
    solid: bool = False,
    turn: Turn = nullcontext,
) -> tuple[Inspected, ...]:
    """Look for the told pieces in every photograph; solid ones are seen from straight above.

    One photograph is in memory at a time; `turn` is entered for each look at one.

    Once most photographs have said how long and wide the set's pieces are, all are looked at
    again: a frame printed on a piece, or two pieces that touch, have another shape.
    """
    find = _dice_from_above if solid else candidates

    def look(photo: TaughtPhoto, shape: float | None) -> Inspected:
        with turn():
            return _look(photo, open_photo, find, shape)

    first = [look(photo, 1.0 if solid else None) for photo in photos]
    shape = 1.0 if solid else _shape(first)
    looked = [_again(each, look, shape) for each in first]
    return tuple(_numbered(each, sheet) for sheet, each in enumerate(looked, start=1))


def _numbered(each: Inspected, sheet: int) -> Inspected:
    """With pieces that know which others lay beside them, if the photograph shows several faces."""
    if len(each.photo.faces) == 1:
        return each
    return replace(each, specimens=tuple(replace(one, sheet=sheet) for one in each.specimens))


def _dice_from_above(image: Image) -> list[Found]:
    """Flat shapes, and the tops of dice as a camera straight above them sees them."""
    return [*candidates(image), *next(looks(image))]


def _shape(inspected: Iterable[Inspected]) -> float | None:
    found = [proportion(one.quad) for each in inspected for one in each.specimens]
    return float(np.median(found)) if found else None


def _again(each: Inspected, look: Look, shape: float | None) -> Inspected:
    """A second look at a photograph where the first was not right."""
    right = each.problem is None and all(
        shape is not None and abs(np.log(proportion(one.quad) / shape)) < np.log(1.3)
        for one in each.specimens
    )
    if shape is None or right:
        return each
    again = look(each.photo, shape)
    return again if again.problem is None else each


def _look(photo: TaughtPhoto, open_photo: OpenPhoto, find: Find, shape: float | None) -> Inspected:
    try:
        image = open_photo(photo.path)
    except PhotoError as error:
        return Inspected(photo, problem=error.message)
    quads = told_pieces(find(image), len(photo.faces), shape)
    problem = _problem(photo, quads)
    if problem is not None:
        return Inspected(photo, problem=problem)
    faces = photo.faces * len(quads) if len(photo.faces) == 1 else photo.faces
    pairs = zip(faces, quads, strict=False)
    return Inspected(photo, tuple(specimen(image, face, quad, photo.fold) for face, quad in pairs))


def told_pieces(found: Sequence[Found], faces: int, shape: float | None) -> list[Quad]:
    """The pieces of a photograph that is said to show so many faces, in reading order."""
    if faces == 1:
        return pieces_of_one_face(found, shape)
    return pieces_alike(found, faces, shape)


def _problem(photo: TaughtPhoto, quads: Sequence[Quad]) -> Message | None:
    if not quads:
        return message(
            "No piece was found: lay it on a plain table of another colour, whole in the picture, "
            "without glare."
        )
    if len(photo.faces) > 1 and len(quads) != len(photo.faces):
        return message(
            "{found} pieces were found where {told} were told: lay them apart, none touching "
            "another, on a plain table of another colour.",
            found=len(quads),
            told=len(photo.faces),
        )
    return None
