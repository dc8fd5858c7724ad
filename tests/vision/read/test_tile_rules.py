"""Doubtful tiles, resolved by what the box holds and what makes a legal set."""

from __future__ import annotations

import pytest

from scoreboard.games.rummikub.tiles import CLASSIC
from tests.vision.read.tile_readings import SURE, answer, eyes, rows
from vision.read.tile_rules import PieceLikelihoods, resolve

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


def test_a_table() -> None:
    """RK-1, RK-3, RK-4, RK-16: settled where one reading is left, kept or asked elsewhere."""
    for why, table, expected in SETTLED:
        chances = eyes(table)
        told = resolve(chances, rows(table), CLASSIC, sure=SURE, settled_table=True)
        assert answer(chances, told) == expected.replace(",", ""), why


def test_a_rack() -> None:
    """RK-1: only what the box holds counts where no sets need lie."""
    for why, rack, expected in RACKS:
        chances = eyes(rack)
        told = resolve(chances, rows(rack), CLASSIC, sure=SURE, settled_table=False)
        assert answer(chances, told) == expected, why


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
