"""The standings as pages show them."""

from __future__ import annotations

from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores, Score
from tests.web.hub.house import Hall
from web.hub.rankings import Rankings, ranking


def test_the_leaders_are_worked_out_anew_where_something_counts_otherwise() -> None:
    """A result and an objection do; a signature does not."""
    hall, rankings = Hall(), Rankings()
    event = hall.event(entrants=8)
    hall.give(event, DrawRound(1))
    hall.give(event, StartRound())
    snapshot = hall.hub.service.snapshot(event)
    assert rankings.leaders(snapshot, 3) == ranking(snapshot.state)[:3]
    seats = snapshot.state.rounds[0].draw.tables[0].seats
    scored = zip(seats, (9, 1, -4, -6), strict=True)
    hall.give(event, ReportResult(1, 1, 1, GameScores(tuple(Score(*each) for each in scored))))
    snapshot = hall.hub.service.snapshot(event)
    reported = rankings.leaders(snapshot, 3)
    assert reported == ranking(snapshot.state)[:3]
    assert reported[0].entrant == seats[0]
    hall.give(event, Sign(1, 1, 1, seats[0]))
    assert rankings.leaders(hall.hub.service.snapshot(event), 3) is reported
    hall.give(event, Dispute(1, 1, 1, seats[1], "miscounted"))
    snapshot = hall.hub.service.snapshot(event)
    assert rankings.leaders(snapshot, 3) == ranking(snapshot.state)[:3] != reported
