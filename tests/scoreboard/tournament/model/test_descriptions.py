"""The director's log: a sentence for everything that happens."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.tournament.model.disputes import Dispute, Settle, Sign
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Replace, Return, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import (
    CorrectResult,
    CorrectScore,
    ReportResult,
    SubmitScore,
    TakeResultBack,
)
from scoreboard.tournament.model.rounds import (
    CloseRound,
    DrawByHand,
    MergeTables,
    Replan,
    SplitTable,
    StartRound,
    UndoRound,
)
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff, Reopen
from scoreboard.tournament.model.tournament import Command, decide, describe, evolve
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from tests.scoreboard.tournament.model.directing import KIM, Directing, Evening

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
    """Every order leaves its line; corrections say who and why."""
    draw, scores = Draw.parse("1: 1 2 | 2: 3 4"), GameScores.parse("1 5, 2 no-show")
    assert log(
        Directing(FORM),
        *(Enter(Entrant(number, name)) for number, name in enumerate(("Anna", "Bea", "Cas"), 1)),
        Enter(Entrant(4, "Dee")),
        DrawByHand(draw, **KIM),
        EnterLate(Entrant(5, "Eve"), **KIM),
        MergeTables(2, 1, **KIM),
        SplitTable(1, (3, 4), 2, **KIM),
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
    """Scores by name and number."""
    directing = Directing(replace(FORMATS["blind-high-score"], counted=0), 2)
    assert log(directing, SubmitScore(1, 200), CorrectScore(1, 210, **KIM)) == [
        "Player 1 handed in 200.",
        f"Score 1 is 210, not 200.{BY}",
    ]


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_everything_that_happens_can_be_told(seed: int) -> None:
    """In every event played by chance."""
    evening = Evening(seed).play_on()
    for event in evening.events:
        assert str(describe(evening.state, event)).strip()
