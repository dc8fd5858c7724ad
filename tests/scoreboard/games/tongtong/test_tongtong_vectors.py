"""The test vectors of the rules page, played at the table."""

from __future__ import annotations

import pytest

from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.tongtong.acts import CardPlayed, GameScored, PilesEntered, TrickTaken
from scoreboard.games.tongtong.cards import Card, Piles
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.state import State
from tests.scoreboard.games.tongtong.playing import (
    begun,
    column,
    entered,
    events_of,
    keys,
    quick_game,
    refusal,
)

HANDS = (
    "hand Ann, R8 R7 B8 B2 G1 G2 G3 G4",
    "hand Ben, R1 R2 B1 B3 B4 G5 G6 G7",
    "hand Cem, R3 R4 R5 R6 B5 B6 B7 G8",
)


def led(*lines: str, players: int = 3) -> State:
    """A game of `high-12` that Ann leads, after these lines."""
    return entered(begun(players), "mission high-12", "leader Ann", *lines)


def quick(players: int = 3, **options: str) -> State:
    """A match of which only the piles are entered, of all five missions."""
    return begun(players, mode="quick", play="advanced", **options)


def places(state: State) -> list[tuple[int, str]]:
    """The ranking."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    return [(place.place, place.player) for place in outcome.ranking]


def test_the_pages_example() -> None:
    """TT-8 to TT-11: A busts at 13 and has a 6; B and C share the first rank; D is third."""
    state = quick_game(quick(4), "high-12", "R6 B7 +1", "B3 G6 +2", "R3 G1 P5 +1", "-")
    assert column(state, "game-1-sum") == (13, 9, 9, 0)
    assert column(state, "game-1-mission") == (0, 10, 10, 4)
    assert column(state, "game-1-bonus") == (1, 2, 1, 0)
    assert column(state, "game-1-total") == column(state, "grand") == (1, 12, 11, 4)


def test_a_game_is_scored_by_one_event_that_has_every_figure() -> None:
    """A later change of a rule never rewrites an old evening."""
    state = entered(quick(), "mission sum-10", "piles Ann, R3 B6 +2", "piles Ben, -")
    assert events_of(state, "piles Cem, R8 G2") == (
        PilesEntered("Cem", Piles.parse("R8 G2")),
        GameScored("sum-10", *map(Scores.parse, ("9 0 10", "9 0 0", "2 0 0", "11 0 0"))),
    )


@pytest.mark.parametrize(
    ("mission", "piles", "points"),
    [
        ("high-9", ("R8", "B8 G1", "-"), (10, 0, 7)),
        ("high-12", ("R8 G3", "B8 P4", "-"), (10, 0, 7)),
        ("low-5", ("R6 +1", "B5", "-"), (10, 0, 0)),
        ("sum-10", ("R8 B1", "G8 B2", "-"), (9, 0, 0)),
        ("signed-11", ("R8 P2", "R7 P4", "-"), (10, 0, 0)),
        ("signed-11", ("R3 B5", "-", "Y8 P5 G3"), (-2, 0, 10)),
    ],
)
def test_where_a_sum_busts(mission: str, piles: tuple[str, ...], points: tuple[int, ...]) -> None:
    """TT-10: at the edges of each mission."""
    state = quick_game(quick(5), mission, *piles, "-", "-")
    assert column(state, "game-1-mission")[:3] == points


def test_equal_sums_share_the_rank_and_the_next_is_skipped() -> None:
    """TT-10: low-5 with 5, 6, 6 and 12."""
    state = quick_game(quick(4), "low-5", "R5", "B6 +1", "R2 G4", "R8 B4")
    assert column(state, "game-1-mission") == (0, 10, 10, 4)


def test_the_fifth_rank_earns_nothing() -> None:
    """TT-11: the cards print four ranks."""
    state = quick_game(quick(5), "high-9", "R8", "R7", "R4", "R3", "-")
    assert column(state, "game-1-mission") == (10, 7, 4, 1, 0)


def test_the_floor_comes_before_the_bonus() -> None:
    """TT-12: a total of 1, then -2 for the mission and a 6: max(0, 1 - 2) + 1 = 1."""
    state = quick_game(quick(), "sum-10", "R1", "-", "-")
    assert column(state, "grand") == (1, 0, 0)
    state = quick_game(state, "signed-11", "R3 B5 +1", "R5 G8 +2", "-")
    assert column(state, "game-2-mission") == (-2, -3, 0)
    assert column(state, "game-2-total") == (1, 2, 0)


def test_a_trick_is_taken_and_led_on() -> None:
    """TT-5, TT-6: green 8, played later, takes blue 8's trick; the player of the last 4 leads."""
    state = begun(4, colours="R B G Y")
    state = entered(state, "mission low-5", "leader Ann", "play B8 B4 G8")
    assert events_of(state, "play Y4") == (
        CardPlayed("Dora", Card("Y", 4)),
        TrickTaken("Cem", "Dora"),
    )
    state = entered(state, "play Y4")
    assert GAME.turn(state).player == 3
    assert [(str(heap.label), heap.pieces) for heap in GAME.pieces_on_table(state)] == [
        ("Cem’s tops", ("B4", "G8", "Y4"))
    ]


def test_without_a_4_the_winner_leads() -> None:
    """TT-6: and a 4 that wins nothing changes no trick (TT-5)."""
    state = led("play B1 B7")
    assert events_of(state, "play B3")[1] == TrickTaken("Ben", "Ben")
    state = led("play B4 B7")
    assert events_of(state, "play B3")[1] == TrickTaken("Ben", "Ann")
    assert GAME.turn(entered(state, "play B3")).player == 0


def test_the_colour_that_was_led_is_followed() -> None:
    """TT-4: whose hand is known must follow, whose hand is not is believed."""
    state = entered(begun(), "mission low-5", *HANDS[:2], "play G1")
    assert keys(state, "play:") == ["G5", "G6", "G7"]
    refused = refusal(state, "play R1")
    assert refused.rule == "TT-4"
    assert str(refused) == "Ben must follow green 1: the hand has its colour."
    state = entered(state, "play G7")
    assert "R3" in keys(state, "play:")
    assert "R1" not in keys(state, "play:")


def test_who_cannot_follow_plays_anything() -> None:
    """TT-4: the leader may lead any card; Cem's only green card is played."""
    state = entered(begun(), "mission low-5", *HANDS)
    assert sorted(keys(state, "play:")) == sorted(HANDS[0].split()[2:])
    state = entered(state, "play R8 R1 R3", "play G1 G5 G8", "play B5 B8 B1", "play G2 G6")
    assert keys(state, "play:") == ["R4", "R5", "R6", "B6", "B7"]


def test_the_lowest_new_card_lies_on_top() -> None:
    """TT-7, TT-9: red 5 lies; red 3 and 7 are won, then red 6 alone; the 6 counts."""
    state = led("play R5 B1 G1")
    assert pile_of(state, 0) == ("R5", "B1", "G1")
    state = entered(state, "play R7 R3 B2")
    assert pile_of(state, 0) == ("R3", "B2", "G1")
    state = entered(state, "play R6 B3 G3")
    assert str(state.deal.piles[0]) == "R6 B3 G3 +1"


def pile_of(state: State, seat: int) -> tuple[str, ...]:
    """The tops that lie before a player."""
    return tuple(map(str, state.deal.piles[seat].tops))


def test_seven_tricks_end_a_game() -> None:
    """TT-3: the eighth card stays; the last trick is taken, and the game is scored with it."""
    blue, green = ("play B8 B1 B2", "play B7 B3 B5"), ("play G8 G1 G2", "play G7 G3 G5")
    state = led("play R8 R1 R2", "play R7 R3 R5", *blue, *green, "play B6 R6")
    awaited = GAME.turn(state).awaited
    assert awaited is not None
    assert str(awaited.progress) == "Game 1 of 3 · trick 7 of 7"
    assert events_of(state, "play G6") == (
        CardPlayed("Cem", Card("G", 6)),
        TrickTaken("Cem", "Cem"),
        GameScored("high-12", *map(Scores.parse, ("9 0 18", "10 7 0", "0 0 3", "10 7 3"))),
    )
    state = entered(state, "play G6")
    assert keys(state, "mission:") == ["high-9", "low-5"]
    assert GAME.pieces_on_table(state) == ()
    assert GAME.outcome(state) is None


def test_red_8_leads_without_further_word() -> None:
    """TT-3: a known hand tells; else somebody must."""
    state = entered(begun(), "mission low-5", HANDS[1])
    assert keys(state, "leader:") == ["0", "2"]
    assert GAME.turn(state).player is None
    state = entered(state, HANDS[0])
    assert keys(state, "leader:") == []
    assert GAME.turn(state).player == 0
    assert refusal(state, "leader Cem").rule == "TT-3"
    state = entered(state, "hand Ann, R7 B8 B2 G1 G2 G3 G4 G8")
    assert keys(state, "leader:") == ["2"]


def test_a_correction_of_piles_holds_on() -> None:
    """TT-7: after the first trick what lies before a player can be set right."""
    state = led("play R5 R1 R2")
    assert keys(led("play R5"), "piles:") == []
    assert keys(state, "piles:") == ["0", "1", "2"]
    state = entered(state, "piles Ann, -", "piles Ben, R2 B6 +1", "play R3 R7 B2")
    assert (pile_of(state, 0), pile_of(state, 1)) == ((), ("R3", "B2"))
    assert state.deal.piles[1].sixes == 1


def test_of_equal_totals_the_latest_game_decides() -> None:
    """TT-13: all have 15; the last game brought -3, 0 and 2."""
    state = quick_game(quick(), "sum-10", "R8", "B5", "G3")
    state = quick_game(state, "high-9", "-", "-", "-")
    assert column(state, "grand") == (18, 15, 13)
    assert GAME.outcome(state) is None
    state = quick_game(state, "signed-11", "B3", "-", "R2")
    assert column(state, "grand") == (15, 15, 15)
    assert places(state) == [(1, "Cem"), (2, "Ben"), (3, "Ann")]


def test_then_the_game_before_decides() -> None:
    """TT-13: 5 and 3, then 3 and 5, then nothing for both."""
    state = quick_game(quick(), "sum-10", "R5", "R3", "-")
    state = quick_game(state, "signed-11", "R3", "R5", "-")
    state = quick_game(state, "low-5", "-", "-", "-")
    assert column(state, "grand") == (8, 8, 0)
    assert places(state) == [(1, "Ben"), (2, "Ann"), (3, "Cem")]


def test_then_the_first_game_and_then_a_place_is_shared() -> None:
    """TT-13: the points of a game are those before the floor, so -3 is less than nothing."""
    state = quick_game(quick(), "signed-11", "B3", "-", "-")
    state = quick_game(state, "sum-10", "-", "-", "-")
    state = quick_game(state, "low-5", "-", "-", "-")
    assert column(state, "grand") == (0, 0, 0)
    assert places(state) == [(1, "Ben"), (1, "Cem"), (3, "Ann")]


def test_partners_win_together() -> None:
    """TT-15: opposite seats; the own totals stay on the sheet."""
    state = quick_game(quick(4, teams="yes"), "sum-10", "R8", "B5", "G3", "P4")
    state = quick_game(state, "low-5", "-", "-", "-", "R7")
    state = quick_game(state, "signed-11", "B6 +1", "-", "R4", "-")
    assert column(state, "game-3-total") == (3, 5, 7, 14)
    assert column(state, "grand") == (10, 19, 10, 19)
    assert places(state) == [(1, "Ben"), (1, "Dora"), (2, "Ann"), (2, "Cem")]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert [place.points for place in outcome.ranking] == [19, 19, 10, 10]


def test_equal_teams_go_by_the_latest_game() -> None:
    """TT-15, TT-13: the partners' points of a game are added: 1 against 0 in the last."""
    state = quick_game(quick(4, teams="yes"), "sum-10", "R3", "B4", "G5", "P4")
    state = quick_game(state, "signed-11", "R2", "P3", "-", "-")
    state = quick_game(state, "low-5", "R5 +1", "-", "-", "-")
    assert column(state, "game-3-total") == (6, 7, 5, 4)
    assert column(state, "grand") == (11, 11, 11, 11)
    assert places(state) == [(1, "Ann"), (1, "Cem"), (2, "Ben"), (2, "Dora")]


def test_teams_that_are_equal_in_all_share_the_first_place() -> None:
    """TT-15, TT-13."""
    state = quick_game(quick(4, teams="yes"), "sum-10", "R3", "B4", "G5", "P4")
    state = quick_game(state, "low-5", "-", "-", "-", "-")
    state = quick_game(state, "signed-11", "-", "-", "-", "-")
    assert places(state) == [(1, "Ann"), (1, "Cem"), (1, "Ben"), (1, "Dora")]
