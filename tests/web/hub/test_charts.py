"""The bracket, the cross table, the wall chart, results by player, and standings by stage."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO

import pytest

from scoreboard.tournament.model.disputes import Sign
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.stages import Cut
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from tests.web.hub.house import DIRECTOR, Hall
from tests.web.whole_event import whole_event
from web.hub.events import fitted
from web.hub.player import next_match

KNOCKOUT = replace(FORMATS["knockout"], games=1, third_place=True)
ROBIN = replace(FORMATS["round-robin"], games=1)
CUP = replace(FORMATS["club-evening"], rounds=1, games=1, stages=(Stage("Final", 4, games=1),))


def play(hall: Hall, event: str, scores: Sequence[int] = (60, -10, -20, -30)) -> None:
    """Draw, play and close a round; the first seat wins."""
    hall.give(event, DrawRound(1), StartRound())
    hall.give(event, *hall.results(event, scores), CloseRound())


def listed(hall: Hall, event: str, name: str) -> list[dict[str, str]]:
    """A list of the event as a spreadsheet reads it."""
    text = hall.browser("director").get(f"/e/{event}/export/{name}.csv").text
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"))))


def charted(hall: Hall, address: str) -> dict[str, list[str]]:
    """The cells of each row of a chart, by the name in it."""
    rows = re.findall("<tr>(.*?)</tr>", hall.browser().get(address).text, re.DOTALL)[1:]
    cells = [re.findall("<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    plain = [[re.sub("<.*?>", "", cell) for cell in row] for row in cells]
    return {row[1]: row for row in plain}


def test_the_bracket_is_drawn_on_page_sheet_board_and_the_players_page(hall: Hall) -> None:
    """With everybody's names, the match that waits, and a player's own way marked."""
    event = hall.event(KNOCKOUT)
    play(hall, event)
    viewer, links = hall.browser(), hall.browser("director").get(f"/e/{event}/sheets/links").text
    own = links.split('href="http://localhost')[1].split('"')[0]
    for path in ("bracket", "sheets/bracket", "board"):
        page = viewer.get(f"/e/{event}/{path}").text
        assert 'role="img" aria-label="Bracket; the list of its matches' in page, path
        assert "Winner of Semi-final #1" in page, path
    page = viewer.get(own).text
    assert "Bracket" in page
    assert "own-name" in page
    assert ">Bracket</a>" in viewer.get(f"/e/{event}/").text


def test_a_match_is_named_wherever_its_table_stands(hall: Hall) -> None:
    """At the desk, on board, results, the table's own page, and the sheets."""
    event = hall.started(KNOCKOUT, 4)
    director = hall.browser("director")
    for path in ("desk", "board", "results", "rounds/1/tables/1", "sheets/seating"):
        assert "Semi-final</" in director.get(f"/e/{event}/{path}").text.replace(" ·", "</"), path
    assert "Semi-final: " in director.get(f"/e/{event}/sheets/results").text


def test_everybody_against_everybody(hall: Hall) -> None:
    """As page and sheet: what each brought against each, and nothing against oneself."""
    event = hall.event(ROBIN, 4)
    play(hall, event)
    state = hall.state(event)
    one, other = (state.names[each] for each in state.rounds[0].draw.tables[0].seats)
    for path in ("cross_table", "sheets/cross_table"):
        rows = charted(hall, f"/e/{event}/{path}")
        place = {name: int(cells[0]) for name, cells in rows.items()}
        assert rows[one][1 + place[other]] == "2", path
        assert rows[other][1 + place[one]] == "0"
        assert rows[one][1 + place[one]] == ""


def test_more_than_forty_have_their_own_opponents_alone(hall: Hall) -> None:
    """A square of hundreds is nothing to read: a row names whom its player met."""
    event = hall.event(ROBIN, 0)
    everybody = [Entrant(number, f"Player {number}") for number in range(1, 42)]
    hall.give(event, *map(Enter, everybody))
    play(hall, event)
    names, (one, other) = hall.state(event).names, hall.seats(event)
    for path in ("cross_table", "sheets/cross_table"):
        rows = charted(hall, f"/e/{event}/{path}")
        assert len(rows) == 41
        own = next(cells for name, cells in rows.items() if name.startswith(f"{names[one]}Against"))
        assert own[1:] == [f"{names[one]}Against: {names[other]} 2 ", "2"], path


def test_a_stage_before_its_first_result_has_a_short_reason(hall: Hall) -> None:
    """The places of the stage before decide, and nothing of this one is level yet."""
    event = hall.event(CUP)
    play(hall, event)
    hall.give(event, Cut())
    reason = re.compile(r"\w+ stands above \w+: place \d against \d in the stage before\.")
    text = hall.browser().get(f"/e/{event}/standings").text
    assert reason.search(text)
    assert "then place" not in text


def test_closed_rounds_are_read_in_the_results(hall: Hall) -> None:
    """Each score follows its player's name."""
    event = hall.event(CUP)
    play(hall, event)
    seat, text = hall.seats(event)[0], hall.browser("referee").get(f"/e/{event}/results").text
    assert f"{hall.state(event).names[seat]} <strong>60</strong>" in text


def test_tables_of_four_have_no_cross_table(hall: Hall) -> None:
    """The page says why."""
    event = hall.event(CUP)
    play(hall, event)
    assert "There is a cross table where" in hall.browser().get(f"/e/{event}/cross_table").text


def test_the_wall_chart_has_a_row_for_each_player(hall: Hall) -> None:
    """Table, opponents, points and the points so far of each round."""
    event = hall.event(CUP)
    play(hall, event)
    hall.give(event, Cut())
    play(hall, event)
    state = hall.state(event)
    through = state.rounds[1].draw.tables[0].seats
    for path in ("wall_chart", "sheets/wall_chart"):
        rows = charted(hall, f"/e/{event}/{path}")
        assert len(rows) == 8
        won, where = rows[state.names[through[0]]][3].split(" = ")
        total, opponents = where.split("Table 1: ")
        assert (won, total) == ("60", "60")
        assert sorted(opponents.split(", ")) == sorted(map(str, through[1:]))
        assert {rows[name][3] for number, name in state.names.items() if number not in through} == {
            ""
        }
        assert "Round 2: Final" in hall.browser().get(f"/e/{event}/{path}").text


def test_a_knockout_after_a_cut_stands_on_every_page(hall: Hall) -> None:
    """Its bracket, the names of its matches, its cross table, and its brackets in the API."""
    stage = Stage("Finals", 4, games=1, system="double-knockout")
    event = hall.event(replace(CUP, next_match="called", stages=(stage,)))
    play(hall, event)
    director, viewer = hall.browser("director"), hall.browser()
    assert ">Bracket</a>" not in director.get(f"/e/{event}/desk").text
    state = hall.give(event, Cut()).state
    assert [next_match(state, each) for each in state.numbers] == [None] * 8
    state = hall.give(event, DrawRound(1), StartRound()).state
    assert {str(next_match(state, each)) for each in state.numbers} == {
        "None",
        "Your last match is over.",
    }
    for path in ("bracket", "sheets/bracket", "board"):
        assert "Winner of Winners’ semi-final #1" in viewer.get(f"/e/{event}/{path}").text, path
    for path in ("desk", "board", "results", "rounds/2/tables/1", "sheets/seating"):
        assert "Winners’ semi-final" in director.get(f"/e/{event}/{path}").text, path
    assert "Round 2: Finals, Winners’ semi-final" in viewer.get(f"/e/{event}/").text
    best, worst = state.cuts[0].entrants[0], state.cuts[0].entrants[-1]
    game = ReportResult(2, 1, 1, GameScores.parse(f"{best} 5, {worst} -5"))
    hall.give(event, game, *(Sign(2, 1, 1, each) for each in (best, worst)))
    rows = charted(hall, f"/e/{event}/cross_table")
    assert len(rows) == 4
    met = int(rows[state.names[worst]][0])
    own = rows[state.names[best]]
    assert (own[1 + met], own[-1]) == ("2", "2")
    facts = viewer.get(f"/api/v1/events/{event}").get_json()
    assert len(facts["brackets"]) == 3


def test_a_players_results_stand_on_one_page(hall: Hall) -> None:
    """Every round with table, opponents, scores and the points so far, each stage apart."""
    event = hall.event(CUP)
    play(hall, event)
    hall.give(event, Cut())
    play(hall, event)
    winner = hall.state(event).rounds[1].draw.tables[0].seats[0]
    page = hall.browser().get(f"/e/{event}/players/{winner}").text
    assert page.index("Qualifying rounds") < page.index("Round 1") < page.index("<h2>Final")
    assert "Points: 60; so far: 60." in page
    assert hall.browser().get(f"/e/{event}/players/99").status_code == 404
    assert f'href="/e/{event}/players/{winner}"' in hall.browser().get(f"/e/{event}/standings").text


def test_statistics_count_each_players_games(hall: Hall) -> None:
    """As page, sheet and spreadsheet: games, wins, average and best."""
    event = hall.event(CUP)
    play(hall, event)
    hall.give(event, Cut())
    play(hall, event, (40, -10, -10, -20))
    winner = hall.state(event).rounds[1].draw.tables[0].seats[0]
    for path in ("statistics", "sheets/statistics"):
        rows = charted(hall, f"/e/{event}/{path}")
        assert rows[hall.state(event).names[winner]][2:] == ["50.0", "60", "2", "2", "40"], path
    found = {row["number"]: row for row in listed(hall, event, "statistics")}
    assert len(found) == 8
    assert (found[str(winner)]["average"], found[str(winner)]["won"]) == ("50", "2")
    assert f'href="/e/{event}/statistics"' in hall.browser().get(f"/e/{event}/standings").text


def test_standings_keep_stages_apart(hall: Hall) -> None:
    """A table for each stage with its own points; lists have a column for each."""
    event = hall.event(CUP)
    play(hall, event)
    hall.give(event, Cut())
    play(hall, event, (5, 3, -2, -6))
    for path in ("standings", "sheets/standings"):
        page = hall.browser().get(f"/e/{event}/{path}").text
        assert page.index("<h2>Final</h2>") < page.index("<h2>Qualifying rounds</h2>"), path
    rows = listed(hall, event, "standings")
    assert [row["stage 1 points"] for row in rows] == ["5", "3", "-2", "-6", "", "", "", ""]
    assert all(row["stage 0 points"] for row in rows)
    document = whole_event(hall.service.export(event))
    assert document["standings"][0]["stage 1 points"] == "5"
    assert "Qualifying rounds" in hall.browser().get(f"/e/{event}/board").text


@pytest.mark.parametrize(
    ("form", "endpoint"), [(KNOCKOUT, "bracket"), (ROBIN, "cross_table"), (CUP, "wall_chart")]
)
def test_charts_of_an_event_without_rounds_say_so(
    hall: Hall, form: TournamentFormat, endpoint: str
) -> None:
    """They open before the first draw, and without entries."""
    event = hall.service.open("Empty", form, DIRECTOR)
    assert hall.browser().get(f"/e/{event}/{endpoint}").status_code == 200
    hall.give(event, Enter(Entrant(1, "Anna")))
    assert hall.browser().get(f"/e/{event}/sheets/{endpoint}").status_code == 200


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Anna", "Anna"),
        ("Wolfeschlegelsteinhausen", "Wolfeschle…"),
        ("김수한무거북이두루미", "김수한무거…"),
    ],
)
def test_long_names_are_cut_to_the_box(name: str, shown: str) -> None:
    """Letters of East Asia take two columns."""
    assert fitted(name, 11) == shown
