"""Laws that hold in every game of dice, however it goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import RuleViolationError
from scoreboard.games.dice.acts import CategoryScored, Command, Event, PlayerLeft, StartRolled
from scoreboard.games.dice.form import Form
from scoreboard.games.dice.state import State
from tests.scoreboard.games.playing import (
    DICE_GAMES,
    begun,
    commands,
    evolved,
    game_of,
    is_admitted,
    random_command,
    random_events,
    seated,
    seeds,
)

UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
lengths = st.integers(0, 250)
whole_games = settings(max_examples=40)


def midway(seed: int, length: int) -> State:
    """The state of a random game after at most `length` events."""
    state = seated(seed)
    return evolved(state, random_events(state, seed, length))


def is_accepted(state: State, command: Command) -> bool:
    """Whether the rules accept the command, with one event."""
    try:
        return len(game_of(state).decide(state, command)) == 1
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
    """YZ-3, YZ-19: play within the offers ends, with every staying player's boxes filled."""
    state = midway(seed, 10_000)
    assert game_of(state).outcome(state) is not None
    assert game_of(state).offers(state) == ()
    assert game_of(state).turn(state).phase == "finished"
    assert game_of(state).turn(state).player is None
    assert all(state.cards[seat].is_full for seat in state.staying)


@whole_games
@given(seeds, lengths)
def test_replaying_the_events_gives_the_live_state(seed: int, length: int) -> None:
    """The state is what its events give, and nothing besides."""
    fresh = seated(seed)
    events = random_events(fresh, seed, length)
    again = seated(seed)
    assert reduce(game_of(fresh).evolve, events, again) == evolved(fresh, events)


@whole_games
@given(seeds)
def test_every_turn_fills_one_box(seed: int) -> None:
    """YZ-3: who stays fills each box once, and the turns counted are those taken."""
    state = seated(seed)
    turns, seats = len(state.form.boxes), len(state.players)
    events = random_events(state, seed, may_leave=False)
    scored = [event for event in events if isinstance(event, CategoryScored)]
    assert Counter(event.player for event in scored) == dict.fromkeys(state.players, turns)
    assert len({(event.player, event.category) for event in scored}) == turns * seats
    assert game_of(state).turn(evolved(state, events)).number == turns * seats


@whole_games
@given(seeds)
def test_the_sheet_the_events_and_the_ranking_agree(seed: int) -> None:
    """YZ-19: grand totals on the sheet and in the ranking are what the events add up to."""
    state = seated(seed)
    events = random_events(state, seed)
    state = evolved(state, events)
    outcome, grand = game_of(state).outcome(state), game_of(state).scoresheet(state).row("grand")
    assert outcome is not None
    ranked = {place.player: place.points for place in outcome.ranking}
    for seat, player in enumerate(state.players):
        assert grand.cells[seat].points == ranked[player] == added_up(state.form, events, player)


def added_up(form: Form, events: tuple[Event, ...], player: str) -> int:
    """A player's grand total from the events alone (YZ-19, YM-12, CH-6)."""
    scored = [e for e in events if isinstance(e, CategoryScored) and e.player == player]
    points = {e.category: e.points for e in scored}
    upper = sum(points.get(box, 0) for box in UPPER)
    total = sum(points.values()) + sum(e.bonus for e in scored)
    match form.game:
        case "chaser":
            return total
        case "yams":
            plus, minus = points.pop("plus", None), points.pop("minus", None)
            delta = 0 if plus is None or minus is None else max(0, plus - minus)
            bonus = upper - 30 if upper >= 60 else 0
            return sum(points.values()) + delta + bonus
        case _:
            return total + (35 if upper >= 63 else 0)


@whole_games
@given(seeds, lengths)
def test_a_name_changes_no_points(seed: int, length: int) -> None:
    """The same game with other names gives the same cards."""
    state = begun("North", "South", game=Random(seed).choice(sorted(DICE_GAMES)))
    events = random_events(state, seed, length)
    renamed = [with_name(event, {"North": "홍길동", "South": "=1+1"}) for event in events]
    other = begun("홍길동", "=1+1", game=state.form.game)
    assert evolved(other, renamed).cards == evolved(state, events).cards


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
    offered = {
        offer.key for offer in game_of(state).offers(state) if offer.key.startswith("score:")
    }
    sheet = game_of(state).scoresheet(state)
    cells = [(seat, cell) for row in sheet.rows for seat, cell in enumerate(row.cells)]
    assert {cell.offer for _, cell in cells if cell.offer} == offered
    assert {seat for seat, cell in cells if cell.offer} <= {sheet.current}
    assert not any(cell.points is not None and cell.possible is not None for _, cell in cells)
