"""The best turn of Rummikub: against other ways to find it, and its moves."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.games.advice.best_turns import BestTurn, TileMove, best_turn, replayed, reviews
from scoreboard.games.rummikub.acts import Event
from scoreboard.games.rummikub.referee import TableSets, judge
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.tiles import CLASSIC, JOKER, XP, Box, Tile, Tiles
from tests.scoreboard.games.advice.best_turns import (
    best_by_trying,
    most_tiles,
    position,
    rank,
)
from tests.scoreboard.games.rummikub.playing import begun, events, evolved

chances = st.integers(0, 2**32).map(Random)


def found(
    before: str, rack: str, *, melded: bool = True, box: Box = CLASSIC, may_build: bool = False
) -> BestTurn | None:
    """The best turn for tables in notation."""
    tiles = Tiles.parse(rack)
    standing = TableSets(Laid.parse(before), melded, tiles, box=box, may_build=may_build)
    return best_turn(standing)


@pytest.mark.slow
@settings(max_examples=25)
@given(chances, st.booleans(), st.booleans(), st.booleans())
def test_nothing_is_better(chance: Random, melded: bool, may_build: bool, may_bridge: bool) -> None:  # noqa: FBT001 -- drawn
    """Of all tables that the referee accepts; also with jokers to free, and first melds."""
    low = 1 if melded else chance.choice((5, 8))
    before, rack = position(chance, 3, 5, range(low, low + 6), joker=0.4)
    standing = TableSets(before, melded, rack, may_build=may_build, may_bridge=may_bridge)
    turn, expected = best_turn(standing), best_by_trying(standing)
    assert (None if turn is None else rank(standing, turn.table)) == expected
    if turn is not None:
        assert judge(standing, turn.table).is_accepted


@given(chances)
def test_as_many_tiles_as_a_dynamic_program_lays(chance: Random) -> None:
    """On tables of up to 40 tiles with racks of up to twelve, jokers on the rack."""
    before, rack = position(chance, chance.randint(0, 10), chance.randint(1, 12), joker=0)
    turn = best_turn(TableSets(before, melded=True, rack=rack))
    laid = Tiles() if turn is None else turn.laid
    points = sum(tile.number for tile in laid.numbered)
    assert (len(laid), points) == most_tiles(before.tiles, rack)


@given(chances)
def test_its_moves_lead_to_its_table(chance: Random) -> None:
    """Tile by tile, and what comes from the rack is what was laid."""
    before, rack = position(chance, chance.randint(0, 12), 14)
    turn = best_turn(TableSets(before, melded=True, rack=rack))
    if turn is None:
        return
    tables = replayed(before, turn)
    assert tables[0][: len(before.sets)] == before.sets
    last = Laid(tuple(laid for laid in tables[-1] if laid.pieces))
    assert not last.without(turn.table)
    assert not turn.table.without(last)
    own = Tiles(tuple(move.tile for move in turn.moves if move.source is None))
    assert own.counts == turn.laid.counts


# what it shows, the table, the rack, the table after the best turn
TURNS = [
    ("adds to a run", "B4 B5 B6", "B7 K1", "B4 B5 B6 B7"),
    ("splits a run", "R3 R4 R5 R6 R7", "R5", "R3 R4 R5, R5 R6 R7"),
    ("the higher of two", "R4 R5 R6, R9 R10 R11", "R3 R8 K1", "R3 R4 R5 R6, R8 R9 R10 R11"),
    ("leaves the sets that it can", "B1 B2 B3", "B4 B5 B6", "B1 B2 B3, B4 B5 B6"),
    ("frees a joker", "K5 R5 J", "B5 K10 K11", "K5 R5 B5, K10 K11 J"),
    ("RK-17: not into an old set", "B4 J B6, O1 O2 O3", "B5 O5", "O1 O2 O3, B4 B5 B6 J"),
]
MELDS = [
    ("the rack alone", "K10 R10 B10 B4", False, "B1 B2 B3, K10 R10 B10"),
    ("building", "K10 R10 B10 B4", True, "B1 B2 B3 B4, K10 R10 B10"),
    ("a joker as the most", "R12 R13 J", False, "B1 B2 B3, R12 R13 J"),
]


@pytest.mark.parametrize(("what", "before", "rack", "after"), TURNS)
def test_a_turn(what: str, before: str, rack: str, after: str) -> None:
    """Worked out by hand."""
    turn = found(before, rack)
    assert turn is not None, what
    assert not Laid.parse(after).without(turn.table), (what, str(turn.table))
    assert turn.table.tiles.counts == Laid.parse(after).tiles.counts, what


@pytest.mark.parametrize(("what", "rack", "may_build", "after"), MELDS)
def test_a_first_meld(what: str, rack: str, may_build: bool, after: str) -> None:  # noqa: FBT001 -- a column
    """RK-5: 30 from the rack alone, before anything else is done."""
    turn = found("B1 B2 B3", rack, melded=False, may_build=may_build)
    assert turn is not None, what
    assert not Laid.parse(after).without(turn.table), (what, str(turn.table))


@pytest.mark.parametrize(
    ("before", "rack", "melded"),
    [("B1 B2 B3", "K9 R9 B9", False), ("B1 B2 B3", "K5", True), ("-", "J J", True)],
)
def test_no_turn(before: str, rack: str, melded: bool) -> None:  # noqa: FBT001 -- a column
    """27 of 30, or nothing that fits."""
    assert found(before, rack, melded=melded) is None


def test_a_bridge_is_built_where_the_house_allows_it() -> None:
    """RK-17 is a rule of the house."""
    table, rack = Laid.parse("B4 J B6, O1 O2 O3"), Tiles.parse("B5 O5")
    turn = best_turn(TableSets(table, melded=True, rack=rack, may_bridge=True))
    assert turn is not None
    assert not turn.left.pieces


def test_the_larger_box_has_four_jokers() -> None:
    """RK-16: three of them are no set, and a set with a tile has them."""
    turn = found("K1 K2 K3, R4 R5 J", "J J R9 O1", box=XP)
    assert turn is not None
    assert len(turn.laid) == 3


def test_it_gives_up() -> None:
    """Rather than let a page wait."""
    with pytest.raises(TimeoutError):
        best_turn(TableSets(Laid(), melded=True, rack=Tiles.parse("K1 K2 K3")), nodes=0)


def test_the_notation_of_a_move() -> None:
    """It says where from and where to, and so do the words."""
    joker, seven = TileMove(JOKER, 2, 5), TileMove(Tile("K", 7), None, 3)
    assert [str(joker), str(joker.words)] == ["J 2>5", "joker: from set 2 to set 5"]
    assert [str(seven), str(seven.words)] == ["K7 rack>3", "black 7: from the rack to set 3"]


KNOWN = "K10 R10 B10 O10 K1 K3 K5 K7 R1 R3 R5 R7 B2 B4"
LEFT = "O10 K1 K3 K5 K7 R1 R3 R5 R7 B2 B4"
# what it shows, the lines of a game of A and B that A begins, the reviews: player, rack, laid
REVIEWED = [
    ("a turn", f"rack A, {KNOWN} / lay K10 R10 B10", [f"A {KNOWN} | K10 R10 B10"]),
    ("not before it", f"rack A, {KNOWN}", []),
    ("a draw", f"rack A, {KNOWN} / draw", [f"A {KNOWN} | -"]),
    ("none after a secret tile", f"rack A, {KNOWN} / draw / draw / draw", [f"A {KNOWN} | -"]),
    (
        "with the tile that was entered",
        f"rack A, {KNOWN} / draw K12 / draw / fail",
        [f"A {KNOWN} | -", f"A {KNOWN} K12 | -"],
    ),
    (
        "a rack that is entered after the turn",
        f"lay K10 R10 B10 / rack A, {LEFT}",
        [f"A {LEFT} K10 R10 B10 | K10 R10 B10"],
    ),
    ("not after the next one", f"lay K10 R10 B10 / draw / draw / count A, 11 / rack A, {LEFT}", []),
    ("not where the referee was overruled", f"overrule K10 R10 / count A, 11 / rack A, {LEFT}", []),
    (
        "what was left at the end",
        "count A, 3 / lay K10 R10 B10 / count B, 2 / rack B, O10 K1",
        ["B O10 K1 |"],
    ),
]


@pytest.mark.parametrize(("what", "lines", "expected"), REVIEWED)
def test_turns_with_a_known_rack_are_reviewed(what: str, lines: str, expected: list[str]) -> None:
    """When they are over, as they began."""
    start = begun("A B clock=off")
    state, done = start, list[Event]()
    for line in ("begin A", *lines.split(" / ")):
        fresh = events(state, line)
        state, done = evolved(state, fresh), [*done, *fresh]
    found = [
        f"{each.player} {each.standing.rack} | {'' if each.laid is None else each.laid}".strip()
        for each in reviews(start, done)
    ]
    assert found == expected, what
