"""Penalties: what they take off, who stands last, and how they are taken back."""

from __future__ import annotations

import pytest

from scoreboard.errors import NotationError
from scoreboard.tournament.model.disputes import AwardPenalty, PenaltyAwarded, UndoPenalty
from scoreboard.tournament.model.entries import Return
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.standings import standings_of, why
from scoreboard.tournament.model.tournament import describe, may_command
from scoreboard.tournament.model.tournament_transcript import CODEC
from tests.scoreboard.tournament.model.directing import KIM, NOON, one_round, refusal


def test_points_come_off_the_standings() -> None:
    """Who had 60 has 59½ after a warning, half a point off and another half taken back."""
    directing = one_round().give(
        AwardPenalty(1, "warning", **KIM),
        AwardPenalty(1, "points", "1/2", **KIM),
        AwardPenalty(1, "points", "1/2", **KIM),
        UndoPenalty(3, **KIM),
    )
    assert [str(each) for each in standings_of(directing.state).of(1).values] == ["119/2"]
    assert [each.kind for each in directing.state.penalties.values()] == ["warning", "points"]
    assert "taken back already" in refusal(directing.state, UndoPenalty(3, **KIM))


def test_who_is_disqualified_stands_last_and_plays_no_more() -> None:
    """The others move up, and the reason says it; taken back, all is as before."""
    directing = one_round()
    before = directing.places
    directing.give(AwardPenalty(1, "disqualification", **KIM))
    assert directing.places == [(at, each) for at, (_, each) in enumerate(before[1:], 1)] + [(8, 1)]
    told = why(standings_of(directing.state), directing.state.names, 1, 4)
    assert str(told) == "Player 4 stands above Player 1: Player 1 was disqualified."
    assert "take the penalty back first" in refusal(directing.state, Return(1, **KIM))
    assert "disqualified already" in refusal(
        directing.state, AwardPenalty(1, "disqualification", **KIM)
    )
    drawn = one_round().give(AwardPenalty(1, "disqualification", **KIM), DrawRound(1))
    assert 1 not in drawn.round.draw.entrants
    directing.give(UndoPenalty(1, **KIM))
    assert directing.places == before
    assert not directing.state.away


def test_points_and_kind_go_together() -> None:
    """Points are more than 0 for that kind, and no other takes any; nobody unknown is punished."""
    state = one_round().state
    for kind, points in (("points", "0"), ("points", "-1"), ("warning", "2")):
        assert "more than 0" in refusal(state, AwardPenalty(1, kind, points, **KIM))
    assert "Nobody has the entry number" in refusal(state, AwardPenalty(99, "warning", **KIM))


def test_a_penalty_is_told_with_its_reason_and_read_back() -> None:
    """In the log, and out of the JSON of an exported event; one of another kind is refused."""
    directing = one_round().give(AwardPenalty(2, "points", "7/2", **KIM))
    event = directing.events[-1]
    told = "Player 2: points off (3½). Kim: “as the referee saw it”"
    assert str(describe(directing.state, event)) == told
    assert CODEC.event(CODEC.document(event)) == event
    with pytest.raises(NotationError, match="no penalty"):
        PenaltyAwarded(1, 2, "flogging", "0", 0, by="Kim", at=NOON, why="late")


def test_a_referee_may_punish_and_a_table_may_not() -> None:
    """As with other decisions."""
    command = AwardPenalty(1, "warning", **KIM)
    assert [may_command(role, command) for role in ("table", "referee", "director")] == [
        False, True, True,
    ]  # fmt: skip
