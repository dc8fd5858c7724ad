"""All tables of an event at one look, those that somebody has to see to first."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.hub.desk import HubDesk
from scoreboard.hub.floor import Floor
from scoreboard.hub.followed import Followed
from scoreboard.hub.look import Look
from scoreboard.hub.place import Place
from scoreboard.hub.ports import Clock, Presence
from scoreboard.hub.progress import progress_of
from scoreboard.hub.receiving import Receiving
from scoreboard.hub.surveying import Signs, table_state, with_hearing
from scoreboard.hub.table_state import TableState
from scoreboard.tournament.draw import TableSeats
from scoreboard.tournament.tournament_round import Round


@dataclass(frozen=True, slots=True)
class _Seen:
    """How a table did when it was worked out last, and out of what."""

    version: int
    signs: Signs
    state: TableState

    def is_of(self, version: int, followed: Followed | None, *, contradicted: bool) -> bool:
        """Whether nothing is new since: a followed game that went on is another value."""
        same = self.signs.followed is followed and self.signs.contradicted == contradicted
        return same and self.version == version


class Overview:
    """How the tables do. Any thread may use it. Methods raise StoreError where the store is away.

    A look costs what is new since the last one, and very little for each table.
    """

    def __init__(
        self, desk: HubDesk, receiving: Receiving, floor: Floor, presence: Presence, clock: Clock
    ) -> None:
        self._desk = desk
        self._receiving = receiving
        self._floor = floor
        self._presence = presence
        self._clock = clock
        self._seen: dict[Place, _Seen] = {}

    def tables(self, tournament_id: str) -> tuple[TableState, ...]:
        """How each table of the last round does, those with problems first, then by number."""
        self._floor.catch_up()
        look = self._desk.look(tournament_id)
        played = look.state.last_round
        if played is None:
            return ()
        places = [Place(tournament_id, table.number) for table in played.draw.tables]
        heard, now = self._presence.heard(map(str, places)), self._clock()
        states = (
            with_hearing(self._state(look, played, place, table), heard.get(str(place)), now)
            for place, table in zip(places, played.draw.tables, strict=True)
        )
        return tuple(sorted(states, key=lambda each: (not each.problems, each.number)))

    def _state(self, look: Look, played: Round, place: Place, table: TableSeats) -> TableState:
        """How a table does: worked out anew where something is new.

        What a killed hub left undone of its games is done; the next look shows it.
        """
        followed = self._floor.newest(place, played.number, table.seats)
        contradicted = followed is not None and self._floor.is_contradicted(followed.game_id)
        seen, version = self._seen.get(place), look.changes.last(place.table)
        if seen is not None and seen.is_of(version, followed, contradicted=contradicted):
            return seen.state
        before = None if seen is None else seen.signs.progress
        progress = None if followed is None else progress_of(followed, before)
        signs = Signs(followed, progress, contradicted)
        self._receiving.settle(place, self._floor.games(place, played.number))
        state = table_state(look.state, played, table, signs)
        self._seen[place] = _Seen(version, signs, state)
        return state
