"""A table at a real hub, over real HTTP: from the code to signed and settled results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from scoreboard.table.requests import GameAbandoned, ResultEntered
from scoreboard.table.tournament_view import SeatScore
from scoreboard.tournament.client import http_hub
from scoreboard.tournament.client.http_hub import HttpHub, NotInvitedError
from scoreboard.tournament.model.disputes import Settle
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.model.tournament import Reported
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.scoreboard.tournament.client.party import EventTable
from tests.web.hub.house import Hall
from tests.web.serving import server_of
from web.cli.hub import PORT

FORM = FORMATS["yahtzee-evening"]


@dataclass
class ServedHall:
    """A hub behind an address, which may be cut off."""

    form: TournamentFormat = FORM
    hall: Hall = field(default_factory=Hall)
    cut: bool = False
    address: str = ""
    entrants: int = 4

    def __post_init__(self) -> None:
        self.event = self.hall.event(self.form, entrants=self.entrants)

    def __call__(self, environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer within a second, or let the caller believe that nobody is there."""
        environ["QUERY_STRING"] = environ["QUERY_STRING"].replace("wait=20", "wait=1")
        if self.cut or environ["SERVER_PORT"] != self.address.rpartition(":")[2]:
            start_response("503 Service Unavailable", [("Content-Length", "0")])
            return []
        return self.hall.app(environ, start_response)

    @property
    def link(self) -> str:
        """What stands behind the QR code of table 1."""
        return self.link_of(1)

    def link_of(self, table: int) -> str:
        """What stands behind the QR code of a table."""
        return f"{self.address}/join/{self.hall.hub.admission.offer_code(self.event, table)}"

    @property
    def result(self) -> Reported | None:
        """What the hub has of the only game."""
        last = self.hall.service.snapshot(self.event).state.last_round
        return None if last is None else last.results.get((1, 1))

    def put_back(self, copy: Path, table: EventTable) -> None:
        """Kill the hub, and start another one on a copy of its database, at the same address."""
        self.cut = True
        self.hall.store.close()
        wait_for(lambda: not table.event.link.connected)  # nobody is put back that quickly
        self.hall = Hall(store=open_hub_store(f"sqlite:///{copy}"))
        self.cut = False

    def has(self, phase: str) -> bool:
        """Whether the only game's result is that far."""
        result = self.result  # asked once: where an entry replaces another, it is gone for a moment
        return result is not None and result.phase == phase


@contextmanager
def served(form: TournamentFormat = FORM, entrants: int = 4) -> Iterator[ServedHall]:
    """A hub with an event, for four at one table if not told otherwise."""
    hall = ServedHall(form, entrants=entrants)
    try:
        with moved(hall):
            yield hall
    finally:
        hall.hall.store.close()


@contextmanager
def moved(hall: ServedHall) -> Iterator[None]:
    """The hub at another address: at the one before nobody answers any more."""
    with answering(hall) as hall.address:
        yield


@contextmanager
def answering(app: Callable[..., Iterable[bytes]]) -> Iterator[str]:
    """The address at which an application answers."""
    server = server_of(app, host="localhost")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def joined(hall: ServedHall, folder: Path) -> Iterator[EventTable]:
    """A table that joined by the link, and sees who sits there."""
    table = EventTable(folder, HttpHub)
    try:
        table.desk.join(hall.link, "")
        hall.hall.give(hall.event, DrawRound(1), StartRound())
        wait_for(lambda: (event := table.view.event) is not None and event.due is not None)
        yield table
    finally:
        table.close()


def played(table: EventTable) -> None:
    """Begin the game and play it to its end."""
    assert table.begin().verdict == "done"
    table.play()
    wait_for(lambda: bool(table.event.results))


def test_hub_and_table_take_the_same_port() -> None:
    """An address without a port means where a hub is served unless told."""
    assert http_hub.HUB_PORT == PORT


def test_a_signed_result_reaches_the_standings(tmp_path: Path) -> None:
    """The sheet's totals are the hub's scores, and the round closes on all signatures."""
    with served() as hall, joined(hall, tmp_path) as table:
        played(table)
        wait_for(lambda: hall.has("reported"))
        table.sign(*table.event.results[0].unsigned)
        wait_for(lambda: hall.has("signed"))
        wait_for(lambda: table.event.results[0].phase == "signed")
        outcome, result = table.view.outcome, hall.result
        assert outcome is not None
        assert result is not None
        scored = sorted(each.score for each in result.result.scores)
        assert scored == sorted(place.points for place in outcome.ranking)
        state = hall.hall.give(hall.event, CloseRound(), Finish()).state
        assert state.finished


def test_a_table_that_was_cut_off_catches_up(tmp_path: Path) -> None:
    """Played and signed while nobody answered; the hub knows it soon after."""
    with served() as hall, joined(hall, tmp_path) as table:
        hall.cut = True
        played(table)
        table.sign(*table.event.results[0].unsigned)
        wait_for(lambda: not table.event.link.connected)
        assert hall.result is None
        hall.cut = False
        wait_for(lambda: hall.has("signed"))
        assert hall.hall.store.deliveries.disputes() == ()


def settles(hall: ServedHall, table: EventTable) -> None:
    """The referee decides on the scores as they are, and the table hears it."""
    result = hall.result
    assert result is not None
    settle = Settle(
        1, 1, 1, result.result.scores, by="Rolf", at=hall.hall.clock(), why="counted anew"
    )
    hall.hall.give(hall.event, settle)
    wait_for(lambda: table.event.results[0].phase == "settled")


@pytest.mark.parametrize("begun", [0, 40])
def test_a_hub_put_back_from_a_copy_is_told_everything_again(tmp_path: Path, begun: int) -> None:
    """A game that was running, or not even begun, when the copy was made: its end and dispute."""
    with served() as hall, joined(hall, tmp_path) as table:
        if begun:
            table.begin()
            table.play(begun)
            wait_for(lambda: table.desk.unsent() == 0)
        hall.hall.store.copy_to(tmp_path / "copy.sqlite3")
        if not begun:
            table.begin()
        table.play()
        wait_for(lambda: bool(table.event.results))
        table.dispute(table.event.results[0].unsigned[0], "it was 214")
        wait_for(lambda: hall.has("disputed"))
        game_id = table.event.results[0].game_id
        before = hall.hall.store.deliveries.game(game_id)
        hall.put_back(tmp_path / "copy.sqlite3", table)
        wait_for(lambda: hall.has("disputed"))
        assert hall.hall.store.deliveries.game(game_id) == before
        (again,) = hall.hall.hub.table_api.told_again(hall.event)
        assert again.table == 1
        desk = hall.hall.browser("director").get(f"/e/{hall.event}/desk").text
        assert f"Items that came again from table 1: {again.items}." in desk


@contextmanager
def in_mid_game(hall: ServedHall, folder: Path, *, seeking: bool) -> Iterator[list[EventTable]]:
    """Three tables that have begun their games; where `seeking`, they find the hub's address."""

    def find(_address: str) -> tuple[str, ...]:
        return ("http://localhost:1", hall.address) if seeking else ()

    with ExitStack() as switched_on:
        tables = []
        for number in (1, 2, 3):
            (folder / str(number)).mkdir()
            tables.append(EventTable(folder / str(number), HttpHub, find=find))
            switched_on.callback(tables[-1].close)
            tables[-1].desk.join(hall.link_of(number), "")
        hall.hall.give(hall.event, DrawRound(1), StartRound())
        for table in tables:
            wait_for(lambda one=table: one.event.due is not None)  # type: ignore[misc]  # bound at once
            table.begin()
            table.play(20)
        yield tables


def game_of(table: EventTable) -> str:
    """The game at a table, which is one of the event's."""
    game_id = table.view.game_id
    assert game_id is not None
    assert game_id in table.event.games
    return game_id


@pytest.mark.parametrize("way", ["found", "typed", "left"])
def test_tables_follow_their_hub_to_another_address(tmp_path: Path, way: str) -> None:
    """In mid-game: found on the network, typed in, or left and joined anew with a code."""
    form = FORMATS["yahtzee-duel-swiss"]
    with served(form, 6) as hall, in_mid_game(hall, tmp_path, seeking=way == "found") as tables:
        games = [game_of(table) for table in tables]
        with moved(hall):
            for number, table in enumerate(tables, start=1):
                wait_for(lambda one=table: one.event.link.since is not None or way == "found")  # type: ignore[misc]  # bound at once
                table.play(5)
                if way == "typed":
                    table.desk.join(hall.address, "")
                elif way == "left":
                    table.desk.leave()
                    table.desk.join(hall.link_of(number), "")
            for table in tables:
                wait_for(lambda one=table: one.event.address == hall.address)  # type: ignore[misc]  # bound at once
                table.play()
                wait_for(lambda one=table: one.desk.unsent() == 0)  # type: ignore[misc]  # bound at once
            assert [game_of(table) for table in tables] == games
            last = hall.hall.service.snapshot(hall.event).state.last_round
            assert last is not None
            assert sorted(last.results) == [(1, 1), (2, 1), (3, 1)]


def test_a_token_is_shown_to_no_hub_that_only_is_announced(tmp_path: Path) -> None:
    """One that is old or made up proves nothing, and a proof that it fetched is of another host."""
    asked = list[tuple[str, bool]]()

    def relay(environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Pass everything on to the hub, under the address at which that answers."""
        asked.append((environ["PATH_INFO"], "HTTP_AUTHORIZATION" in environ))
        own = hall.address.removeprefix("http://")
        return hall.hall.app({**environ, "HTTP_HOST": own}, start_response)

    def silent(environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """An older hub."""
        asked.append((environ["PATH_INFO"], "HTTP_AUTHORIZATION" in environ))
        start_response("404 Not Found", [("Content-Length", "0")])
        return []

    with served() as hall, answering(relay) as first, answering(silent) as second:
        table = EventTable(tmp_path, HttpHub, find=lambda _address: (second, first))
        try:
            table.desk.join(hall.link, "")
            hall.cut = True
            wait_for(lambda: len(asked) >= 4)
        finally:
            table.close()
    assert set(asked) == {("/api/v1/prove", False)}


def test_a_hub_that_does_not_know_the_table_is_not_followed(tmp_path: Path) -> None:
    """Another event's hub at the address typed: the table stays where it was, and says why."""
    with served() as hall, joined(hall, tmp_path) as table, served() as other:
        hall.cut = True
        wait_for(lambda: table.event.link.since is not None)
        with pytest.raises(NotInvitedError):
            table.desk.join(other.address, "")
        hall.cut = False
        wait_for(lambda: table.event.link.connected)
        assert table.event.address == hall.address


def test_a_dispute_is_settled_by_the_referee(tmp_path: Path) -> None:
    """The table hears the referee's word, and asks nobody any more."""
    with served() as hall, joined(hall, tmp_path) as table:
        played(table)
        table.dispute(table.event.results[0].unsigned[0], "the bonus is missing")
        wait_for(lambda: hall.has("disputed"))
        settles(hall, table)
        assert table.event.results[0].unsigned == ()


def test_a_result_that_was_entered_reaches_the_hub_once_after_a_cut(tmp_path: Path) -> None:
    """Entered, replaced and signed while nobody answered; the hub has it without any move."""
    with served() as hall, joined(hall, tmp_path) as table:
        hall.cut = True
        coming = table.event.coming
        assert coming is not None
        for first in (212, 221):
            scores = (SeatScore(first), SeatScore(187), SeatScore(fate="no-show"), SeatScore(150))
            assert table.do(ResultEntered(coming.game_id, scores)).verdict == "done"
        table.sign(*table.event.results[0].unsigned)
        wait_for(lambda: not table.event.link.connected)
        assert not hall.has("reported")
        hall.cut = False
        wait_for(lambda: hall.has("signed"))
        wait_for(lambda: table.event.results[0].phase == "signed")
        result = hall.result
        assert result is not None
        seats = [each.entrant for each in coming.signatures]
        ends = (221, 187, "no-show", 150)
        wanted = [f"{seat} {end}" for seat, end in zip(seats, ends, strict=True)]
        assert str(result.result.scores) == ", ".join(wanted)
        kept = hall.hall.store.deliveries
        assert [each.body["kind"] for each in kept.game(coming.game_id)] == [
            "result",
            "result",
            *["signed"] * 3,
        ]
        assert kept.disputes() == ()
        events = hall.hall.service.events(hall.event)
        assert [type(each.event).__name__ for each in events].count("ResultReported") == 1
        assert hall.hall.give(hall.event, CloseRound(), Finish()).state.finished


def test_a_game_that_the_table_gave_up_following_is_entered(tmp_path: Path) -> None:
    """Begun and closed; its moves do not stop the hub from taking the result of the next id."""
    with served() as hall, joined(hall, tmp_path) as table:
        assert table.begin().verdict == "done"
        begun = table.view.game_id
        table.do(GameAbandoned(table.view.version))
        wait_for(lambda: (due := table.event.due) is not None and due.game_id != begun)
        coming = table.event.coming
        assert coming is not None
        scores = tuple(SeatScore(each) for each in (212, 187, 160, 150))
        assert table.do(ResultEntered(coming.game_id, scores)).verdict == "done"
        table.sign(*table.event.results[0].unsigned)
        wait_for(lambda: hall.has("signed"))
        assert table.event.notice is None


def scored(hall: ServedHall, score: str) -> bool:
    """Whether the hub's result has this among its scores."""
    result = hall.result  # asked once, as in has
    return result is not None and score in str(result.result.scores)


def test_scores_that_the_hub_does_not_take_are_told_at_once_and_changed(tmp_path: Path) -> None:
    """Those of a table of Rummikub add up to 0: the players read why theirs do not count."""
    with served(FORMATS["club-evening"]) as hall, joined(hall, tmp_path) as table:
        coming = table.event.coming
        assert coming is not None
        scores = [SeatScore(each) for each in (60, -10, -20, -29)]
        table.do(ResultEntered(coming.game_id, tuple(scores)))
        wait_for(lambda: "add up to +1, not to 0" in str(table.event.notice))
        assert hall.result is None
        scores[-1] = SeatScore(-30)
        table.do(ResultEntered(coming.game_id, tuple(scores)))
        wait_for(lambda: hall.has("reported"))
        wait_for(lambda: table.event.notice is None)


def test_a_table_that_was_shut_out_says_so(tmp_path: Path) -> None:
    """The director takes the place away: the players read that a new code is needed."""
    with served() as hall, joined(hall, tmp_path) as table:
        hall.hall.hub.admission.revoke(hall.event, 1)
        played(table)
        wait_for(lambda: table.event.link.fault is not None)
        assert "join again" in str(table.event.link.fault)
