"""Laws that hold in every game of dice, however it goes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.dice import FACES, Roll
from scoreboard.games import DICE_GAMES
from scoreboard.games.dice.acts import CategoryScored, Event
from scoreboard.games.dice.form import Bonus, Difference, Form, Total
from scoreboard.games.dice.state import State
from tests.scoreboard.games.dice.playing import (
    begun,
    evolved,
    game_of,
    random_events,
    seated,
    seeds,
)

lengths = st.integers(0, 250)
each_game = pytest.mark.parametrize("game", DICE_GAMES)
some_games = settings(max_examples=10)


def midway(game: str, seed: int, length: int) -> State:
    """The state of a random game after at most `length` events."""
    state = seated(seed, game)
    return evolved(state, random_events(state, seed, length))


@each_game
@some_games
@given(seeds)
def test_every_turn_fills_one_box(game: str, seed: int) -> None:
    """YZ-3: who stays fills each box once, and the turns counted are those taken."""
    state = seated(seed, game)
    turns, seats = len(state.form.boxes), len(state.players)
    events = random_events(state, seed, may_leave=False)
    scored = [event for event in events if isinstance(event, CategoryScored)]
    assert Counter(event.player for event in scored) == dict.fromkeys(state.players, turns)
    assert len({(event.player, event.category) for event in scored}) == turns * seats
    assert game_of(state).turn(evolved(state, events)).number == turns * seats


@each_game
@some_games
@given(seeds)
def test_the_sheet_the_events_and_the_ranking_agree(game: str, seed: int) -> None:
    """YZ-19: grand totals on the sheet and in the ranking are what the events add up to."""
    state = seated(seed, game)
    events = random_events(state, seed)
    state = evolved(state, events)
    outcome, grand = game_of(state).outcome(state), game_of(state).scoresheet(state).row("grand")
    assert outcome is not None
    ranked = {place.player: place.points for place in outcome.ranking}
    for seat, player in enumerate(state.players):
        assert grand.cells[seat].points == ranked[player] == added_up(state.form, events, player)


@each_game
def test_every_box_counts_at_its_best(game: str) -> None:
    """The total follows box by box to a card that random play never reaches, bonus included."""
    fresh = begun("Solo", game=game)
    rolls = [Roll(dice) for dice in combinations_with_replacement(FACES, fresh.form.dice)]
    sums = [row.sum for row in fresh.form.rows if isinstance(row, Total)]
    less = {each.less for each in sums if isinstance(each, Difference)}
    events = list[Event]()
    for box in fresh.form.boxes:
        best = min if box.key in less else max
        events.append(CategoryScored("Solo", box.key, best(map(box.worth, rolls)), box.rule, 0))
    for filled in range(len(events) + 1):
        given = tuple(events[:filled])
        (card,) = evolved(fresh, given).cards
        assert card.grand == added_up(fresh.form, given, "Solo"), given[-1:]


def added_up(form: Form, events: tuple[Event, ...], player: str) -> int:
    """A player's grand total from the events alone, by the card's own bonuses and differences.

    It does not ask the card which rows make up its totals: a box that one of them forgot counts.
    """
    scored = [e for e in events if isinstance(e, CategoryScored) and e.player == player]
    points = {e.category: e.points for e in scored}
    upper = sum(points.get(box.key, 0) for box in form.boxes if box.face is not None)
    total = sum(e.bonus for e in scored)
    for earned in (row.sum for row in form.rows if isinstance(row, Total)):
        if isinstance(earned, Bonus) and upper >= earned.goal:
            assert earned.of == "upper"
            total += earned.points + earned.each_above * (upper - earned.goal)
        if isinstance(earned, Difference):
            more, less = points.pop(earned.more, None), points.pop(earned.less, None)
            total += 0 if more is None or less is None else max(0, more - less)
    return total + sum(points.values())


@each_game
@some_games
@given(seeds, lengths)
def test_the_sheet_shows_only_what_may_be_filled(game: str, seed: int, length: int) -> None:
    """A field shows points or possible points, and possible ones are the offers' own."""
    state = midway(game, seed, length)
    offered = {
        offer.key for offer in game_of(state).offers(state) if offer.key.startswith("score:")
    }
    sheet = game_of(state).scoresheet(state)
    cells = [(seat, cell) for row in sheet.rows for seat, cell in enumerate(row.cells)]
    assert {cell.offer for _, cell in cells if cell.offer} == offered
    assert {seat for seat, cell in cells if cell.offer} <= {sheet.current}
    assert not any(cell.points is not None and cell.possible is not None for _, cell in cells)
