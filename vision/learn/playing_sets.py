"""Taught sets in play: which of them reads Tong Tong's cards or Rummikub's tiles, and how."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, NUMBERS, Box, Tile, piece
from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from scoreboard.message import message
from vision.capture.frame import Frame
from vision.errors import TaughtSetError
from vision.learn.quads import sides
from vision.learn.taught_reader import (
    PREFIX,
    TILE_FACES,
    PieceVerdict,
    ReadPiece,
    TaughtRecogniser,
    detection_of,
    doubts_about,
    is_tile_set,
    read_pieces,
)
from vision.learn.taught_sets import CHOICE, DESCRIPTION, TaughtSet, TaughtSets
from vision.read.detection import Candidate
from vision.read.observation import UNREADABLE, Detection, Observation, Recogniser
from vision.read.tile_rules import PieceLikelihoods, ResolvedTile
from vision.read.tiles import rule_doubts, settled_rows

LOG: Final = logging.getLogger(__name__)
CARDS: Final = frozenset(map(str, deck(CARD_COLOURS)))
NO_DECK: Final = message(
    "No deck of cards is taught yet: teach it under “Teach a set”, or play by taps."
)
Stamps = tuple[tuple[Path, int], ...]


class PlayingSet:
    """The recogniser made of the set that plays; `current` follows what is taught and deleted.

    `choose` names the set, `opened` makes a recogniser of it.
    """

    def __init__(
        self,
        sets: TaughtSets,
        choose: Callable[[TaughtSets], TaughtSet | None],
        opened: Callable[[TaughtSet], Recogniser],
    ) -> None:
        self._sets = sets
        self._choose = choose
        self._opened = opened
        self._stamps: Stamps | None = None
        self._reader: Recogniser | None = None

    def current(self) -> Recogniser | None:
        """The recogniser as the sets are now; None where no set plays."""
        stamps = _stamps(self._sets.folder)
        if stamps != self._stamps:
            taught = self._choose(self._sets)
            self._reader = None if taught is None else self._opened(taught)
            self._stamps = stamps
        return self._reader


def _stamps(folder: Path) -> Stamps:
    """What there is, and when it was written; a set that is replaced just now may be missing."""
    stamps = []
    for path in sorted([*folder.glob(f"*/{DESCRIPTION}"), folder / CHOICE]):
        try:
            stamps.append((path, path.stat().st_mtime_ns))
        except FileNotFoundError:
            continue
    return tuple(stamps)


def _whole_sets(sets: TaughtSets, faces: frozenset[str]) -> Iterator[TaughtSet]:
    """The sets that have all of these faces; a damaged one is logged and passed over."""
    for name in sets.names():
        try:
            taught = sets.load(name)
        except TaughtSetError as error:
            LOG.warning("%s", error)
        else:
            if set(taught.likeness.faces) >= faces:
                yield taught


def taught_deck(sets: TaughtSets) -> TaughtSet | None:
    """The set that Tong Tong's cards are read with, None where none has them all.

    A damaged set is logged and passed over.
    """
    decks = _whole_sets(sets, CARDS)
    return max(decks, key=lambda each: (each.trusted, each.taught_at), default=None)


def taught_for_sheet(sets: TaughtSets) -> TaughtSet | None:
    """The set whose cards a free score sheet adds up, None where none was taught."""
    known = _whole_sets(sets, frozenset())
    return max(known, key=lambda each: (each.trusted, each.taught_at), default=None)


def taught_tiles(sets: TaughtSets) -> TaughtSet | None:
    """The set that Rummikub's tiles are read with, None where the model reads them.

    It is the one that was chosen, or else the newest trusted one that has every face. A damaged
    set is logged and passed over.
    """
    chosen, whole = sets.chosen_tiles(), [*_whole_sets(sets, frozenset(TILE_FACES))]
    if chosen is not None:
        return next((each for each in whole if each.name == chosen), None)
    trusted = [each for each in whole if each.trusted]
    return max(trusted, key=lambda each: each.taught_at, default=None)


class CardsRecogniser:
    """Reads with the newest taught set that has all cards of Tong Tong, trusted ones first.

    Keeps the promise of `Recogniser` as long as the same sets are there; one that is taught or
    deleted meanwhile counts from the next frame on. Faces that are no cards, as a taught back,
    are left out. Without a deck nothing is seen, and the observation's hindrance says what to do.
    """

    name = "cards"

    def __init__(self, sets: TaughtSets) -> None:
        self._playing = PlayingSet(sets, taught_deck, TaughtRecogniser)

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        """Read one frame."""
        reader = self._playing.current()
        if reader is None:
            return Observation(frame.sequence, self.name, hindrance=NO_DECK)
        seen = reader(frame, expected)
        cards = tuple(each for each in seen.detections if each.label in {*CARDS, UNREADABLE})
        return replace(seen, recogniser=self.name, detections=cards)


class OwnTilesRecogniser:
    """Reads Rummikub's tiles with the family's own set where one plays, else with the model.

    Keeps the promise of `Recogniser` as long as the same sets are there; one that is taught,
    chosen or deleted meanwhile counts from the next frame on. `open_model` opens the model's
    reader when it is first needed; a box has `copies`.
    """

    name = "tiles"

    def __init__(
        self, sets: TaughtSets, open_model: Callable[[], Recogniser], copies: Box = CLASSIC
    ) -> None:
        self._playing = PlayingSet(
            sets, taught_tiles, lambda taught: TaughtTilesRecogniser(taught, copies)
        )
        self._open_model = open_model
        self._model = None if self._playing.current() else open_model()

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        """Read one frame."""
        own = self._playing.current()
        if own is not None:
            return replace(own(frame, expected), recogniser=self.name)
        if self._model is None:
            self._model = self._open_model()
        return self._model(frame, expected)


class OwnRecogniser:
    """Reads with the newest taught set of any kind, trusted ones first, for a free score sheet.

    Keeps the promise of `Recogniser` as long as the same sets are there. Without a set nothing is
    seen: the points are typed.
    """

    name = "own"

    def __init__(self, sets: TaughtSets) -> None:
        self._playing = PlayingSet(sets, taught_for_sheet, reader_of)

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        """Read one frame."""
        reader = self._playing.current()
        if reader is None:
            return Observation(frame.sequence, self.name)
        # Rows are of no matter to a sum, and the rules of tiles even less
        return replace(reader(frame, expected), recogniser=self.name, sets=())


_SURE: Final = 0.75  # the confidence of a piece that is just not divided
_READABLE: Final = 0.25
_LIKELIER: Final = 0.51  # the nearest face's least share: the next one is never likelier


class TaughtTilesRecogniser:
    """Reads a family's own set for Rummikub; keeps the promise of `Recogniser`.

    The network that finds Rummikub's tiles says where they lie, the taught set what is on them.
    Tiles come in reading order with the sets that they lie in, and the rules may resolve what the
    set leaves open, by what a box with `copies` holds. Faces that are no tiles, as a taught back,
    are left out.
    """

    def __init__(self, taught: TaughtSet, copies: Box = CLASSIC) -> None:
        """Raises ValueError for a set without all of Rummikub's faces."""
        if not is_tile_set(taught.likeness.faces):
            raise ValueError(f"{taught.name} is no set of tiles")
        self._taught = taught
        self._copies = copies
        self.name = f"{PREFIX}{taught.name}"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        """Read one frame."""
        read = [
            each
            for each in read_pieces(frame.image, self._taught.likeness, frame.area)
            if each.verdict.strange or each.verdict.face in TILE_FACES
        ]
        seen = [detection_of(each) for each in read]
        places = [_place(*each) for each in zip(read, seen, strict=True)]
        chances = [likelihoods(each.verdict) for each in read]
        order, settled, sets = settled_rows(
            places, chances, self._copies, sure=_SURE, readable=_READABLE
        )
        pairs = [*zip(order, settled, strict=True)]
        # What the rules settled needs no doubt about what it looked like
        open_ones = [read[at] for at, rule in pairs if not rule.inferred]
        doubts = (*doubts_about(open_ones, self._taught), *rule_doubts(settled, sets))
        return Observation(
            frame.sequence,
            self.name,
            tuple(_ruled(seen[at], rule) for at, rule in pairs),
            tuple(dict.fromkeys(doubts)),
            sets,
        )


def _place(tile: ReadPiece, seen: Detection) -> Candidate:
    x, y = (float(each) for each in tile.quad.mean(axis=0))
    return Candidate(seen.confidence, x, y, *sides(np.asarray(tile.quad)), seen.angle)


def _ruled(seen: Detection, rule: ResolvedTile) -> Detection:
    if not rule.inferred:
        return seen
    confidence = round(rule.confidence, 4)
    return replace(seen, label=str(rule.piece), confidence=confidence, inferred=True)


def reader_of(taught: TaughtSet) -> Recogniser:
    """The recogniser of any taught set; one with all of Rummikub's faces is read as tiles."""
    is_tiles = is_tile_set(taught.likeness.faces)
    return TaughtTilesRecogniser(taught) if is_tiles else TaughtRecogniser(taught)


def likelihoods(verdict: PieceVerdict) -> PieceLikelihoods:
    """What the rules may weigh: the nearest face and the next one, by the verdict's confidence."""
    kinds, inks = [0.0] * (len(NUMBERS) + 2), [0.0] * len(COLOURS)
    if verdict.strange:
        kinds[0] = 1.0
    nearest = max(_LIKELIER, verdict.confidence)
    shares: Sequence[tuple[str, float]] = (
        () if verdict.strange else ((verdict.face, nearest), (verdict.rival, 1 - nearest))
    )
    for face, share in shares:
        if face in TILE_FACES:
            shown = piece(face)
            if isinstance(shown, Tile):
                kinds[shown.number] += share
                inks[COLOURS.index(shown.colour)] += share
            else:
                kinds[-1] += share
    return PieceLikelihoods(tuple(kinds), tuple(inks), verdict.confidence)
