"""Laws that hold in every match of Tong Tong, however it goes and whatever was agreed on."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.games.engine.game import Awaited
from scoreboard.games.tongtong.acts import (
    Event,
    GameScored,
)
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.house import NAMED
from scoreboard.games.tongtong.state import State
from tests.scoreboard.games.tongtong.brute_force import Table, allowed, mission_points
from tests.scoreboard.games.tongtong.playing import (
    NAMES,
    begun,
    column,
    entered,
    evolved,
    flat,
    keys,
    random_steps,
    seated,
    seeds,
)

lengths = st.one_of(st.integers(0, 12), st.integers(0, 130))
pytestmark = pytest.mark.usefixtures("in_halves")
whole_games = settings(max_examples=15)


def midway(seed: int, length: int) -> State:
    """The state of a random match after at most `length` acts."""
    state = seated(seed)
    return evolved(state, flat(random_steps(state, seed, length, corrections=True)))


@whole_games
@given(seeds)
def test_the_sheet_the_events_and_the_ranking_agree(seed: int) -> None:
    """TT-2, TT-13, TT-15: three missions; what is ranked is what sheet and events add up to."""
    state, events = seated(seed), flat(random_steps(seated(seed), seed))
    ended = evolved(state, events)
    assert len({game.mission for game in ended.games}) == 3
    outcome, sheet = GAME.outcome(ended), GAME.scoresheet(ended)
    assert outcome is not None
    ranked = {place.player: place.points for place in outcome.ranking}
    grand = dict(
        zip(sheet.players, (cell.points for cell in sheet.row("grand").cells), strict=True)
    )
    assert ranked == grand == added_up(ended, events)
    assert [place.points for place in outcome.ranking] == sorted(ranked.values(), reverse=True)
    assert outcome.ranking[0].place == 1


def added_up(state: State, events: tuple[Event, ...]) -> dict[str, int]:
    """What decides for each player, from the points of the games alone (TT-12, TT-15)."""
    own = [0] * len(state.players)
    for game in (event for event in events if isinstance(event, GameScored)):
        for seat, points in enumerate(game.points.numbers):
            own[seat] = max(0, own[seat] + points) + game.bonuses.numbers[seat]
    partner = {0: 2, 1: 3, 2: 0, 3: 1} if state.house.teams else {}
    together = [each + (own[partner[seat]] if partner else 0) for seat, each in enumerate(own)]
    return dict(zip(state.players, together, strict=True))


@whole_games
@given(seeds)
def test_each_act_changes_what_is_awaited(seed: int) -> None:
    """A page that saw an earlier turn can tell; and the words speak of the player of the turn."""
    state, numbers = seated(seed), list[int]()
    for step in random_steps(state, seed):
        turn = GAME.turn(state)
        numbers.append(turn.number)
        assert isinstance(turn.awaited, Awaited)
        if turn.player is not None:
            assert str(turn.awaited.instruction).startswith(state.players[turn.player])
        assert turn.player == GAME.scoresheet(state).current
        state = evolved(state, step)
        assert all(str(GAME.describe(state, event)) for event in step)
    assert numbers == list(range(len(numbers)))


@whole_games
@given(seeds, lengths)
def test_what_lies_is_what_was_played_or_entered(seed: int, length: int) -> None:
    """Heaps show cards of the deck, each card once where nobody corrected."""
    state = seated(seed)
    state = evolved(state, flat(random_steps(state, seed, length)))
    pieces = [piece for heap in GAME.pieces_on_table(state) for piece in heap.pieces]
    assert len(set(pieces)) == len(pieces)
    assert set(pieces) <= set(map(str, state.deck))


RANKS = (10, 7, 4, 1)
swift = settings(max_examples=20)


def lines_of(state: State, table: Table, dealt: list[list[str]], known: list[int]) -> list[str]:
    """A game as a person writes it, with these hands told."""
    leader = table.plays[0][0]
    return [
        *(f"hand {state.players[seat]}, {' '.join(dealt[seat])}" for seat in known),
        *([] if leader in known else [f"leader {state.players[leader]}"]),
        *(f"play {card}" for _, card in table.plays),
    ]


@swift
@given(seeds)
def test_a_match_is_scored_as_by_hand(seed: int) -> None:
    """TT-3 to TT-12: who plays, who takes, what lies on top, and what it is worth."""
    chance = Random(seed)
    players = chance.randint(3, 5)
    colours = ["R", *chance.sample("BGPY", players - 1)]
    state = begun(players, colours=" ".join(colours), play="advanced")
    totals = [0] * players
    for number, mission in enumerate(chance.sample(sorted(NAMED), 3), start=1):
        table = Table.dealt("".join(colours), chance)
        dealt = [list(hand) for hand in table.hands]
        known = chance.sample(range(players), chance.randint(0, players))
        table.play_out(chance)
        state = entered(state, f"mission {mission}", *lines_of(state, table, dealt, known))
        sums, bonuses = table.sums(mission), table.bonuses()
        points = mission_points(mission, sums, RANKS)
        totals = [max(0, total + points[seat]) + bonuses[seat] for seat, total in enumerate(totals)]
        assert column(state, f"game-{number}-sum") == tuple(sums)
        assert column(state, f"game-{number}-mission") == tuple(points)
        assert column(state, f"game-{number}-bonus") == tuple(bonuses)
        assert column(state, f"game-{number}-total") == tuple(totals)
    assert column(state, "grand") == tuple(totals)


@swift
@given(seeds)
def test_known_hands_offer_what_may_be_played(seed: int) -> None:
    """TT-4, TT-6: with all hands told, exactly the lawful cards of whose turn it is."""
    chance = Random(seed)
    players = chance.randint(3, 5)
    table = Table.dealt("RBGPY"[:players], chance)
    hands = [list(hand) for hand in table.hands]
    table.play_out(chance)
    state = entered(begun(players), "mission low-5")
    state = entered(state, *lines_of(state, table, hands, list(range(players)))[:players])
    for at, (seat, card) in enumerate(table.plays):
        led = None if at % players == 0 else table.plays[at - at % players][1]
        assert GAME.turn(state).player == seat
        assert sorted(keys(state, "play:")) == sorted(allowed(hands[seat], led))
        hands[seat].remove(card)
        state = entered(state, f"play {card}")


@swift
@given(seeds)
def test_without_hands_any_card_that_is_left_may_be_played(seed: int) -> None:
    """TT-4: nobody knows what was held; but red 8 is the leader's (TT-3), and each card is once."""
    chance = Random(seed)
    players = chance.randint(3, 5)
    table = Table.dealt("RBGPY"[:players], chance)
    left = {card for hand in table.hands for card in hand}
    leader = table.leader
    table.play_out(chance)
    state = entered(begun(players), "mission low-5", f"leader {NAMES[leader]}")
    for seat, card in table.plays:
        assert GAME.turn(state).player == seat
        assert set(keys(state, "play:")) == left - ({"R8"} if seat != leader else set())
        left.remove(card)
        state = entered(state, f"play {card}")
