"""Rummikub by camera: what is seen is judged, and counts when a person confirms it."""

from __future__ import annotations

import pytest

from scoreboard.games.rummikub.acts import (
    PenaltyReduced,
    RackSummed,
    RoundScored,
    RummikubCalled,
    StartDrawn,
    TableRestored,
    TilesLaid,
    TurnFailed,
)
from scoreboard.message import message
from scoreboard.table.requests import Answer, PieceCorrected, ReadAgain
from scoreboard.table.view import ShownPieces
from tests.scoreboard.table.fakes import Table
from tests.scoreboard.table.seen import seen

MELD = "K10 R10 B10"
BLURRED = message("A tile is blurred.")


def opened(**options: str) -> Table:
    """Rummikub of Ann and Ben; Ann begins."""
    table = Table().begin("rummikub", "Ann", "Ben", **{"clock": "off", **options})
    table.choose("begin:0")
    return table


def melded() -> Table:
    """Ann laid a first meld; it is Ben's turn."""
    table = opened()
    table.show(seen(MELD, frame=2))
    table.keep()
    return table


def corrects(table: Table, piece: int, label: str | None) -> Answer:
    answer = table.send(PieceCorrected(piece, label, table.view.version))
    table.clock.advance(1)
    return answer


def pieces(table: Table) -> ShownPieces:
    assert table.view.pieces is not None
    return table.view.pieces


def last_event(table: Table) -> object:
    return table.events[-1]


def marked(table: Table, mark: str) -> str:
    return " ".join(each.label for each in pieces(table).pieces if getattr(each, mark))


def remarks(table: Table) -> list[str]:
    return [f"{each.rule} {each.text}" for each in pieces(table).remarks]


def test_keep_ends_a_turn_that_the_referee_accepts() -> None:
    table = opened()
    table.show(seen(MELD))
    assert marked(table, "fresh") == MELD
    assert str(table.view.keep) == "End the turn: black 10, red 10, blue 10 laid"
    assert table.keep().verdict == "done"
    assert isinstance(last_event(table), TilesLaid)
    assert table.view.pieces is None
    assert table.view.player == "Ben"


def test_what_lies_there_already_is_no_news() -> None:
    table = melded()
    table.show(seen(MELD, frame=3))
    assert table.view.pieces is None
    assert table.keep().verdict == "refused"


def test_a_refused_turn_names_the_tiles_and_can_be_mended() -> None:
    """RK-4: the faulty set is marked; nothing is recorded until the table is right."""
    table = melded()
    table.choose("draw")
    before = len(table.events)
    table.show(seen(f"{MELD}, R3 R4 R6", frame=3))
    assert remarks(table) == ["RK-4 red 5 missing: the numbers of a run follow each other."]
    assert marked(table, "faulty") == "R3 R4 R6"
    assert table.keep().verdict == "refused"
    assert len(table.events) == before
    table.show(seen(f"{MELD}, R3 R4 R5", frame=4))
    assert not pieces(table).remarks
    assert marked(table, "fresh") == "R3 R4 R5"
    assert table.keep().verdict == "done"


def test_players_may_overrule_the_referee() -> None:
    table = melded()
    table.choose("draw")
    table.show(seen(f"{MELD}, R3 R4 R6"))
    table.choose("overrule", pieces(table).text)
    laid = table.events[-1]
    assert isinstance(laid, TilesLaid)
    assert laid.overruled


def test_of_tiles_alike_the_one_that_lies_anew_is_new() -> None:
    table = melded()
    table.choose("draw")
    table.show(seen(f"{MELD}, K9 K10 K11", frame=3))
    assert [at for at, each in enumerate(pieces(table).pieces) if each.fresh] == [3, 4, 5]


def test_a_doubt_is_shown_before_it_is_believed() -> None:
    table = opened()
    table.show(seen(MELD, doubts=(BLURRED,), unsure={"R10": ("R1", "O10")}))
    assert marked(table, "doubtful") == "R10"
    assert str(table.view.keep) == "Check the doubtful tiles first"
    assert table.keep().notice is not None
    assert table.keep().verdict == "done"


def test_a_tile_is_corrected_by_its_likeliest_other_reading() -> None:
    """What a person said is no doubt any more, and stays when the camera reads the same again."""
    table = opened()
    wrong = seen("K10 R10 B1", doubts=(BLURRED,), unsure={"B1": ("B10", "B7")})
    table.show(wrong)
    assert pieces(table).pieces[2].others == ("B10", "B7")
    assert corrects(table, 2, "B10").verdict == "done"
    assert marked(table, "corrected") == "B10"
    assert not pieces(table).doubts
    table.show(wrong)
    assert pieces(table).text == MELD
    assert table.keep().verdict == "done"


def test_a_doubt_stands_until_every_doubtful_tile_was_looked_at() -> None:
    """One answer does not answer for the others; a deleted tile is looked at, too."""
    table = opened()
    table.show(
        seen(
            "K10 R10 B1 O9",
            doubts=(BLURRED,),
            unsure={"B1": ("B10",), "O9": ("O6",)},
            inferred=frozenset({"R10"}),
        )
    )
    assert marked(table, "doubtful") == "R10 B1 O9"
    corrects(table, 2, "B10")
    assert (marked(table, "doubtful"), pieces(table).doubts) == ("R10 O9", (BLURRED,))
    corrects(table, 1, "R10")
    assert marked(table, "doubtful") == "O9"
    corrects(table, 3, None)
    assert (marked(table, "doubtful"), pieces(table).doubts) == ("", ())


def test_a_tile_that_cannot_be_read_must_be_entered() -> None:
    """Nothing is judged before; where nothing lies, the piece is deleted."""
    table = opened()
    table.show(seen("K10 R10 B10 ?"))
    assert table.keep().verdict == "refused"
    assert pieces(table).label is None
    corrects(table, 3, None)
    assert pieces(table).text == MELD
    assert table.keep().verdict == "done"


@pytest.mark.parametrize(("piece", "label"), [(9, "K1"), (0, "X1"), (0, "K14")], ids=str)
def test_a_correction_that_makes_no_sense_is_refused(piece: int, label: str) -> None:
    table = opened()
    table.show(seen(MELD))
    assert corrects(table, piece, label).verdict == "refused"
    assert pieces(table).text == MELD


def test_a_tile_implied_by_the_rules_is_marked_so() -> None:
    """It is never passed off as seen."""
    table = opened()
    table.show(seen(MELD, inferred=frozenset({"B10"})))
    assert marked(table, "inferred") == "B10"
    corrects(table, 2, "B10")
    assert not marked(table, "inferred")


def test_the_table_is_put_back_under_the_camera() -> None:
    """RK-7: what still lies elsewhere is named until all lies as before; KEEP then says so."""
    table = melded()
    table.choose("draw")
    table.choose("fail")
    assert isinstance(last_event(table), TurnFailed)
    assert table.view.before == 2
    table.show(seen("K10 R10, B10 B11 B12", frame=5))
    assert remarks(table) == [
        "RK-7 Back to the rack: blue 11, blue 12.",
        "RK-7 Still in another place: blue 10.",
    ]
    table.show(seen(MELD, frame=6))
    assert str(table.view.keep) == "Draw 3: all tiles lie as before"
    assert table.keep().verdict == "done"
    assert isinstance(last_event(table), TableRestored)
    assert table.view.before is None


def test_a_lost_clock_asks_for_a_fresh_reading() -> None:
    table = opened(clock="30")
    table.show(seen(MELD))
    table.keep()
    table.clock.advance(31)
    asked = table.readings_asked
    table.tick()
    assert table.stage() == "playing"
    assert table.readings_asked == asked + 1


def test_what_is_laid_by_hand_is_recorded_in_order() -> None:
    """As it is read; what nobody said of a joker stays open (RK-16)."""
    table = opened()
    table.choose("count:0", "?")
    table.choose("lay", "R10 J R11 R9, B9 K9 O9")
    event = last_event(table)
    assert isinstance(event, TilesLaid)
    assert str(event.table) == "R9 R10 R11 J, K9 B9 O9"


@pytest.mark.parametrize(
    ("turns", "sees"),
    [
        *(("judged", sees) for sees in (None, MELD, "K10 R10, B10 B11 B12", "K10 R10 ?")),
        ("clock", None),
    ],
)
def test_a_lost_clock_costs_three_tiles_by_keep_and_one_by_reroll(
    turns: str, sees: str | None
) -> None:
    """RK-7, RK-18: in every mode, whatever a camera sees; the labels say so first."""
    for press, drawn in ((Table.keep, 3), (Table.reroll, 1)):
        table = lost_clock(turns)
        if sees is not None:
            table.show(seen(sees, frame=5))
        assert str(table.view.keep).startswith("Draw 3: ")
        assert str(table.view.reroll).startswith("Draw 1 tile only: ")
        press(table)
        assert table.view.player == "Ann"
        assert penalty(table) == drawn


def test_what_lies_elsewhere_after_a_lost_clock_is_no_photo_of_the_table() -> None:
    """RK-7: who says that all is put back is believed, and the camera looks again."""
    table = lost_clock()
    asked = table.readings_asked
    table.show(seen("K10 R10, B10 B11 B12", frame=5))
    table.keep()
    assert isinstance(last_event(table), TableRestored)
    assert table.readings_asked == asked + 1


def lost_clock(turns: str = "judged") -> Table:
    table = opened(clock="30", turns=turns)
    if turns == "judged":
        table.show(seen(MELD))
    else:
        table.keep()  # the clock runs
    table.keep()
    table.tick(31)
    table.clock.advance(1)
    return table


def penalty(table: Table) -> int:
    seen = (each for each in table.events if isinstance(each, TurnFailed | PenaltyReduced))
    return [each.drawn for each in seen][-1]


def test_the_start_is_drawn_under_the_camera() -> None:
    """RK-2: one tile a player; a joker is drawn again."""
    table = Table().begin("rummikub", "Ann", "Ben")
    table.show(seen("J"))
    assert table.keep().verdict == "refused"
    table.show(seen("R7"))
    assert str(table.view.keep) == "Ann draws a tile for the start: red 7"
    table.keep()
    assert isinstance(last_event(table), StartDrawn)
    table.show(seen("B9"))
    table.keep()
    assert table.view.player == "Ben"


def test_racks_are_shown_one_by_one_at_the_end_of_a_round() -> None:
    """RK-11: the sum is told before it counts, and the round adds up to zero."""
    table = opened()
    table.choose("count:0", "3")
    table.show(seen(MELD))
    table.keep()
    assert isinstance(last_event(table), RummikubCalled)
    assert table.view.turn is not None
    assert table.view.turn.awaited is not None
    asked = str(table.view.turn.awaited.instruction)
    assert asked == "Ann calls Rummikub! What is left on Ben’s rack?"
    table.show(seen("K1 R2 J O12 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12"))
    assert str(table.view.keep) == ("Ben’s rack, tile by tile: 14 tiles, 120 points")
    table.keep()
    assert [each.points for each in table.events if isinstance(each, RackSummed)] == [120]
    assert isinstance(last_event(table), RoundScored)


def test_another_reading_is_taken_on_demand() -> None:
    table = opened()
    table.show(seen(MELD))
    asked = table.readings_asked
    table.send(ReadAgain(table.view.version))
    assert table.view.pieces is None
    assert table.readings_asked == asked + 1
    table.show(seen(MELD))
    table.undo()
    assert table.view.pieces is None


def test_a_reading_that_finds_nothing_new_says_so() -> None:
    """Whoever tapped is answered; what the camera reads by itself is not talked about."""
    table = melded()
    table.show(seen(MELD, frame=3))
    assert table.view.notice is None
    table.read_again()
    table.show(seen(MELD, frame=4))
    assert table.view.pieces is None
    assert str(table.view.notice) == "Read again: nothing has changed on the table."
    table.show(seen(MELD, frame=5))
    assert table.view.notice is None


def test_a_roll_of_dice_is_nothing_to_a_game_of_tiles() -> None:
    """As long as another reader is being loaded, dice may still be proposed."""
    table = opened()
    assert table.roll("12345").verdict == "unchanged"
    assert table.view.pieces is None


def test_drawing_a_tile_leaves_the_table_before_as_it_was() -> None:
    """What was seen but not confirmed is no table to put back to; it is looked at again."""
    table = melded()
    table.show(seen(f"{MELD}, R3 R4 R6", frame=3))
    asked = table.readings_asked
    table.choose("draw")
    assert table.readings_asked == asked + 1
    table.choose("fail")
    assert table.view.before == 2


def test_a_turn_taken_against_the_referee_is_the_table_to_put_back_to() -> None:
    table = melded()
    table.show(seen(f"{MELD}, R3 R4 R6", frame=3))
    table.choose("overrule", pieces(table).text)
    table.choose("fail")
    assert table.view.before == 3
