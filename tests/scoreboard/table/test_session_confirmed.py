"""What the session tells of the readings behind its events, and the way back to a step."""

from __future__ import annotations

import pytest

from scoreboard.games.engine.transcript import Retraction
from scoreboard.table.pending_dice import PendingRoll
from scoreboard.table.pending_pieces import PiecesReading
from scoreboard.table.requests import Answer, PieceCorrected, StepsUndone
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import FailingStore, Table
from tests.scoreboard.table.seen import seen


def last_roll(table: Table) -> PendingRoll:
    confirmed = table.confirmed[-1].reading
    assert isinstance(confirmed, PendingRoll)
    return confirmed


def last_pieces(table: Table) -> PiecesReading:
    confirmed = table.confirmed[-1].reading
    assert isinstance(confirmed, PiecesReading)
    return confirmed


def test_each_confirmed_roll_is_told_with_its_step() -> None:
    table = Table().opened()
    table.roll("33516")
    table.reroll()
    table.roll("33222")
    table.keep()
    table.choose("score:full-house")
    told = [(each.game_id, each.step, each.seat) for each in table.confirmed]
    assert told == [("game-1", 1, 0), ("game-1", 2, 0)]
    assert last_roll(table).read is not None


def test_corrections_are_told_as_confirmed() -> None:
    table = Table().opened()
    table.roll("3?516")
    table.correct(1, 4)
    table.reroll()
    assert [die.face for die in last_roll(table).dice] == [3, 4, 5, 1, 6]
    read = last_roll(table).read
    assert read is not None
    assert [die.face for die in read.sightings] == [3, None, 5, 1, 6]


@pytest.mark.parametrize("by_offer", [False, True])
def test_a_typed_roll_is_told_with_the_picture_it_replaces(*, by_offer: bool) -> None:
    """Typed into the page's field, or with the offer itself."""
    table = Table().opened()
    table.roll("33516")
    if by_offer:
        table.choose("roll", "33515")
    else:
        table.enter("33515")
        table.reroll()
    assert last_roll(table).by_hand
    assert sorted(die.value for die in last_roll(table).dice) == [1, 3, 3, 5, 5]
    assert last_roll(table).read is not None


def test_without_a_reading_nothing_is_told() -> None:
    table = Table().opened()
    table.enter("33515")
    table.reroll()
    assert table.confirmed == []


def test_what_could_not_be_stored_is_not_told() -> None:
    """The photo comes after the event, or not at all."""
    table = Table(store := FailingStore()).opened()
    table.roll("33516")
    store.full = True
    table.reroll()
    assert table.confirmed == []


def test_tiles_are_told_with_their_corrections() -> None:
    table = Table().begin("rummikub", "Ann", "Ben", clock="off")
    table.choose("begin:0")
    table.show(seen("K10 R10 B1", frame=2))
    table.act(PieceCorrected(2, "B10", table.view.version))
    table.keep()
    assert last_pieces(table).text == "K10 R10 B10"
    assert [piece.corrected for piece in last_pieces(table).pieces] == [False, False, True]


def test_a_card_of_tong_tong_is_told() -> None:
    table = Table().begin("tongtong", "Ann", "Ben", "Cem", "Dan")
    while table.view.turn and table.view.turn.awaited and not table.view.turn.awaited.expected:
        table.choose(table.view.offers[0].key)
    before = len(table.events)
    table.show(seen("R8", frame=3))
    table.keep()
    assert len(table.events) > before
    assert last_pieces(table).text == "R8"


def played() -> Table:
    """Two turns of one roll each: steps 1, 3 (a box), 4 and 6 (a box)."""
    table = Table(MemoryStore()).opened()
    for faces, box in (("33222", "score:full-house"), ("55555", "score:yahtzee")):
        table.roll(faces)
        table.keep()
        table.choose(box)
    return table


def back(table: Table, step: int, expected: int | None = None) -> Answer:
    seen_version = table.view.version if expected is None else expected
    return table.send(StepsUndone(step, seen_version))


def test_back_to_a_step_undoes_all_later_ones_at_once() -> None:
    """One step of retractions, the newest event first; nothing is lost from the record."""
    table = played()
    before = len(table.events)
    assert back(table, 3).verdict == "done"
    undone = [event for event in table.events[before:] if isinstance(event, Retraction)]
    assert [event.of for event in undone] == [6, 5, 4]
    assert table.view.sequence == before + 3
    records = table.store.events("game-1")
    assert {record.step for record in records[before:]} == {before + 1}
    assert table.view.turn is not None
    assert (table.view.turn.player, table.rolls_made) == (1, 0)


def test_a_page_that_saw_less_is_refused() -> None:
    table = played()
    seen_version = table.view.version
    table.roll("12346")
    table.keep()
    before = table.events
    assert back(table, 3, seen_version).verdict == "stale"
    assert table.events == before


@pytest.mark.parametrize("step", [6, 2, 99])
def test_back_to_nothing_is_refused(step: int) -> None:
    """The last step, the middle of one, and one that there is not."""
    assert back(played(), step).verdict == "refused"


def test_a_closed_game_is_not_undone() -> None:
    table = played()
    table.abandon()
    assert back(table, 3).verdict == "refused"
