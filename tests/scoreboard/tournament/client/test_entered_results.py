"""Results that people enter at a table of an event, without the moves of the game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoreboard.table.requests import (
    Action,
    Answer,
    BothButtonsHeld,
    GameAbandoned,
    ResultEntered,
)
from scoreboard.table.tournament_view import SeatScore
from scoreboard.tournament.protocol.hub_update import ResultUpdate
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.tournament.client.fakes import (
    FAULTS,
    SEATING,
    UPDATE,
    BadWay,
    FakeHub,
    Fault,
    wait_for,
)
from tests.scoreboard.tournament.client.party import EventTable, table

FIRST = "1-5-1-1"  # round, table, game, and the first id that this table gave
SCORES = (SeatScore(212), SeatScore(187))


def enter(party: EventTable, *scores: SeatScore, game_id: str = FIRST) -> Answer:
    """Somebody enters how the game ended."""
    return party.do(ResultEntered(game_id, scores or SCORES))


def told(way: BadWay, game_id: str = FIRST) -> list[Any]:
    """What the hub knows of a game, item by item: scores, and who signed or disputed."""
    bodies = [each.body for each in way.hub.items(game_id)]
    return [
        [(each["entrant"], each["score"], each["fate"]) for each in body["scores"]]
        if body["kind"] == "result"
        else (body["kind"], body["entrant"])
        for body in bodies
    ]


FAIR = [(7, 212, "played"), (3, 187, "played")]


def test_a_result_is_entered_and_signed_and_the_next_game_comes(
    party: EventTable, way: BadWay
) -> None:
    """As after a game that the table followed; KEEP waits for the signatures."""
    assert enter(party).verdict == "done"
    [result] = party.event.results
    assert (result.game_id, result.is_entered, result.unsigned) == (FIRST, True, (7, 3))
    assert [each.score for each in result.signatures] == list(SCORES)
    wait_for(lambda: party.event.due is not None and party.event.due.number == 2)
    assert party.press(Action.KEEP).verdict == "refused"
    assert party.do(BothButtonsHeld(party.clock())).verdict == "done"
    wait_for(lambda: told(way) == [FAIR, ("signed", 7), ("signed", 3)])
    assert party.press(Action.KEEP).verdict == "done"
    assert party.store.headers()[0].game_id == "1-5-2-2"


def test_nobody_signs_for_all_by_the_buttons_during_a_game(party: EventTable) -> None:
    """The result that waits lies on no table."""
    enter(party)
    wait_for(lambda: party.event.due is not None)
    party.begin()
    assert party.do(BothButtonsHeld(party.clock())).verdict == "refused"


def test_who_did_not_play_is_not_asked(party: EventTable, way: BadWay) -> None:
    """One who did not come or gave up has no score to agree to, but may object."""
    enter(party, SeatScore(fate="no-show"), SeatScore(0, "played"))
    assert party.event.results[0].unsigned == (3,)
    assert party.dispute(7, "I was there").verdict == "done"
    wait_for(lambda: told(way) == [[(7, 0, "no-show"), (3, 0, "played")], ("disputed", 7)])


def test_a_result_may_be_replaced_until_somebody_signed(party: EventTable, way: BadWay) -> None:
    """The same again is no other; a signature, here or at the hub, makes it final."""
    enter(party)
    enter(party, SeatScore(221), SeatScore(187))
    enter(party, SeatScore(221), SeatScore(187))
    scores = [each.score for each in party.event.results[0].signatures]
    assert scores == [SeatScore(221), SeatScore(187)]
    party.sign(3)
    assert enter(party).verdict == "refused"
    wait_for(lambda: told(way)[1:] == [[(7, 221, "played"), (3, 187, "played")], ("signed", 3)])


@pytest.mark.parametrize("by", [(), (7,)])
def test_a_signature_on_a_players_own_page_counts_too(
    party: EventTable, way: BadWay, by: tuple[int, ...]
) -> None:
    """The hub tells of it; a result that the hub merely has may be replaced."""
    enter(party, SeatScore(212), SeatScore(fate="forfeit"))
    reported = ResultUpdate(1, 1, "reported", "7 212, 3 forfeit", by)
    sitting = replace(SEATING, game=2)
    way.hub.publish(replace(UPDATE, version=2, sitting=sitting, results=(reported,)))
    wait_for(lambda: party.event.results[0].phase == "reported")
    assert (enter(party).verdict == "refused") == bool(by)


def test_a_game_that_is_begun_is_told_by_its_moves(party: EventTable) -> None:
    """Until it is closed: then another of the same number is due, and may be entered."""
    party.begin()
    wait_for(lambda: party.event.coming is None)
    assert enter(party).verdict == "refused"
    party.do(GameAbandoned(party.view.version))
    wait_for(lambda: party.event.coming is not None)
    coming = party.event.coming
    assert coming is not None
    assert coming.number == 1
    assert enter(party, game_id=coming.game_id).verdict == "done"
    assert party.event.enterable(FIRST) is None


def test_a_game_that_was_entered_is_not_begun(party: EventTable) -> None:
    """A page that was late offers it still."""
    due = party.event.due
    enter(party)
    assert party.event.due != due
    assert party.begin().verdict == "refused"
    assert party.store.headers() == ()


def test_a_game_without_a_rulebook_may_be_entered(tmp_path: Path) -> None:
    """The table cannot keep its score, and says so; the result goes to the hub all the same."""
    way = BadWay(FakeHub(replace(UPDATE, sitting=replace(SEATING, rulebook="", games=1))))
    with table(tmp_path, way) as party:
        party.desk.join("hub.test", "ABCD")
        wait_for(lambda: party.view.event is not None and party.event.coming is not None)
        assert party.event.due is None
        assert party.event.obstacle is not None
        assert enter(party).verdict == "done"
        wait_for(lambda: told(way) == [FAIR])


@pytest.mark.parametrize("fault", FAULTS)
def test_it_arrives_once_whatever_the_way_does(tmp_path: Path, way: BadWay, fault: Fault) -> None:
    """Entered, replaced and signed over a bad way; then the table is switched off and on again."""
    store = MemoryStore()
    with table(tmp_path, way, store) as before:
        before.join()
        way.faults = [fault] * 3
        enter(before, SeatScore(1), SeatScore(2))
        way.faults = ["lost"] * 10_000
        enter(before)
        before.sign(7)
    way.faults = [fault] * 3
    with table(tmp_path, way, store) as after:
        wait_for(lambda: after.view.event is not None and bool(after.event.results))
        assert after.event.results[0].unsigned == (3,)
        expected = [[(7, 1, "played"), (3, 2, "played")], FAIR, ("signed", 7)]
        wait_for(lambda: told(way) == expected)
        wait_for(lambda: after.desk.unsent() == 0)
    assert way.hub.deliveries.disputes() == ()


def test_nothing_is_entered_at_no_event(party: EventTable) -> None:
    """Left on another page meanwhile."""
    party.desk.leave()
    wait_for(lambda: party.view.event is None)
    assert enter(party).verdict == "refused"
