"""Results that a device tells without the moves."""

from __future__ import annotations

import pytest

from scoreboard.tournament.model.disputes import Settle, objection_message
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.tournament import THE_HUB
from scoreboard.tournament.protocol.documents import WireError
from scoreboard.tournament.protocol.hub_update import Greeting
from scoreboard.tournament.protocol.items import (
    DisputedBy,
    Item,
    ResultAlone,
    SignedBy,
    StoredItems,
    body_of,
    item_of,
)
from tests.scoreboard.tournament.hub.halls import REFEREE, Hall, quick_game, signed_by, token_of
from tests.scoreboard.tournament.model.directing import KIM

FOUR = (1, 2, 3, 4)


def alone(*points: int, table: int = 1, entrants: tuple[int, ...] = FOUR) -> ResultAlone:
    """A result of round 1's first game, as a device tells it."""
    given = zip(entrants, points, strict=True)
    return ResultAlone(1, table, 1, tuple(Score(*each) for each in given))


def items(*contents: ResultAlone | SignedBy | DisputedBy) -> tuple[Item, ...]:
    """What a device tells of a game, in order."""
    return tuple(Item(number, body_of(each)) for number, each in enumerate(contents, start=1))


FAIR = alone(60, -10, -20, -30)


def test_a_result_alone_is_reported_and_signed(hall: Hall) -> None:
    """By the table, as a game of which the hub knows the moves; the desk sees the difference."""
    contents = items(FAIR, *signed_by(FOUR))
    assert hall.deliver(1, "g1", contents).held == StoredItems(5)
    reported = hall.reported()
    assert (reported.phase, str(reported.result.scores)) == ("signed", "1 60, 2 -10, 3 -20, 4 -30")
    assert hall.service.events(hall.event)[-1].source == "table 1"
    one, other = sorted(hall.table_api.tables(hall.event), key=lambda each: each.number)
    assert (one.result_alone, other.result_alone) == (True, False)
    assert one.problems == ()


def test_who_did_not_play_is_told_or_left_out(hall: Hall) -> None:
    """A forfeit is said; who is not named did not come."""
    result = ResultAlone(1, 1, 1, (Score(1, 30), Score(2, -30), Score(3, 0, "forfeit")))
    hall.deliver(1, "g1", items(result))
    reported = hall.reported()
    assert str(reported.result.scores) == "1 30, 2 -30, 3 forfeit, 4 no-show"


def test_a_later_result_takes_the_place_of_one_that_nobody_signed(hall: Hall) -> None:
    """As a move that is taken back; once signed the two contradict each other."""
    later = alone(30, 10, -20, -20)
    hall.deliver(1, "g1", items(FAIR))
    hall.deliver(1, "g1", items(FAIR, later))
    reported = hall.reported()
    assert str(reported.result.scores) == "1 30, 2 10, 3 -20, 4 -20"
    hall.deliver(1, "g1", items(FAIR, later, SignedBy(1)))
    hall.deliver(1, "g1", items(FAIR, later, SignedBy(1), FAIR))
    reported = hall.reported()
    assert reported.phase == "disputed"
    assert reported.objection is not None
    sentence = objection_message(hall.service.snapshot(hall.event).state, reported.objection)
    assert str(sentence) == (
        "the hub disagrees: “The hub has Player 1 30, Player 2 10, Player 3 -20, Player 4 -20; "
        "the table's sheet says Player 1 60, Player 2 -10, Player 3 -20, Player 4 -30.”"
    )


def test_what_no_game_ends_with_is_disputed_by_the_hub(hall: Hall) -> None:
    """As a person who enters it is asked; signatures change nothing of it."""
    hall.deliver(1, "g1", items(alone(900_000, -300_000, -300_000, -300_000), *signed_by(FOUR)))
    reported = hall.reported()
    assert reported.objection is not None
    assert (reported.phase, reported.objection.entrant) == ("disputed", THE_HUB)
    assert "Player 1: 900000. A game of Rummikub ends with" in reported.objection.why


TYPO = alone(900_000, -300_000, -300_000, -300_000)


def test_a_typing_error_is_mended_by_another_result(hall: Hall) -> None:
    """The hub disputed what no game ends with; nobody signed, so no referee is needed."""
    hall.deliver(1, "g1", items(TYPO))
    [told] = hall.table_api.greet(token_of(1), Greeting({})).results
    assert (told.phase, told.replaceable) == ("disputed", True)
    hall.deliver(1, "g1", items(TYPO, FAIR, *signed_by(FOUR)))
    reported = hall.reported()
    assert (reported.phase, str(reported.result.scores)) == ("signed", "1 60, 2 -10, 3 -20, 4 -30")


@pytest.mark.parametrize("by", ["player", "referee"])
def test_what_people_dispute_or_decide_is_replaced_by_nobody(hall: Hall, by: str) -> None:
    """An objection, or the referee's own scores, stand against another result of the table."""
    if by == "player":
        hall.deliver(1, "g1", items(FAIR, DisputedBy(2, "it was 12")))
    else:
        hall.deliver(1, "g1", items(TYPO))
        decided = Settle(1, 1, 1, GameScores.parse("1 9, 2 -3, 3 -3, 4 -3"), **KIM)
        hall.service.give(hall.event, decided, REFEREE)
    before = hall.reported()
    first = items(FAIR, DisputedBy(2, "it was 12")) if by == "player" else items(TYPO)
    later = Item(len(first) + 1, body_of(alone(30, 10, -20, -20)))
    hall.deliver(1, "g1", (*first, later))
    assert hall.reported() == before
    [told] = hall.table_api.greet(token_of(1), Greeting({})).results
    assert not told.replaceable


def test_scores_that_do_not_add_up_bring_no_result(hall: Hall) -> None:
    """The device and the desk are told why."""
    hall.deliver(1, "g1", items(alone(60, -10, -20, -29)))
    assert not hall.has_result()
    [problem] = next(each for each in hall.table_api.tables(hall.event) if each.problems).problems
    assert "add up" in str(problem)


@pytest.mark.parametrize("first", ["moves", "result"])
def test_a_game_is_told_in_one_way(hall: Hall, first: str) -> None:
    """Moves and a result alone of one game cannot be followed; what came first counts."""
    moves = quick_game(FOUR, "+60 -10 -20 -30")
    contents = [*moves[:2], *items(FAIR)] if first == "moves" else [*items(FAIR), *moves]
    sent = [Item(number, each.body) for number, each in enumerate(contents, start=1)]
    assert hall.deliver(1, "g1", sent).held == StoredItems(len(sent))
    assert hall.has_result() != (first == "moves")
    [table] = [each for each in hall.table_api.tables(hall.event) if each.number == 1]
    assert "This game cannot be followed" in str(table.problems[0])


@pytest.mark.parametrize("member", ["event", "item"])
def test_an_unknown_member_stops_an_event_and_no_item(hall: Hall, member: str) -> None:
    """As the page of the protocol says: what the hub does not know of an event could score."""
    whole = quick_game(FOUR, "+60 -10 -20 -30")
    bodies = [dict(each.body) for each in whole]
    if member == "event":
        bodies[-1]["event"] = {**bodies[-1]["event"], "newer": 1}
    else:
        bodies[-1]["newer"] = 1
    sent = [Item(number, body) for number, body in enumerate(bodies, start=1)]
    assert hall.deliver(1, "g1", sent).held == StoredItems(len(sent))
    assert hall.has_result() != (member == "event")


@pytest.mark.parametrize(
    "given",
    [
        [],
        [{"entrant": 1}, {"entrant": 1}],
        [{"entrant": 1, "score": 10_000_000}],
        [{"entrant": 1, "score": 5, "fate": "no-show"}],
        [{"entrant": 1, "fate": "won"}],
        [{"entrant": 1_000_000}],
    ],
)
def test_what_are_no_scores_is_no_item_of_the_protocol(given: list[dict[str, object]]) -> None:
    """Bounded as a result by hand."""
    with pytest.raises(WireError):
        item_of({"kind": "result", "round": 1, "table": 1, "number": 1, "scores": given})
