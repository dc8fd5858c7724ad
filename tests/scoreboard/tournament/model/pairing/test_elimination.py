"""Elimination brackets: who plays next, and who is placed where."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.draw import DrawError
from scoreboard.tournament.model.pairing.elimination import (
    BYE,
    Bracket,
    Meeting,
    Side,
    double_elimination,
    drops,
    folded,
    match_name,
    meetings,
    single_elimination,
)

Won = dict[int, int]


def next_matches(bracket: Bracket, seeded: tuple[int, ...], won: Won) -> tuple[Meeting, ...]:
    """The next matches: both entrants are known, and they are not played."""
    return tuple(each for each in meetings(bracket, seeded, won) if each.ready)


def played(bracket: Bracket, seeded: tuple[int, ...], chance: Random | None = None) -> Won:
    """Winners of all matches: by chance, or without it always the better seed."""
    won: Won = {}
    while ready := next_matches(bracket, seeded, won):
        for each in ready:
            won[each.match.number] = winner(each, seeded, chance)
    return won


def winner(meeting: Meeting, seeded: tuple[int, ...], chance: Random | None) -> int:
    """One of the two."""
    pair = [each for each in meeting.pair if each is not None]
    return min(pair, key=seeded.index) if chance is None else pair[chance.random() < 0.5]


def losses(bracket: Bracket, seeded: tuple[int, ...], won: Won) -> dict[int, int]:
    """How often everybody lost a match that was played."""
    count = dict.fromkeys(seeded, 0)
    for each in meetings(bracket, seeded, won):
        if each.loser:
            count[each.loser] += 1
    return count


def champion(bracket: Bracket, seeded: tuple[int, ...], winners: Mapping[int, int]) -> int | None:
    """The winner of the bracket; None while that is open."""
    finals = [each for each in meetings(bracket, seeded, winners) if each.match.side is Side.FINAL]
    return finals[-1].winner or None


def test_the_bracket_is_folded() -> None:
    assert folded(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@given(st.integers(2, 40), st.integers(0, 999), st.booleans())
def test_who_loses_once_is_out(entrants: int, seed: int, third: bool) -> None:  # noqa: FBT001
    seeded = tuple(range(101, 101 + entrants))
    bracket = single_elimination(entrants, third_place=third)
    won = played(bracket, seeded, Random(seed))
    lost = losses(bracket, seeded, won)
    best = champion(bracket, seeded, won)
    assert best is not None
    assert lost[best] == 0
    extra = third and entrants > 3
    assert sum(lost.values()) == entrants - 1 + extra


@given(st.integers(2, 40), st.integers(0, 999), st.booleans())
def test_who_loses_twice_is_out(entrants: int, seed: int, again: bool) -> None:  # noqa: FBT001
    seeded = tuple(range(1, entrants + 1))
    bracket = double_elimination(entrants, second_final=again)
    won = played(bracket, seeded, Random(seed))
    lost = losses(bracket, seeded, won)
    best = champion(bracket, seeded, won)
    assert best is not None
    assert lost[best] <= 1
    others = sorted(lost[each] for each in seeded if each != best)
    assert others[1:] == [2] * (entrants - 2)
    assert others[0] == 2 or not again


@given(st.integers(2, 64), st.booleans())
def test_the_first_two_seeds_meet_in_the_final_only(entrants: int, double: bool) -> None:  # noqa: FBT001
    seeded = tuple(range(1, entrants + 1))
    bracket = double_elimination(entrants) if double else single_elimination(entrants)
    won = played(bracket, seeded)
    assert champion(bracket, seeded, won) == 1
    first = [each for each in meetings(bracket, seeded, won) if each.match.stage == 0]
    byes = {each.winner for each in first if 0 in each.pair}
    assert byes == set(range(1, len(byes) + 1))
    early = [each for each in meetings(bracket, seeded, won) if each.match.side is Side.MAIN]
    ends = 2 if double else 1
    assert not any(set(each.pair) == {1, 2} for each in early[:-ends] if entrants > 2)


@pytest.mark.parametrize("rounds", [3, 4, 5, 6])
def test_losers_meet_again_late(rounds: int) -> None:
    seeded = tuple(range(1, 2**rounds + 1))
    bracket = double_elimination(len(seeded))
    last = max(m.stage for m in bracket if m.side is Side.LOSERS)
    for seed in range(12):
        met = set[frozenset[int | None]]()
        for each in meetings(bracket, seeded, played(bracket, seeded, Random(seed))):
            pair = frozenset(each.pair)
            coming_down = each.match.side is Side.LOSERS and each.match.stage % 2 == 0
            if coming_down and each.match.stage < last - 2:
                assert pair not in met, seed
            met.add(pair)
    assert drops(rounds)[-1] == 0


def test_a_double_elimination_of_four_by_hand() -> None:
    bracket, seeded = double_elimination(4), (10, 20, 30, 40)
    won: Won = {}
    for winners in ([10, 30], [30, 20], [20], [20], [20]):
        ready = next_matches(bracket, seeded, won)
        assert len(ready) == len(winners)
        won |= {
            next(each.match.number for each in ready if one in each.pair): one for one in winners
        }
    assert next_matches(bracket, seeded, won) == ()
    assert champion(bracket, seeded, won) == 20


def test_a_final_is_not_repeated_when_the_unbeaten_wins() -> None:
    bracket = double_elimination(3)
    won = played(bracket, (1, 2, 3))
    assert champion(bracket, (1, 2, 3), won) == 1
    final = meetings(bracket, (1, 2, 3), won)[-1]
    assert final.pair == (final.winner, BYE)
    assert not final.ready


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(DrawError, match="two"):
        single_elimination(1)
    with pytest.raises(DrawError, match="match 1"):
        meetings(single_elimination(4), (1, 2, 3, 4), {1: 2})
    assert champion(single_elimination(2), (1, 2), {}) is None


def names(bracket: Bracket) -> list[str]:
    """What the matches are called, in their order."""
    return [str(match_name(bracket, each)) for each in bracket]


def test_matches_have_the_names_that_players_use() -> None:
    semi, quarter = ["Semi-final"] * 2, ["Quarter-final"] * 4
    single = single_elimination(12, third_place=True)
    assert names(single) == [*["Round of 16"] * 8, *quarter, *semi, "Third-place match", "Final"]
    assert names(double_elimination(8)) == [
        *["Winners’ quarter-final"] * 4,
        *["Winners’ semi-final"] * 2,
        "Winners’ final",
        *["Losers’ round 1"] * 2,
        *["Losers’ round 2"] * 2,
        "Losers’ round 3",
        "Losers’ final",
        "Grand final",
        "Grand final, second match",
    ]
    assert names(double_elimination(16))[0] == "Winners’ round of 16"
