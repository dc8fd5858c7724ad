"""All tables of an event at one look, those that somebody has to see to first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from scoreboard.hub.claiming import next_claim
from scoreboard.hub.desk import HubDesk
from scoreboard.hub.floor import Floor
from scoreboard.hub.followed import Followed
from scoreboard.hub.place import Place
from scoreboard.hub.ports import Clock, Presence
from scoreboard.hub.progress import progress_of
from scoreboard.hub.receiving import Receiving
from scoreboard.hub.surveying import Signs, table_state
from scoreboard.hub.table_state import GameProgress, TableState
from scoreboard.tournament.tournament import Tournament


class Overview:
    """How the tables do. Any thread may use it. Methods raise StoreError where the store is away.

    A look costs what is new since the last one, and a little for each table.
    """

    def __init__(
        self, desk: HubDesk, receiving: Receiving, floor: Floor, presence: Presence, clock: Clock
    ) -> None:
        self._desk = desk
        self._receiving = receiving
        self._floor = floor
        self._presence = presence
        self._clock = clock
        self._progress: dict[Place, tuple[Followed, GameProgress | None]] = {}

    def tables(self, tournament_id: str) -> tuple[TableState, ...]:
        """How each table of the last round does, those with problems first, then by number."""
        self._floor.catch_up()
        look = self._desk.look(tournament_id)
        if look.state.last_round is None:
            return ()
        numbers = [table.number for table in look.state.last_round.draw.tables]
        places = [Place(tournament_id, number) for number in numbers]
        heard = self._presence.heard(map(str, places))
        signs = {
            place.table: self._signs(place, look.state, heard.get(str(place))) for place in places
        }
        return _states(self._desk.look(tournament_id).state, signs, self._clock())

    def _signs(self, place: Place, state: Tournament, heard_at: datetime | None) -> Signs:
        """What is known of a table; what a killed hub left undone of its game is done."""
        number = state.rounds[-1].number
        followed = self._floor.newest(place, number)
        if followed is None:
            return Signs(heard_at=heard_at)
        if next_claim(state, place.table, followed) is not None:
            self._receiving.examine(place, followed.game_id)
        return Signs(
            followed,
            self._progress_of(place, followed),
            heard_at,
            self._floor.is_contradicted(followed.game_id),
        )

    def _progress_of(self, place: Place, followed: Followed) -> GameProgress | None:
        known, progress = self._progress.get(place, (None, None))
        if known is not followed:
            progress = progress_of(followed)
            self._progress[place] = followed, progress
        return progress


def _states(state: Tournament, signs: Mapping[int, Signs], now: datetime) -> tuple[TableState, ...]:
    played = state.last_round
    if played is None:
        return ()
    states = (
        table_state(state, played, table, signs.get(table.number, Signs()), now)
        for table in played.draw.tables
    )
    return tuple(sorted(states, key=lambda each: (not each.problems, each.number)))
