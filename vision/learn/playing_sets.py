"""Which taught set reads Tong Tong's cards or Rummikub's tiles, and how."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from scoreboard.games.rummikub.tiles import CLASSIC, XP, Box
from scoreboard.message import message
from vision.capture.frame import Frame, Image
from vision.errors import TaughtSetError
from vision.learn.taught_reader import (
    CARD_FACES,
    PREFIX,
    TILE_FACES,
    PieceVerdict,
    ReadPiece,
    TaughtRecogniser,
    is_tile_set,
    read_pieces,
    untrusted,
)
from vision.learn.taught_sets import CHOICE, DESCRIPTION, TaughtSet, TaughtSets
from vision.learn.tile_correction import TileCorrection
from vision.read.networks import READER, load_model
from vision.read.observation import UNREADABLE, Detection, Observation, Recogniser
from vision.read.tiles import NAME as TILES
from vision.read.tiles import TilesRecogniser

LOG: Final = logging.getLogger(__name__)
CARDS: Final = frozenset(CARD_FACES)
NO_DECK: Final = message(
    "No deck of cards is taught yet: teach it under “Teach a set”, or play by taps."
)
Stamps = tuple[tuple[Path, int], ...]
Read = Callable[[Frame, int | None], Observation]


class PlayingRecogniser:
    """Reads with the taught set in use, or as `untaught` does without one.

    Keeps the promise of `Recogniser` as long as the same sets exist; one that is taught, chosen or
    deleted meanwhile counts from the next frame on. `choose` names the set, `opened` makes a reader
    of it.
    """

    def __init__(
        self,
        name: str,
        sets: TaughtSets,
        choose: Callable[[TaughtSets], TaughtSet | None],
        opened: Callable[[TaughtSet], Read],
        untaught: Read,
    ) -> None:
        self.name = name
        self._sets = sets
        self._choose = choose
        self._opened = opened
        self._untaught = self._read = untaught
        self._stamps: Stamps | None = None

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        stamps = _stamps(self._sets.folder)
        if stamps != self._stamps:
            taught = self._choose(self._sets)
            self._read = self._untaught if taught is None else self._opened(taught)
            self._stamps = stamps
        return replace(self._read(frame, expected), recogniser=self.name)


def _stamps(folder: Path) -> Stamps:
    """The existing sets with their times of writing; one being replaced may be missing."""
    stamps = []
    for path in sorted([*folder.glob(f"*/{DESCRIPTION}"), folder / CHOICE]):
        try:
            stamps.append((path, path.stat().st_mtime_ns))
        except FileNotFoundError:
            continue
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
    """The newest set with all of these faces, trusted ones first; None if there is none.

    A damaged set is logged and skipped.
    """
    decks = _whole_sets(sets, faces)
    return max(decks, key=lambda each: (each.trusted, each.taught_at), default=None)


def taught_tiles(sets: TaughtSets) -> TaughtSet | None:
    """The set for reading Rummikub's tiles, None to use the model.

    It is the chosen one, or else the newest trusted one with every face. A damaged set is logged
    and skipped.
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


def open_tiles(sets: TaughtSets, model: Recogniser, copies: Box = CLASSIC) -> PlayingRecogniser:
    """Read Rummikub's tiles with the model, corrected by the family's own set."""
    return PlayingRecogniser(
        "tiles", sets, taught_tiles, lambda taught: TaughtTilesRecogniser(taught, copies), model
    )


def open_own(sets: TaughtSets) -> PlayingRecogniser:
    """Read with the newest taught set of any kind, trusted ones first, for a free score sheet.

    Without a set nothing is seen: the points are typed.
    """

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

    It is Tablescore's own reader corrected by the taught set; faces that are no tiles, such as a
    taught back, are ignored.
    """

    def __init__(self, taught: TaughtSet, copies: Box = CLASSIC) -> None:
        """A box holds `copies` of each tile.

        Raises:
            ValueError: the set lacks some of Rummikub's faces.
            WeightsError: the model of tiles cannot be loaded.
        """
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
