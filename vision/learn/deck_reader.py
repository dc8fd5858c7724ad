"""Reads Tong Tong's cards with a deck that was taught: no model knows them."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Final

from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from scoreboard.message import message
from vision.capture.frame import Frame
from vision.errors import TaughtSetError
from vision.learn.taught_reader import TaughtRecogniser
from vision.learn.taught_set import TaughtSet
from vision.learn.taught_sets import DESCRIPTION, TaughtSets
from vision.read.observation import UNREADABLE, Observation

LOG: Final = logging.getLogger(__name__)
CARDS: Final = frozenset(map(str, deck(CARD_COLOURS)))
NO_DECK: Final = message(
    "No deck of cards is taught yet: teach it under “Teach a set”, or play by taps."
)
Stamps = tuple[tuple[Path, int], ...]


class CardsRecogniser:
    """Reads with the newest taught set that has all cards of Tong Tong, trusted ones first.

    Keeps the promise of `Recogniser` as long as the same sets are there; one that is taught or
    deleted meanwhile counts from the next frame on. Faces that are no cards, as a taught back,
    are left out. Without a deck nothing is seen, and the observation's hindrance says what to do.
    """

    def __init__(self, sets: TaughtSets) -> None:
        self._sets = sets
        self._stamps: Stamps | None = None
        self._reader: TaughtRecogniser | None = None

    @property
    def name(self) -> str:
        """Always `cards`."""
        return "cards"

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        reader = self._newest()
        if reader is None:
            return Observation(frame.sequence, self.name, hindrance=NO_DECK)
        seen = reader(frame)
        cards = tuple(each for each in seen.detections if each.label in {*CARDS, UNREADABLE})
        return replace(seen, recogniser=self.name, detections=cards)

    def _newest(self) -> TaughtRecogniser | None:
        stamps = _stamps(self._sets.folder)
        if stamps != self._stamps:
            taught = taught_deck(self._sets)
            self._reader = None if taught is None else TaughtRecogniser(taught)
            self._stamps = stamps
        return self._reader


def taught_deck(sets: TaughtSets) -> TaughtSet | None:
    """The set that Tong Tong's cards are read with, None where none has them all.

    A damaged set is told in the log and passed over.
    """
    loaded = (_loaded(sets, name) for name in sets.names())
    decks = [each for each in loaded if each is not None and set(each.likeness.faces) >= CARDS]
    return max(decks, key=lambda each: (each.trusted, each.taught_at), default=None)


def _loaded(sets: TaughtSets, name: str) -> TaughtSet | None:
    try:
        return sets.load(name)
    except TaughtSetError as error:
        LOG.warning("%s", error)
        return None


def _stamps(folder: Path) -> Stamps:
    """What there is, and when it was written; a set that is replaced just now may be missing."""
    stamps = []
    for path in sorted(folder.glob(f"*/{DESCRIPTION}")):
        try:
            stamps.append((path, path.stat().st_mtime_ns))
        except FileNotFoundError:
            continue
    return tuple(stamps)
