"""Teams on the pages of a hub: standings, board and sheets, and their one setting."""

from __future__ import annotations

from dataclasses import replace

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import CorrectEntry
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.hub.house import NAMES, Browser, Hall
from web.hub.format_form import filled

LABEL = "Players who count for a team (0: all)"


def of_teams(hall: Hall) -> str:
    """An event of eight in teams of two, but for the last; table 1 has played a game."""
    event = hall.event(replace(FORMATS["club-evening"], team_counted=1))
    for number, name in enumerate(NAMES[:-1], start=1):
        entry = Entrant(number, name, team=f"<Team {number % 4}>")
        hall.give(event, CorrectEntry(entry, **KIM))
    hall.give(event, DrawRound(1), StartRound())
    hall.give(event, hall.results(event)[0])
    return event


def test_a_team_stands_wherever_its_players_do(hall: Hall) -> None:
    event, referee = of_teams(hall), hall.browser("referee")
    for path in ("standings", "board", "sheets/seating", "sheets/standings", "sheets/slips"):
        page = referee.get(f"/e/{event}/{path}").text
        assert "&lt;Team 1&gt;" in page
        assert "<Team" not in page
    best = hall.state(event).names[hall.seats(event)[0]]
    for path in ("standings", "sheets/standings"):
        page = referee.get(f"/e/{event}/{path}").text
        assert "A team’s best 1 count." in page
        assert f"{best} 30" in page


def test_an_event_without_teams_has_no_word_of_them(hall: Hall, director: Browser) -> None:
    event = hall.started()
    for path in ("standings", "board", "sheets/standings", "edit"):
        page = director.get(f"/e/{event}/{path}").text
        assert "Team" not in page
        assert LABEL not in page


def test_how_many_count_is_asked_where_somebody_has_a_team(hall: Hall, director: Browser) -> None:
    assert LABEL not in director.get("/new").text
    event = of_teams(hall)
    assert LABEL in director.get(f"/e/{event}/edit").text
    sent = filled(hall.state(event).format) | {"title": "A", "why": "b", "team_counted": "2"}
    assert director.post_form(f"/e/{event}/edit", sent).status_code == 303
    assert hall.state(event).format.team_counted == 2
    assert "A team’s best 2 count." in director.get(f"/e/{event}/standings").text
