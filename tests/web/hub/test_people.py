"""Check-in, late lists, deleted entries, penalties and notes, links to type and to mail."""

from __future__ import annotations

import csv
import io
import re

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import CorrectEntry, Replace
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.stages import Finish
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.hub.house import Browser, Hall


def upload(director: Browser, event: str, text: str, **fields: str) -> tuple[int, str]:
    """Send a list of entries."""
    file = (io.BytesIO(text.encode()), "entries.csv")
    answer = director.post(f"/e/{event}/entries/file", file=file, **fields)
    return answer.status_code, answer.text


def test_a_player_checks_in_on_their_own_page_while_the_director_lets_them(
    hall: Hall, director: Browser
) -> None:
    """The button is there while it is open, pressed twice counts once, and the desk counts."""
    event, anybody = hall.event(), hall.browser()
    page = hall.own_page(event, 1)
    assert "I am here" not in anybody.get(page).text
    anybody.post(f"{page}/here")
    assert "0 here, 8 missing" in director.get(f"/e/{event}/check-in").text
    assert "missing" not in director.get(f"/e/{event}/desk").text
    director.post(f"/e/{event}/check-in/open", open="yes")
    assert "I am here" in anybody.get(page).text
    for _ in range(2):
        assert anybody.post(f"{page}/here").status_code == 303
    assert "You have checked in" in anybody.get(page).text
    assert "1 here, 7 missing" in director.get(f"/e/{event}/desk").text
    director.post(f"/e/{event}/check-in/open", open="")
    assert "You have checked in" not in anybody.get(page).text
    assert "1 here, 7 missing" in director.get(f"/e/{event}/check-in").text


def test_a_list_at_the_door(hall: Hall) -> None:
    """A referee searches, taps, and sees who is missing; a tap too many is taken back."""
    event, referee = hall.event(), hall.browser("referee")
    door = f"/e/{event}/check-in"
    found = re.findall(r"<strong>(\w+)</strong>", referee.get(f"{door}?q=AN").text)
    assert found == ["Anna"]
    answer = referee.post(f"{door}/1", here="yes", q="an")
    assert answer.location == f"{door}?q=an#p1"
    assert ">Anna<" not in referee.get(f"{door}?which=missing").text
    referee.post(f"{door}/1", here="no")
    assert ">Anna<" in referee.get(f"{door}?which=missing").text


def test_a_league_checks_in_anew_at_each_meeting(hall: Hall, director: Browser) -> None:
    """All marks go, and players may still check in by themselves if they could."""
    event, anybody = hall.event(), hall.browser()
    director.post(f"/e/{event}/check-in/open", open="yes")
    anybody.post(f"{hall.own_page(event, 1)}/here")
    director.post(f"/e/{event}/check-in/open", anew="yes")
    assert "0 here, 8 missing" in director.get(f"/e/{event}/check-in").text
    assert "I am here" in anybody.get(hall.own_page(event, 1)).text


def test_a_corrected_name_stays_here_and_a_replacement_checks_in(hall: Hall) -> None:
    """It is the person who is here, not the number."""
    event, referee = hall.event(), hall.browser("referee")
    for number in (1, 2):
        referee.post(f"/e/{event}/check-in/{number}", here="yes")
    hall.give(event, CorrectEntry(Entrant(1, "Anne"), **KIM), Replace(Entrant(2, "Zoe"), **KIM))
    assert "1 here, 7 missing" in referee.get(f"/e/{event}/check-in").text


def test_the_missing_are_left_out_after_they_were_named(hall: Hall, director: Browser) -> None:
    """Nothing happens before the question is answered; who comes late is seated again."""
    event = hall.event()
    door = f"/e/{event}/check-in"
    for number in range(1, 7):
        director.post(f"{door}/{number}", here="yes")
    asked = director.post(f"{door}/leave-out")
    assert "leaves them out: Gita, Hugo" in asked.text
    assert not hall.service.snapshot(event).state.away
    (answer,) = re.findall(r'name="confirmed" value="(\w+)"', asked.text)
    assert director.post(f"{door}/leave-out", confirmed=answer).status_code == 303
    assert hall.service.snapshot(event).state.away == {7, 8}
    referee = hall.browser("referee")
    assert "a director has to reinstate" in referee.post(f"{door}/7", here="yes").text
    assert director.post(f"{door}/7", here="yes").status_code == 303
    assert hall.service.snapshot(event).state.away == {8}
    assert "Hugo dropped out. Dana: “not checked in”" in director.get(f"/e/{event}/annals").text


def test_a_late_list_is_taken_with_one_reason(hall: Hall, director: Browser) -> None:
    """Whole or not at all, with its reason; who entered already is told with the line."""
    event = hall.event(entrants=7)
    hall.give(event, DrawRound(1))
    status, text = upload(director, event, "name\nIris\nAnna\n", why="late bus")
    assert status == 422
    assert "“Anna” is entry 1 already" in text
    assert upload(director, event, "name\nIris\nJan\n")[0] == 422
    assert len(hall.service.snapshot(event).state.entrants) == 7
    assert upload(director, event, "name\nIris\nJan\n", why="late bus")[0] == 303
    state = hall.service.snapshot(event).state
    assert [each.number for each in state.entrants[7:]] == [8, 9]
    assert [each.why for each in state.amendments] == ["late bus", "late bus"]


def test_an_entry_is_deleted_before_its_draw(hall: Hall, director: Browser) -> None:
    """The page offers it only as long as it can be done."""
    event = hall.event()
    assert "Delete the entry" in director.get(f"/e/{event}/entries/8").text
    assert director.post(f"/e/{event}/entries/8/delete").status_code == 303
    assert 8 not in hall.service.snapshot(event).state.numbers
    hall.give(event, DrawRound(1))
    assert "Delete the entry" not in director.get(f"/e/{event}/entries/1").text
    assert director.post(f"/e/{event}/entries/1/delete").status_code == 422


def played(hall: Hall) -> str:
    """An event whose first game at table 1 was 1: 30, 2: -5, 3: -10, 4: -15 by seat."""
    event = hall.started()
    hall.give(event, hall.results(event)[0])
    return event


def test_penalties_stand_beside_the_standings_with_their_reason(hall: Hall) -> None:
    """On page, sheet and CSV; the points are off, and come back with the penalty."""
    event, referee = played(hall), hall.browser("referee")
    base = f"/e/{event}/penalties"
    form = {"entrant": "1", "kind": "points", "points": "2", "why": "phone rang"}
    assert referee.post_form(base, form).status_code == 303
    for path in ("standings", "sheets/standings", "export/standings.csv"):
        assert "points off (2): phone rang" in hall.browser().get(f"/e/{event}/{path}").text
    before = {row.entrant: row.points for row in hall.hub.rankings.of(hall.service.snapshot(event))}
    assert "Take the penalty back" in referee.get(base).text
    assert referee.post(f"{base}/1/undo", why="wrong player").status_code == 303
    after = {row.entrant: row.points for row in hall.hub.rankings.of(hall.service.snapshot(event))}
    assert after[1] - before[1] == 2
    assert referee.post_form(base, form | {"points": "two"}).status_code == 422
    assert referee.post_form(base, form | {"why": ""}).status_code == 422


def test_a_lost_game_leads_to_its_result(hall: Hall) -> None:
    """Where it is corrected: who lost it gave up."""
    event, referee = played(hall), hall.browser("referee")
    seats = hall.service.snapshot(event).state.rounds[0].draw.tables[0].seats
    form = {"entrant": str(seats[0]), "kind": "game", "why": "left early"}
    answer = referee.post_form(f"/e/{event}/penalties", form)
    assert answer.location == f"/e/{event}/rounds/1/tables/1"
    assert "loss of a game: left early" in referee.get(f"/e/{event}/standings").text


def test_notes_are_private(hall: Hall, director: Browser) -> None:
    """Directors and referees see them; no export has them, and an empty one deletes."""
    event, referee = hall.event(), hall.browser("referee")
    referee.post(f"/e/{event}/penalties/note", entrant="3", note="slow player")
    assert "slow player" in director.get(f"/e/{event}/penalties").text
    assert hall.browser().get(f"/e/{event}/penalties").status_code == 303
    for path in ("export/event.json", "export/event.jsonl", "export/entries.csv", "annals"):
        assert "slow player" not in director.get(f"/e/{event}/{path}").text
    referee.post(f"/e/{event}/penalties/note", entrant="3", note="")
    assert "slow player" not in director.get(f"/e/{event}/penalties").text
    hall.give(event, Finish())
    assert "Give the penalty" not in director.get(f"/e/{event}/penalties").text


def test_a_link_can_be_typed_and_mailed(hall: Hall, director: Browser) -> None:
    """The sheet prints it, the mailing file has it with the address, and it leads to the page."""
    event = hall.event(entrants=1)
    upload(director, event, "name,email\nIris,iris@club.example\n")
    file = director.get(f"/e/{event}/export/links.csv").text.removeprefix("\ufeff")
    first, second = csv.DictReader(io.StringIO(file))
    assert (first["email"], second["email"]) == ("", "iris@club.example")
    short = first["short link"].removeprefix("http://localhost")
    assert re.fullmatch(r"/p/[A-Z0-9]{5}-[A-Z0-9]{5}", short)
    assert short in director.get(f"/e/{event}/sheets/links").text
    for typed in (short, short.upper(), short.lower().replace("-", "")):
        assert hall.browser().get(typed).location == hall.own_page(event, 1)
    assert first["link"].endswith(hall.own_page(event, 1))
    hall.give(event, Replace(Entrant(1, "Zoe"), **KIM))
    assert hall.browser().get(short).status_code == 404


def test_short_links_are_not_guessed_for_long(hall: Hall) -> None:
    """Thirty wrong ones a minute from one address, then it waits; right ones are free."""
    hall.event()
    browser = hall.browser()
    answers = [browser.get("/p/ACDEF-34679").status_code for _ in range(31)]
    assert answers == [404] * 30 + [429]
