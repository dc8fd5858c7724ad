"""The clock of a round, messages, the referees' page of problems, and signing for all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound, StartRound, UndoRound
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.hub.house import Browser, Hall
from web.hub.hall import news_stamps

TIMED = replace(FORMATS["club-evening"], round_minutes=45)
EACH_SIGNS = replace(FORMATS["club-evening"], sign_for_all=False)


@pytest.fixture
def hall() -> Iterator[Hall]:
    """A hub with few places."""
    with closing(temporary_store()) as store:
        yield Hall(store=store, viewer_limit=4)


def seconds_left(hall: Hall, event: str) -> int:
    """What a board is told."""
    told = hall.browser().get(f"/e/{event}/clock").json
    assert told is not None
    return int(told["left"])


def test_the_clock_starts_with_the_round_and_goes_on_after_a_pause(hall: Hall) -> None:
    """Minutes of the settings; a pause takes nothing, minutes are added, overtime is negative."""
    event, director = hall.event(TIMED), hall.browser("director")
    hall.give(event, DrawRound(1))
    director.post(f"/e/{event}/rounds/start")
    hall.clock.pass_by(minutes=10)
    assert seconds_left(hall, event) == 35 * 60
    director.post(f"/e/{event}/clock", act="pause")
    hall.clock.pass_by(minutes=30)
    director.post(f"/e/{event}/clock", act="resume")
    hall.clock.pass_by(minutes=34)
    director.post(f"/e/{event}/clock", act="add", minutes=5)
    assert seconds_left(hall, event) == 6 * 60
    hall.clock.pass_by(minutes=7)
    assert seconds_left(hall, event) == -60
    assert "Time is up; tables still playing: 2." in director.get(f"/e/{event}/problems").text


def test_a_clock_belongs_to_its_round(hall: Hall) -> None:
    """Without minutes there is none; one that was set goes with its round."""
    event, director = hall.event(), hall.browser("director")
    hall.give(event, DrawRound(1))
    director.post(f"/e/{event}/rounds/start")
    assert "Time left" not in hall.browser().get(f"/e/{event}/board").text
    director.post(f"/e/{event}/clock", act="set", minutes=20)
    assert seconds_left(hall, event) == 20 * 60
    hall.give(event, UndoRound(by="Dana", at=hall.clock(), why="again"), DrawRound(2))
    assert seconds_left(hall, event) == 0


def test_a_message_reaches_whom_it_is_for(hall: Hall) -> None:
    """To all, to a table, to a player; tapped away it is seen, and the sender sees by whom."""
    event, referee = hall.event(), hall.browser("referee")
    hall.give(event, DrawRound(1))
    here, there = (hall.seats(event, table)[0] for table in (1, 2))
    send = f"/e/{event}/messages"
    referee.post(send, to="all", text="Lunch at one.")
    referee.post(send, to="table 1", text="Your cloth is wet.")
    referee.post(send, to=f"player {here}", text="A letter for you.")
    own, other = (hall.browser().get(hall.own_page(event, each)).text for each in (here, there))
    assert all(each in own for each in ("Lunch at one.", "Your cloth is wet.", "A letter for you."))
    assert "Lunch at one." in other
    assert "cloth" not in other
    assert "letter" not in other
    board = hall.browser().get(f"/e/{event}/board").text
    assert "Lunch at one." in board
    assert "cloth" not in board
    letter = hall.store.messages.of(event)[0]
    address = f"{hall.own_page(event, here)}/messages/{letter.message_id}"
    assert hall.browser().post(address).status_code == 303
    assert "letter" not in hall.browser().get(hall.own_page(event, here)).text
    assert "seen by 1 of 1" in referee.get(send).text
    referee.post(f"{send}/{letter.message_id}/away")
    assert "letter" not in referee.get(send).text


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        ({"to": "all", "text": " "}, "Write 1 to 200 characters."),
        ({"to": "table 9", "text": "Hello"}, "Choose again: the event has changed since."),
    ],
)
def test_a_wrong_message_comes_back_as_typed(hall: Hall, form: dict[str, str], fault: str) -> None:
    """The fault stands at its field, and nothing was sent."""
    event, director = hall.event(), hall.browser("director")
    hall.give(event, DrawRound(1))
    answer = director.post_form(f"/e/{event}/messages", form)
    assert fault in answer.text
    assert hall.store.messages.of(event) == ()


def test_all_slips_are_signed_in_one_tap(hall: Hall) -> None:
    """Every result of the round that waits for signatures, where the event allows it."""
    event, referee = hall.started(), hall.browser("referee")
    hall.give(event, *hall.results(event))
    assert "Sign for all: the slips are signed (2)" in referee.get(f"/e/{event}/results").text
    assert referee.post(f"/e/{event}/rounds/1/sign-all").status_code == 303
    assert {each.phase for each in hall.last_round(event).results.values()} == {"signed"}


def test_where_each_signs_nobody_signs_for_all(hall: Hall) -> None:
    """The buttons are not there, and the addresses refuse it."""
    event, referee = hall.started(EACH_SIGNS), hall.browser("referee")
    hall.give(event, *hall.results(event))
    assert "Sign for all" not in referee.get(f"/e/{event}/results").text
    for address in ("rounds/1/sign-all", "rounds/1/tables/1/games/1/sign-all"):
        assert referee.post(f"/e/{event}/{address}").status_code == 403


def test_the_board_lists_the_seats_by_name_until_the_round_begins(hall: Hall) -> None:
    """Everybody finds their table; no standings of nothing but zeros."""
    event, board = hall.event(), Browser(hall.app.test_client())
    hall.give(event, DrawRound(1))
    text = board.get(f"/e/{event}/board").text
    assert "Find your table" in text
    assert "Standings" not in text
    hall.give(event, StartRound())
    assert "Find your table" not in board.get(f"/e/{event}/board").text


def test_players_pages_hear_of_news_without_its_words(hall: Hall) -> None:
    """The line that all of them hear changes with a message and with the clock, and tells none."""
    event, director = hall.event(), hall.browser("director")
    hall.give(event, DrawRound(1))
    lines = [news_stamps(hall.hub, event)]
    director.post(f"/e/{event}/messages", to="player 2", text="Private words.")
    lines.append(news_stamps(hall.hub, event))
    director.post(f"/e/{event}/clock", act="set", minutes=20)
    lines.append(news_stamps(hall.hub, event))
    assert len(set(lines)) == 3
    assert "Private" not in "".join(lines)


def test_a_hall_of_phones_leaves_the_boards_their_places() -> None:
    """Players' pages follow beside as many boards as may."""
    with closing(temporary_store()) as store, ExitStack() as streams:
        hall = Hall(store=store, viewer_limit=1)
        event = hall.event()
        for path in (
            *(f"{hall.own_page(event, each)}/live" for each in (1, 2)),
            f"/e/{event}/live",
        ):
            answer = streams.enter_context(hall.app.test_client().get(path))
            assert b"event: state" in next(iter(answer.response))
