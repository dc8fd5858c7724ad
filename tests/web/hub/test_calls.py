"""The next match of a knockout on the pages: due, called, shown to players, taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.tournament.model.disputes import Sign
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.tournament import Tournament
from tests.web.hub.house import NAMES, Browser, Hall

DUELS = replace(FORMATS["knockout"], games=1, next_match="called")


class Knockout:
    """Eight players at four tables of a knockout, and the pages of the hub."""

    def __init__(self, hall: Hall, director: Browser) -> None:
        self.hall = hall
        self.director = director
        self.event = hall.started(DUELS)

    @property
    def state(self) -> Tournament:
        """The event now."""
        return self.hall.service.snapshot(self.event).state

    def seats(self, number: int, table: int) -> tuple[int, ...]:
        """Who sits at a table in a round."""
        seated = self.state.rounds[number - 1].table(table)
        assert seated is not None
        return seated.seats

    def play(self, number: int, table: int) -> int:
        """Let the first seat of a table win, and both sign; the winner."""
        one, other = self.seats(number, table)
        report = ReportResult(number, table, 1, GameScores.parse(f"{one} 9, {other} 1"))
        signs = (Sign(number, table, 1, each) for each in (one, other))
        self.hall.give(self.event, report, *signs)
        return one

    def desk(self) -> str:
        """The director's desk."""
        return self.director.get(f"/e/{self.event}/desk").text

    def call(self, seats: tuple[int, ...], table: int) -> int:
        """Press “Call”; how it is answered."""
        typed = " ".join(map(str, seats))
        answer = self.director.post(f"/e/{self.event}/calls", seats=typed, table=str(table))
        return answer.status_code

    def page(self, number: int) -> str:
        """A player's own page."""
        return self.hall.browser().get(self.hall.own_page(self.event, number)).text


@pytest.fixture
def knockout(hall: Hall, director: Browser) -> Knockout:
    """The event."""
    return Knockout(hall, director)


def test_the_desk_names_the_next_match_and_calls_it(knockout: Knockout) -> None:
    """With a free table; both rounds are on desk, board and list of seats, each table once."""
    one, other = knockout.play(1, 1), knockout.play(1, 2)
    names = f"{NAMES[one - 1]} – {NAMES[other - 1]}"
    assert "Next matches" in knockout.desk()
    assert f"Call {names}" in knockout.desk()
    assert knockout.call((one, other), 9) == 303
    assert "Next matches" not in knockout.desk()
    assert "Tables of Round 1: Quarter-final" in knockout.desk()
    assert "Tables of Round 2: Semi-final" in knockout.desk()
    board = knockout.hall.browser().get(f"/e/{knockout.event}/board").text
    assert "Round 1: Quarter-final, Round 2: Semi-final" in board
    assert "Round 1 is under way; tables done: 2 of 4. Round 2 is under way" in board
    assert 'id="round-2-table-9"' in board
    assert 'id="round-1-table-1"' not in board, "its match is over"
    seats = knockout.hall.browser().get(f"/e/{knockout.event}/").text
    assert seats.count('aria-label="Watch table 9">9</a>') == 2
    for table, player in ((9, NAMES[one - 1]), (3, NAMES[knockout.seats(1, 3)[0] - 1])):
        assert player in knockout.hall.browser().get(f"/e/{knockout.event}/table/{table}").text
    printed = knockout.director.get(f"/e/{knockout.event}/sheets/seating").text
    assert printed.count("Table ") == 3


def test_a_refused_call_says_why_where_it_was_given(knockout: Knockout) -> None:
    """The desk again, with the sentence; and a pair that is not free is none."""
    one, other = knockout.play(1, 1), knockout.play(1, 2)
    assert knockout.call((one, other), 3) == 422
    assert knockout.call((one, one), 3) == 422
    answer = knockout.director.post(f"/e/{knockout.event}/calls", seats=f"{one} {other}", table="3")
    assert "Table 3 is taken: name one that is free." in answer.text


def test_a_player_reads_what_comes(knockout: Knockout) -> None:
    """Wait for the opponent, go to the table, or it is over."""
    winner = knockout.play(1, 1)
    waits = "Your next match is called as soon as both players are free."
    assert waits in knockout.page(winner)
    _, loser = knockout.seats(1, 1)
    assert "Your last match is over." in knockout.page(loser)
    other = knockout.play(1, 2)
    knockout.call((winner, other), 2)
    assert waits not in knockout.page(winner)
    assert "Table 2" in knockout.page(winner)
    assert "Round 2: Semi-final" in knockout.page(winner)
    assert "Enter the result of game 1" in knockout.page(winner)


def test_a_call_is_taken_back_with_a_reason(knockout: Knockout) -> None:
    """At the desk, and the log keeps both; the hub's own acts stand there as the hub's."""
    one, other = knockout.play(1, 1), knockout.play(1, 2)
    knockout.call((one, other), 1)
    path = f"/e/{knockout.event}/calls/take-back"
    assert "Undo a call" in knockout.desk()
    assert knockout.director.post(path, table="1", why="wrong table").status_code == 303
    assert len(knockout.state.rounds) == 1
    assert knockout.director.post(path, table="9", why="wrong table").status_code == 422
    knockout.play(1, 3)
    knockout.play(1, 4)
    log = knockout.director.get(f"/e/{knockout.event}/annals").text
    assert f"The match of {NAMES[one - 1]}, {NAMES[other - 1]} at table 1 was taken back." in log
    assert "The hub" in log
    assert "Call the next matches" in knockout.desk()


def test_new_knockouts_call_their_matches(director: Browser) -> None:
    """The page of a new event proposes it; whoever wants whole rounds chooses them."""
    page = director.get("/new?preset=knockout").text
    assert '<option value="called" selected>' in page
    assert '<option value="by-round">' in page


def test_a_round_without_signatures_is_closed_at_the_desk(knockout: Knockout) -> None:
    """The first of the open ones, while the next one goes on."""
    one, other = knockout.play(1, 1), knockout.play(1, 2)
    knockout.call((one, other), 1)
    knockout.play(1, 3)
    winner, loser = knockout.seats(1, 4)
    scores = GameScores.parse(f"{winner} 9, {loser} 1")
    knockout.hall.give(knockout.event, ReportResult(1, 4, 1, scores))
    assert "Close round 1" in knockout.desk()
    assert knockout.director.post(f"/e/{knockout.event}/rounds/close").status_code == 303
    assert [each.phase for each in knockout.state.rounds] == ["closed", "running"]
    assert "Next matches" in knockout.desk()
