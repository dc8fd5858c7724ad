"""The standings as pages show them."""

from __future__ import annotations

import re
from dataclasses import replace

from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.formats import FORMATS
from tests.web.hub.house import Hall
from web.hub.rankings import Rankings, ranking


def test_the_leaders_are_worked_out_anew_where_something_counts_otherwise() -> None:
    """A result and an objection do; a signature does not."""
    hall, rankings = Hall(), Rankings()
    event = hall.started()
    snapshot = hall.hub.service.snapshot(event)
    assert rankings.leaders(snapshot, 3) == ranking(snapshot.state)[:3]
    seats = hall.seats(event)
    hall.give(event, hall.results(event)[0])
    snapshot = hall.hub.service.snapshot(event)
    reported = rankings.leaders(snapshot, 3)
    assert reported == ranking(snapshot.state)[:3]
    assert reported[0].entrant == seats[0]
    hall.give(event, Sign(1, 1, 1, seats[0]))
    assert rankings.leaders(hall.hub.service.snapshot(event), 3) is reported
    hall.give(event, Dispute(1, 1, 1, seats[1], "miscounted"))
    snapshot = hall.hub.service.snapshot(event)
    assert rankings.leaders(snapshot, 3) == ranking(snapshot.state)[:3] != reported


def test_tiebreaks_are_columns_on_page_sheet_and_file() -> None:
    """Under their names, with a value for everybody who was drawn."""
    hall = Hall()
    form = replace(FORMATS["club-evening"], tiebreaks=("points", "buchholz", "best-game"))
    event = hall.started(form, entrants=4)
    hall.give(event, *hall.results(event, (9, 1, -4, -6)))
    director = hall.browser("director")
    for path in ("standings", "sheets/standings"):
        page = director.get(f"/e/{event}/{path}").text
        assert re.findall(r'class="figure">([A-Z][a-z ]+)</th>', page)[-2:] == [
            "Buchholz",
            "Best game",
        ]
        assert ">9</td>" in page
    lines = director.get(f"/e/{event}/export/standings.csv").text.splitlines()
    assert lines[0].endswith("points,buchholz,best-game,penalties,away,why")
    assert ",9,," in lines[1]
