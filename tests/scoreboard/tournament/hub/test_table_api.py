"""The reception of a hub, over a store in SQLite."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from scoreboard.tournament.hub.table_api import LARGEST_ITEM, MOST_GAMES_AT_A_TABLE, MOST_OF_A_GAME
from scoreboard.tournament.hub.tournament_service import TooMuchError, UnknownTokenError
from scoreboard.tournament.model.disputes import Settle
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.rounds import SetClock, StartRound
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import THE_HUB
from scoreboard.tournament.protocol.audit_log import JoinRefusedError
from scoreboard.tournament.protocol.documents import document_of, value_of
from scoreboard.tournament.protocol.hub_update import (
    ClockUpdate,
    Greeting,
    HubUpdate,
    JoinRequest,
    ResultUpdate,
    SeatingUpdate,
    SeatUpdate,
)
from scoreboard.tournament.protocol.items import (
    Delivery,
    DisputedBy,
    Gap,
    Item,
    SignedBy,
    StoredItems,
)
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.halls import (
    DIRECTOR,
    MORNING,
    REFEREE,
    Hall,
    Ticking,
    entered_event,
    entered_text,
    items_of,
    names,
    quick_game,
    signed_by,
    token_of,
)
from tests.scoreboard.tournament.model.directing import EVENING, KIM, DrawByHand, scores
from tests.scoreboard.tournament.storage.temporary import temporary_store

DUEL = Path(__file__).parents[3] / "playthroughs" / "duel.txt"
RECORDED = DUEL.parents[2] / "docs" / "reference" / "hub-protocol-game.json"
FOUR = (1, 2, 3, 4)
POINTS = "+60 -10 -20 -30"
SCORES = "1 60, 2 -10, 3 -20, 4 -30"


def test_a_table_stores_no_more_than_a_table_can_tell(clock: Ticking) -> None:
    """Neither endless games, nor items of a megabyte, nor games without number; none is kept."""
    hall = Hall(temporary_store(), clock).begin()
    junk = {"kind": "newer", "told": "x" * LARGEST_ITEM}
    for items in ((Item(1, junk),), (Item(MOST_OF_A_GAME + 1, {"kind": "newer"}),)):
        with pytest.raises(TooMuchError):
            hall.deliver(1, "g1", items)
    assert hall.store.deliveries.game("g1") == ()
    for number in range(MOST_GAMES_AT_A_TABLE):
        hall.store.deliveries.take(f"{hall.event}/1", f"j{number}", (Item(1, {"kind": "newer"}),))
    with pytest.raises(TooMuchError, match="report further results by hand"):
        hall.deliver(1, "g1", quick_game(FOUR, POINTS))
    hall.deliver(1, "j7", (Item(2, {"kind": "newer"}),))
    hall.deliver(2, "g2", quick_game((5, 6, 7, 8), POINTS, slot=(1, 2, 1)))
    assert hall.has_result(2)


def yahtzee_duel(store: SqlHubStore, clock: Ticking) -> Hall:
    """Entries 1 and 2 at table 1, whose device has joined; round 1 is under way."""
    hall = Hall(store, clock)
    form = replace(EVENING, game="yahtzee", zero_sum=False, table_size=2, smallest_table=2)
    hall.event = entered_event(hall.service, form, 2)
    hall.service.give_all(
        hall.event, (DrawByHand(Draw.parse("1: 1 2"), **KIM), StartRound()), DIRECTOR
    )
    hall.join(1)
    return hall


def test_a_game_against_its_rulebook_is_disputed_by_the_hub(
    store: SqlHubStore, clock: Ticking
) -> None:
    """Whoever signs it, it counts for nothing until it is settled, and the desk names the box."""
    hall = yahtzee_duel(store, clock)
    items = list(items_of(DUEL.read_text(encoding="utf-8"), (1, 2), *signed_by((1, 2))))
    at = next(n for n, item in enumerate(items) if "points" in item.body.get("event", {}))
    event: dict[str, Any] = {**items[at].body["event"], "points": 9999}
    items[at] = replace(items[at], body={**items[at].body, "event": event})
    hall.deliver(1, "g1", items)

    reported = hall.reported()
    assert reported.phase == "disputed"
    assert reported.signed == frozenset()
    assert reported.objection is not None
    assert reported.objection.entrant == THE_HUB
    assert "9999 in" in reported.objection.why
    [table] = hall.table_api.tables(hall.event)
    assert any("9999 in" in str(problem) for problem in table.problems)
    assert standings_of(hall.service.snapshot(hall.event).state).of(1).values == (0,)

    hall.deliver(1, "g1", items)
    decided = Settle(1, 1, 1, scores("1 60, 2 70"), **KIM)
    hall.service.give(hall.event, decided, REFEREE)
    assert not hall.table_api.tables(hall.event)[0].problems


def test_a_table_is_told_who_sits_there(hall: Hall) -> None:
    """The update has the round, the rulebook with its house rules, and the seats in order."""
    update = hall.table_api.greet(token_of(2), Greeting({}))
    assert (update.place, update.title, update.notice) == (2, "Winter Open", "")
    assert update.sitting == SeatingUpdate(
        round=1,
        rounds_phase="running",
        game=1,
        games=1,
        rulebook="rummikub",
        options={"rounds": "1", "joker": "30"},
        seats=tuple(SeatUpdate(number, f"Player {number}") for number in (5, 6, 7, 8)),
    )


def test_before_the_first_round_nobody_sits_anywhere(store: SqlHubStore, clock: Ticking) -> None:
    """A table may join early, and is told no more than that."""
    hall = Hall(store, clock)
    hall.event = entered_event(hall.service)
    hall.join(1)
    assert hall.table_api.greet(token_of(1), Greeting({})).sitting is None
    assert hall.table_api.tables(hall.event) == ()


def test_a_game_that_is_over_is_reported_and_signed(hall: Hall) -> None:
    """Its table gives the commands; the update says what became of it."""
    items = quick_game(FOUR, POINTS, *signed_by(FOUR))
    assert hall.deliver(1, "g1", items).held == StoredItems(len(items))
    assert hall.has_result()
    update = hall.table_api.greet(token_of(1), Greeting({"g1": len(items)}))
    assert update.results == (ResultUpdate(1, 1, "signed", SCORES, FOUR),)
    assert update.sitting is not None
    assert (update.sitting.game, update.sitting.games) == (2, 1)
    assert update.wanted == {}
    sources = {each.source for each in hall.service.events(hall.event, after=10)}
    assert sources == {"table 1"}


def test_a_game_is_reported_by_its_last_item(hall: Hall) -> None:
    """Until all before it is there, nothing is reported; what is missing is told."""
    items = quick_game(FOUR, POINTS)
    receipt = hall.deliver(1, "g1", (items[0], *items[2:]))
    assert receipt.held == StoredItems(1, (Gap(2, 2),))
    assert not hall.has_result()
    assert hall.table_api.greet(token_of(1), Greeting({"g1": len(items)})).wanted == {
        "g1": StoredItems(1, (Gap(2, 2),))
    }
    hall.deliver(1, "g1", items[1:2])
    assert hall.has_result()


@pytest.mark.parametrize(
    ("table", "items", "problem"),
    [
        (2, quick_game(FOUR, POINTS), "delivered by another"),
        (1, quick_game((1, 2, 3, 8), POINTS), "by others than sit"),
        (
            1,
            items_of(f"game yahtzee\nplayers {names(FOUR)}\noption start first\n", FOUR),
            "played with Rummikub, not with Yahtzee",
        ),
    ],
)
def test_a_game_without_a_place_brings_no_result(
    hall: Hall, table: int, items: tuple[Item, ...], problem: str
) -> None:
    """Another table's, one of strangers, one of another rulebook: the director sees why."""
    hall.deliver(table, "g1", items)
    assert not hall.has_result()
    assert problem in str(problems(hall, table))


def test_who_never_sat_down_did_not_show(hall: Hall) -> None:
    """Of a game of three at a table of four the fourth is a no-show."""
    hall.deliver(1, "g1", quick_game((1, 2, 3), "+30 -10 -20"))
    reported = hall.reported()
    assert str(reported.result.scores) == "1 30, 2 -10, 3 -20, 4 no-show"


def test_a_dispute_reaches_the_referee(hall: Hall) -> None:
    """The result is pending, the table is told to play on, and the director sees it first."""
    hall.deliver(2, "g2", quick_game((5, 6, 7, 8), POINTS, DisputedBy(6, "a rack"), slot=(1, 2, 1)))
    reported = hall.reported(2)
    assert reported.objection is not None
    assert (reported.objection.entrant, reported.objection.why) == (6, "a rack")
    assert [each.number for each in hall.table_api.tables(hall.event)] == [2, 1]
    update = hall.table_api.greet(token_of(2), Greeting({}))
    assert "the referee settles it" in update.notice
    assert update.said is not None
    assert str(update.said.message) == update.notice


def test_what_the_referee_settled_stays(hall: Hall) -> None:
    """The table's items have nothing more to say to it, however often they come."""
    items = quick_game(FOUR, POINTS, SignedBy(1), DisputedBy(2, " "))
    hall.deliver(1, "g1", items)
    settled = scores("1 30, 2 -10, 3 -10, 4 -10")
    hall.service.give(hall.event, Settle(1, 1, 1, settled, **KIM), REFEREE)
    hall.deliver(1, "g1", items)
    hall.table_api.examine_all()
    reported = hall.reported()
    assert (reported.phase, reported.result.scores) == ("settled", settled)


def test_a_correction_is_not_undone_by_a_late_signature(hall: Hall) -> None:
    """Who signed the old result has not signed the new one."""
    items = quick_game(FOUR, POINTS, *signed_by(FOUR))
    hall.deliver(1, "g1", items[:-1])
    corrected = scores("1 30, 2 -10, 3 -10, 4 -10")
    hall.service.give(hall.event, CorrectResult(1, 1, 1, corrected, **KIM), REFEREE)
    hall.deliver(1, "g1", items)
    reported = hall.reported()
    assert (reported.phase, reported.signed) == ("settled", frozenset())


def test_a_result_typed_before_the_table_is_heard_is_signed_by_it(hall: Hall) -> None:
    """A table that was cut off catches up: the same result is one result, with its signatures."""
    hall.service.give(hall.event, ReportResult(1, 1, 1, scores(SCORES)), DIRECTOR)
    hall.deliver(1, "g1", quick_game(FOUR, POINTS, *signed_by(FOUR)))
    assert hall.reported().phase == "signed"


def test_two_results_of_one_game_are_a_dispute(hall: Hall) -> None:
    """The director typed another one than the table has: the referee is told both."""
    typed = scores("1 30, 2 -10, 3 -10, 4 -10")
    hall.service.give(hall.event, ReportResult(1, 1, 1, typed), DIRECTOR)
    hall.deliver(1, "g1", quick_game(FOUR, POINTS))
    reported = hall.reported()
    assert reported.objection is not None
    assert SCORES in reported.objection.why
    assert str(typed) in reported.objection.why


def test_an_end_that_is_taken_back_is_reported_anew(hall: Hall) -> None:
    """Item by item: while nobody has signed, the table may undo its last move and go on."""
    items = items_of(entered_text(FOUR, "+30 -10 -10 -10", POINTS), FOUR, *signed_by(FOUR))
    seen: list[str] = []
    for item in items:
        hall.deliver(1, "g1", [item])
        seen.append(str(hall.reported().result.scores) if hall.has_result() else "")
    shown = [each for place, each in enumerate(seen) if place == 0 or each != seen[place - 1]]
    assert shown == ["", "1 30, 2 -10, 3 -10, 4 -10", "", SCORES]
    hall.deliver(1, "g1", items)
    assert [each.phase for each in hall.table_api.greet(token_of(1), Greeting({})).results] == [
        "signed"
    ]


@pytest.mark.parametrize(("at_once", "phase"), [(False, "disputed"), (True, "reported")])
def test_an_end_that_was_signed_and_taken_back_is_the_referees(
    hall: Hall, phase: str, *, at_once: bool
) -> None:
    """Another end is a contradiction; before the first is heard of, it voids its signatures."""
    first = items_of(entered_text(FOUR, "+30 -10 -10 -10"), FOUR, SignedBy(2))
    whole = items_of(entered_text(FOUR, "+30 -10 -10 -10", POINTS), FOUR)
    later = tuple(Item(item.sequence + 1, item.body) for item in whole[len(first) - 1 :])
    for items in [(*first, *later)] if at_once else [first, later]:
        hall.deliver(1, "g1", items)
    assert (hall.reported().phase, 2 in hall.reported().signed) == (phase, not at_once)


def test_items_of_a_newer_table_are_kept_and_passed_over(hall: Hall) -> None:
    """What the hub does not know hinders nothing."""
    first, *rest = quick_game(FOUR, POINTS)
    novel = Item(2, {"kind": "applause", "loud": True})
    moved = (Item(item.sequence + 1, item.body) for item in rest)
    hall.deliver(1, "g1", (first, novel, *moved))
    assert hall.has_result()


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "event"},
        {"no": "kind"},
        {"kind": "opened", "nonsense": 1},
        {"kind": "opened", "game": "chess"},
        {"kind": "event", "sequence": 7, "step": 1, "source": "page", "event": {"kind": "x"}},
    ],
)
def test_a_game_of_nonsense_stands_still(hall: Hall, body: dict[str, object]) -> None:
    """It is kept, the director is told to type its result, and other games go on."""
    game = quick_game(FOUR, POINTS)
    hall.deliver(1, "bad", (*game[:2], Item(3, body)))
    assert "cannot be followed" in str(problems(hall, 1))
    hall.deliver(1, "good", game)
    assert hall.has_result()


@pytest.mark.parametrize("first", [1, -4])
def test_a_game_that_begins_without_its_opening_is_told(hall: Hall, first: int) -> None:
    """An event or a signature came first: table and desk read it, until another game comes."""
    game = quick_game(FOUR, POINTS, *signed_by(FOUR))
    items = tuple(Item(number, each.body) for number, each in enumerate(game[first:], start=1))
    hall.deliver(1, "bad", items)
    assert "cannot be followed" in hall.table_api.greet(token_of(1), Greeting({})).notice
    assert "cannot be followed" in str(problems(hall, 1))
    hall.deliver(1, "good", game)
    assert hall.table_api.greet(token_of(1), Greeting({})).notice == ""


def test_the_recorded_game_of_the_page_is_answered_as_it_says(
    store: SqlHubStore, clock: Ticking
) -> None:
    """A client is checked against it: all items, the receipt, and the result that the hub has."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    hall = yahtzee_duel(store, clock)
    delivery = value_of(Delivery, recorded["delivery"])
    receipt = hall.table_api.deliver(token_of(1), delivery)
    assert document_of(receipt) == recorded["receipt"]
    [result] = hall.table_api.greet(token_of(1), Greeting({})).results
    assert document_of(result) == recorded["result"]


def test_a_wrong_rule_of_a_box_is_named(store: SqlHubStore, clock: Ticking) -> None:
    """The points are right, so the sentence alone would show no difference."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    events = [each["body"].get("event", {}) for each in recorded["delivery"]["items"]]
    next(each for each in events if each.get("category") == "aces")["rule"] = "YZ-7"
    hall = yahtzee_duel(store, clock)
    hall.table_api.deliver(token_of(1), value_of(Delivery, recorded["delivery"]))
    objection = hall.reported().objection
    assert objection is not None
    assert "(rule YZ-7). By the rulebook it is: 4 in Aces for South (rule YZ-8)" in objection.why


def test_a_sheet_of_nonsense_hides_no_table(hall: Hall) -> None:
    """Events that no rulebook would have made may be kept; nobody else notices."""
    text = f"game yahtzee\nplayers {names(FOUR)}\noption start first\nroll 11111\nscore aces\n"
    *items, scored = items_of(text, FOUR)
    event = {**scored.body["event"], "category": "no-such-box", "player": "Nobody"}
    hall.deliver(1, "g1", (*items, Item(scored.sequence, {**scored.body, "event": event})))
    assert len(hall.table_api.tables(hall.event)) == 2


def test_a_contradiction_is_told_to_table_and_director(hall: Hall) -> None:
    """Of two stories the first is kept; the receipt names the item."""
    items = quick_game(FOUR, POINTS)
    other = quick_game(FOUR, "+30 -10 -10 -10")
    hall.deliver(1, "g1", items[:2])
    receipt = hall.deliver(1, "g1", other)
    assert receipt.disputed == (2,)
    assert "two stories" in str(problems(hall, 1))


def test_a_table_hears_what_concerns_it(hall: Hall) -> None:
    """An update is new when the table's own results change, or all sit down anew."""
    token = token_of(1)
    before = hall.table_api.next_update(token, 0, 60)
    hall.deliver(2, "g2", quick_game((5, 6, 7, 8), POINTS, slot=(1, 2, 1)))
    assert hall.table_api.next_update(token, before.version, 0) == before
    hall.deliver(1, "g1", quick_game(FOUR, POINTS))
    after = hall.table_api.next_update(token, before.version, 60)
    assert after.version > before.version
    assert [each.phase for each in after.results] == ["reported"]


def said(update: HubUpdate) -> list[str]:
    """The messages of an update."""
    return [each.text for each in update.messages]


def test_a_waiting_table_hears_a_message_at_once(hall: Hall) -> None:
    """Its record and so its version stay; who knows of no messages is not woken by any."""
    before = hall.table_api.next_update(token_of(1), 0, 0, ())
    heard: list[HubUpdate] = []
    waits = Thread(
        target=lambda: heard.append(
            hall.table_api.next_update(token_of(1), before.version, 60, before.message_numbers)
        )
    )
    waits.start()
    hall.store.messages.send(hall.event, "table 1", "Please come to the desk.", MORNING, "Kim")
    waits.join(30)
    assert said(heard[0]) == ["Please come to the desk."]
    assert heard[0].version == before.version
    older = hall.table_api.next_update(token_of(1), before.version, 0)
    assert replace(older, messages=()) == before


def test_a_table_has_messages_to_all_and_to_itself(hall: Hall) -> None:
    """Newest first, until they are taken away; none to other tables, to players or of yesterday."""
    messages = hall.store.messages
    for addressee, at in (
        ("all", MORNING),
        ("table 1", MORNING),
        ("table 2", MORNING),
        ("player 1", MORNING),
        ("all", MORNING - timedelta(days=1)),
    ):
        messages.send(hall.event, addressee, f"To {addressee}", at, "Kim")
    update = hall.table_api.next_update(token_of(1), 0, 0, ())
    assert said(update) == ["To table 1", "To all"]
    messages.take_away(hall.event, update.messages[0].number)
    again = hall.table_api.next_update(token_of(1), update.version, 60, update.message_numbers)
    assert said(again) == ["To all"]


def test_a_table_has_the_clock_of_its_round(hall: Hall) -> None:
    """Set by an event of the record, which is an update; told as seconds left, not as an hour."""
    before = hall.table_api.greet(token_of(1), Greeting({}))
    hall.service.give(hall.event, SetClock(1, 1_500, running=False, at=MORNING), DIRECTOR)
    update = hall.table_api.next_update(token_of(1), before.version, 60)
    assert (before.clock, update.clock) == (None, ClockUpdate(1_500, running=False))


def problems(hall: Hall, table: int) -> list[str]:
    """What the director is told of a table."""
    (found,) = (each for each in hall.table_api.tables(hall.event) if each.number == table)
    return [str(problem) for problem in found.problems]


def test_what_tables_say_is_logged_without_code_and_token(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    """Who joined, what was kept of which game, and what was refused."""
    caplog.set_level(logging.DEBUG, "scoreboard")
    token, code = "x" * 32, hall.admission.offer_code(hall.event, 2)
    hall.table_api.join(JoinRequest(code, "by the door", token))
    hall.table_api.greet(token, Greeting({"g9": 1}))
    hall.table_api.deliver(token, Delivery("g9", (Item(1, {"kind": "opened"}),)))
    with pytest.raises(TooMuchError):
        hall.table_api.deliver(token, Delivery("g9", (Item(MOST_OF_A_GAME + 1, {}),)))
    with pytest.raises(UnknownTokenError):
        hall.table_api.greet("y" * 32, Greeting({}))
    with pytest.raises(JoinRefusedError):
        hall.table_api.join(JoinRequest("ACDE-3467", "north", "y" * 32))
    place = f"{hall.event}/2"
    lines = [each.getMessage() for each in caplog.records if each.levelno == logging.INFO]
    seen = [line for line in lines if not line.startswith(("carried out", "opened"))]
    assert seen == [
        f"offered a code for table {place}",
        f"table {place} joined",
        f"greeted by table {place}; wanted: g9",
        f"kept from table {place}: items 1-1 of game g9, held 1",
        (
            f"refused from table {place}: items 10001-10001 of game g9 (TooMuchError): "
            "A game has at most 10000 items: begin a new one."
        ),
        "refused to a table whose token is not known",
        (
            "no table joined: No table joins by this code: check each letter and figure. If a "
            "newer code was made for the table, take that one."
        ),
    ]
    assert not any(secret in caplog.text for secret in (code, token, "ACDE-3467", "y" * 32))
