"""Turns before and after: every fault that the referee finds, and the manipulations it allows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games.rummikub.referee import TableSets, Verdict, judge
from scoreboard.games.rummikub.sets import Laid, best
from scoreboard.games.rummikub.tiles import COLOURS, NUMBERS, XP, Piece, Tiles

FOUR_EIGHTS = "K8 R8 B8 O8"
F_BEFORE = "O5 O6 O7, R5 R6 R7, K5 K6 K7 K8 K9"
F_AFTER = "O5 R5 K5 B5, O6 R6 K6, O7 R7 K7, K8 K9 K10"

# what the turn is, the table before, the table after
ALLOWED = [
    ("(a) adds to a run", "B4 B5 B6", "B3 B4 B5 B6"),
    ("(a) adds to a group", "K8 R8 O8", "K8 R8 O8 B8"),
    ("(b) takes from a group of four", "K4 R4 B4 O4", "K4 R4 O4, B3 B4 B5 B6"),
    ("(c) takes from a run for a group", "B8 B9 B10", "B9 B10 B11, B8 K8 O8"),
    ("(d) splits a run", "R4 R5 R6 R7 R8", "R4 R5 R6, R6 R7 R8"),
    ("(e) takes from both", "O1 O2 O3 O4, K1 R1 B1 O1", "O2 O3 O4, K1 B1 O1, O1 R1 B1"),
    ("(f) three runs to groups", F_BEFORE, F_AFTER),
    ("a new set", "K1 K2 K3", "K1 K2 K3, R9 B9 O9"),
    ("joker picture 1, one tile", "K5 R5 J", "K5 R5 B5, J O9 K9"),
    ("joker picture 1, both tiles", "K5 R5 J", "K5 R5 B5 O5, J O9 K9"),
    ("joker picture 2", "R3 R4 R5 J R7 R8 R9", "R3 R4 R5, R7 R8 R9, J K2 K3"),
    ("joker picture 3", "B4 J B6", "B4 B5 B6, J K9 B9"),
    ("joker picture 4", "K1 K2 J", "K1 R1 B1, K2 R2 B2, J O9 O10"),
    ("the joker's set grows", "R4 R5 J", "R4 R5 J R6"),
    ("the joker's set grows twice", "R4 R5 J", "R3 R4 R5 J R7"),
    ("a joker from the rack joins a set", "O1 O2 O3", "O1 O2 O3 J"),
    ("a joker freed by a table tile", "B4 J B6, K5 R5 B5 O5", "B4 B5 B6, K5 R5 O5, J K9 B9"),
    ("its set moved as a whole", "K7 R7 J, B1 B2 B3", "B1 B2 B3 B4, J R7 K7"),
    ("two jokers stay", "K7 J R7, O1 O2 J", "K7 J R7 B7, O1 O2 J"),
    ("either joker may be the one that stayed", "K7 R7 J, B4 J B6", "K7 R7 J, B4 B5 B6, J K9 B9"),
    (
        "one of two alike sets is the one that stayed",
        "K5 K6 K7, K5 K6 K7, B4 J B6",
        "K5 K6 K7, J K5 K6 K7 K8, B4 B5 B6",
    ),
    (
        "the old set may have lent its tile, and got another copy of it",
        "R5 O5 J, B5 B6 B7",
        "J B5 B6 B7, B5 R5 O5",
    ),
]

# why, the table before, the table after, the faults
REFUSED = [
    ("a lone tile", "B4 B5 B6 B7", "B5 B6 B7, B4, K9 R9 O9", ["RK-8 B4"]),
    ("two tiles", "K1 K2 K3", "K1 K2 K3, R9 B9", ["RK-8 R9 B9"]),
    ("one colour twice", "-", "K7 K7 R7, O10 O11 O12", ["RK-3 K7 K7 R7"]),
    ("five of a number", "K7 R7 B7 O7", "K7 R7 B7 O7 J", ["RK-3 K7 R7 B7 O7 J"]),
    ("1 after 13", "-", "R12 R13 R1, K10 R10 B10 O10", ["RK-4 R12 R13 R1"]),
    ("a gap", "B3 B4 B5", "B3 B4 B5 B7", ["RK-4 B3 B4 B5 B7"]),
    ("a number twice in a run", "B3 B4 B5", "B3 B4 B4 B5", ["RK-4 B3 B4 B4 B5"]),
    ("neither number nor colour", "-", "K1 R2 B3, K10 R10 B10", ["RK-3 K1 R2 B3"]),
    ("a tile went to the rack", "B3 B4 B5 B6", "B3 B4 B5, K1 R1 O1", ["RK-8 B6"]),
    ("a joker went to the rack", "B4 J B6", "B4 B5 B6", ["RK-9 J"]),
    ("nothing was laid", "B3 B4 B5 B6 B7 B8", "B3 B4 B5, B6 B7 B8", ["RK-8 -"]),
    ("three of a tile", "K1 K2 K3, K1 R1 B1", "K1 K2 K3, K1 R1 B1, K1 O1 J", ["RK-1 K1"]),
    ("three jokers", "K7 R7 J, B4 J B6", "K7 R7 J, B4 J B6, O1 O2 J", ["RK-1 J"]),
    (
        "a freed joker in an old set",
        "B4 J B6, O1 O2 O3",
        "B4 B5 B6, O1 O2 O3 J",
        ["RK-9 O1 O2 O3 J"],
    ),
    (
        "a freed joker bridges old sets",
        "B4 J B6, O1 O2 O3, O5 O6 O7",
        "B4 B5 B6, O1 O2 O3 J O5 O6 O7",
        ["RK-9 O1 O2 O3 J O5 O6 O7"],
    ),
    (
        "a freed joker joins two old sets, of which one alone may have been split",
        "B1 B2 B3, B4 B5 B6, K9 R9 J",
        "B1 B2 B3 B4 B5 B6 J, K9 R9 B9, B1 R1 K1",
        ["RK-9 B1 B2 B3 B4 B5 B6 J"],
    ),
    ("jokers alone", "K1 K2 K3", "K1 K2 K3, J J", ["RK-16 J J"]),
    (
        "several at once",
        "B4 B5 B6 B7, K1 K2 K3",
        "B5 B6 B7, B4, K1 K2, R9 R9 O9",
        ["RK-3 R9 R9 O9", "RK-8 B4", "RK-8 K1 K2", "RK-8 K3"],
    ),
]

# what, the table before, the table after, the worth of the meld, the faults
MELDS = [
    ("a group with a joker", "-", "K10 R10 J", 30, []),
    ("a run with a joker", "-", "R12 R13 J", 36, []),
    ("too little", "-", "K9 R9 J", 27, ["RK-5 K9 R9 J"]),
    ("two sets together", "-", "K5 R5 B5, O4 O5 O6", 30, []),
    ("beside old sets", "K1 K2 K3", "K1 K2 K3, K10 R10 B10", 30, []),
    ("27 of 30", "K1 K2 K3", "K1 K2 K3, K9 R9 B9", 27, ["RK-5 K9 R9 B9"]),
    (
        "a table tile is used",
        "B9 B10 B11 B12",
        "B10 B11 B12, B9 K9 R9 O9",
        0,
        ["RK-5 B9 B10 B11 B12", "RK-5 K9 R9 O9"],
    ),
    ("added to an old set", "B4 B5 B6", "B4 B5 B6 B7, K10 R10 B10", 30, ["RK-5 B4 B5 B6"]),
    ("what the player says of a joker", "-", "K10 K11 J=K9", 30, []),
    ("a joker before its run", "-", "J K9 K10", 30, []),
    ("a joker within a run", "-", "K10 K9 J", 30, []),
    ("a joker at the end", "-", "J K12 K13", 36, []),
    ("said to be less", "-", "K9 K10 J=K8", 27, ["RK-5 K9 K10 J"]),
    ("a joker that can't be that", "-", "K9 K10 J=R8", 0, ["RK-16 K9 K10 J=R8", "RK-5 K9 K10 J"]),
]


def written(verdict: Verdict) -> list[str]:
    """The faults in notation, sorted."""
    return sorted(f"{each.rule} {' '.join(each.pieces) or '-'}" for each in verdict.faults)


def faults(standing: TableSets, after: str) -> list[str]:
    return written(judge(standing, Laid.parse(after)))


@pytest.mark.parametrize(("what", "before", "after"), ALLOWED)
def test_a_manipulation_stands(what: str, before: str, after: str) -> None:
    """RK-8, RK-9, RK-17: the sheet's pictures (a) to (f), those of the joker, and more."""
    assert faults(TableSets(Laid.parse(before), melded=True), after) == [], what


@pytest.mark.parametrize(("what", "before", "after", "expected"), REFUSED)
def test_every_fault_is_named_at_once(
    what: str, before: str, after: str, expected: list[str]
) -> None:
    """RK-1, RK-3, RK-4, RK-8, RK-9, RK-16, RK-17: each with its rule and its tiles."""
    first = before == "-"
    assert faults(TableSets(Laid.parse(before), melded=not first), after) == expected, what


@pytest.mark.parametrize(("what", "before", "after", "meld", "expected"), MELDS)
def test_a_first_meld(what: str, before: str, after: str, meld: int, expected: list[str]) -> None:
    """RK-5: at least 30, from the rack alone, the joker as what it stands for."""
    verdict = judge(TableSets(Laid.parse(before), melded=False), Laid.parse(after))
    assert (written(verdict), verdict.meld) == (sorted(expected), meld), what


def test_a_fault_reports_what_would_mend_it() -> None:
    """In words for players."""
    standing = TableSets(Laid.parse("B4 B5 B6 B7"), melded=True)
    sentences = [str(each.text) for each in judge(standing, Laid.parse("B5 B6 B7, B4, K9")).faults]
    assert sentences == [
        "blue 4 is left alone: a set has three tiles or more.",
        "black 9 is left alone: a set has three tiles or more.",
    ]
    first = judge(TableSets(Laid(), melded=False), Laid.parse("K9 R9 J"))
    assert [str(each.text) for each in first.faults] == ["27 of 30 for the first meld."]


def test_the_rack_is_looked_at_where_it_is_known() -> None:
    """RK-8: tiles that the rack did not hold, or more than it held."""
    table = Laid.parse("B4 B5 B6")
    known = TableSets(table, melded=True, rack=Tiles.parse("B8 K1"))
    assert faults(known, "B4 B5 B6 B7") == ["RK-8 B7"]
    counted = TableSets(table, melded=True, held=1)
    assert faults(counted, "B4 B5 B6 B7 B8") == ["RK-8 B7 B8"]


def test_house_rules_of_the_referee() -> None:
    """RK-5: building in the turn of the meld; RK-17: a freed joker may bridge old sets."""
    bridging = TableSets(Laid.parse("B4 J B6, O1 O2 O3"), melded=True, may_bridge=True)
    assert faults(bridging, "B4 B5 B6, O1 O2 O3 J") == []
    building = TableSets(Laid.parse("B4 B5 B6"), melded=False, may_build=True)
    assert faults(building, "B4 B5 B6 B7, K10 R10 B10") == []
    assert faults(building, "B4 B5 B6 B7, K9 R9 B9") == ["RK-5 K9 R9 B7 B9"]


def test_the_xp_box_holds_more() -> None:
    """RK-1: three copies and four jokers."""
    standing = TableSets(Laid.parse("K1 K2 K3, K1 R1 B1"), melded=True, box=XP)
    assert faults(standing, "K1 K2 K3, K1 R1 B1, K1 O1 J") == []


# Few enough shapes for tables on which many sets want the same tiles.
SHAPES = [
    *(
        f"{colour}{low} {colour}{low + 1} {colour}{low + 2}"
        for colour in "KRB"
        for low in (1, 2, 3)
    ),
    *(f"K{number} R{number} B{number}" for number in (1, 2, 3)),
    "K2 R2 B2 O2",
    "K1 K2 J",
    "R3 B3 J",
    "K3 J J",
]
tables = st.lists(st.sampled_from(SHAPES), max_size=7).map(", ".join).map(Laid.parse)


def melded_by_trying_all(before: Laid, after: Laid) -> int:
    """RK-5 word for word: of all choices of new sets those from the rack alone, the best."""
    laid = after.tiles.missing_from(before.tiles).counts
    fresh = [each for each in after.without(before) if best(each) is not None]
    return max(
        sum(reading.value for reading in map(best, chosen) if reading is not None)
        for size in range(len(fresh) + 1)
        for chosen in combinations(fresh, size)
        if sum((each.counts for each in chosen), Counter[Piece]()) <= laid
    )


@given(tables, tables)
def test_a_meld_is_worth_what_the_best_choice_of_its_sets_is(before: Laid, after: Laid) -> None:
    """RK-5: also where a tile may have come from the rack or from the table."""
    verdict = judge(TableSets(before, melded=False), after)
    assert verdict.meld == melded_by_trying_all(before, after)


def test_a_table_full_of_new_sets_is_judged() -> None:
    """RK-5: a meld of 104 tiles in 32 sets, as when the last round's tiles still lie there."""
    runs = [
        [f"{colour}{number}" for number in range(low, low + 3)]
        for colour in COLOURS
        for low in (1, 4, 7)
    ]
    groups = [[f"{colour}{number}" for colour in COLOURS] for number in (10, 11, 12, 13)]
    sets = [" ".join(each) for each in (*runs, *groups)] * 2
    verdict = judge(TableSets(Laid(), melded=False), Laid.parse(", ".join(sets)))
    assert (verdict.is_accepted, verdict.meld, len(verdict.laid)) == (True, 728, 104)


def test_a_table_where_every_tile_may_be_old_or_new_is_judged() -> None:
    """RK-5: all sets were taken apart, so that of each tile one copy is new: which, nobody sees."""
    runs = [
        " ".join(f"{colour}{number}" for number in range(low, low + 3))
        for colour in COLOURS
        for low in (1, 4, 7, 10)
    ]
    before = Laid.parse(", ".join(runs))
    triples = [" ".join(f"{c}{n}" for c in cs) for n in NUMBERS[:12] for cs in ("KRB", "KRO", "BO")]
    standing = TableSets(before, melded=False, may_build=True)
    verdict = judge(standing, Laid.parse(", ".join(triples)))
    assert verdict.meld == sum(NUMBERS[:12]) * 3


def test_a_picture_with_more_jokers_than_the_box_is_judged() -> None:
    """RK-1: where so many jokers came from is no question before they are read rightly."""
    standing = TableSets(Laid.parse("K1 K2 J, R1 R2 J"), melded=True)
    jokers = ", ".join(["K5 K6 J"] * 30)
    sentences = faults(standing, f"K1 K2 K3, R1 R2 R3, {jokers}")
    assert [each.partition(" ")[0] for each in sentences] == ["RK-1"]
