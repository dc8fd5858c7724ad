"""Check-in, lists, sign-up, deleted entries, penalties and notes, links to type and to mail."""

from __future__ import annotations

import csv
import io
import re
from contextlib import closing
from pathlib import Path

from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import CorrectEntry, Replace
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.scoreboard.tournament.hub.halls import KEY
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.forms import confirmation, fields, link
from tests.web.hub.house import NAMES, Browser, Hall


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
    assert not hall.state(event).away
    assert director.post(f"{door}/leave-out", **confirmation(asked.text)).status_code == 303
    assert hall.state(event).away == {7, 8}
    referee = hall.browser("referee")
    assert "a director has to reinstate" in referee.post(f"{door}/7", here="yes").text
    assert director.post(f"{door}/7", here="yes").status_code == 303
    assert hall.state(event).away == {8}
    assert "Hugo dropped out. Dana: “not checked in”" in director.get(f"/e/{event}/annals").text


def test_a_late_list_is_taken_with_one_reason(hall: Hall, director: Browser) -> None:
    """Whole or not at all, with its reason; who entered already is told with the line."""
    event = hall.event(entrants=7)
    hall.give(event, DrawRound(1))
    status, text = upload(director, event, "name\nIris\nAnna\n", why="late bus")
    assert status == 422
    assert "“Anna” is entry 1 already" in text
    assert upload(director, event, "name\nIris\nJan\n")[0] == 422
    assert len(hall.state(event).entrants) == 7
    assert upload(director, event, "name\nIris\nJan\n", why="late bus")[0] == 303
    state = hall.state(event)
    assert [each.number for each in state.entrants[7:]] == [8, 9]
    assert [each.why for each in state.amendments] == ["late bus", "late bus"]


def test_an_entry_is_deleted_before_its_draw(hall: Hall, director: Browser) -> None:
    """The page offers it only as long as it can be done."""
    event = hall.event()
    assert "Delete the entry" in director.get(f"/e/{event}/entries/8").text
    assert director.post(f"/e/{event}/entries/8/delete").status_code == 303
    assert 8 not in hall.state(event).numbers
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
    player = f"/e/{event}/entries/1"
    base = f"{player}/penalties"
    form = {"kind": "points", "points": "2", "why": "phone rang"}
    assert referee.post_form(base, form).status_code == 303
    for path in ("standings", "sheets/standings", "export/standings.csv"):
        assert "points off (2): phone rang" in hall.browser().get(f"/e/{event}/{path}").text
    before = {row.entrant: row.points for row in hall.hub.rankings.of(hall.service.snapshot(event))}
    assert "Penalties and notes" in referee.get(f"/e/{event}/players/1").text
    assert "Take the penalty back" in referee.get(player).text
    assert "Take the penalty back" not in referee.get(f"/e/{event}/entries/2").text
    assert referee.post(f"{base}/1/undo", why="wrong player").status_code == 303
    after = {row.entrant: row.points for row in hall.hub.rankings.of(hall.service.snapshot(event))}
    assert after[1] - before[1] == 2
    assert referee.post_form(base, form | {"points": "two"}).status_code == 422
    assert referee.post_form(base, form | {"why": ""}).status_code == 422


def test_a_lost_game_leads_to_its_result(hall: Hall) -> None:
    """Where it is corrected: who lost it gave up."""
    event, referee = played(hall), hall.browser("referee")
    seats = hall.state(event).rounds[0].draw.tables[0].seats
    form = {"kind": "game", "why": "left early"}
    answer = referee.post_form(f"/e/{event}/entries/{seats[0]}/penalties", form)
    assert answer.location == f"/e/{event}/rounds/1/tables/1"
    assert "loss of a game: left early" in referee.get(f"/e/{event}/standings").text


def test_notes_are_private(hall: Hall, director: Browser) -> None:
    """Directors and referees see them; no export has them, and an empty one deletes."""
    event, referee = hall.event(), hall.browser("referee")
    page = f"/e/{event}/entries/3"
    referee.post(f"{page}/note", note="slow player")
    assert "slow player" in director.get(page).text
    assert hall.browser().get(page).status_code == 303
    for path in ("export/event.json", "export/event.jsonl", "export/entries.csv", "annals"):
        assert "slow player" not in director.get(f"/e/{event}/{path}").text
    referee.post(f"{page}/note", note="")
    assert "slow player" not in director.get(page).text
    assert referee.post(f"/e/{event}/entries/99/note", note="who?").status_code == 422
    assert "Replace the player" not in referee.get(page).text
    hall.give(event, Finish())
    assert "Give the penalty" not in director.get(page).text


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


def test_the_way_from_the_door_to_the_desk(hall: Hall, director: Browser) -> None:
    """Players check in by themselves, one is tapped at the door, the others are left out."""
    event = hall.event()
    door = f"/e/{event}/check-in"
    assert fields(director.get(door).text, f"{door}/open") == {"open": "yes"}
    director.post(f"{door}/open", open="yes")
    typed = hall.hub.keys.short(event, 1, NAMES[0]).lower()
    own = hall.browser().get(f"/p/{typed}").location
    assert own is not None
    assert fields(hall.browser().get(own).text, f"{own}/here") == {}
    hall.browser().post(f"{own}/here")
    found = director.get(f"{door}?q=bo").text
    assert fields(found, f"{door}/2")["here"] == "yes"
    director.post(f"{door}/2", here="yes")
    text = director.get(door).text
    assert "2 here, 6 missing." in text
    asked = director.post(f"{door}/leave-out").text
    assert "Chen, Dora, Emil, Fatma, Gita, Hugo" in asked
    director.post_form(f"{door}/leave-out", fields(asked, f"{door}/leave-out"))
    assert "2 here, 0 missing." in director.get(link(text, "Desk")).text
    assert hall.state(event).present == (1, 2)


def test_a_penalty_and_a_season(hall: Hall, director: Browser) -> None:
    """What is chosen is named as it is read; the player's own page is a link away."""
    event = hall.event()
    player = f"/e/{event}/entries/3"
    text = director.get(player).text
    assert "3 Chen</h1>" in text
    assert {"kind", "points", "why"} <= set(fields(text, f"{player}/penalties"))
    season = link(director.get("/").text, "New season")
    assert {"name", "events", "places", "how", "best", "tie"} <= set(
        fields(director.get(season).text, season)
    )
    players = director.get(link(text, "All players")).text
    assert ">Chen</h1>" in director.get(link(players, "Chen")).text


def opened(hall: Hall, director: Browser, **fields: str) -> str:
    """An event of three whose sign-up is open for four, by its id."""
    event = hall.event(entrants=3)
    form = {"places": "4", "fee": "5 €, at the door", "open": "yes", **fields}
    assert director.post(f"/e/{event}/sign-up/set", **form).status_code == 303
    return event


def take_off(player: Browser, address: str) -> int:
    """Take a name off the list, and say that one means it; the status."""
    asked = player.post(address)
    assert "Your place on the list goes to somebody else." in asked.text
    return player.post(address, **confirmation(asked.text)).status_code


def test_a_sign_up_is_off_until_the_director_opens_it(hall: Hall, director: Browser) -> None:
    """No page and no link before; then both, with the fee and the free places."""
    player, event = hall.browser(), hall.event(entrants=3)
    assert player.get(f"/e/{event}/sign-up").status_code == 404
    assert player.post(f"/e/{event}/sign-up", name="Ada").status_code == 422
    assert "sign-up" not in player.get(f"/e/{event}/").text
    director.post(f"/e/{event}/sign-up/set", places="4", fee="5 €, <b>door</b>", open="yes")
    page = player.get(f"/e/{event}/sign-up").text
    assert "Fee: 5 €, &lt;b&gt;door&lt;/b&gt;" in page
    assert "Free places: 1 of 4." in page
    assert f'href="/e/{event}/sign-up"' in player.get(f"/e/{event}/").text
    assert "The sign-up is open." in director.get(f"/e/{event}/entries").text
    director.post(f"/e/{event}/sign-up/set", places="4")
    assert "The sign-up is closed." in player.get(f"/e/{event}/sign-up").text
    refused = player.post(f"/e/{event}/sign-up", name="Ada")
    assert refused.status_code == 422
    assert "The sign-up is closed: ask the director." in refused.text


def test_who_signs_up_gets_a_place_and_the_way_to_their_own_page(
    hall: Hall, director: Browser
) -> None:
    """With club, team and step-free access; the number, and the page where they sign results."""
    event = opened(hall, director)
    player = hall.browser()
    typed = {"name": "Ada", "club": "Hill", "team": "Blue", "accessible": "yes", "seed": "1"}
    answer = player.post(f"/e/{event}/sign-up", **typed)
    assert answer.location.startswith(f"/p/{event}/4/")
    assert "You have a place. Your number: 4." in player.get(answer.location).text
    (entrant,) = hall.state(event).entrants[3:]
    assert str(entrant) == "4 Ada, club Hill, accessible, team Blue"


def test_who_waits_sees_the_place_and_moves_up(hall: Hall, director: Browser) -> None:
    """The director withdraws somebody, and sees on list, desk and log who moved up."""
    event = opened(hall, director)
    player = hall.browser()
    mine = [player.post(f"/e/{event}/sign-up", name=name).location for name in ("Ada", "Bo", "Cy")]
    assert "You are number 2 on the waiting list." in player.get(mine[2]).text
    assert "Take off: Cy" in director.get(f"/e/{event}/entries").text
    director.post(f"/e/{event}/entries/1/withdraw", why="ill")
    assert "You have a place. Your number: 5." in player.get(mine[1]).text
    assert "You are number 1 on the waiting list." in player.get(mine[2]).text
    assert "moved up" in director.get(f"/e/{event}/entries").text
    desk = director.get(f"/e/{event}/desk").text
    assert "4 entered, 1 on the waiting list. Moved up: Bo." in " ".join(desk.split())
    assert "Bo moved up from the waiting list, as 5." in director.get(f"/e/{event}/annals").text
    assert director.post(f"/e/{event}/entries/6/delete").status_code == 303
    assert player.get(mine[2]).status_code == 404


def test_who_takes_back_a_sign_up_makes_room(hall: Hall, director: Browser) -> None:
    """Until they are drawn; a link that is no more opens nothing, whoever comes under the name."""
    event = opened(hall, director)
    player = hall.browser()
    mine = [player.post(f"/e/{event}/sign-up", name=name).location for name in ("Ada", "Bo", "Cy")]
    off = [page.replace("/p/", "/e/").replace(event, f"{event}/sign-up") for page in mine]
    assert take_off(player, off[0]) == 303
    assert "You have a place. Your number: 5." in player.get(mine[1]).text
    assert player.post(off[0]).status_code == 404
    assert player.post(f"{mine[2]}/here").status_code == 404  # no player's page yet
    player.post(f"/e/{event}/sign-up", name="Ada")
    assert player.get(mine[0]).status_code == 404
    hall.give(event, DrawRound(1))
    assert "Take my name off the list" not in player.get(mine[1]).text
    assert take_off(player, off[1]) == 422
    assert take_off(player, off[2]) == 303


def test_what_was_typed_stays_when_it_is_refused(hall: Hall, director: Browser) -> None:
    """A name that is there, too long or not plain, with its sentence; by the director too."""
    event = opened(hall, director)
    player = hall.browser()
    for name, why in (
        ("anna", "tell them apart"),
        ("x" * 61, "60"),
        ("=A", "a spreadsheet would take it for a formula"),
    ):
        refused = player.post(f"/e/{event}/sign-up", name=name, club="Hill")
        assert refused.status_code == 422, name
        assert why in refused.text
        assert 'value="Hill"' in refused.text
    wrong = director.post(f"/e/{event}/sign-up/set", places="few", fee="5 €", open="yes")
    assert wrong.status_code == 422
    assert 'value="5 €"' in wrong.text


def test_nobody_fills_the_list_by_a_program(hall: Hall, director: Browser) -> None:
    """Sign-ups that went well count as tries too, others than at the doors."""
    event, player = opened(hall, director, places=""), hall.browser()
    statuses = [player.post(f"/e/{event}/sign-up", name=f"N {n}").status_code for n in range(21)]
    assert statuses == [303] * 20 + [429]
    assert len(hall.state(event).present) == 23


def test_who_has_paid_is_ticked_at_the_door(hall: Hall, director: Browser) -> None:
    """Where there is a fee; a tick can be taken back, and is not a replacement's."""
    event, referee = opened(hall, director), hall.browser("referee")
    page = f"/e/{event}/check-in"
    assert "0 of 3 have paid (5 €, at the door)." in referee.get(page).text
    for number in (1, 2, 3):
        answer = referee.post(f"{page}/{number}/paid", paid="yes", q="an")
        assert answer.location == f"{page}?q=an#p{number}"
    referee.post(f"{page}/3/paid", paid="no")
    director.post(f"/e/{event}/entries/2/replace", name="Zoe", why="ill")
    assert "1 of 3 have paid (5 €, at the door)." in referee.get(page).text
    assert referee.post(f"{page}/9/paid", paid="yes").status_code == 422
    director.post(f"/e/{event}/sign-up/set", open="yes")
    assert "have paid" not in referee.get(page).text


def test_the_waiting_list_outlives_the_hub(tmp_path: Path) -> None:
    """It is in the record: whoever reads the store again, or takes the event over, has it."""
    address = f"sqlite:///{tmp_path}/hub.db"
    with closing(open_hub_store(address)) as store:
        hall = Hall(store=store)
        event = opened(hall, hall.browser("director"))
        player = hall.browser()
        mine = [player.post(f"/e/{event}/sign-up", name=name).location for name in ("Ada", "Bo")]
        text = hall.service.export(event)
    with closing(open_hub_store(address)) as store:
        again = Hall(store=store)
        assert "You are number 1 on the waiting list." in again.browser().get(mine[1]).text
    elsewhere = Hall()
    taken = TournamentService(elsewhere.store, elsewhere.clock, KEY).take_over(text)
    assert [each.name for each in elsewhere.state(taken).waiting] == ["Bo"]
