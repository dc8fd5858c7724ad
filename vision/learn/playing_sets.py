"""Which taught set reads Tong Tong's cards or Rummikub's tiles, and how it corrects the network."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, NUMBERS, XP, Box
from scoreboard.message import message
from vision.capture.frame import Frame, Image, Pyramid
from vision.errors import TaughtSetError
from vision.learn.prototypes import describe
from vision.learn.quads import cut, turned
from vision.learn.taught_reader import (
    CARD_FACES,
    PREFIX,
    STRANGE,
    TILE_FACES,
    PieceVerdict,
    ReadPiece,
    TaughtRecogniser,
    is_tile_set,
    read_pieces,
    untrusted,
)
from vision.learn.taught_sets import CHOICE, DESCRIPTION, TaughtSet, TaughtSets
from vision.read.detection import Candidate
from vision.read.networks import READER, Network, load_model
from vision.read.observation import UNREADABLE, Detection, Observation, Recogniser
from vision.read.tile_readings import KINDS, TileReading, compared, read_tiles
from vision.read.tiles import NAME as TILES
from vision.read.tiles import TilesRecogniser

LOG: Final = logging.getLogger(__name__)
CARDS: Final = frozenset(CARD_FACES)
NO_DECK: Final = message(
    "No deck of cards is taught yet: teach it under “Teach a set”, or play by taps."
)
Stamps = tuple[tuple[Path, int], ...]
Read = Callable[[Frame, int | None], Observation]


@dataclass(slots=True, eq=False)
class PlayingRecogniser:
    """Reads with the taught set in use, or as `untaught` does without one.

    Keeps the promise of `Recogniser` as long as the same sets exist; one that is taught, chosen or
    deleted meanwhile counts from the next frame on. `choose` names the set, `opened` makes a reader
    of it.
    """

    name: str
    sets: TaughtSets
    choose: Callable[[TaughtSets], TaughtSet | None]
    opened: Callable[[TaughtSet], Read]
    untaught: Read
    _read: Read = field(init=False)
    _stamps: Stamps | None = field(default=None, init=False)

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        stamps = _stamps(self.sets.folder)
        if stamps != self._stamps:
            taught = self.choose(self.sets)
            self._read = self.untaught if taught is None else self.opened(taught)
            self._stamps = stamps
        return replace(self._read(frame, expected), recogniser=self.name)


def _stamps(folder: Path) -> Stamps:
    """The existing sets with their times of writing; one being replaced may be missing."""
    stamps = []
    for path in sorted([*folder.glob(f"*/{DESCRIPTION}"), folder / CHOICE]):
        with suppress(FileNotFoundError):
            stamps.append((path, path.stat().st_mtime_ns))
    return tuple(stamps)


def _whole_sets(sets: TaughtSets, faces: frozenset[str]) -> Iterator[TaughtSet]:
    """The sets that have all of these faces; damaged ones are logged and skipped."""
    for name in sets.names():
        try:
            taught = sets.load(name)
        except TaughtSetError as error:
            LOG.warning("%s", error)
        else:
            if set(taught.likeness.faces) >= faces:
                yield taught


def taught_deck(sets: TaughtSets, faces: frozenset[str] = CARDS) -> TaughtSet | None:
    """The newest undamaged set with all of these faces, trusted ones first; None without one."""
    decks = _whole_sets(sets, faces)
    return max(decks, key=lambda each: (each.trusted, each.taught_at), default=None)


def taught_tiles(sets: TaughtSets) -> TaughtSet | None:
    """The set for reading Rummikub's tiles, None to use the model.

    It is the chosen one, or else the newest undamaged and trusted one with every face.
    """
    chosen, whole = sets.chosen_tiles(), [*_whole_sets(sets, frozenset(TILE_FACES))]
    if chosen is not None:
        return next((each for each in whole if each.name == chosen), None)
    trusted = [each for each in whole if each.trusted]
    return max(trusted, key=lambda each: each.taught_at, default=None)


def open_cards(sets: TaughtSets) -> PlayingRecogniser:
    """Read with the newest taught set that has all cards of Tong Tong, trusted ones first.

    Faces that are no cards, such as a taught back, are ignored. Without a deck nothing is seen, and
    the observation's hindrance names the cure.
    """

    def opened(taught: TaughtSet) -> Read:
        read = TaughtRecogniser(taught)

        def cards(frame: Frame, expected: int | None) -> Observation:
            seen = read(frame, expected)
            known = (each for each in seen.detections if each.label in {*CARDS, UNREADABLE})
            return replace(seen, detections=tuple(known))

        return cards

    return PlayingRecogniser(
        "cards",
        sets,
        taught_deck,
        opened,
        lambda frame, _: Observation(frame.sequence, "", hindrance=NO_DECK),
    )


def open_tiles(sets: TaughtSets, model: Recogniser, *, xp: bool = False) -> PlayingRecogniser:
    """Read Rummikub's tiles, of the `xp` box or not, with the model that the own set corrects."""
    copies = XP if xp else CLASSIC
    return PlayingRecogniser(
        "tiles", sets, taught_tiles, lambda taught: TaughtTilesRecogniser(taught, copies), model
    )


def open_own(sets: TaughtSets) -> PlayingRecogniser:
    """Read a free score sheet's pieces with the newest set, trusted ones first, or see nothing."""

    def opened(taught: TaughtSet) -> Read:
        read = reader_of(taught)
        # Rows are of no matter to a sum, and the rules of tiles even less
        return lambda frame, expected: replace(read(frame, expected), sets=())

    return PlayingRecogniser(
        "own",
        sets,
        lambda among: taught_deck(among, frozenset()),
        opened,
        lambda frame, _: Observation(frame.sequence, ""),
    )


_SURE: Final = 0.75  # the confidence of a tile that needs no check


class TaughtTilesRecogniser:
    """Reads a family's own set for Rummikub; keeps the promise of `Recogniser`.

    It is Tablescore's own reader corrected by the set; faces that are no tiles are ignored.
    """

    def __init__(self, taught: TaughtSet, copies: Box = CLASSIC) -> None:
        """A box holds `copies` of each. Raises ValueError: a face is not taught; WeightsError."""
        if not is_tile_set(taught.likeness.faces):
            raise ValueError(f"{taught.name} is no set of tiles")
        model = load_model(TILES)
        weigh = TileCorrection(model.networks[READER], taught)
        self._taught = taught
        self._read = TilesRecogniser(model, copies, weigh=weigh)
        self.name = f"{PREFIX}{taught.name}"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        seen = self._read(frame, expected)
        asks = seen.detections and not self._taught.trusted
        doubts = (untrusted(self._taught), *seen.doubts) if asks else seen.doubts
        return replace(seen, recogniser=self.name, doubts=doubts)


def reads_pieces(taught: TaughtSet) -> Callable[[Image], list[ReadPiece]]:
    """A function that finds a picture's pieces as the table reads them with that set."""
    if not is_tile_set(taught.likeness.faces):
        return lambda image: read_pieces(image, taught.likeness)
    read = TaughtTilesRecogniser(taught)
    return lambda image: [*map(_tile, read(Frame(0, taught.taught_at, image)).detections)]


def _tile(seen: Detection) -> ReadPiece:
    """A tile, doubted if the table would ask about it."""
    verdict = PieceVerdict(
        face=seen.label,
        rival=seen.readings[1][0],
        distance=0.0,
        confidence=seen.confidence,
        strange=seen.label == UNREADABLE,
        divided=seen.inferred or seen.confidence < _SURE,
        faint=False,
    )
    return ReadPiece(np.array(seen.quad, np.float32), verdict)


def reader_of(taught: TaughtSet) -> Recogniser:
    """The recogniser of any taught set; one with all of Rummikub's faces is read as tiles."""
    is_tiles = is_tile_set(taught.likeness.faces)
    return TaughtTilesRecogniser(taught) if is_tiles else TaughtRecogniser(taught)


_KINDS: Final = np.array([*(number for _ in COLOURS for number in NUMBERS), KINDS - 1])
_INKS: Final = np.repeat(np.arange(len(COLOURS)), len(NUMBERS))  # of all faces but the joker
_KNOWN: Final = 1.0  # examples that weigh as much as the network's own word
_SELDOM: Final = 0.05  # of a face's examples: so seldom it is not taken for another
_DISTINCT: Final = 0.8  # right this often: it tells an ink from the others
_OPEN: Final = 0.97  # likelier readings are not weighed by the taught faces
_STEEP: Final = 6.0  # how much nearer faces are likelier; measured on drawn sets
_AT_LEAST: Final = 0.005  # a badly taught face does not undo what the network is sure of
_LEAST: Final = 1e-12


class TileCorrection:
    """What a taught set adds to `TilesRecogniser`'s readings."""

    def __init__(self, reader: Network, taught: TaughtSet) -> None:
        """All of Rummikub's faces are taught; without pictures of all the network is trusted."""
        self._likeness = taught.likeness
        self._columns = [taught.likeness.faces.index(face) for face in TILE_FACES]
        shown = TILE_FACES if taught.pictures.keys() >= {*TILE_FACES} else ()
        read = list[TileReading]()
        for picture in (taught.pictures[face] for face in shown):  # each is a face laid flat
            height, width = picture.shape[:2]
            whole = Candidate(1.0, (width - 1) / 2, (height - 1) / 2, width, height, 0.0)
            read += read_tiles(reader, Pyramid(picture), [whole])
        coloured = read[: len(_INKS)]
        self._kinds = _meant(KINDS, _KINDS, [each.kinds for each in read])
        self._inks = _meant(len(COLOURS), _INKS, [each.inks for each in coloured])
        # Inks that the network tells apart are compared as those of any set
        self._means = None
        if self._inks.diagonal().min() < _DISTINCT:
            inks = np.array([each.ink for each in coloured])
            self._means = inks.reshape(len(COLOURS), len(NUMBERS), -1).mean(axis=1)

    def __call__(self, pyramid: Pyramid, readings: Sequence[TileReading]) -> list[TileReading]:
        """The readings, colours compared, corrected for this set's tiles."""
        corrected = [
            replace(
                each,
                kinds=tuple((self._kinds @ each.kinds).tolist()),
                inks=tuple((self._inks @ each.inks).tolist()),
            )
            for each in readings
        ]
        return [
            each if each.likelihood >= _OPEN else self._weighed(pyramid, each)
            for each in compared(corrected, self._means)
        ]

    def _weighed(self, pyramid: Pyramid, reading: TileReading) -> TileReading:
        """The reading times the tile's likeness to each taught face, either end up."""
        size, quad = self._likeness.size, reading.candidate.quad
        figures = describe(cut(pyramid, [turned(quad, turn) for turn in (0, 2)], size))
        apart = self._likeness.distances(figures).min(axis=0)[self._columns]
        if apart.min() > STRANGE:
            return reading
        chances = np.array(reading.kinds)[_KINDS] * np.append(np.array(reading.inks)[_INKS], 1.0)
        likeness = np.exp(_STEEP * (1 - apart / max(float(apart.min()), _LEAST)))
        chances *= np.maximum(likeness, _AT_LEAST)
        chances /= chances.sum() + _LEAST
        kinds = np.bincount(_KINDS, chances, KINDS)
        inks = np.bincount(_INKS, chances[:-1], len(COLOURS)) + _LEAST
        inks /= inks.sum()
        return replace(reading, kinds=tuple(kinds.tolist()), inks=tuple(inks.tolist()))


def _meant(
    count: int, true: NDArray[np.int64], seen: Sequence[Sequence[float]]
) -> NDArray[np.float64]:
    """The real values, down the columns, behind each of `count` values that the network sees.

    `true` are the values of N examples, `seen` the network's chances for them.
    """
    shares = np.eye(count) * _KNOWN
    for value, chances in zip(true, seen, strict=False):  # the network is trusted without any
        shares[value] += chances
    shares /= shares.sum(axis=1, keepdims=True)
    shares[shares < _SELDOM] = 0
    return np.asarray(shares / shares.sum(axis=0))
