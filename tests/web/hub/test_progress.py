"""The desk's next step, and the standings and tables as pages show them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import SubmitScore
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.stages import Cut, Finish
from scoreboard.tournament.model.tournament import Command
from scoreboard.tournament.model.tournament_format import Stage
from scoreboard.tournament.protocol.hub_update import JoinRequest
from scoreboard.tournament.protocol.items import Delivery
from tests.scoreboard.tournament.hub.halls import quick_game, token_of
from tests.scoreboard.tournament.model.directing import Directing
from tests.web.hub.house import Hall
from web.hub.progress import next_step, round_name, standing_now, table_rows
from web.hub.rankings import Rankings, ranking

EVENING = replace(FORMATS["club-evening"], rounds=1, games=1, zero_sum=False, table_size=4)
CUPS = replace(EVENING, stages=(Stage("Final", 4, games=1),))
DUELS = replace(FORMATS["knockout"], games=1)


def played(directing: Directing) -> Directing:
    """Draw and play a round to its end; the first seat wins."""
    directing.give(DrawRound(1), StartRound())
    for table in directing.round.draw.tables:
        scores = ", ".join(f"{seat} {-place}" for place, seat in enumerate(table.seats))
        directing.report(table.number, scores)
    return directing.give(CloseRound())


def test_an_evening_goes_from_entries_to_its_end() -> None:
    """Each command leads to the next step."""
    directing = Directing(EVENING)
    assert next_step(directing.state) == "enter"
    directing.give(*(Enter(Entrant(number, f"P{number}")) for number in range(1, 5)))
    steps: list[tuple[Command, str]] = [(DrawRound(1), "start"), (StartRound(), "play")]
    assert next_step(directing.state) == "draw"
    for command, step in steps:
        assert next_step(directing.give(command).state) == step
    seats = directing.round.draw.tables[0].seats
    directing.report(1, ", ".join(f"{seat} {seat}" for seat in seats))
    assert next_step(directing.state) == "close"
    assert next_step(directing.give(CloseRound()).state) == "finish"
    assert next_step(directing.give(Finish()).state) == "over"


def test_the_desk_counts_those_who_play_next() -> None:
    """Everybody present, until a cut or a knockout leaves fewer: then no number misleads."""
    hall = Hall()
    event, director = hall.event(CUPS), hall.browser("director")
    assert "Draw round 1; players present: 8." in director.get(f"/e/{event}/desk").text
    hall.give(event, DrawRound(1), StartRound())
    hall.give(event, *hall.results(event), CloseRound(), Cut())
    assert ">Draw round 2.<" in director.get(f"/e/{event}/desk").text


def test_a_cut_is_made_between_its_stages() -> None:
    """After the last round before it; then the stage is drawn and named."""
    directing = played(Directing(CUPS, entrants=8))
    assert next_step(directing.state) == "cut"
    assert next_step(directing.give(Cut()).state) == "draw"
    played(directing)
    assert str(round_name(directing.state, directing.round)) == "Round 2: Final"
    assert next_step(directing.state) == "finish"


def test_a_knockout_ends_with_its_last_match() -> None:
    """Where nothing is left to draw."""
    directing = played(Directing(DUELS, entrants=4))
    assert next_step(directing.state) == "draw"
    assert next_step(played(directing).state) == "finish"


def test_a_round_of_a_knockout_is_named_by_its_matches() -> None:
    """Both halves of a double knockout where both play, and each table by its own."""
    bracket = played(Directing(DUELS, entrants=4))
    assert str(round_name(bracket.state, bracket.round)) == "Round 1: Semi-final"
    double = Directing(replace(FORMATS["double-knockout"], games=1), entrants=4)
    played(played(double))
    assert str(round_name(double.state, double.round)) == "Round 2: Winners’ final, Losers’ round 1"
    rows = table_rows(double.state, double.round, {})
    assert [str(row.match) for row in rows] == ["Winners’ final", "Losers’ round 1"]


def test_a_blind_event_takes_scores_until_its_end() -> None:
    """It has no rounds."""
    directing = Directing(FORMATS["blind-high-score"], entrants=2)
    assert next_step(directing.state) == "scores"
    directing.give(SubmitScore(1, 200))
    assert str(standing_now(directing.state)) == "Scores handed in: 1."


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ((), "Players: 8. Round 1 is not drawn yet."),
        ((DrawRound(1),), "Round 1 is drawn: find your table."),
        ((DrawRound(1), StartRound()), "Round 1 is under way; tables done: 0 of 2."),
    ],
)
def test_where_the_event_stands_is_told_in_a_sentence(
    commands: tuple[Command, ...], expected: str
) -> None:
    """For everybody in the hall."""
    assert str(standing_now(Directing(EVENING, entrants=8).give(*commands).state)) == expected


def test_a_meeting_of_a_league_is_named() -> None:
    """Rounds go on counting over the meetings."""
    form = replace(FORMATS["league"], rounds=1, games=1, zero_sum=False)
    directing = played(played(Directing(form, entrants=8)))
    assert str(round_name(directing.state, directing.round)) == "Round 2, meeting 2"
    assert str(standing_now(directing.state)) == "Round 2 is over."


MARK = re.compile(r'<span class="mark">([^<]*)</span>')
TABLE_STATE = re.compile(r'<span class="table-state">([^<·]*) ·')


def test_a_table_whose_device_plays_is_under_way() -> None:
    """Nothing is in, but its device tells of a turn; the other table has no device."""
    hall = Hall()
    event = hall.started()
    director = hall.browser("director")
    code = hall.hub.admission.offer_code(event, 1)
    hall.hub.table_api.join(JoinRequest(code, "Table 1", token_of(1)))
    assert TABLE_STATE.findall(director.get(f"/e/{event}/desk").text) == ["not started"] * 2
    seats = hall.seats(event)
    begun = quick_game(seats, "60 -10 -20 -30")[:1]
    hall.hub.table_api.deliver(token_of(1), Delivery("g1", begun))
    assert TABLE_STATE.findall(director.get(f"/e/{event}/desk").text) == [
        "under way",
        "not started",
    ]
    table = director.get(f"/e/{event}/rounds/1/tables/1").text
    assert MARK.findall(table) == ["under way"]


def test_the_annals_say_in_the_reader_s_language_who_did_it() -> None:
    """A director by name, and the table whose device told a result."""
    hall = Hall()
    event = hall.started()
    code = hall.hub.admission.offer_code(event, 1)
    hall.hub.table_api.join(JoinRequest(code, "Table 1", token_of(1)))
    seats = hall.seats(event)
    game = quick_game(seats, "60 -10 -20 -30")
    hall.hub.table_api.deliver(token_of(1), Delivery("g1", game))
    annals = hall.browser("director").get(f"/e/{event}/annals", **{"Accept-Language": "ja"}).text
    assert MARK.findall(annals)[:2] == ["テーブル1", "運営 Dana"]


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
        assert re.findall(r'class="figure[^"]*">([A-Z][a-z ]+)</th>', page)[-2:] == [
            "Buchholz",
            "Best game",
        ]
        assert ">9</td>" in page
    lines = director.get(f"/e/{event}/export/standings.csv").text.splitlines()
    assert lines[0].endswith("points,buchholz,best-game,penalties,away,why")
    assert ",9,," in lines[1]
