"""How the tables do, as the director sees them, and which games are played there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.hub.ingestion import Ingestion
from scoreboard.tournament.hub.overview import ActiveGames
from scoreboard.tournament.hub.replay import GameReplays, ReplayedGame
from scoreboard.tournament.model.disputes import Settle
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import CloseRound, StartRound, UndoRound
from scoreboard.tournament.protocol.items import DisputedBy, Item, SignedBy
from scoreboard.tournament.storage.deliveries import SqlDeliveries
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.halls import (
    DIRECTOR,
    REFEREE,
    Hall,
    Ticking,
    entered_event,
    items_of,
    names,
    quick_game,
    signed_by,
)
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    SECOND,
    TWO_TABLES,
    DrawByHand,
    scores,
)

FOUR, OTHERS = (1, 2, 3, 4), (5, 6, 7, 8)
POINTS = "+60 -10 -20 -30"
LONG = replace(EVENING, games=2)
YAHTZEE = f"game yahtzee\nplayers {names(FOUR)}\noption start first\n"


def phases(hall: Hall) -> dict[int, str]:
    """The phase of each table."""
    return {each.number: each.phase for each in hall.table_api.tables(hall.event)}


def test_a_table_goes_through_its_phases(store: SqlHubStore, clock: Ticking) -> None:
    """Drawn, waiting, playing, unsigned, done."""
    hall = Hall(store, clock)
    hall.event = entered_event(hall.service)
    hall.join(1, 2)
    hall.service.give(hall.event, DrawByHand(TWO_TABLES, **KIM), DIRECTOR)
    seen = [phases(hall)[1]]
    hall.service.give(hall.event, StartRound(), DIRECTOR)
    seen.append(phases(hall)[1])
    items = quick_game(FOUR, POINTS, *signed_by(FOUR))
    for through in (1, len(items) - 1, len(items)):
        hall.deliver(1, "g1", items[:through])
        seen.append(phases(hall)[1])
    assert seen == ["drawn", "waiting", "playing", "unsigned", "done"]
    assert phases(hall)[2] == "waiting"


def test_problems_come_first_and_go_when_they_are_solved(hall: Hall) -> None:
    """A dispute puts a table before the others until the referee has settled it."""
    hall.deliver(2, "g2", quick_game(OTHERS, POINTS, DisputedBy(6, "a rack"), slot=(1, 2, 1)))
    first, second = hall.table_api.tables(hall.event)
    assert (first.number, first.phase, second.problems) == (2, "disputed", ())
    assert "have the referee settle it" in str(first.problems[0])
    hall.service.give(hall.event, Settle(1, 2, 1, scores(SECOND), **KIM), REFEREE)
    assert [each.problems for each in hall.table_api.tables(hall.event)] == [(), ()]
    assert phases(hall)[2] == "done"


def test_the_running_game_is_shown(hall: Hall) -> None:
    """Whose turn it is, which one, and the points so far."""
    text = YAHTZEE + "roll 11111\nscore aces\nroll 22345\n"
    hall.deliver(1, "g1", items_of(text, FOUR)[:2])
    progress = hall.table_api.tables(hall.event)[0].progress
    assert progress is not None
    assert (progress.player, progress.turn, progress.totals) == ("Player 1", 1, (0, 0, 0, 0))
    hall.deliver(1, "g1", items_of(text, FOUR))
    progress = hall.table_api.tables(hall.event)[0].progress
    assert progress is not None
    assert (progress.player, progress.turn) == ("Player 2", 2)
    assert progress.totals == (5, 0, 0, 0)
    assert not progress.over
    hall.deliver(1, "g2", items_of(text, FOUR)[:1])  # begun anew: of one number the later is shown
    progress = hall.table_api.tables(hall.event)[0].progress
    assert progress is not None
    assert progress.game_id == "g2"


def test_a_silent_device_is_a_problem(hall: Hall, clock: Ticking) -> None:
    """After two minutes; a table without a device is none."""
    assert [each.problems for each in hall.table_api.tables(hall.event)] == [(), ()]
    clock.pass_by(minutes=5)
    hall.deliver(2, "g2", quick_game(OTHERS, POINTS, slot=(1, 2, 1))[:1])
    first, second = hall.table_api.tables(hall.event)
    assert (first.number, second.problems) == (1, ())
    assert "No contact with its device for 5 minutes" in str(first.problems[0])


def test_a_game_that_came_too_early_waits_for_its_turn(store: SqlHubStore, clock: Ticking) -> None:
    """Its problem is told, and gone when the director reports what is missing."""
    hall = Hall(store, clock)
    hall.event = entered_event(hall.service, LONG)
    hall.service.give_all(hall.event, (DrawByHand(TWO_TABLES, **KIM), StartRound()), DIRECTOR)
    hall.join(1)
    hall.deliver(1, "g2", quick_game(FOUR, POINTS, SignedBy(1), slot=(1, 1, 2)))
    first = hall.table_api.tables(hall.event)[0]
    assert "cannot be reported before game 1" in str(first.problems[0])
    hall.service.give(hall.event, ReportResult(1, 1, 1, scores(FIRST)), DIRECTOR)
    hall.table_api.tables(hall.event)
    assert hall.reported(game=2).signed == {1}
    assert hall.table_api.tables(hall.event)[0].problems == ()


def test_the_last_round_is_shown(hall: Hall) -> None:
    """A new draw shows new tables, and no game of the round before."""
    for table, seats in ((1, FOUR), (2, OTHERS)):
        items = quick_game(seats, POINTS, *signed_by(seats), slot=(1, table, 1))
        hall.deliver(table, f"g{table}", items)
    hall.service.give_all(hall.event, (CloseRound(), DrawByHand(TWO_TABLES, **KIM)), DIRECTOR)
    shown = hall.table_api.tables(hall.event)
    assert [(each.phase, each.progress) for each in shown] == [("drawn", None)] * 2


def test_a_game_of_a_round_that_was_undone_gives_way(hall: Hall) -> None:
    """Once those who sit there after the new draw have begun, theirs is the running game."""
    hall.deliver(1, "g1", quick_game(FOUR, POINTS, slot=(1, 1, 2))[:1])
    swapped = Draw.parse("1: 5 6 7 8 | 2: 1 2 3 4")
    commands = (UndoRound(**KIM), DrawByHand(swapped, **KIM), StartRound())
    hall.service.give_all(hall.event, commands, DIRECTOR)
    assert "by others than sit" in str(hall.table_api.tables(hall.event)[0].problems)
    hall.deliver(1, "g3", quick_game(OTHERS, POINTS)[:1])
    first = hall.table_api.tables(hall.event)[0]
    assert first.progress is not None
    assert (first.progress.game_id, first.problems) == ("g3", ())


def test_a_hub_that_starts_knows_what_runs(hall: Hall, clock: Ticking) -> None:
    """What was told to the process before is shown by the next one."""
    hall.deliver(1, "g1", quick_game(FOUR, POINTS)[:1])
    after = Hall(hall.store, clock)
    after.table_api.examine_all()
    assert after.table_api.tables(hall.event) == hall.table_api.tables(hall.event)


class Noting(GameReplays):
    """Notes which games somebody asked for."""

    def __init__(self, deliveries: SqlDeliveries) -> None:
        super().__init__(deliveries)
        self.followed: list[str] = []

    def caught_up(
        self, game_id: str, through: int | None = None, kept: Sequence[Item] = ()
    ) -> ReplayedGame:
        self.followed.append(game_id)
        return super().caught_up(game_id, through, kept)


def test_games_of_other_rounds_are_left_alone(store: SqlHubStore, clock: Ticking) -> None:
    """Once a game's round is known it is followed no more when another round is asked for."""
    hall = Hall(store, clock).begin()
    ingestion = Ingestion(store.deliveries, hall.service)
    ingestion.replays = replays = Noting(store.deliveries)
    active_games, place = (
        ActiveGames(store.deliveries, ingestion, store.change_feed),
        TableSeat(hall.event, 1),
    )
    seen = []
    for number in (1, 2, 3):
        hall.deliver(1, f"g{number}", quick_game(FOUR, "+60 -10 -20 -30", slot=(number, 1, 1)))
        active_games.catch_up()
        seen.append([each.game_id for each in active_games.games(place, number)])
        replays.followed.clear()
        assert active_games.newest(place, number, FOUR) == active_games.games(place, number)[0]
        assert set(replays.followed) == {f"g{number}"}
    assert seen == [["g1"], ["g2"], ["g3"]]
    assert [each.game_id for each in active_games.games(place, 1)] == ["g1"]
