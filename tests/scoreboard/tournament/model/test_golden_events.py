"""Whole events worked out by hand, and the sentences of their logs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scoreboard.tournament.model.disputes import Dispute, Settle, Sign
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Replace, Return, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import ChangeTables
from scoreboard.tournament.model.results import (
    CorrectResult,
    CorrectScore,
    ReportResult,
    SubmitScore,
    TakeResultBack,
)
from scoreboard.tournament.model.rounds import (
    CloseRound,
    DrawRound,
    Replan,
    StartRound,
    TablesMerged,
    TableSplit,
    UndoRound,
)
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff, Reopen
from scoreboard.tournament.model.standings import standings_of, why
from scoreboard.tournament.model.tournament import Command, decide, describe, evolve
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from tests.scoreboard.tournament.model.directing import (
    KIM,
    Directing,
    DrawByHand,
    Recorded,
    refusal,
)

ROWS = "1: 1 2 3 4 | 2: 5 6 7 8 | 3: 9 10 11 12 | 4: 13 14 15 16"
COLUMNS = "1: 1 5 9 13 | 2: 2 6 10 14 | 3: 3 7 11 15 | 4: 4 8 12 16"
DIAGONALS = "1: 1 6 11 16 | 2: 2 5 12 15 | 3: 3 8 9 14 | 4: 4 7 10 13"


def wins_of(winning: set[int]) -> Callable[[int, int], int]:
    """One point for those who win, none for the others."""
    return lambda seat, _: int(seat in winning)


def reasons(directing: Directing, *pairs: tuple[int, int]) -> list[str]:
    """Why the one stands above the other, pair by pair."""
    found = standings_of(directing.state)
    return [str(why(found, directing.state.names, *pair)) for pair in pairs]


def national() -> Directing:
    """Sixteen players after three rounds, no pair having met twice."""
    form = FORMATS["rummikub-national"]
    short = tuple(replace(stage, games=1) for stage in form.stages)
    directing = Directing(replace(form, games=1, stages=short), 16)
    for draw in (ROWS, COLUMNS, DIAGONALS):
        directing.give(DrawByHand(Draw.parse(draw), **KIM))
        directing.play_each(lambda _, at: (60, -10, -20, -30)[at])  # the first seat wins
    return directing


def test_a_rummikub_national_of_16() -> None:
    """Three rounds, semi-finals 1-3-5-7 and 2-4-6-8, a final of the two best of each."""
    directing = national()
    totals = {row.entrant: row.values[0] for row in standings_of(directing.state).rows}
    assert list(totals.items()) == [
        (1, 180), (2, 110), (3, 100), (4, 90), (5, 40), (9, 20), (13, 0), (6, -30), (7, -40),
        (8, -50), (10, -50), (11, -60), (14, -70), (12, -70), (15, -80), (16, -90),
    ]  # fmt: skip
    assert directing.places[8:12] == [(9, 7), (10, 8), (10, 10), (12, 11)]

    directing.give(Cut(), DrawRound(1))
    assert str(directing.round.draw) == "1: 1 3 5 13 | 2: 2 4 9 6"
    directing.play({1: "1 -40, 3 70, 5 -10, 13 -20", 2: "2 -5, 4 -20, 9 -30, 6 55"})

    directing.give(Cut(), DrawRound(2))
    assert directing.state.cuts[-1].entrants == (3, 6, 2, 5)
    directing.play({1: "2 33, 3 -3, 5 -12, 6 -18"}).give(Finish())
    assert [entrant for _, entrant in directing.places] == [
        2, 3, 5, 6, 4, 13, 9, 1, 7, 8, 10, 11, 14, 12, 15, 16,
    ]  # fmt: skip
    assert reasons(directing, (2, 3), (1, 6), (13, 4), (12, 14), (8, 10)) == [
        "Player 2 stands above Player 3: 33 against -3 in points.",
        "Player 6 stands above Player 1: only Player 6 reached Final.",
        (
            "Player 4 stands above Player 13: level in Points, Games won, Best game, then "
            "place 4 against 7 in the stage before."
        ),
        (
            "Player 14 stands above Player 12: level in Points, Games won, then "
            "a best game of -10 against -20."
        ),
        "Player 8 and Player 10 share a place: tied on all tie-breaks.",
    ]


def test_a_swiss_of_9() -> None:
    form = replace(FORMATS["yahtzee-duel-swiss"], games=1, rounds=3)
    directing = Directing(form, 9)
    directing.play_by_hand(
        "1: 1 5 | 2: 2 6 | 3: 3 7 | 4: 4 8 | bye 9",
        {1: "1 200, 5 150", 2: "2 210, 6 180", 3: "3 190, 7 190", 4: "4 170, 8 220"},
    )
    directing.play_by_hand(
        "1: 1 2 | 2: 8 9 | 3: 3 4 | 4: 7 5 | bye 6",
        {1: "1 240, 2 230", 2: "8 160, 9 205", 3: "3 180, 4 140", 4: "7 175, 5 170"},
    )
    directing.play_by_hand(
        "1: 1 9 | 2: 3 2 | 3: 7 8 | 4: 6 4 | bye 5",
        {1: "1 199, 9 230", 2: "3 211, 2 222", 3: "7 200, 8 200", 4: "6 165, 4 155"},
    )
    rows = standings_of(directing.state).rows
    assert [(row.entrant, row.values) for row in rows] == [
        (9, (6,)),
        (1, (4, 10)),
        (2, (4, 8)),
        (6, (4, 7)),
        (7, (4, 6)),
        (8, (3, 10)),
        (3, (3, 8)),
        (5, (2,)),
        (4, (0,)),
    ]
    assert reasons(directing, (6, 2), (9, 4)) == [
        (
            "Player 2 stands above Player 6: level in Points, then "
            "8 against 7 in their opponents’ points without the weakest."
        ),
        "Player 9 stands above Player 4: 6 against 0 in points.",
    ]
    assert "plan more rounds" in refusal(directing.state, DrawRound(4))


def test_a_league_of_three_meetings_of_which_two_count() -> None:
    form = replace(FORMATS["league"], rounds=1, meetings=3, counted=2, games=1, missed_round=-50)
    directing = Directing(form, 4)
    directing.play_by_hand("1: 1 2 3 4", {1: "1 60, 2 -10, 3 -20, 4 -30"})
    directing.play_by_hand("1: 1 2 3 4", {1: "1 -5, 2 45, 3 -15, 4 -25"})
    assert [row.values[0] for row in standings_of(directing.state).rows] == [55, 35, -35, -55]
    directing.give(Withdraw(4, **KIM))
    directing.play_by_hand("1: 1 2 3", {1: "1 -20, 2 -10, 3 30"}).give(Return(4, **KIM))
    assert [(row.entrant, row.values[0]) for row in standings_of(directing.state).rows] == [
        (1, 55),
        (2, 35),
        (3, 15),
        (4, -55),
    ]


def test_a_double_knockout_of_6() -> None:
    """Two byes, an upset, and a second grand final, since the first was lost by the unbeaten."""
    directing = Directing(replace(FORMATS["double-knockout"], games=1), 6)
    won = [{4, 6}, {1, 6}, {1, 3, 2}, {2}, {2}, {2}, {1}]
    pairs = [
        {(4, 5), (3, 6)},
        {(1, 4), (2, 6)},
        {(1, 6), (3, 4), (2, 5)},
        {(2, 3)},
        {(2, 6)},
        {(1, 2)},
        {(1, 2)},
    ]
    for number, (meet, winning) in enumerate(zip(pairs, won, strict=True), start=1):
        directing.give(DrawRound(number))
        draw = directing.round.draw
        assert {tuple(sorted(table.seats)) for table in draw.tables} == meet
        assert draw.byes == ((1, 2) if number == 1 else ())
        directing.play_each(wins_of(winning))
    assert "last match is played" in refusal(directing.state, DrawRound(8))
    assert directing.places == [(1, 1), (2, 2), (3, 6), (4, 3), (5, 4), (5, 5)]
    assert reasons(directing, (1, 2), (3, 6)) == [
        "Player 1 stands above Player 2: never out, against out in round 7.",
        "Player 6 stands above Player 3: out in round 5 against 4.",
    ]


FORM = TournamentFormat(
    "A", rounds=2, games=1, smallest_table=2, stages=(Stage("Final", 3, games=1),)
)
BY = " Kim: “as the referee saw it”"


def log(directing: Directing, *commands: Command) -> list[str]:
    """What the log says of some orders."""
    lines = []
    for command in commands:
        for event in decide(directing.state, command):
            directing.state = evolve(directing.state, event)
            lines.append(str(describe(directing.state, event)))
    return lines


def test_the_log_of_an_evening() -> None:
    draw, scores = Draw.parse("1: 1 2 | 2: 3 4"), GameScores.parse("1 5, 2 no-show")
    assert log(
        Directing(FORM),
        *(Enter(Entrant(number, name)) for number, name in enumerate(("Anna", "Bea", "Cas"), 1)),
        Enter(Entrant(4, "Dee")),
        DrawByHand(draw, **KIM),
        EnterLate(Entrant(5, "Eve"), **KIM),
        Recorded(TablesMerged(1, 2, 1, **KIM)),
        Recorded(TableSplit(1, 1, (3, 4), 2, **KIM)),
        ChangeTables(draw.swapped(2, 3), **KIM),
        ChangeTables(draw, **KIM),
        StartRound(),
        ReportResult(1, 1, 1, scores),
        TakeResultBack(1, 1, 1),
        ReportResult(1, 1, 1, scores),
        Sign(1, 1, 1, 1),
        Dispute(1, 1, 1, 2, "I was there"),
        Settle(1, 1, 1, GameScores.parse("1 5, 2 3"), **KIM),
        ReportResult(1, 2, 1, GameScores.parse("3 1, 4 forfeit")),
        CloseRound(),
        CorrectResult(1, 2, 1, GameScores.parse("3 0, 4 0"), **KIM),
        Replan(1, **KIM),
        PlayOff((3, 4), **KIM),
        Cut(),
        Withdraw(2, **KIM),
        Return(2, **KIM),
        Replace(Entrant(2, "Zoe"), **KIM),
        DrawLot(7, (1, 2)),
        Finish(),
        Reopen(**KIM),
        UndoRound(**KIM),
    )[3:] == [
        "Dee entered as 4.",
        f"Round 1 was seated by hand.{BY}",
        f"Eve entered late as 5.{BY}",
        f"Table 2 moved to table 1.{BY}",
        f"Cas, Dee moved from table 1 to 2.{BY}",
        f"Changed at the tables of round 1: Anna, Cas, Bea, Dee.{BY}",
        f"Changed at the tables of round 1: Anna, Bea, Cas, Dee.{BY}",
        "Round 1 began.",
        "Round 1, table 1, game 1: Anna 5, Bea did not come.",
        "Round 1, table 1, game 1: the table took the result back.",
        "Round 1, table 1, game 1: Anna 5, Bea did not come.",
        "Round 1, table 1, game 1: Anna signed.",
        "Round 1, table 1, game 1: Bea disagrees: “I was there”",
        f"Round 1, table 1, game 1: the referee decided: Anna 5, Bea 3.{BY}",
        "Round 1, table 2, game 1: Cas 1, Dee gave up.",
        "Round 1 ended.",
        f"Round 1, table 2, game 1: Cas 0, Dee 0, not Cas 1, Dee gave up.{BY}",
        f"Planned rounds: 1 rather than 2.{BY}",
        f"The play-off, best first: Cas, Dee.{BY}",
        "Anna, Bea, Cas reached Final.",
        f"Bea dropped out.{BY}",
        f"Bea came back.{BY}",
        f"Zoe goes on for Bea.{BY}",
        "The lot with seed 7, best first: Zoe, Anna.",
        "The tournament ended.",
        f"The tournament was reopened.{BY}",
        f"Round 1 was taken back.{BY}",
    ]


def test_the_log_of_a_blind_event() -> None:
    directing = Directing(replace(FORMATS["blind-high-score"], counted=0), 2)
    assert log(directing, SubmitScore(1, 200), CorrectScore(1, 210, **KIM)) == [
        "Player 1 handed in 200.",
        f"Score 1 is 210, not 200.{BY}",
    ]
