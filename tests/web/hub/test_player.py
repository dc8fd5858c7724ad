"""A player's own page: where do I sit, my results, my signature, nobody else's."""

from __future__ import annotations

import pytest

from scoreboard.tournament.model.entries import Withdraw
from scoreboard.tournament.model.results import ReportResult, TakeResultBack
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.stages import Finish
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.hub.house import NAMES, SCORES, Browser, Hall


class Seated:
    """An event whose first round is being played, with the pages of those at table 1."""

    def __init__(self) -> None:
        self.hall = Hall(viewers="code")
        self.event = self.hall.started()
        self.seats, self.others = (self.hall.seats(self.event, table) for table in (1, 2))
        self.browser = Browser(self.hall.app.test_client())

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
    form = {f"score-{seat}": score for seat, score in zip(seated.seats, SCORES, strict=True)}
    assert seated.browser.post_form(f"{page}/rounds/1/games/1", form).status_code == 303
    for seat in seated.seats:
        own = seated.page(seat)
        assert "Sign: the result is right" in seated.browser.get(own).text
        for _ in range(2):  # pressed twice by mistake
            assert seated.browser.post(f"{own}/rounds/1/games/1/sign").status_code == 303
    assert seated.browser.post_form(f"{page}/rounds/1/games/1", form).status_code == 303
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
    reported = seated.hall.service.snapshot(seated.event).state.rounds[0].results[1, 1]
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
    assert seated.browser.post(f"{own}/rounds/9/games/1/sign").status_code == 422
    assert seated.browser.post(f"{own}/rounds/9/games/1").status_code == 404


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
    event, browser = hall.event(entrants=5), Browser(hall.app.test_client())
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
