"""What pages, sheets and lists say of points, of who was replaced and of who has dropped out."""

from __future__ import annotations

from dataclasses import replace

from scoreboard.tournament.model.entries import Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound
from scoreboard.tournament.model.scores import GameScores
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.hub.house import NAMES, Browser, Hall


def test_who_was_replaced_keeps_the_rounds_of_before(hall: Hall, director: Browser) -> None:
    """Omar's result stays his on every page, sheet and list; Rita's standing says for whom."""
    event = hall.started(replace(FORMATS["club-evening"], games=1), entrants=4)
    hall.give(event, *hall.results(event), CloseRound())
    base = f"/e/{event}"
    form = {"name": "Rita Poe", "why": "ill", "as": "replacement"}
    assert director.post_form(f"{base}/entries/2/replace", form).status_code == 303
    for path in ("results", "sheets/results", "export/results.csv", "rounds/1/tables/1"):
        page = director.get(f"{base}/{path}").text
        assert "Boris" in page, path
        assert "Rita Poe" not in page, path
    for path in ("standings", "sheets/standings", "entries", "entries/2"):
        page = director.get(f"{base}/{path}").text
        assert "Rita Poe" in page, path
        assert "for Boris, from round 2" in page, path
    hall.give(event, DrawRound(2))
    results = director.get(f"{base}/results").text
    assert "Rita Poe" in results
    assert "Boris" in results


def test_who_has_dropped_out_is_marked_wherever_they_are_seated(
    hall: Hall, director: Browser
) -> None:
    """With the cure at the desk, until the table's results are in."""
    event = hall.started(replace(FORMATS["club-evening"], games=1))
    seats = hall.seats(event)
    gone = NAMES[seats[1] - 1]
    base, expected = (
        f"/e/{event}",
        f"Merge the table, or enter “did not come”: {gone} has dropped out.",
    )
    assert "dropped out" not in director.get(f"{base}/desk").text
    hall.give(event, Withdraw(seats[1], **KIM))
    for path in ("desk", "board", "", "sheets/seating", "sheets/results", "rounds/1/tables/1"):
        assert "dropped out" in director.get(f"{base}/{path}").text, path
    assert expected in director.get(f"{base}/desk").text
    text = f"{seats[0]} 25, {seats[1]} no-show, {seats[2]} -10, {seats[3]} -15"
    hall.give(event, ReportResult(1, 1, 1, GameScores.parse(text)))
    assert expected not in director.get(f"{base}/desk").text


def test_halves_are_decimals_in_csv_signs_on_pages_and_exact_in_json(
    hall: Hall, director: Browser
) -> None:
    """Two winners level in a Yahtzee evening share the first two places."""
    event = hall.started(FORMATS["yahtzee-evening"], entrants=4)
    scores = GameScores.parse("1 200, 2 200, 3 90, 4 80")
    hall.give(event, ReportResult(1, 1, 1, scores))
    base = f"/e/{event}"
    for path in ("export/results.csv", "export/standings.csv"):
        text = director.get(f"{base}/{path}").text
        assert ",3.5," in text
        assert "7/2" not in text
    assert ",200,3.5,0.5," in director.get(f"{base}/export/results.csv").text
    for path in ("standings", "board", "sheets/standings", "rounds/1/tables/1", ""):
        text = director.get(f"{base}/{path}").text
        assert "3½" in text, path
        assert "7/2" not in text, path
    document = director.get(f"{base}/export/event.json").json
    assert document is not None
    assert document["results"][0]["points"] == "7/2"
    assert document["standings"][0]["points"] == "7/2"
