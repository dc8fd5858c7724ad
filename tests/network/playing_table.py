"""A table in a process of its own, at which everybody plays without being asked.

It joins the event, plays every game that is due at once, signs each result, and goes on so until
it is killed, or left alone; started again in the same folder it goes on where it was. Its clock is
wrong.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from threading import Condition
from typing import Final

from scoreboard.storage import open_store
from scoreboard.table.requests import (
    ResultDisputed,
    ResultSigned,
    TableRequest,
    TournamentGameBegun,
)
from scoreboard.table.tournament_view import TournamentResult, TournamentView
from scoreboard.table.view import TableView
from scoreboard.tournament.client.http_hub import HttpHub, HubAwayError
from tests.network.quick_games import Slot, is_disputed_at, next_act
from tests.scoreboard.tournament.client.party import EventTable
from web.shared.clocks import utc_now
from web.table.play.tournament import tournament_game_id

ANSWER_SECONDS: Final = 4.0
LOOK_SECONDS: Final = 1.0
EVENT_FILE: Final = "event.json"
RESTING: Final = frozenset({"no game", "finished", "abandoned"})


def database_in(folder: Path) -> str:
    """Where a table keeps its games."""
    return f"sqlite:///{folder / 'games.sqlite3'}"


class Watch:
    """Tells those who wait that the table shows something else; an Announcer."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._version = 0

    def announce(self, view: TableView) -> None:
        with self._changed:
            self._version = view.version
            self._changed.notify_all()

    def wait(self, version: int) -> None:
        """Wait until the table shows something later."""
        with self._changed:
            self._changed.wait_for(lambda: self._version > version, LOOK_SECONDS)


class PlayingTable:
    """The table and its players; the folder is all that outlives a kill."""

    def __init__(self, folder: Path, clock: Callable[[], datetime], chance: Random) -> None:
        self._chance, self._watch = chance, Watch()
        self._table = EventTable(
            folder,
            lambda address: HttpHub(address, ANSWER_SECONDS),
            open_store(database_in(folder)),
            clock=clock,
            announcers=[self._watch],
            name_game=tournament_game_id,
        )

    def join(self, address: str, code: str) -> None:
        client = self._table.desk
        while not client.attends:
            try:
                client.join(address, code)
            except HubAwayError:
                self._watch.wait(self._table.view.version)

    def play(self) -> None:
        """Do what is to be done, one thing after the other, as long as the test lives."""
        test = os.getppid()
        while os.getppid() == test:
            view = self._table.view
            message = self._next(view)
            if message is None or self._table.do(message).verdict == "refused":
                self._watch.wait(view.version)

    def _next(self, view: TableView) -> TableRequest | None:
        event = view.event
        if event is None:
            return None
        if view.stage not in RESTING:
            return self._act(view, event)
        spoken = next((result for result in event.results if result.unsigned), None)
        if spoken is not None:
            return self._update(spoken, event)
        return None if event.due is None else TournamentGameBegun(event.due.game_id)

    def _act(self, view: TableView, event: TournamentView) -> TableRequest | None:
        """The next act of the game on the table, which stands in the name of its id."""
        if view.game_id is None or view.game_id not in event.games:
            return None
        players = () if view.scoresheet is None else view.scoresheet.players
        return next_act(slot_of(view.game_id), len(players), view, self._chance, self._table.clock)

    def _update(self, result: TournamentResult, event: TournamentView) -> TableRequest:
        slot: Slot = (result.round, event.place, result.number)
        if is_disputed_at(slot) and not result.is_disputed:
            return ResultDisputed(result.game_id, result.unsigned[0], "miscounted")
        signing = self._chance.randint(1, len(result.unsigned))
        return ResultSigned(result.game_id, result.unsigned[:signing])


def slot_of(game_id: str) -> Slot:
    """Where a game of the event is played, as its id says: r1-t2-g3-..."""
    first, table, number, _ = game_id.split("-")
    return int(first[1:]), int(table[1:]), int(number[1:])


def main() -> None:
    """Play in FOLDER, by the way at ADDRESS, with CODE, and a clock that is HOURS ahead."""
    folder, address, code, hours, seed = sys.argv[1:]
    ahead = timedelta(hours=float(hours))
    table = PlayingTable(Path(folder), lambda: utc_now() + ahead, Random(seed))
    table.join(address, code)
    table.play()


if __name__ == "__main__":
    main()
