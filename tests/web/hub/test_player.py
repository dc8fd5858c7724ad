"""A player's own page, and what a hall is told: clock, messages, the referees' problems."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from scoreboard.tournament.model.entries import Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult, TakeResultBack
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound, UndoRound
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.stages import Finish
from tests.scoreboard.tournament.model.directing import KIM
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.hub.house import NAMES, SCORES, Hall
from web.hub.hall import news_stamps


class Seated:
    """An event whose first round is being played, with the pages of those at table 1."""

    def __init__(self) -> None:
        self.hall = Hall(viewers="code")
        self.event = self.hall.started()
        self.seats, self.others = (self.hall.seats(self.event, table) for table in (1, 2))
        self.browser = self.hall.browser()

    def page(self, number: int) -> str:
        """The address of a player's page."""
        return self.hall.own_page(self.event, number)

    def report(self, game: int = 1) -> None:
        """Report a game of table 1."""
        self.hall.give(self.event, self.hall.results(self.event, game=game)[0])


@pytest.fixture
def seated() -> Seated:
    """The event."""
    return Seated()


def test_the_link_tells_table_seat_and_company(seated: Seated) -> None:
    """Without signing in, and without the viewing code."""
    text = seated.browser.get(seated.page(seated.seats[0])).text
    assert "Table 1" in text
    assert "Seat 1" in text
    assert "You begin." in text
    assert NAMES[seated.seats[1] - 1] in text


def test_another_key_or_number_opens_nothing(seated: Seated) -> None:
    """Who guesses learns nothing, not even who plays."""
    page = seated.page(1)
    other = page.replace(f"{seated.event}/1/", f"{seated.event}/2/")
    for path in (page[:-1] + "-", other, page.replace("/1/", "/99/")):
        assert seated.browser.get(path).status_code == 404


def test_a_player_reports_signs_and_the_others_sign(seated: Seated) -> None:
    """A table without a device: one enters, each signs on their own page."""
    page = seated.page(seated.seats[0])
    form = {f"1-score-{seat}": score for seat, score in zip(seated.seats, SCORES, strict=True)}
    assert seated.browser.post_form(f"{page}/rounds/1", form).status_code == 303
    for seat in seated.seats:
        own = seated.page(seat)
        assert "Sign: the result is right" in seated.browser.get(own).text
        for _ in range(2):  # pressed twice by mistake
            assert seated.browser.post(f"{own}/rounds/1/games/1/sign").status_code == 303
    assert seated.browser.post_form(f"{page}/rounds/1", form).status_code == 303
    corrected = form | {f"1-score-{seated.seats[0]}": SCORES[0] + 1, "why": "mine was better"}
    assert seated.browser.post_form(f"{page}/rounds/1", corrected).status_code == 422
    snapshot = seated.hall.service.snapshot(seated.event)
    assert snapshot.state.rounds[0].results[1, 1].phase == "signed"


def test_a_signature_is_for_the_scores_that_were_shown(seated: Seated) -> None:
    """The table took them back and reported others since the page was loaded."""
    seated.report()
    player, referee = seated.page(seated.seats[0]), seated.hall.browser("referee")
    shown = ", ".join(f"{seat} {score}" for seat, score in zip(seated.seats, SCORES, strict=True))
    field = f'<input type="hidden" name="was" value="{shown}">'
    table = f"/e/{seated.event}/rounds/1/tables/1"
    assert field in seated.browser.get(player).text.partition("I sign")[0]
    assert field in referee.get(table).text.partition("Sign for all")[0]
    others = GameScores.parse(shown.replace("30", "40").replace("-15", "-25"))
    seated.hall.give(seated.event, TakeResultBack(1, 1, 1), ReportResult(1, 1, 1, others))
    answer = seated.browser.post(f"{player}/rounds/1/games/1/sign", was=shown)
    assert answer.status_code == 409
    answer = referee.post(f"{table}/games/1/sign", entrant=seated.seats[0], was=shown)
    assert answer.status_code == 409
    reported = seated.hall.state(seated.event).rounds[0].results[1, 1]
    assert reported.signed == frozenset()


def test_a_disputed_result_is_pending_and_told(seated: Seated) -> None:
    """With the player's reason; without one it is refused."""
    seated.report()
    own = seated.page(seated.seats[2])
    assert seated.browser.post(f"{own}/rounds/1/games/1/dispute").status_code == 422
    answer = seated.browser.post(f"{own}/rounds/1/games/1/dispute", why="I had less")
    assert answer.status_code == 303
    assert "disagrees: “I had less”" in seated.browser.get(own).text
    for seat in seated.seats:
        assert "I sign" not in seated.browser.get(seated.page(seat)).text


def test_nobody_signs_at_another_table(seated: Seated) -> None:
    """The address names the own table only, and the round must have one."""
    seated.report()
    own = seated.page(seated.others[0])
    assert seated.browser.post(f"{own}/rounds/1/games/1/sign").status_code == 422
    assert seated.browser.post(f"{own}/rounds/9/games/1/sign").status_code == 404
    assert seated.browser.post(f"{own}/rounds/9").status_code == 404


def test_a_corrected_spelling_keeps_the_link_that_was_printed(seated: Seated) -> None:
    """Twice over; whoever is replaced after it loses the link all the same."""
    director, number = seated.hall.browser("director"), seated.seats[0]
    printed = seated.page(number)
    path = f"/e/{seated.event}/entries/{number}/replace"
    for name in ("Anne Berg", "Anna Berg"):
        form = {"name": name, "why": "a slip of the pen", "as": "correction"}
        assert director.post_form(path, form).status_code == 303
        assert name in seated.browser.get(printed).text
    assert printed in director.get(f"/e/{seated.event}/sheets/links").text
    assert "goes on for" not in director.get(f"/e/{seated.event}/annals").text
    form = {"name": "Rita Poe", "why": "ill", "as": "replacement"}
    assert director.post_form(path, form).status_code == 303
    assert seated.browser.get(printed).status_code == 404


def test_who_has_dropped_out_is_told_so_and_marked_for_the_others(seated: Seated) -> None:
    """No seat any more on the own page; the table's others see who is missing."""
    seated.hall.give(seated.event, Withdraw(seated.seats[1], **KIM))
    own = seated.browser.get(seated.page(seated.seats[1])).text
    assert "You dropped out." in own
    assert "Seat 2" not in own
    other = seated.browser.get(seated.page(seated.seats[0])).text
    assert f"{NAMES[seated.seats[1] - 1]} (dropped out)" in other


def test_byes_the_wait_and_the_end_are_told() -> None:
    """Whatever the event is at, the page has a sentence for it."""
    hall = Hall()
    event, browser = hall.event(entrants=5), hall.browser()
    page = hall.own_page(event, 1)
    assert "not drawn yet" in browser.get(page).text
    hall.give(event, DrawRound(1))
    expected = [browser.get(hall.own_page(event, n)).text for n in range(1, 6)]
    assert sum("You have a bye in round 1." in text for text in expected) == 1
    hall.give(event, StartRound())
    for game in (1, 2):
        hall.give(event, *hall.results(event, (0, 0, 0, 0), game))
    hall.give(event, CloseRound(), Finish())
    assert "The event is over. Your place: " in browser.get(page).text


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
    assert "Time is up; tables still playing: 2." in director.get(f"/e/{event}/results").text


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
    event, board = hall.event(), hall.browser()
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
