"""A taught set with all of Tong Tong's cards, five of which are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np

from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from tests.vision.learn.drawn_set import FACES, learned
from vision.learn.prototypes import Likeness
from vision.learn.taught_sets import TaughtSet, TaughtSets

CARDS = tuple(map(str, deck(CARD_COLOURS)))


def whole_deck(*more: str) -> Likeness:
    """The drawn deck, the other cards and `more` faces, which look like nothing on any table."""
    return with_faces(learned(), (*(card for card in CARDS if card not in FACES), *more))


def with_faces(known: Likeness, others: Sequence[str]) -> Likeness:
    """What is known, and other faces, which look like nothing on any table."""
    far = np.random.default_rng(1).normal(0, 100, (len(others), known.prototypes.shape[1]))
    prototypes = np.concatenate([known.prototypes, far.astype(np.float32)])
    return replace(known, faces=(*known.faces, *others), prototypes=prototypes)


def keep(
    folder: Path, name: str, taught_at: datetime, likeness: Likeness, *, trusted: bool = True
) -> None:
    """Store it as a taught set."""
    TaughtSets(folder).save(TaughtSet(name, likeness, trusted, taught_at))
