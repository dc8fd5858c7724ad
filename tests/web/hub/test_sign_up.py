"""The pages on which players sign up, and what the director sees of it."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.scoreboard.tournament.hub.halls import KEY
from tests.web.hub.house import Browser, Hall


@pytest.fixture
def director(hall: Hall) -> Browser:
    """The director's browser."""
    return hall.browser("director")


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
    answer = re.search(r'name="confirmed" value="(\w+)"', asked.text)
    assert answer
    return player.post(address, confirmed=answer[1]).status_code


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
    (entrant,) = hall.service.snapshot(event).state.entrants[3:]
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
    assert len(hall.service.snapshot(event).state.present) == 23


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
    assert [each.name for each in elsewhere.service.snapshot(taken).state.waiting] == ["Bo"]
