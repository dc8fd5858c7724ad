"""A proposed draw and a called match: who sees it, how it is changed, when it is published."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scoreboard.tournament.hub.table_updates import update_for
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.disputes import Sign
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import PlanPublishing, ProposeRound
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.tournament import ProposedRound, Tournament
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.patience import until
from tests.scoreboard.tournament.hub.halls import KEY
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.hub.house import DIRECTOR, NAMES, Browser, Hall
from tests.web.rights import right_of
from web.hub.desk import publish_due
from web.hub.format_form import filled
from web.hub.hub import HubSettings
from web.hub.startup import start_hub

FORM = replace(FORMATS["club-evening"], table_size=2, smallest_table=2, games=1)
# The number and the hash of the last record, as sheets print them: they prove, and tell nothing.
PROOF = re.compile(r"Record \d+, hash \w+")


def proposed(hall: Hall, event: str) -> ProposedRound:
    """What is proposed."""
    found = hall.state(event).proposed
    assert found is not None
    return found


def public_pages(hall: Hall, event: str) -> dict[str, str]:
    """Everything that viewers, players and tables are shown."""
    adapter = hall.app.url_map.bind("localhost")
    viewed = [
        adapter.build(rule.endpoint, {"tournament_id": event})
        for rule in hall.app.url_map.iter_rules()
        if right_of(hall.app, rule.endpoint) == "viewer"
        and rule.arguments <= {"tournament_id"}
        and rule.endpoint != "live.stream"
    ]
    links = [hall.own_page(event, number) for number in range(1, len(NAMES) + 1)]
    visitor = hall.browser()
    pages = {path: PROOF.sub("", visitor.get(path).text) for path in (*viewed, *links)}
    with hall.app.test_client().get(f"/e/{event}/live", buffered=False) as answer:
        pages["live"] = str(next(iter(answer.response)))
    snapshot = hall.service.snapshot(event)
    for table in range(1, 6):
        pages[f"table {table}"] = str(update_for(snapshot, table, {}, None))
    return pages


@pytest.mark.parametrize(
    ("form", "changes"), [(FORM, 1), (FORMATS["yahtzee-duel-swiss"], 1), (FORMATS["knockout"], 0)]
)
def test_before_it_is_published_nobody_else_is_told(
    hall: Hall, form: TournamentFormat, changes: int
) -> None:
    """Board, pages, sheets, exports, the stream and the tables are letter for letter as before."""
    event = hall.event(form)
    before = public_pages(hall, event)
    assert len(before) > 20
    director = hall.browser("director")
    director.post(f"/e/{event}/proposed")
    director.post(f"/e/{event}/proposed/change", round="1", do="swap", chosen=["1", "2"])
    director.post(f"/e/{event}/proposed/plan", round="1", at="23:59")
    now = proposed(hall, event)
    assert len(now.earlier) == changes
    assert now.publish_at is not None
    after = public_pages(hall, event)
    assert {path for path, text in after.items() if text != before[path]} == set()
    director.post(f"/e/{event}/proposed/publish", round="1")
    after = public_pages(hall, event)
    assert after[f"/e/{event}/board"] != before[f"/e/{event}/board"]
    assert after["table 1"] != before["table 1"]


def test_referees_look_and_directors_change(hall: Hall) -> None:
    """A viewer sees nothing; who looks when nothing is proposed goes where they came from."""
    event = hall.event(FORM)
    page = f"/e/{event}/proposed"
    referee, director = hall.browser("referee"), hall.browser("director")
    assert referee.get(page).headers["Location"].endswith("/results")
    assert director.get(page).headers["Location"].endswith("/desk")
    hall.give(event, ProposeRound(1))
    assert "Proposed draw of round 1" in referee.get(page).text
    assert f'href="{page}"' in referee.get(f"/e/{event}/results").text
    assert "Draw again" not in referee.get(page).text
    assert referee.post(f"{page}/publish", round="1").status_code == 403
    assert hall.browser().get(page).status_code == 303
    assert "Look at the draw" in director.get(f"/e/{event}/desk").text


def test_a_change_is_marked_kept_and_undone(hall: Hall) -> None:
    """With a reason or without; the log names it, and the page marks the table anew."""
    event = hall.event(FORM)
    hall.give(event, ProposeRound(1), Withdraw(1, **KIM))
    director, page = hall.browser("director"), f"/e/{event}/proposed"
    assert "Anna has dropped out." in director.get(page).text
    first = proposed(hall, event)
    mate = first.round.draw.table_of(1)
    assert mate is not None
    director.post(f"{page}/change", round="1", do="move", chosen="1", to="0", why="ill")
    text = director.get(page).text
    other = next(each for each in mate.seats if each != 1)
    assert f"Nobody plays here with {NAMES[other - 1]}." in text
    assert "Undo (1)" in text
    answer = director.post(f"{page}/publish", round="1")
    assert "sits alone" in answer.text
    director.post(f"{page}/change", round="1", do="undo")
    again = proposed(hall, event)
    assert again.round.draw == first.round.draw
    log = director.get(f"/e/{event}/annals").text
    assert "ill" in log
    assert re.search(r"Changed in the proposed draw of round 1: .*Anna", log)
    table = first.round.draw.tables[-1].number
    director.post(f"{page}/change", round="1", do="move", chosen=["1", str(other)], to="9")
    moved = proposed(hall, event)
    assert {1, other} == set(moved.round.draw.tables[-1].seats)
    assert table < moved.round.draw.tables[-1].number == 9


@pytest.mark.parametrize(
    ("path", "form", "fault"),
    [
        ("change", {"do": "swap", "chosen": "1"}, "Choose the two players who swap places."),
        ("change", {"do": "swap", "chosen": ["1", "99"]}, "Everybody in the draw keeps one"),
        ("change", {"do": "move"}, "Choose the players who move."),
        ("plan", {"at": "half past"}, "Enter a time as 19:30."),
        ("plan", {"at": "00:00"}, "00:00 has passed: choose a later time."),
        ("change", {"round": "2"}, "No draw of round 2 is proposed any more: look again."),
    ],
)
def test_what_cannot_be_done_is_told_on_the_page(
    hall: Hall, path: str, form: dict[str, object], fault: str
) -> None:
    """The draw stays as it is."""
    event = hall.event(FORM)
    before = hall.give(event, ProposeRound(1)).state
    answer = hall.browser("director").post_form(
        f"/e/{event}/proposed/{path}", {"round": "1"} | form
    )
    assert answer.status_code == 422
    assert fault in answer.text
    assert hall.state(event) == before


def test_the_hub_publishes_at_the_minute_and_after_a_restart(hall: Hall) -> None:
    """Not a minute early; another hub over the same store does it as well, once."""
    event = hall.event(FORM)
    at = hall.clock.now + timedelta(minutes=5)
    hall.give(event, ProposeRound(1))
    local = at.astimezone()
    hall.browser("director").post(f"/e/{event}/proposed/plan", round="1", at=f"{local:%H:%M}")
    planned = proposed(hall, event)
    assert planned.publish_at == at
    publish_due(hall.hub)
    assert not hall.state(event).rounds
    other = Hall(store=hall.store, clock=hall.clock)
    hall.clock.pass_by(minutes=5)
    publish_due(other.hub)
    publish_due(hall.hub)
    state = hall.state(event)
    assert [each.number for each in state.rounds] == [1]
    assert state.proposed is None
    assert hall.service.events(event)[-1].source == "hub hub"


def test_one_event_does_not_keep_another_waiting(hall: Hall) -> None:
    """Of two that are due both are published; what another process did first is no fault."""
    first = hall.event(FORM)
    hall.clock.pass_by(seconds=1)
    second = hall.event(FORM)
    for event in (first, second):
        hall.give(event, ProposeRound(1), PlanPublishing(1, hall.clock.now))
    publish_due(hall.hub)
    assert [len(hall.state(event).rounds) for event in (first, second)] == [1, 1]


def test_a_running_hub_looks_by_itself(tmp_path: Path) -> None:
    """What was due while it was off is published when it starts."""
    database = f"sqlite:///{tmp_path}/hub.sqlite3"
    store = open_hub_store(database)
    service = TournamentService(store, lambda: datetime.now(UTC), KEY)
    small = replace(FORM, table_size=4, smallest_table=2)
    event = service.open("Evening", small, DIRECTOR)
    service.give_all(
        event,
        [
            *(Enter(Entrant(number, name)) for number, name in enumerate(NAMES, start=1)),
            ProposeRound(1),
            PlanPublishing(1, datetime.now(UTC)),
        ],
        DIRECTOR,
    )
    store.close()
    running = start_hub(database, HubSettings("http://localhost", frozenset({"localhost"})))
    watching = open_hub_store(database)
    seen = TournamentService(watching, lambda: datetime.now(UTC), KEY)
    assert len(until(lambda: seen.snapshot(event).state.rounds)) == 1
    running.close()
    watching.close()


def test_an_event_may_have_every_draw_looked_at(hall: Hall) -> None:
    """Then the large button proposes; the quick way is one button beside it, and the reverse."""
    quick = hall.event(FORM)
    hall.clock.pass_by(seconds=1)
    careful = hall.event(replace(FORM, propose_draws=True))
    director = hall.browser("director")
    primary = re.compile(r'<button class="primary">([^<]*)</button>')
    assert primary.findall(director.get(f"/e/{quick}/desk").text) == ["Draw round 1"]
    assert primary.findall(director.get(f"/e/{careful}/desk").text) == ["Propose a draw"]
    director.post(f"/e/{careful}/rounds/draw")
    assert len(hall.state(careful).rounds) == 1


def test_ratings_and_tables_come_from_forms_and_go_to_lists(hall: Hall) -> None:
    """Entered, corrected, exported; the settings tell how tables are given and Swiss pairs made."""
    form = replace(FORMATS["yahtzee-duel-swiss"], dutch=True, table_numbers="spread")
    event = hall.event(form, entrants=0)
    director = hall.browser("director")
    director.post(f"/e/{event}/entries", name="Zoe", rating="1700", table="4")
    page = director.get(f"/e/{event}/entries/1").text
    assert 'name="rating" type="number" min="1" class="short" value="1700"' in page
    fields = {"name": "Zoe", "rating": "1800", "table": "", "why": "a typo", "as": "correction"}
    director.post_form(f"/e/{event}/entries/1/replace", fields)
    assert hall.state(event).entrants == (Entrant(1, "Zoe", rating=1800),)
    assert "1,Zoe,,,,,1800," in director.get(f"/e/{event}/export/entries.csv").text
    settings = director.get(f"/e/{event}/settings").text
    assert "Pairs are made as in FIDE’s Dutch system, without colours." in settings
    assert "Players sit at another table each round where it can be." in settings
    made = director.post_form("/new", {**filled(form), "title": "Duels"})
    assert hall.state(made.location.split("/")[2]).format == form


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
        return self.hall.state(self.event)

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
