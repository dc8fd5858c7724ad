"""Laws that hold in every game of Yahtzee, however it goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import RuleViolationError
from scoreboard.game import Setup, replay
from scoreboard.games.yahtzee import (
    GAME,
    CategoryScored,
    Command,
    Event,
    PlayerLeft,
    StartRolled,
    State,
)
from tests.scoreboard.games.playing import (
    begun,
    commands,
    evolved,
    is_admitted,
    random_command,
    random_events,
    seated,
    seeds,
)

lengths = st.integers(0, 250)
whole_games = settings(max_examples=40)


def midway(seed: int, length: int) -> State:
    """The state of a random game after at most `length` events."""
    state = seated(seed)
    return evolved(state, random_events(state, seed, length))


def is_accepted(state: State, command: Command) -> bool:
    """Whether the rules accept the command, with one event."""
    try:
        return len(GAME.decide(state, command)) == 1
    except RuleViolationError:
        return False


@given(seeds, lengths, st.lists(commands, min_size=20, max_size=60))
def test_the_rules_accept_exactly_what_is_offered(
    seed: int, length: int, tried: list[Command]
) -> None:
    """Any command, inside the offers or outside, is accepted if and only if it is offered."""
    state = midway(seed, length)
    for command in tried:
        assert is_accepted(state, command) == is_admitted(state, command), command


@whole_games
@given(seeds, lengths)
def test_whatever_an_offer_makes_is_accepted(seed: int, length: int) -> None:
    """A page that chooses an offer is never refused."""
    state = midway(seed, length)
    for attempt in range(0 if state.is_finished else 10):
        command = random_command(state, Random(seed + attempt))
        assert is_admitted(state, command), command
        assert is_accepted(state, command), command


@whole_games
@given(seeds)
def test_random_offers_end_the_game(seed: int) -> None:
    """YZ-3, YZ-19: play within the offers ends, with every staying player's 13 boxes filled."""
    state = midway(seed, 10_000)
    assert GAME.outcome(state) is not None
    assert GAME.offers(state) == ()
    assert GAME.turn(state).phase == "finished"
    assert GAME.turn(state).player is None
    assert all(state.cards[seat].is_full for seat in state.staying)


@whole_games
@given(seeds, lengths)
def test_replaying_the_events_gives_the_live_state(seed: int, length: int) -> None:
    """The state is what its events give, and nothing besides."""
    live = begun("North", "South")
    events = random_events(live, seed, length)
    for event in events:
        live = GAME.evolve(live, event)
    assert replay(GAME, Setup(("North", "South")), events) == live


@whole_games
@given(seeds)
def test_every_turn_fills_one_box(seed: int) -> None:
    """YZ-3: who stays fills each of 13 boxes once, and the turns counted are those taken."""
    state = begun("North", "South", "East")
    events = random_events(state, seed, may_leave=False)
    scored = [event for event in events if isinstance(event, CategoryScored)]
    assert Counter(event.player for event in scored) == dict.fromkeys(state.players, 13)
    assert len({(event.player, event.category) for event in scored}) == 39
    assert GAME.turn(evolved(state, events)).number == 39


@whole_games
@given(seeds)
def test_the_sheet_the_events_and_the_ranking_agree(seed: int) -> None:
    """YZ-19: grand totals on the sheet and in the ranking are what the events add up to."""
    state = seated(seed)
    events = random_events(state, seed)
    state = evolved(state, events)
    outcome, grand = GAME.outcome(state), GAME.scoresheet(state).row("grand")
    assert outcome is not None
    ranked = {place.player: place.points for place in outcome.ranking}
    for seat, player in enumerate(state.players):
        assert grand.cells[seat].points == ranked[player] == added_up(events, player)


def added_up(events: tuple[Event, ...], player: str) -> int:
    """A player's grand total from the events alone (YZ-9, YZ-17, YZ-19)."""
    scored = [e for e in events if isinstance(e, CategoryScored) and e.player == player]
    upper = sum(
        e.points
        for e in scored
        if e.category in {"aces", "twos", "threes", "fours", "fives", "sixes"}
    )
    return sum(e.points + e.bonus for e in scored) + (35 if upper >= 63 else 0)


@whole_games
@given(seeds, lengths)
def test_a_name_changes_no_points(seed: int, length: int) -> None:
    """The same game with other names gives the same cards."""
    state = begun("North", "South")
    events = random_events(state, seed, length)
    renamed = [with_name(event, {"North": "홍길동", "South": "=1+1"}) for event in events]
    assert evolved(begun("홍길동", "=1+1"), renamed).cards == evolved(state, events).cards


def with_name(event: Event, names: dict[str, str]) -> Event:
    """The event with its player renamed."""
    if isinstance(event, StartRolled | CategoryScored | PlayerLeft):
        return replace(event, player=names[event.player])
    return event


@whole_games
@given(seeds, lengths)
def test_the_sheet_shows_only_what_may_be_filled(seed: int, length: int) -> None:
    """A field shows points or possible points, and possible ones are the offers' own."""
    state = midway(seed, length)
    offered = {offer.key for offer in GAME.offers(state) if offer.key.startswith("score:")}
    sheet = GAME.scoresheet(state)
    cells = [(seat, cell) for row in sheet.rows for seat, cell in enumerate(row.cells)]
    assert {cell.offer for _, cell in cells if cell.offer} == offered
    assert {seat for seat, cell in cells if cell.offer} <= {sheet.current}
    assert not any(cell.points is not None and cell.possible is not None for _, cell in cells)
