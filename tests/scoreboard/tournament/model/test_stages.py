"""The cut, play-offs and lots."""

from __future__ import annotations

from dataclasses import replace

from scoreboard.tournament.model.draw import random_order
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import EnterLate, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, Replan
from scoreboard.tournament.model.stages import Cut, DrawLot, PlayOff
from scoreboard.tournament.model.standings import standings_of, why
from scoreboard.tournament.model.tournament import LotDrawn, decide
from scoreboard.tournament.model.tournament_format import Stage
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    FIRST,
    KIM,
    SECOND,
    Directing,
    begun,
    one_round,
    refusal,
)


def test_the_cut_waits_for_what_is_due() -> None:
    """A closed round, all rounds played, a format with stages, enough who are there."""
    form = replace(EVENING, rounds=2, stages=(Stage("Final", 4, games=1),))
    directing = begun(form)
    assert "close the round first" in refusal(directing.state, Cut())
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound())
    assert "Rounds left before the cut: 1; play" in refusal(directing.state, Cut())
    directing.give(Replan(1, **KIM))
    assert "make the cut" in refusal(directing.state, DrawRound(1))
    five = directing.state
    for number in range(1, 6):
        directing.give(Withdraw(number, **KIM))
    assert directing.give(Cut()).state.cuts[0].entrants == (6, 7, 8)
    directing.give(Withdraw(6, **KIM))
    assert "Only 2 are there" in refusal(directing.state, Cut())
    directing.state = five
    directing.give(Cut(), DrawRound(1)).play({1: "1 3, 5 -1, 6 -1, 7 -1"})
    assert "No cut is left" in refusal(directing.state, Cut())
    assert "All rounds are played" in refusal(directing.state, DrawRound(2))
    assert "The cut is made" in refusal(directing.state, EnterLate(Entrant(9, "Zoe"), **KIM))
    assert "is settled" in refusal(directing.state, Replan(3, **KIM))


def test_the_cut_is_made_again_when_somebody_drops_out() -> None:
    """The next in standing moves up, as long as the stage is not drawn."""
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 4, games=1),))
    directing = one_round(form).give(Cut())
    assert directing.state.cuts[0].entrants == (1, 5, 6, 7)
    directing.give(Withdraw(5, **KIM), Cut(), DrawRound(1))
    assert directing.round.draw.entrants == (1, 6, 7, 8)
    assert len(directing.state.cuts) == 1


def test_a_shared_place_across_the_cut_is_parted_first() -> None:
    """By a play-off or a lot, even where the format does not name them."""
    form = replace(EVENING, rounds=1, stages=(Stage("Final", 3, games=1),))
    directing = begun(form).report(1, "1 60, 2 -10, 3 -20, 4 -30")
    directing.report(2, "5 30, 6 -10, 7 -10, 8 -10").give(CloseRound())
    assert "Place 3 is shared across the cut" in refusal(directing.state, Cut())
    before = directing.state
    directing.give(PlayOff((7, 2, 8, 6), **KIM), Cut())
    assert directing.state.cuts[0].entrants == (1, 5, 7)
    assert str(why(standings_of(directing.state), directing.state.names, 2, 7)) == (
        "Player 7 stands above Player 2: only Player 7 reached Final."
    )
    directing.state = before
    directing.give(DrawLot(3))
    drawn = directing.events[-1]
    assert isinstance(drawn, LotDrawn)
    assert drawn.order == random_order((2, 6, 7, 8), 3)
    assert directing.give(Cut()).state.cuts[0].entrants[2] == drawn.order[0]
    assert "nothing to draw lots for" in refusal(directing.state, DrawLot(1))


def test_lots_and_play_offs_are_among_entrants() -> None:
    """Two or more, each once."""
    directing = one_round()
    for command in (PlayOff((1,), **KIM), PlayOff((1, 1), **KIM), DrawLot(1, (2,))):
        assert "two entrants or more" in refusal(directing.state, command)
    assert "entry number 99" in refusal(directing.state, DrawLot(1, (1, 99)))
    assert len(decide(directing.state, DrawLot(1, (1, 2)))) == 1


def test_a_lot_falls_the_same_everywhere() -> None:
    """Whoever is named first, on any Python: the figures stand here."""
    assert random_order((3, 1, 2, 5), 42) == random_order((5, 2, 3, 1), 42) == (2, 5, 3, 1)


def test_stages_may_carry_points_on() -> None:
    """Then the final alone does not decide."""
    final = Stage("Final", 4, games=1, carried=True)
    directing = one_round(replace(EVENING, rounds=1, stages=(final,))).give(Cut(), DrawRound(1))
    directing.play({1: "1 -30, 5 30, 6 0, 7 0"})
    assert [(row.entrant, row.values[0]) for row in standings_of(directing.state).rows[:2]] == [
        (5, 36),
        (1, 30),
    ]


def test_a_round_robin_may_end_in_a_cut() -> None:
    """Once everyone has met everyone, however many rounds that takes."""
    form = replace(FORMATS["round-robin"], stages=(Stage("Final", 2, games=1),))
    directing = Directing(form, 4)
    for number in range(3):
        directing.give(DrawRound(number))
        tables = directing.round.draw.tables
        directing.play(
            {each.number: f"{min(each.seats)} 1, {max(each.seats)} 0" for each in tables}
        )
        if number < 2:
            assert f"Rounds left before the cut: {2 - number}" in refusal(directing.state, Cut())
    assert "make the cut" in refusal(directing.state, DrawRound(4))
    directing.give(Cut(), DrawRound(4)).play({1: "1 0, 2 1"})
    assert directing.places == [(1, 2), (2, 1), (3, 3), (4, 4)]
