"""What is taken along of an event, as spreadsheets and other programs read it."""

from __future__ import annotations

from scoreboard.tournament.formats import FORMATS
from scoreboard.tournament.orders import DrawRound, ReportResult, StartRound
from scoreboard.tournament.table_result import GameScores
from tests.web.hub.house import Hall


def test_halves_are_decimals_in_csv_signs_on_pages_and_exact_in_json() -> None:
    """Two winners level in a Yahtzee evening share the first two places."""
    hall = Hall()
    director = hall.browser("director")
    event = hall.event(FORMATS["yahtzee-evening"], entrants=4)
    hall.give(event, DrawRound(1), StartRound())
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
