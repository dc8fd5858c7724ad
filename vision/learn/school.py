"""Teaching a set: checking its photographs, learning, and the examination.

A doubt about a photograph is raised from its pieces before anything is learned. A person who checks
the photograph may overrule it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, combinations, groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image
from vision.errors import LessonError, PhotoError
from vision.learn.piece_finder import (
    candidates,
    find_tiles,
    pieces_of_one_face,
    similar_pieces,
    top_faces,
)
from vision.learn.playing_sets import reads_pieces
from vision.learn.prototypes import (
    Figures,
    Likeness,
    Specimen,
    describe,
    learn,
    specimen,
    thumbnail,
    upright,
)
from vision.learn.quads import Format, Quad, cut, is_shaped, overlap, proportion, turned
from vision.learn.taught_reader import PieceVerdict, is_tile_set, read_quads
from vision.learn.taught_sets import ExaminationScore, TaughtSet, TaughtSets
from vision.read.tiles import TilesRecogniser

STRANGERS: Final = "unknown"  # the folder of pieces that are of no face of the set
_PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic"})
_COUNTER: Final = re.compile(r"(.+?)(?:-\d+| ?\(\d+\))")


@dataclass(frozen=True, slots=True)
class TaughtPhoto:
    """One photograph of a lesson.

    `faces` are in reading order; a single one may have several pieces; `fold` counts its photos.
    """

    path: Path
    faces: tuple[str, ...]
    fold: int


def faces_of(photos: tuple[TaughtPhoto, ...]) -> tuple[str, ...]:
    """Every face of the set that the lesson names, each once."""
    named = (photo.faces for photo in photos if photo.faces != (STRANGERS,))
    return tuple(dict.fromkeys(chain.from_iterable(named)))


def _faces(folder: Path, path: Path) -> tuple[str, ...]:
    """The faces that a picture's folder names, or else its own name without a counter."""
    if path.parent != folder:
        return tuple(path.parent.name.split())
    counted = _COUNTER.fullmatch(path.stem)
    return tuple((counted[1] if counted else path.stem).split())


OpenPhoto = Callable[[Path], Image]
Turn = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True, eq=False)
class Inspected:
    """One photograph: specimens and found outlines in reading order, or its problem."""

    photo: TaughtPhoto
    specimens: tuple[Specimen, ...] = ()
    problem: Message | None = None
    outlines: tuple[Quad, ...] = ()


_NO_PIECE: Final = message(
    "No piece was found: lay it on a plain table of another colour, whole in the picture, "
    "without glare."
)


# Measured on a drawn deck: paper has 245 in good light, 73 in 30 % and 44 in 18 % of it;
_DARK: Final = 60  # of 255, the lightest part of a photograph's pieces
# a crop's finest detail is 0.5 of all its contrast, 0.24 at a blur of a 30th of a piece's width and
# 0.11 at a 20th;
_BLURRED: Final = 0.17
# pieces of one face in one photograph differ by 0.002 to 0.03, those of two faces by 0.1 and more.
_SIMILAR: Final = 0.05
_MUCH_NEARER: Final = 2.0  # times: to another face's photographs than to those of its own
# Two pieces that would fit each other's names that many times better. Of photographs of five tiles
# this doubts 2 in 100 that are named right, and 88 in 100 on which two names are exchanged.
_EXCHANGED: Final = 1.3

Known = Mapping[str, Sequence[Image]]  # pieces of earlier photographs, laid flat, by their faces


def doubt(specimens: Sequence[Specimen], known: Known) -> Message | None:
    """The reason to doubt a photograph with these pieces, or None.

    `known` holds pieces of each face from other photographs, height x width x 3, any way up.
    """
    if not specimens:
        return None
    size = Format.of(float(np.median([proportion(one.quad) for one in specimens])))
    crops = np.concatenate([cut(one.pyramid, [one.quad], size) for one in specimens])
    if np.percentile(crops, 99) < _DARK:
        return message("This photo is very dark: take it again in more light.")
    if np.median([_detail(crop) for crop in crops]) < _BLURRED:
        return message("This photo is blurred: hold the camera still and take it again.")
    return _named_wrong(specimens, size, known)


def _detail(crop: Image) -> float:
    """The share of a crop's contrast that is in its finest detail."""
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY), np.float32)
    return float((grey - cv2.GaussianBlur(grey, (0, 0), 1)).std() / max(float(grey.std()), 1e-6))


def _named_wrong(specimens: Sequence[Specimen], size: Format, known: Known) -> Message | None:
    # The figures of each piece as each of its corners may be the first, W x D
    ways = [
        describe(cut(one.pyramid, [turned(one.quad, by) for by in size.turns(one.quad)], size))
        for one in specimens
    ]
    faces = [one.face for one in specimens]
    for one, other in combinations(range(len(faces)), 2):
        if faces[one] != faces[other] and _apart(ways[one][:1], ways[other]) < _SIMILAR:
            return message(
                "The pieces called {one} and {other} look alike: are the names in the order of "
                "the photo, from left to right, row by row?",
                one=faces[one],
                other=faces[other],
            )
    shape = (size.width, size.height)
    seen = {face: _figures(pieces, shape) for face, pieces in known.items() if pieces}
    apart = [{each: _apart(piece, figures) for each, figures in seen.items()} for piece in ways]
    for face, far in zip(faces, apart, strict=True):
        nearest = min(far, key=far.__getitem__, default=face)
        if face in far and far[nearest] * _MUCH_NEARER < far[face]:
            return message(
                "The piece called {told} looks like {other} on another photo: are the names in "
                "the order of the photo, from left to right, row by row?",
                told=face,
                other=nearest,
            )
    for one, other in combinations([at for at, face in enumerate(faces) if face in seen], 2):
        own = apart[one][faces[one]] + apart[other][faces[other]]
        if _EXCHANGED * (apart[one][faces[other]] + apart[other][faces[one]]) < own:
            return message(
                "The pieces called {one} and {other} look as if their names were exchanged: are "
                "the names in the order of the photo, from left to right, row by row?",
                one=faces[one],
                other=faces[other],
            )
    return None


def worst(pieces: Sequence[Image]) -> int:
    """The index of the piece that looks least like the others, of at least two of one face.

    Pieces are laid flat, height x width x 3, any way up. Light and lens hardly change what they are
    compared by, so it is one that is cut out askew, blurred, in glare or of another face.
    """
    shape = (pieces[0].shape[1], pieces[0].shape[0])
    ways = [_figures((each, np.rot90(each, 2)), shape) for each in pieces]
    strangeness = [
        sum(_apart(one[:1], other) for other in ways if other is not one) for one in ways
    ]
    return int(np.argmax(strangeness))


def _figures(pieces: Sequence[Image], shape: tuple[int, int]) -> Figures:
    crops = [cv2.resize(each, shape, interpolation=cv2.INTER_AREA) for each in pieces]
    return describe(np.stack(crops))


def _apart(one: Figures, other: Figures) -> float:
    """The least squared distance between the figures of two pieces (N x D and M x D)."""
    return float(min(((each - other) ** 2).sum(axis=1).min() for each in one))


ENOUGH: Final = 0.95  # of the pieces right: less is not trusted
_SAME: Final = 0.5


@dataclass(frozen=True, slots=True)
class ExaminationAnswer:
    """The verdict on one piece of an examination; None if it was not found."""

    path: Path
    face: str
    verdict: PieceVerdict | None

    @property
    def is_right(self) -> bool:
        """Whether the face was read right, with or without a doubt."""
        verdict = self.verdict
        return verdict is not None and not verdict.strange and verdict.face == self.face

    @property
    def is_silent(self) -> bool:
        """Whether another face was read without any doubt."""
        verdict = self.verdict
        return verdict is not None and verdict.sure and verdict.face != self.face


@dataclass(frozen=True, slots=True)
class Examination:
    """All answers; `held_back`: the photographs were not used for learning."""

    answers: tuple[ExaminationAnswer, ...]
    held_back: bool

    @property
    def known(self) -> tuple[ExaminationAnswer, ...]:
        return tuple(each for each in self.answers if each.face != STRANGERS)

    @property
    def silent(self) -> tuple[ExaminationAnswer, ...]:
        """Pieces taken for another face, or strangers for a face, without any doubt."""
        return tuple(each for each in self.answers if each.is_silent)

    @property
    def confusions(self) -> Counter[tuple[str, str]]:
        """By (shown, read as), with or without a doubt; `?` for refused."""
        wrong = (each for each in self.known if not each.is_right)
        return Counter(
            (each.face, "?" if each.verdict is None or each.verdict.strange else each.verdict.face)
            for each in wrong
        )

    @property
    def score(self) -> ExaminationScore:
        known = self.known
        strangers = [each for each in self.answers if each.face == STRANGERS]
        return ExaminationScore(
            held_back=self.held_back,
            pieces=len(known),
            right=sum(each.is_right for each in known),
            asked=sum(each.verdict is None or not each.verdict.sure for each in known),
            silent=len(self.silent),
            strangers=len(strangers),
            refused=sum(not each.is_silent for each in strangers),
        )

    @property
    def passed(self) -> bool:
        """Whether the set may be trusted: nearly all right, and nothing wrong without a doubt."""
        score = self.score
        return score.pieces > 0 and score.right >= ENOUGH * score.pieces and not score.silent


@dataclass(frozen=True, slots=True)
class School:
    """Teaches and keeps sets; `clock` is UTC, `turn` entered while a photograph is in memory."""

    sets: TaughtSets
    open_photo: OpenPhoto
    clock: Callable[[], datetime]
    turn: Turn = nullcontext

    def lesson_in(self, folder: Path) -> tuple[TaughtPhoto, ...]:
        """The photographs in a folder, by the names of their faces and then of their files.

        `FOLDER/R1/anything.jpg` shows the face R1; `FOLDER/R1 R2 R3/anything.jpg` shows three in
        reading order; `FOLDER/R1-2.jpg` or `FOLDER/R1 (2).jpg` is the second photograph of R1.

        Raises LessonError: there is no such folder, or no picture in it.
        """
        if not folder.is_dir():
            raise LessonError(
                message("There is no folder {folder}; check its name.", folder=str(folder))
            )
        named = sorted(
            (_faces(folder, path), path)
            for path in (*folder.glob("*"), *folder.glob("*/*"))
            if path.suffix.lower() in _PICTURES and path.is_file() and path.name[0] != "."
        )
        if not named:
            raise LessonError(
                message(
                    "The folder {folder} holds no pictures: make a folder in it for each face, "
                    "named after the face, with one to five photographs.",
                    folder=str(folder),
                )
            )
        return tuple(
            TaughtPhoto(path, faces, fold)
            for faces, photos in groupby(named, key=itemgetter(0))
            for fold, (_, path) in enumerate(photos)
        )

    def inspect(
        self, photos: Sequence[TaughtPhoto], *, solid: bool = False, tiles: bool = False
    ) -> tuple[Inspected, ...]:
        """Find the named pieces, or the problem with each photograph; one is in memory at a time.

        Solid ones are seen from straight above, and tiles are found as the table finds Rummikub's.
        Once most photographs have shown the proportion of the set's pieces, those that differ are
        searched again: a frame printed on a piece, or two pieces that touch, have another shape.
        """
        first = [
            self._searched(each, 1.0 if solid else None, solid=solid, tiles=tiles)
            for each in photos
        ]
        found = [proportion(one.quad) for each in first for one in each.specimens]
        shape = 1.0 if solid else float(np.median(found)) if found else None
        inspected = []
        for sheet, each in enumerate(first, start=1):
            is_right = each.problem is None and all(
                shape is not None and is_shaped(one.quad, shape, 1.3) for one in each.specimens
            )
            if shape is not None and not is_right:
                again = self._searched(each.photo, shape, solid=solid, tiles=tiles)
                each = again if again.problem is None else each  # noqa: PLW2901 -- the better one
            if len(each.photo.faces) > 1:
                numbered = tuple(replace(one, sheet=sheet) for one in each.specimens)
                each = replace(each, specimens=numbered)  # noqa: PLW2901 -- its pieces are one sheet
            inspected.append(each)
        return tuple(inspected)

    def _searched(
        self, photo: TaughtPhoto, shape: float | None, *, solid: bool, tiles: bool
    ) -> Inspected:
        with self.turn():
            try:
                image = self.open_photo(photo.path)
            except PhotoError as error:
                return Inspected(photo, problem=error.message)
            found = find_tiles(image) if tiles else candidates(image)
            if solid:  # and the tops of dice as a camera straight above them sees them
                found += next(top_faces(image))
            faces = photo.faces
            if len(faces) == 1:
                quads = pieces_of_one_face(found, shape)
                faces *= len(quads)
            else:
                quads = similar_pieces(found, len(faces), shape)
            if not quads:
                return Inspected(photo, problem=_NO_PIECE)
            if len(quads) != len(faces):
                problem = message(
                    "{found} pieces were found where {told} were told: lay them apart, none "
                    "touching another, on a plain table of another colour.",
                    found=len(quads),
                    told=len(faces),
                )
                return Inspected(photo, problem=problem, outlines=tuple(quads))
            pairs = zip(faces, quads, strict=True)
            pieces = tuple(specimen(image, face, quad, photo.fold) for face, quad in pairs)
            return Inspected(photo, pieces, outlines=tuple(quads))

    def read_untaught(self, inspected: Inspected) -> int:
        """The number of tiles of a photograph that Tablescore's own reader reads right.

        What the rules of sets settle does not count: tiles may be laid out in their order. Raises
        PhotoError or WeightsError.
        """
        with self.turn():
            image = self.open_photo(inspected.photo.path)
            seen = TilesRecogniser()(Frame(0, self.clock(), image))
        read = Counter(each.label for each in seen.detections if not each.inferred)
        return (read & Counter(one.face for one in inspected.specimens)).total()

    def photographs_a_face(self, inspected: Sequence[Inspected]) -> Counter[str]:
        counts = Counter(dict.fromkeys(faces_of(tuple(each.photo for each in inspected)), 0))
        for each in inspected:
            counts.update({one.face for one in each.specimens})
        return counts

    def learn(self, name: str, inspected: Iterable[Inspected], *, solid: bool = False) -> TaughtSet:
        """Learn from every found piece. Raises ValueError for fewer than two faces."""
        specimens = [one for each in inspected for one in each.specimens]
        likeness = learn(specimens, solid=solid)
        pictures: dict[str, Image] = {}
        for one in upright(specimens, likeness.size):
            pictures.setdefault(one.face, thumbnail(one, likeness.size))
        return TaughtSet(name, likeness, trusted=False, taught_at=self.clock(), pictures=pictures)

    def refused_untaught(
        self, inspected: Iterable[Inspected], likeness: Likeness
    ) -> tuple[int, int]:
        """The numbers of pieces refused or doubted with their own face forgotten, and tried.

        None of tiles: Tablescore's own reader knows their faces.
        """
        refused = [
            not read_quads(one.pyramid, likeness.without(one.face), [one.quad])[0].verdict.sure
            for each in inspected
            for one in each.specimens
            if len(likeness.faces) > 2 and not is_tile_set(likeness.faces)  # noqa: PLR2004 -- two must remain to compare with
        ]
        return sum(refused), len(refused)

    def examine_held_back(self, taught: TaughtSet, inspected: Iterable[Inspected]) -> Examination:
        """Read photographs not used for learning as the table will: the whole picture."""
        read_photo = reads_pieces(taught)
        answers: list[ExaminationAnswer] = []
        for each in inspected:
            if each.problem is None:
                with self.turn():
                    read = read_photo(self.open_photo(each.photo.path))
                for one in each.specimens:
                    best = max(read, key=lambda it: overlap(it.quad, one.place), default=None)
                    is_found = best is not None and overlap(best.quad, one.place) >= _SAME
                    verdict = best.verdict if best is not None and is_found else None
                    answers.append(ExaminationAnswer(each.photo.path, one.face, verdict))
        return Examination(tuple(answers), held_back=True)

    def examine_by_turns(
        self, inspected: Sequence[Inspected], *, solid: bool = False
    ) -> Examination | None:
        """Leave out one photograph of each face, learn from the others and read it; each in turn.

        None if some face has only one photograph: nothing would be left to learn it from.
        """
        usable = [each for each in inspected if each.specimens]
        faces = (+self.photographs_a_face(usable)).keys()
        answers: list[ExaminationAnswer] = []
        for fold in sorted({each.photo.fold for each in usable}):
            others = [each for each in usable if each.photo.fold != fold]
            if (+self.photographs_a_face(others)).keys() != faces:
                return None
            left_out = [each for each in usable if each.photo.fold == fold]
            answers += self.examine_held_back(self.learn("", others, solid=solid), left_out).answers
        return Examination(tuple(answers), held_back=False)

    def keep(self, taught: TaughtSet, examination: Examination | None) -> TaughtSet:
        """Store the set, trusted if it passed on photographs held back; gives it with its revision.

        Raises TaughtSetError: the name cannot be kept; OSError: it cannot be written.
        """
        trusted = examination is not None and examination.held_back and examination.passed
        score = None if examination is None else examination.score
        return self.sets.save(replace(taught, trusted=trusted, score=score))
