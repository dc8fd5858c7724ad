"""How often the rules resolve a doubtful tile rightly, on tables drawn at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from scoreboard.games.rummikub.tiles import CLASSIC, Piece
from tests.vision.read.tile_eyes import SURE
from tests.vision.read.tile_simulating import Eye, astray, seen, table
from vision.read.tile_rules import PieceLikelihoods, ResolvedTile, resolve

SEED: Final = 2026
EYE: Final = Eye()
Answers = Iterator[tuple[Piece, PieceLikelihoods, ResolvedTile]]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as it lies and as it is seen."""

    sets: list[list[Piece]]
    chances: list[PieceLikelihoods]

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the tiles that lie together."""
        places = iter(range(len(self.chances)))
        return tuple(tuple(next(places) for _ in laid) for laid in self.sets)

    def settled(self) -> Answers:
        """Each true piece, what the eye says of it, and what is believed."""
        told = resolve(self.chances, self.rows, CLASSIC, sure=SURE, settled_table=True)
        pieces = (each for laid in self.sets for each in laid)
        return zip(pieces, self.chances, told, strict=True)


@dataclass
class Tally:
    """What became of the doubtful tiles."""

    counts: Counter[str] = field(default_factory=Counter)
    hoped: float = 0.0

    def add(self, answers: Answers) -> None:
        """Count a table."""
        for true, eye, told in answers:
            if eye.confidence < SURE:
                self.counts[_outcome(true, told)] += 1
                self.counts["seen right"] += eye.piece == true
                self.hoped += told.confidence if told.inferred else 0.0
            else:
                is_wrong = eye.piece != true
                self.counts["sure"] += 1
                self.counts["disputed"] += told.disputed
                self.counts["mistaken"] += is_wrong
                self.counts["found out"] += is_wrong and told.disputed

    @property
    def doubtful(self) -> int:
        """How many there were."""
        return self.counts["right"] + self.counts["wrong"] + self.counts["asked"]

    @property
    def wrong_share(self) -> float:
        """The part of the settled ones that was settled wrongly."""
        return self.counts["wrong"] / (self.counts["right"] + self.counts["wrong"])


def _outcome(true: Piece, told: ResolvedTile) -> str:
    if not told.inferred:
        return "asked"
    return "right" if told.piece == true else "wrong"


def scene(random: Random, eye: Eye, faulty: float, most: int = 106) -> Scene:
    """A table of which some part of the sets is disordered, and as many are torn or joined."""
    sets = [_spoilt(random, laid, faulty) for laid in table(random, most)]
    if len(sets) > 1 and random.random() < faulty * len(sets):
        sets = [[*sets[0], *sets[1]], *sets[2:]]
    return Scene(sets, [seen(random, each, eye) for laid in sets for each in laid])


def _spoilt(random: Random, laid: Sequence[Piece], faulty: float) -> list[Piece]:
    """The set with one of its tiles at the wrong end, or away, seldom; else as it lay."""
    if random.random() < faulty:
        return astray(random, laid)
    return [*laid[1:]] if random.random() < faulty else [*laid]


def tally(tables: int, eye: Eye, faulty: float) -> Tally:
    """The figures of so many tables."""
    random, found = Random(SEED), Tally()
    for _ in range(tables):
        found.add(scene(random, eye, faulty).settled())
    return found


def test_few_are_settled_wrongly() -> None:
    """Fewer than two of a hundred, also where sets are torn, joined, or in disorder."""
    found = tally(40, EYE, 0.03)
    assert found.wrong_share < 0.02
    assert found.counts["right"] > 0.6 * found.doubtful


def test_an_eye_that_knows_itself_badly_is_still_mostly_right() -> None:
    """It is right less often than it says by a tenth."""
    assert tally(40, replace(EYE, vain=0.1), 0.03).wrong_share < 0.03
