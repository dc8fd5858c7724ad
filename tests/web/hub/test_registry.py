"""Players over events: ratings, histories, seasons, merging, renaming and erasing."""

from __future__ import annotations

import re
from dataclasses import replace

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.stages import Finish, Reopen
from scoreboard.tournament.storage.players import spelling_id
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.forms import confirmation
from tests.web.hub.house import DIRECTOR, Browser, Hall

DUEL = FORMATS["yahtzee-duel-swiss"]


def duel(hall: Hall, title: str, winner: str, loser: str) -> str:
    """A finished event of one match, won two to nothing."""
    hall.clock.pass_by(hours=1)
    event = hall.service.open(title, DUEL, DIRECTOR)
    scored = GameScores.parse("1 300, 2 200")
    hall.give(
        event,
        Enter(Entrant(1, winner, club="Almere")),
        Enter(Entrant(2, loser)),
        DrawRound(1),
        StartRound(),
        *(ReportResult(1, 1, game, scored) for game in (1, 2)),
        CloseRound(),
        Finish(),
    )
    return event


def rating(hall: Hall, name: str) -> float:
    """Somebody's rating, 0 for none."""
    found = hall.hub.registrar.current().ratings.get(spelling_id(name))
    return 0 if found is None else found.value


def test_a_finished_event_rates_and_a_reopened_one_does_not(hall: Hall) -> None:
    """The next event begins where the one before ended; a correction changes both."""
    first = duel(hall, "First", "Anna", "Boris")
    alone = rating(hall, "Anna")
    assert alone > 1500 > rating(hall, "Boris")
    second = duel(hall, "Second", "anna", "Chen")
    assert rating(hall, "Anna") > alone
    hall.give(second, Reopen(**KIM))
    assert rating(hall, "Anna") == alone
    hall.give(second, Finish())
    after = rating(hall, "Anna")
    scored = GameScores.parse("1 100, 2 200")
    corrected = (CorrectResult(1, 1, game, scored, **KIM) for game in (1, 2))
    hall.give(first, Reopen(**KIM), *corrected, Finish())
    assert rating(hall, "Anna") < after
    assert rating(hall, "Nobody") == 0


def test_test_events_and_those_in_the_bin_count_nowhere(hall: Hall, director: Browser) -> None:
    """Neither for a rating nor for a season nor for suggestions; restored, they count again."""
    event = duel(hall, "First", "Anna", "Boris")
    rated = rating(hall, "Anna")
    marks = hall.store.event_marks
    for mark, value in (("test", True), ("deleted_at", hall.clock())):
        marks.change(event, **{mark: value})
        assert rating(hall, "Anna") == 0
        assert "First" not in director.get("/seasons/0/edit").text
        marks.change(event, test=False, deleted_at=None)
    assert rating(hall, "Anna") == rated
    marks.change(event, archived_at=hall.clock())
    assert rating(hall, "Anna") == rated


def test_the_table_of_players_and_a_history(hall: Hall, director: Browser) -> None:
    """Place, points and the change of the rating, event by event; the best rated first if asked."""
    duel(hall, "First", "Anna", "Boris")
    duel(hall, "Second", "Chen", "Anna")
    listed = re.findall(r'">(\w+)</a>', director.get("/players?by=rating").text)
    assert listed[-1] == "Boris"
    text = director.get(f"/players/{spelling_id('Anna')}").text
    assert text.index("Second") < text.index("First")
    assert "2 of 2" in text
    assert re.search(r"\(\+\d+\)", text)
    assert re.search(r"\(-\d+\)", text)
    assert director.get("/players/nobody").status_code == 404


def test_a_new_spelling_reaches_running_events(hall: Hall, director: Browser) -> None:
    """By the event's own correction; finished events keep theirs, and lead to the same player."""
    duel(hall, "First", "Ana Berg", "Boris")
    running = hall.service.open("Running", DUEL, DIRECTOR)
    hall.give(running, Enter(Entrant(1, "Ana Berg")))
    player = f"/players/{spelling_id('Ana Berg')}"
    form = {"name": "Anna Berg", "club": "Almere", "note": "left-handed"}
    assert director.post_form(player, form).status_code == 303
    assert hall.state(running).names == {1: "Anna Berg"}
    text = director.get(player).text
    assert "First" in text
    assert "left-handed" in text
    answer = director.post_form(player, form | {"name": "Boris"})
    assert "is another player: merge" in answer.text


def test_two_spellings_become_one_player(hall: Hall, director: Browser) -> None:
    """After a question; who both entered one event are two people."""
    duel(hall, "First", "Anna Berg", "Boris")
    duel(hall, "Second", "Ana Berg", "Chen")
    ana, anna, chen = map(spelling_id, ("Ana Berg", "Anna Berg", "Chen"))
    refused = director.post(f"/players/{ana}/merge", into=chen)
    assert "both entered Second: they are two people" in refused.text
    asked = director.post(f"/players/{ana}/merge", into=anna)
    yes = confirmation(asked.text)
    assert director.post(f"/players/{ana}/merge", into=anna, **yes).status_code == 303
    text = director.get(f"/players/{anna}").text
    assert "First" in text
    assert "Second" in text
    assert director.get(f"/players/{ana}").status_code == 404
    assert director.post(f"/players/{anna}/merge", into=anna).status_code == 409


def test_the_erased_are_in_no_list(hall: Hall, director: Browser) -> None:
    """Neither in the registry nor in suggestions or a season; opponents keep their ratings."""
    event = duel(hall, "First", "Anna", "Boris")
    boris = rating(hall, "Boris")
    hall.store.entrant_notes.keep(event, "email", {1: "anna@club.example", 2: "b@club.example"})
    page = f"/players/{spelling_id('Anna')}/erase"
    assert director.post(page, **confirmation(director.post(page).text)).status_code == 303
    assert [each.email for each in hall.store.entrant_notes.of(event).values()] == [
        "", "b@club.example",
    ]  # fmt: skip
    assert "Anna" not in director.get("/players").text
    assert "Anna" not in director.get(f"/players/{spelling_id('Boris')}").text
    director.post("/seasons/0/edit", name="Winter", events=event, places="", best="0")
    assert "Anna" not in director.get("/seasons/1").text
    new = hall.service.open("Next", DUEL, DIRECTOR)
    suggested = director.get(f"/e/{new}/entries").text
    assert "Anna" not in suggested
    assert '<option value="Boris">' in suggested
    assert rating(hall, "Boris") == boris


def test_a_season_adds_events_up(hall: Hall, director: Browser) -> None:
    """By a table of places; on a page for everybody; changed and deleted."""
    events = [duel(hall, "First", "Anna", "Boris"), duel(hall, "Second", "Chen", "Anna")]
    duel(hall, "Elsewhere", "Dora", "Boris")
    form = {"name": "Winter", "events": events, "places": "10 6", "how": "sum", "best": "0"}
    made = director.post_form("/seasons/0/edit", form | {"tie": "won", "places": "10/6"})
    assert made.location == "/seasons/1"
    page = hall.browser().get("/seasons/1").text
    rows = re.findall(r'strong">(\d).*?row">(\w+).*?strong">(\d+)<', page)
    assert rows == [("1", "Anna", "16"), ("2", "Chen", "10"), ("3", "Boris", "6")]
    assert "Winter" in hall.browser().get("/").text
    assert 'value="10, 6"' in director.get("/seasons/1/edit").text
    director.post_form("/seasons/1/edit", form | {"best": "1", "places": ""})
    assert "the best 1." in hall.browser().get("/seasons/1").text
    director.post_form("/seasons/1/edit", form | {"how": "average", "least": "2"})
    page = hall.browser().get("/seasons/1").text
    assert "A place takes at least 2 events." in page
    assert re.findall(r'strong">([\d–]).*?row">(\w+)', page) == [
        ("1", "Anna"), ("–", "Chen"), ("–", "Boris"),
    ]  # fmt: skip
    director.post("/seasons/1/delete")
    assert director.get("/seasons/1").status_code == 404


def test_a_season_is_asked_for_what_it_lacks(hall: Hall, director: Browser) -> None:
    """Events, a name, points that are numbers; what was typed stays."""
    event = duel(hall, "First", "Anna", "Boris")
    form = {"name": "Winter", "events": event, "places": "", "best": "0"}
    for wrong, fault in (
        ({"events": ""}, "Choose the events"),
        ({"name": " "}, "Write 1 to 80"),
        ({"places": "ten"}, "no number of points"),
        ({"best": "all"}, "a number in digits"),
    ):
        answer = director.post_form("/seasons/0/edit", form | wrong)
        assert answer.status_code == 422
        assert fault in answer.text
    assert hall.store.players.seasons() == ()


def test_ratings_pair_an_event_where_they_count(hall: Hall, director: Browser) -> None:
    """Who enters without a rating has the registry's in a Dutch event; a typed one stays."""
    duel(hall, "First", "Anna", "Boris")
    hall.clock.pass_by(hours=1)
    dutch = hall.service.open("Dutch", replace(DUEL, dutch=True), DIRECTOR)
    director.post(f"/e/{dutch}/entries", name="anna")
    director.post(f"/e/{dutch}/entries", name="Boris", rating="1234")
    director.post(f"/e/{dutch}/entries", name="Chen")
    entrants = hall.state(dutch).entrants
    assert [each.rating for each in entrants] == [round(rating(hall, "Anna")), 1234, None]
