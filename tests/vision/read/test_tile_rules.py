"""Doubtful tiles, resolved by what the box holds and what makes a legal set, and how well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, JOKER, Piece, Tile
from tests.vision.read.tile_readings import SURE, answer, eye, eyes, rows
from tests.vision.read.tile_simulating import Eye, astray, seen, table
from vision.read.tile_rules import PieceLikelihoods, ResolvedTile, resolve

# why, the table as the eye sees it, what is believed: see tests.vision.read.tile_readings
SETTLED = [
    ("sure sets stay", "K7 R7 B7, O1 O2 O3", "K7 R7 B7 O1 O2 O3"),
    ("a faulty set of sure tiles is the referee's", "K7 R7 B8", "K7 R7 B8"),
    ("of two that may be wrong the doubtful one", "K5/7@91 K6 K8/7@93", "K5! K6 K8"),
    ("two tiles are no set", "K7 R7/8", "K7 R7~"),
    ("a lone doubtful tile", "K6/9", "K6~"),
    ("a group tells 6 from 9", "K9 R6/9 B9", "K9 R9* B9"),
    ("a run tells 6 from 9", "K4 K5 K9/6", "K4 K5 K6*"),
    ("what was likeliest is confirmed", "K9 R9/6 B9", "K9 R9* B9"),
    ("a group tells red from orange", "K7 B7 O7 R/O7", "K7 B7 O7 R7*"),
    ("a run tells red from orange", "O3 O4 R/O5", "O3 O4 O5*"),
    ("number and ink at once", "O3 O4 O5 R/O9/6", "O3 O4 O5 O6*"),
    ("either colour fits a group", "K7 B7 R/O7", "K7 B7 R7~"),
    ("either number fits a run", "K7 K8 K9/6", "K7 K8 K9~"),
    ("lying in order tips the scales", "K7 K8 K9/6@70", "K7 K8 K9*"),
    ("but never alone overrules the eye", "K7 K8 K6/9@70", "K7 K8 K6~"),
    ("neither reading fits", "K7 R7 B3/8", "K7 R7 B3~"),
    ("a gap in a run", "K4 K5 ? K7", "K4 K5 K6* K7"),
    ("two gaps in a run", "K4 ? ? K7", "K4 K5* K6* K7"),
    ("a gap that may be a joker", "K4 K5 ?J10 K7", "K4 K5 ? K7"),
    ("a gap that looks like a joker", "K4 K5 ?J40 K7", "K4 K5 ? K7"),
    ("a gap at the end", "K4 K5 K6 ?", "K4 K5 K6 ?"),
    ("nothing follows 13", "K11 K12 K13 ?", "K11 K12 K13 ?"),
    ("a group's last colour", "K7 R7 B7 ?", "K7 R7 B7 O7*"),
    ("a group's two colours", "K7 R7 ?", "K7 R7 ?"),
    ("two gaps in a group", "K7 ? ? O7", "K7 ? ? O7"),
    ("a set that nobody can read", "? ? ?", "? ? ?"),
    ("one tile says too little", "K7 ? ?", "K7 ? ?"),
    ("an unreadable tile of no set", "?", "?"),
    ("a gap beside a doubtful tile", "K4 K5 ? K7 K8/2", "K4 K5 K6* K7 K8*"),
    ("a known joker helps", "J K7 B7 R9/7", "J K7 B7 R7*"),
    ("a joker or the tile it may be", "K5 K6/J K7", "K5 K6~ K7"),
    ("hardly a joker", "K5 K6/J@90 K7", "K5 K6* K7"),
    ("a joker saves no faulty set", "K5 R6 KJ/3", "K5 R6 J~"),
    ("a joker as all else would be faulty", "K1 K2 O1/J K4", "K1 K2 J* K4"),
    ("two doubtful tiles hold each other", "K6/9@70 R6/9@70 B6/9@70", "K6* R6* B6*"),
    (
        "the rest of the box decides a colour",
        "K7 B7 R/O7, R7 R8 R9, R7 R6 R5",
        "K7 B7 O7*, R7 R8 R9, R7 R6 R5",
    ),
    (
        "the rest of the box fills a gap",
        "K7 R7 ?, O7 O8 O9, O7 O6 O5",
        "K7 R7 B7*, O7 O8 O9, O7 O6 O5",
    ),
    (
        "the set finds the tile too many",
        "K7 K8 K9, K7 R7 B7, K6 K5 K7/4",
        "K7 K8 K9, K7 R7 B7, K6 K5 K4*",
    ),
    (
        "no copy is left, and nothing else fits",
        "K7 K8 K9, K7 R7 B7, O7 B7 K7/1",
        "K7 K8 K9, K7 R7 B7, O7 B7 ?",
    ),
    ("no copy is left of a lone tile", "K7 K8 K9, K7 R7 B7, K7/1", "K7 K8 K9, K7 R7 B7, ?"),
    ("nor for the gap", "K7 K8 K9, K7 R7 B7, K6 ? K8", "K7 K8 K9, K7 R7 B7, K6 ? K8"),
    (
        "three of a tile, all seen surely",
        "K7 K8 K9, K7 R7 B7, K7 O7 B7",
        "K7! K8 K9, K7! R7 B7, K7! O7 B7",
    ),
    ("three jokers, all seen surely", "J K8 K9, J R7 B7, J O7 B7", "J! K8 K9, J! R7 B7, J! O7 B7"),
    (
        "two sets want the last copy",
        "K7 K8 K9, K6 R6/7 B6, O7 B7 K7/1",
        "K7 K8 K9, K6 R6* B6, O7 B7 K7*",
    ),
    ("one surer change would mend the set", "K4 K5 K9@93 K7", "K4 K5 K9 K7"),
    ("and the eye thought of it", "K4 K5 K9/6@93 K7", "K4 K5 K9! K7"),
    ("of two such the less sure one", "R7 K7/8@93 B8/7@91", "R7 K7 B8!"),
    (
        "a mended set may not need a third copy",
        "K4 K5 K9/6@93 K7, K6 R6 B6, K6 O6 B6",
        "K4 K5 K9 K7, K6 R6 B6, K6 O6 B6",
    ),
]

# why, the rack as the eye sees it, what is believed
RACKS = [
    ("lying side by side means nothing", "K4 K5 K9/6", "K4 K5 K9~"),
    ("nor does a gap", "K4 K5 ? K7", "K4 K5 ? K7"),
    ("the box decides", "K6 K6 K6/9@90", "K6 K6 ?"),
    ("the box decides for the only other reading", "K6 K6 K9/6@88", "K6 K6 K9*"),
    ("but not for two tiles and one copy", "K6 K6 K9 K9/6@88 K9/6@88", "K6 K6 K9 K9~ ?"),
    ("of two that want one place the surer is believed", "K6 K6/9@70 K6/9", "K6 K6~ ?"),
    ("all seen surely", "K6 K6 K6", "K6! K6! K6!"),
    ("nothing to share", "K6/9 K9/6 R1", "K6~ K9~ R1"),
]


@pytest.mark.parametrize(
    ("cases", "on_table"), [(SETTLED, True), (RACKS, False)], ids=["table", "rack"]
)
def test_doubtful_tiles_are_settled_kept_or_asked(
    cases: list[tuple[str, str, str]], *, on_table: bool
) -> None:
    """RK-1, RK-3, RK-4, RK-16 where one reading is left; on a rack only what the box holds."""
    for why, shown, expected in cases:
        chances = eyes(shown)
        told = resolve(chances, rows(shown), CLASSIC, sure=SURE, settled_table=on_table)
        assert answer(chances, told) == expected.replace(",", ""), why


def test_what_is_inferred_is_never_certain() -> None:
    """An allowance is left for tables that are not legal, and the eye's own reading counts."""
    chances = eyes("K9 R6/9 B9")
    told = resolve(chances, ((0, 1, 2),), CLASSIC, sure=SURE, settled_table=True)
    assert 0.95 < told[1].confidence < 0.99
    assert told[0].confidence == chances[0].confidence


def test_a_stated_confidence_decides_what_is_sure() -> None:
    """The reader's own calibration knows more than the product of kind and ink."""
    (seen,) = eyes("R6")
    doubted = PieceLikelihoods(seen.kinds, seen.inks, stated=0.5)
    (told,) = resolve([doubted], (), CLASSIC, sure=SURE, settled_table=True)
    assert (str(told.piece), told.confidence, told.inferred) == ("R6", 0.5, False)


@pytest.mark.parametrize("sets", [((0, 3),), ((0, 1), (1, 2)), ((-1, 0),)])
def test_sets_are_of_the_tiles(sets: tuple[tuple[int, ...], ...]) -> None:
    """Each tile lies in one set at most."""
    with pytest.raises(ValueError, match="each once at most"):
        resolve(eyes("K1 K2 K3"), sets, CLASSIC, sure=SURE, settled_table=True)


def test_a_tile_has_fifteen_kinds_and_four_inks() -> None:
    """As the reader's network tells them."""
    with pytest.raises(ValueError, match="3 kinds and 4 inks"):
        PieceLikelihoods((0.1, 0.2, 0.7), (0.25,) * 4)


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
        for true, glance, told in answers:
            if glance.confidence < SURE:
                self.counts[_outcome(true, told)] += 1
                self.counts["seen right"] += glance.piece == true
                self.hoped += told.confidence if told.inferred else 0.0
            else:
                is_wrong = glance.piece != true
                self.counts["sure"] += 1
                self.counts["disputed"] += told.disputed
                self.counts["mistaken"] += is_wrong
                self.counts["found out"] += is_wrong and told.disputed

    @property
    def doubtful(self) -> int:
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


BAD: Final = Eye(number=0.4, ink=0.3, blind=0.1, wrong=0.1)
Rows = Sequence[tuple[int, ...]]


def legal(random: Random) -> Scene:
    """A small table of sets, some of them torn or joined, seen badly."""
    return scene(random, BAD, 0.1, most=30)


def wild(random: Random) -> Scene:
    """Anything in rows, few different tiles of it, so that there are too many of some."""
    pieces: list[Piece] = [JOKER, *(Tile(ink, number) for ink in COLOURS for number in (6, 7, 8))]
    sets = [random.choices(pieces, k=random.randint(1, 5)) for _ in range(random.randint(1, 7))]
    return Scene(sets, [seen(random, each, BAD) for row in sets for each in row])


def vague(random: Random) -> Scene:
    """An eye that gives some chance to everything."""
    rows: list[list[Piece]] = [[JOKER] * random.randint(1, 4) for _ in range(random.randint(1, 4))]
    return Scene(rows, [_vaguely(random) for row in rows for _ in row])


def _vaguely(random: Random) -> PieceLikelihoods:
    return PieceLikelihoods(_parts(random, 15), _parts(random, 4))


def _parts(random: Random, count: int) -> tuple[float, ...]:
    told = [random.random() ** 20 for _ in range(count)]
    return tuple(each / sum(told) for each in told)


def believed(
    chances: Sequence[PieceLikelihoods], rows: Rows, *, on_table: bool = True
) -> tuple[ResolvedTile, ...]:
    """What is settled with the classic box."""
    return resolve(chances, rows, CLASSIC, sure=SURE, settled_table=on_table)


def laws(law: Callable[..., None]) -> Callable[..., None]:
    """Hold the law to legal, wild and vague scenes, on the table and on a rack."""
    kinds = st.sampled_from([legal, wild, vague])
    scenes = st.builds(lambda kind, seed: kind(Random(seed)), kinds, st.integers(0, 10**9))
    return settings(max_examples=100, deadline=None)(
        given(shown=scenes, on_table=st.booleans())(law)
    )


@laws
def test_what_was_seen_surely_is_kept(*, shown: Scene, on_table: bool) -> None:
    """With its confidence, and as seen; disputed is all that it may be."""
    for eye_, told in zip(shown.chances, believed_of(shown, on_table=on_table), strict=True):
        if eye_.confidence >= SURE:
            assert (told.piece, told.confidence) == (eye_.piece, eye_.confidence)
            assert not told.inferred
        else:
            assert not told.disputed


@laws
def test_no_piece_is_believed_once_too_often(*, shown: Scene, on_table: bool) -> None:
    """RK-1: unless every one of them was seen surely; those are disputed."""
    told = believed_of(shown, on_table=on_table)
    beyond = Counter(each.piece for each in told if each.piece is not None)
    beyond -= CLASSIC.tiles.counts
    for each in told:
        assert each.piece not in beyond or each.disputed


@laws
def test_settling_twice_changes_nothing(*, shown: Scene, on_table: bool) -> None:
    """What was inferred is a fact for the second look, and tells it nothing new."""
    once = believed_of(shown, on_table=on_table)
    pairs = zip(shown.chances, once, strict=True)
    again = [eye(_plain(told.piece)) if told.inferred else seen for seen, told in pairs]
    twice = believed(again, shown.rows, on_table=on_table)
    assert [each.piece for each in twice] == [each.piece for each in once]
    assert not any(each.inferred for each in twice)


@laws
def test_the_order_of_the_sets_tells_nothing(*, shown: Scene, on_table: bool) -> None:
    """Only what lies together does."""
    turned = shown.rows[::-1]
    assert believed(shown.chances, turned, on_table=on_table) == believed_of(
        shown, on_table=on_table
    )


@laws
def test_colours_are_alike(*, shown: Scene, on_table: bool) -> None:
    """Whoever paints every tile in the next colour gets the same answer so painted."""
    painted = [
        PieceLikelihoods(each.kinds, (*each.inks[-1:], *each.inks[:-1])) for each in shown.chances
    ]
    told = believed(painted, shown.rows, on_table=on_table)
    for one, other in zip(believed_of(shown, on_table=on_table), told, strict=True):
        assert (other.piece, other.inferred) == (_painted(one.piece), one.inferred)
        assert other.confidence == pytest.approx(one.confidence)


@laws
def test_probabilities_are_probabilities(*, shown: Scene, on_table: bool) -> None:
    """From 0, where nothing is believed, to 1; and what is inferred is likely."""
    for told in believed_of(shown, on_table=on_table):
        assert 0 <= told.confidence <= 1
        assert told.piece is not None or told.confidence == 0
        assert not told.inferred or told.confidence > 0.9


def believed_of(shown: Scene, *, on_table: bool) -> tuple[ResolvedTile, ...]:
    """What is settled of a scene."""
    return believed(shown.chances, shown.rows, on_table=on_table)


def _plain(piece: Piece | None) -> str:
    assert piece is not None
    return str(piece)


def _painted(piece: Piece | None) -> Piece | None:
    if not isinstance(piece, Tile):
        return piece
    return Tile(COLOURS[(COLOURS.index(piece.colour) + 1) % len(COLOURS)], piece.number)
