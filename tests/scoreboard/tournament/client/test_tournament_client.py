"""A whole table at an event, from joining to leaving, with and without its hub."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from scoreboard.errors import NotationError, NotOfferedError
from scoreboard.table.requests import (
    Action,
    BothButtonsHeld,
    Chosen,
    GameAbandoned,
    GameDeleted,
    GameOpened,
    PlayerDeleted,
    TournamentGameBegun,
    TournamentUpdated,
)
from scoreboard.table.tournament_view import ResultPhase, ShownRoundClock
from scoreboard.tournament.client.http_hub import HubAwayError, HubRefusedError
from scoreboard.tournament.protocol.hub_update import (
    ClockUpdate,
    MessageUpdate,
    ResultUpdate,
)
from scoreboard.tournament.protocol.throttle import Throttle
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.tournament.client.fakes import SEATING, SEATS, UPDATE, BadWay, wait_for
from tests.scoreboard.tournament.client.party import EventTable, table

FIRST = "1-5-1-1"  # round, table, game, and the first id that this table gave


def kinds(way: BadWay, game_id: str = FIRST) -> list[Any]:
    """What the hub was told of a game, event by event."""
    return [each.body["kind"] for each in way.hub.items(game_id)]


def wait_until_delivered(party: EventTable, way: BadWay, game_id: str = FIRST) -> None:
    """Wait until the hub has the game."""
    expected = len(party.store.events(game_id)) + 1
    wait_for(lambda: len(way.hub.items(game_id)) >= expected)


def test_names_are_there_and_one_press_begins(party: EventTable, way: BadWay) -> None:
    """KEEP begins the game with those who sit there, and the hub hears of it."""
    due = party.event.due
    assert due is not None
    assert (due.players, due.number, due.games) == (("Anna", "Ben"), 1, 2)
    assert str(party.view.keep) == "Begin game 1 of 2"
    assert party.press(Action.KEEP).verdict == "done"
    assert party.view.player == "Anna"
    wait_for(lambda: kinds(way) == ["opened"])
    assert way.hub.items(FIRST)[0].body["entrants"] == [7, 3]


def test_a_game_is_begun_once(party: EventTable) -> None:
    """A second tap, and one from a page that was late, begin nothing."""
    assert party.event.due is not None
    begun = TournamentGameBegun(party.event.due.game_id)
    assert party.do(begun).verdict == "done"
    assert party.do(begun).verdict == "unchanged"
    wait_for(lambda: party.event.due is None)
    assert party.begin().verdict == "refused"
    assert len(party.store.headers()) == 1


def test_a_game_of_ones_own_stays_in_the_list(party: EventTable) -> None:
    """Who plays something else is told of the event's game, and may begin it."""
    party.begin()
    party.do(GameAbandoned(party.view.version))
    party.do(GameOpened("yahtzee", ("Mia", "Noa")))
    wait_for(lambda: party.event.due is not None and party.event.due.game_id != FIRST)
    assert party.begin().verdict == "done"
    assert party.view.scoresheet is not None
    assert party.view.scoresheet.players == ("Anna", "Ben")


def test_players_sign_one_by_one_and_the_next_game_begins(party: EventTable, way: BadWay) -> None:
    """KEEP waits until everyone has agreed, then begins the second game."""
    party.begin()
    party.play()
    wait_for(lambda: party.event.due is not None and party.event.due.number == 2)
    assert party.press(Action.KEEP).verdict == "refused"
    assert party.sign(7).verdict == "done"
    assert party.press(Action.KEEP).verdict == "refused"
    assert party.sign(3).verdict == "done"
    assert party.press(Action.KEEP).verdict == "done"
    assert party.view.game_id == "1-5-2-2"
    wait_until_delivered(party, way)
    wait_for(lambda: kinds(way)[-2:] == ["signed", "signed"])


def test_news_that_come_after_a_signature_know_of_it(party: EventTable, way: BadWay) -> None:
    """What another thread found out before it does not take it back: the news carry no view."""
    party.play_a_game()
    wait_for(lambda: party.event.due is not None and party.event.due.number == 2)
    news = TournamentUpdated()  # on the way while the players sign
    assert party.sign(7, 3).verdict == "done"
    party.do(news)
    assert party.event.results[0].unsigned == ()
    assert party.press(Action.KEEP).verdict == "done"
    wait_until_delivered(party, way)


def test_both_buttons_held_sign_for_all(party: EventTable, way: BadWay) -> None:
    """One act says that all agree; without a result it is refused."""
    assert party.do(BothButtonsHeld(party.clock())).verdict == "refused"
    party.play_a_game()
    assert party.do(BothButtonsHeld(party.clock())).verdict == "done"
    assert party.event.results[0].unsigned == ()
    assert party.do(BothButtonsHeld(party.clock())).verdict == "refused"
    wait_for(lambda: kinds(way)[-2:] == ["signed", "signed"])


def test_a_dispute_does_not_stop_the_table(party: EventTable, way: BadWay) -> None:
    """Who disagrees says why; the next game may begin meanwhile."""
    party.play_a_game()
    assert party.dispute(3, "  ").verdict == "refused"
    assert party.dispute(3, " the bonus \n is missing ").verdict == "done"
    assert party.event.results[0].is_disputed
    wait_for(lambda: kinds(way)[-1:] == ["disputed"])
    assert way.hub.items(FIRST)[-1].body["why"] == "the bonus is missing"
    wait_for(lambda: party.event.due is not None)
    assert party.press(Action.KEEP).verdict == "done"


@pytest.mark.parametrize("entrants", [(), (8,), (7, 8)])
def test_those_at_the_table_sign_once(party: EventTable, entrants: tuple[int, ...]) -> None:
    """A number of somebody else, or none, signs nothing; only a dispute may follow a signature."""
    party.play_a_game()
    assert party.sign(*entrants).verdict == "refused"
    party.sign(7)
    assert party.sign(7, 3).verdict == "refused"
    assert party.dispute(7, "on second thoughts no").verdict == "done"
    assert party.dispute(7, "no and no").verdict == "refused"


def test_undo_takes_the_ground_from_a_signature(party: EventTable) -> None:
    """What was signed was another result: after it is played again, all are asked again."""
    party.play_a_game()
    party.sign(7, 3)
    party.press(Action.UNDO)
    wait_for(lambda: not party.event.results)
    party.play()
    wait_for(lambda: bool(party.event.results))
    assert party.event.results[0].unsigned == (7, 3)


def hub_has(way: BadWay, party: EventTable, version: int, phase: ResultPhase, *by: int) -> None:
    """The hub has the result that the table shows, signed by these; wait until it is shown."""
    outcome = party.view.outcome
    assert outcome is not None
    points = {place.player: place.points for place in outcome.ranking}
    scores = f"7 {points['Anna']}, 3 {points['Ben']}"
    sitting, result = replace(SEATING, game=2), ResultUpdate(1, 1, phase, scores, by)
    way.hub.publish(replace(UPDATE, version=version, sitting=sitting, results=(result,)))
    wait_for(lambda: party.event.results[0].phase == phase)


def play_the_end_again(party: EventTable, last_roll: str) -> None:
    """Take the last box and its roll back, and roll something else."""
    for _ in range(2):
        party.press(Action.UNDO)
    party.do(Chosen("roll", party.view.version, last_roll))
    party.play()
    wait_for(lambda: bool(party.event.results))


@pytest.mark.parametrize(("phase", "by"), [("reported", (7,)), ("signed", (7, 3))])
def test_a_signature_at_the_hub_is_for_the_scores_that_it_was_given_for(
    party: EventTable, way: BadWay, phase: ResultPhase, by: tuple[int, ...]
) -> None:
    """It does not stand beside other ones, which all are asked about."""
    party.play_a_game()
    hub_has(way, party, 2, phase, *by)
    assert 7 not in party.event.results[0].unsigned
    play_the_end_again(party, "66666")
    wait_for(lambda: party.event.results[0].unsigned == (7, 3))
    assert [each.status for each in party.event.results[0].signatures] == ["open", "open"]


def test_a_signature_at_the_hub_outlives_an_undo_that_changed_nothing(
    party: EventTable, way: BadWay
) -> None:
    """The same scores stand there again, and the hub kept the signature for them."""
    party.play_a_game()
    hub_has(way, party, 2, "reported", 7)
    play_the_end_again(party, "13356")
    assert party.event.results[0].unsigned == (3,)


def test_a_signature_at_the_hub_outlives_a_restart(tmp_path: Path, way: BadWay) -> None:
    """The scores are read from the disk."""
    store = MemoryStore()
    with table(tmp_path, way, store) as before:
        before.join()
        before.play_a_game()
        hub_has(way, before, 2, "reported", 7)
    with table(tmp_path, way, store) as after:
        wait_for(lambda: after.view.event is not None and bool(after.event.results))
        assert after.event.results[0].unsigned == (3,)


def test_the_hubs_word_on_a_result_is_shown(party: EventTable, way: BadWay) -> None:
    """Signed at the director's desk, or settled by the referee: nothing is left to sign."""
    party.play_a_game()
    settled = ResultUpdate(1, 1, "settled", "7 100, 3 90", (7,))
    way.hub.publish(
        replace(UPDATE, version=2, sitting=replace(SEATING, game=2), results=(settled,))
    )
    wait_for(lambda: party.event.results[0].phase == "settled")
    assert party.event.results[0].unsigned == ()
    assert party.event.results[0].settled == {7: 100, 3: 90}
    assert party.dispute(3, "no").verdict == "refused"


def test_a_message_stands_until_it_is_put_away(party: EventTable, way: BadWay) -> None:
    """It comes under a version that is known, and once put away it comes no more."""
    wait_for(lambda: party.event.link.connected)
    first, second = MessageUpdate(3, "Lunch"), MessageUpdate(4, "Please come to the desk.")
    way.hub.publish(replace(UPDATE, messages=(first,)))
    wait_for(lambda: [each.text for each in party.event.messages] == ["Lunch"])
    party.desk.put_away(3)
    wait_for(lambda: party.event.messages == ())
    way.hub.publish(replace(UPDATE, messages=(second, first)))
    wait_for(lambda: [each.number for each in party.event.messages] == [4])


def test_the_clock_of_the_round_is_counted_from_when_it_came(
    party: EventTable, way: BadWay
) -> None:
    """By the stopwatch of the table; one that stands has no end."""
    before = monotonic()
    way.hub.publish(replace(UPDATE, version=2, clock=ClockUpdate(90, running=True)))
    wait_for(lambda: party.event.time is not None)
    time = party.event.time
    assert time is not None
    assert time.ends_at is not None
    assert before + 90 <= time.ends_at <= monotonic() + 90
    way.hub.publish(replace(UPDATE, version=3, clock=ClockUpdate(-5, running=False)))
    wait_for(lambda: party.event.time == ShownRoundClock(-5))


def test_a_game_that_the_director_overtook_holds_nothing_up(party: EventTable, way: BadWay) -> None:
    """Its result was entered at the desk: the next game begins, of this round or a new one."""
    party.begin()
    wait_for(lambda: party.event.due is None)
    way.hub.publish(replace(UPDATE, version=2, sitting=replace(SEATING, round=2)))
    wait_for(lambda: party.event.due is not None and party.event.due.round == 2)
    assert party.event.has_passed(FIRST)
    assert party.begin().verdict == "done"
    assert party.view.game_id != FIRST


def test_a_table_that_is_cut_off_plays_the_whole_round(party: EventTable, way: BadWay) -> None:
    """Both games are played and signed without the hub, which then gets all of it, in order."""
    wait_for(lambda: party.event.link.connected)
    way.faults = ["lost"] * 10_000
    for _ in range(2):
        wait_for(lambda: party.event.due is not None)
        assert party.begin().verdict == "done"
        party.play()
        wait_for(lambda: bool(party.event.results))
        wait_for(lambda: party.event.results[-1].game_id == party.view.game_id)
        assert party.sign(7, 3).verdict == "done"
    wait_for(lambda: party.event.link.waiting > 100)
    assert party.event.link.since is not None
    assert party.event.due is None
    way.faults = []
    wait_for(lambda: party.event.link.connected)
    wait_for(lambda: kinds(way, FIRST)[-2:] == ["signed", "signed"])
    wait_for(lambda: kinds(way, "1-5-2-2")[-2:] == ["signed", "signed"])
    assert way.hub.deliveries.disputes() == ()


def test_a_restarted_table_goes_on_without_its_hub(tmp_path: Path, way: BadWay) -> None:
    """Event, seats and an open game are there from the disk; what was not sent is sent then."""
    store = MemoryStore()
    with table(tmp_path, way, store) as before:
        before.join()
        before.begin()
        before.play(most=9)
    way.faults = ["lost"] * 10_000
    with table(tmp_path, way, store) as after:
        wait_for(lambda: after.view.event is not None)
        assert after.view.game_id == FIRST
        assert after.event.players == ("Anna", "Ben")
        after.play()
        wait_for(lambda: bool(after.event.results))
        after.sign(7, 3)
        way.faults = []
        wait_for(lambda: kinds(way)[-2:] == ["signed", "signed"])


def test_a_restarted_table_still_asks_for_signatures(tmp_path: Path, way: BadWay) -> None:
    """A finished game is not on the table after a restart, yet it is signed there."""
    store = MemoryStore()
    with table(tmp_path, way, store) as before:
        before.join()
        before.play_a_game()
    with table(tmp_path, way, store) as after:
        wait_for(lambda: after.view.event is not None and bool(after.event.results))
        assert after.press(Action.KEEP).verdict == "refused"
        assert after.do(BothButtonsHeld(after.clock())).verdict == "done"


def test_a_round_that_is_not_begun_shows_the_seats(party: EventTable, way: BadWay) -> None:
    """Drawn: the names stand there, and nothing begins yet."""
    drawn = replace(SEATING, round=2, rounds_phase="drawn", seats=SEATS[::-1])
    way.hub.publish(replace(UPDATE, version=2, sitting=drawn))
    wait_for(lambda: party.event.round == 2)
    assert party.event.players == ("Ben", "Anna")
    assert party.event.due is None
    assert party.begin().verdict == "refused"


def test_an_events_game_is_not_deleted(party: EventTable) -> None:
    """The hub may not have it yet; after leaving it is the table's own."""
    party.begin()
    assert party.do(GameDeleted(FIRST)).verdict == "refused"
    party.desk.leave()
    wait_for(lambda: party.view.event is None)
    assert party.do(GameDeleted(FIRST)).verdict == "done"


def test_who_is_at_the_event_is_not_deleted(party: EventTable) -> None:
    """Seated, and in a game that was played; everybody else is, and after leaving they too."""
    deleted = PlayerDeleted("p1", ("Ben",))
    assert "at the event" in str(party.do(deleted).notice)
    party.begin()
    assert "under way" in str(party.do(deleted).notice)
    party.do(GameAbandoned(party.view.version))
    assert "at the event" in str(party.do(deleted).notice)
    assert party.do(PlayerDeleted("p2", ("Cem",))).verdict == "done"
    party.desk.leave()
    wait_for(lambda: party.view.event is None)
    assert party.do(deleted).verdict == "done"
    assert party.store.header(FIRST).players == ("Anna", "Guest 1")


def test_a_table_is_at_one_event_at_a_time(party: EventTable) -> None:
    """It leaves before it joins another."""
    with pytest.raises(NotOfferedError, match="leave it first"):
        party.desk.join("hub.test", "ABCD")
    party.desk.leave()
    with pytest.raises(NotOfferedError, match="join one first"):
        party.desk.leave()


def test_a_table_that_was_shut_out_comes_back_with_a_new_code(
    party: EventTable, way: BadWay
) -> None:
    """It goes on where it was: what the hub missed meanwhile is sent then."""
    party.begin()
    wait_until_delivered(party, way)
    way.hub.tokens.clear()
    party.play()
    wait_for(lambda: party.event.link.fault is not None)
    way.hub.codes["EFGH"] = ""
    party.desk.join("hub.test", "EFGH")
    wait_until_delivered(party, way)
    wait_for(lambda: party.event.link.fault is None)
    wait_for(lambda: bool(party.event.results))


def test_a_table_that_comes_back_to_another_place_begins_anew(
    party: EventTable, way: BadWay
) -> None:
    """Its old games stay in its own list, and are told to nobody there."""
    party.begin()
    wait_until_delivered(party, way)
    way.hub.tokens.clear()
    party.do(GameAbandoned(party.view.version))
    wait_for(lambda: party.event.link.fault is not None)
    way.hub.codes["EFGH"] = ""
    way.hub.update = replace(UPDATE, version=2, place=6)
    party.desk.join("hub.test", "EFGH")
    wait_for(lambda: party.event.place == 6)
    assert FIRST not in party.event.games


def test_joining_may_be_tried_again_until_it_is_answered(tmp_path: Path, way: BadWay) -> None:
    """The hub heard the first try, and knows the table by its token at the second."""
    way.faults = ["cut"]
    with table(tmp_path, way) as party:
        with pytest.raises(HubAwayError):
            party.desk.join("hub.test", "ABCD")
        party.join()
        assert party.event.title == "Autumn Open"


def test_a_second_parts_two_tries_to_join(tmp_path: Path, way: BadWay) -> None:
    """However often somebody asks, doors are knocked at once a second."""
    waited: list[float] = []
    with table(tmp_path, way, throttle=Throttle(1.0, lambda: 5.0, waited.append)) as party:
        for code in ("WRONG", "WORSE", "WORST"):
            with pytest.raises(HubRefusedError):
                party.desk.join("hub.test", code)
    assert waited == [1.0, 2.0]


def test_a_code_that_is_spent_joins_nobody(tmp_path: Path, way: BadWay) -> None:
    """The table stays as it was."""
    way.hub.codes["ABCD"] = "z" * 43
    with table(tmp_path, way) as party:
        with pytest.raises(HubRefusedError):
            party.desk.join("hub.test", "ABCD")
        with pytest.raises(NotationError):
            party.desk.join("hub.test", " ")
        assert party.view.event is None


@pytest.mark.parametrize(
    ("typed", "error", "line"),
    [
        (
            ("http://hub.test:8100", "WRONG-CODE"),
            HubRefusedError,
            "no table joined at http://hub.test:8100 (HubRefusedError): ",
        ),
        (
            ("http://dana:WRONG-CODE@hub.test", ""),
            NotationError,
            "no event joined (NotationError): “{text}” is no address of a hub",
        ),
    ],
)
def test_a_table_that_is_not_let_in_is_logged_without_its_code(  # noqa: PLR0913 -- fixtures, and one a column
    tmp_path: Path,
    way: BadWay,
    caplog: pytest.LogCaptureFixture,
    *,
    typed: tuple[str, str],
    error: type[Exception],
    line: str,
) -> None:
    """Why it was not, but neither the code nor what was typed in its place."""
    caplog.set_level(logging.DEBUG, "scoreboard")
    way.hub.codes["WRONG-CODE"] = "another table's token"
    with table(tmp_path, way) as alone, pytest.raises(error):
        alone.desk.join(*typed)
    assert any(each.getMessage().startswith(line) for each in caplog.records)
    assert "WRONG-CODE" not in caplog.text


def test_joining_and_leaving_are_logged(
    tmp_path: Path, way: BadWay, caplog: pytest.LogCaptureFixture
) -> None:
    """By event, address and table; the token stands nowhere."""
    caplog.set_level(logging.DEBUG, "scoreboard")
    with table(tmp_path, way) as joined:
        joined.join()
        joined.desk.leave()
    lines = [each.getMessage() for each in caplog.records]
    assert any(line.startswith("joined event open at ") for line in lines)
    assert "left the event" in lines
    assert not any(token in caplog.text for token in way.hub.tokens)


def test_only_photos_of_the_event_leave_the_table(party: EventTable, way: BadWay) -> None:
    """That of another game, played at the same table before, is never sent."""
    way.hub.photo_seconds = 1
    party.press(Action.KEEP)
    wait_until_delivered(party, way)
    party.desk.photographed("an-own-game", b"private")
    party.desk.photographed(FIRST, b"public")
    wait_for(lambda: way.hub.photos == [b"public"])
