"""The table's reads and writes of the store, one act of a person as one step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from scoreboard.errors import NotOfferedError, SchemaError, StoreError, UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import (
    DAMAGE,
    Abandoned,
    GameHeader,
    GameStatus,
    RecordedEvent,
    Resumed,
    Retraction,
    Source,
    StoredGame,
    TranscriptError,
    damaged,
    is_abandoned,
    state_after,
)
from scoreboard.games.finished import rules_key
from scoreboard.message import Message
from scoreboard.players import player_names
from scoreboard.table.game_session import AnyGame, GameSession, Ranks, rulebook
from scoreboard.table.ports import Clock, EventStore
from scoreboard.table.requests import GameOpened

FIRST_PAGE: Final = 50  # games looked through for the one to go on with, then twice as many
LARGEST_PAGE: Final = 3_200
# Who confirms what no page asked for; what a page asked for was confirmed by its device.
CONFIRMERS: Final[Mapping[str, str]] = {"button": "buttons", "camera": "camera", "clock": "table"}
LOG: Final = logging.getLogger(__name__)


class GameRepository:
    """The store as the table uses it; `fault` is why its last write failed, so that play pauses."""

    def __init__(
        self, store: EventStore, clock: Clock, new_id: Callable[[], str], ranks: Ranks
    ) -> None:
        self._store = store
        self._clock = clock
        self._new_id = new_id
        self._ranks = ranks
        self.fault: Message | None = None

    def opened(self, request: GameOpened) -> GameSession:
        """A new game, stored.

        Raises NotOfferedError (no such game), NotationError (a name), RuleViolationError (players,
        options), ConflictError (the id is taken), StoreError.
        """
        game = rulebook(request.game)
        players, options = player_names(request.players), dict(request.options)
        game_id = request.game_id or self._new_id()
        header = GameHeader(game_id, game.name, players, self._clock(), options)
        GameSession.of(header, game)  # or it is refused
        with self._writing():
            self._store.open_game(header)
        LOG.info("opened %s: %s for %s", header.game_id, header.game, len(header.players))
        return self.stored(game_id)

    def followed(
        self, session: GameSession, events: Iterable[object], source: Source, by: str
    ) -> GameSession:
        """The game after these events, one step in the store; `by` is who asked for them on a page.

        Raises ConflictError (something else wrote to the game), StoreError (nothing could be kept).
        """
        step, at = len(session.records) + 1, self._clock()
        by = CONFIRMERS.get(source, by)
        records = tuple(
            RecordedEvent(session.header.game_id, sequence, at, source, step, event, by)
            for sequence, event in enumerate(events, start=step)
        )
        following = session.followed_by(records)
        standing = GameStatus.of(following.game, following.state, abandoned=following.is_abandoned)
        with self._writing():
            self._store.append(session.header.game_id, step - 1, records, standing)
        if LOG.isEnabledFor(logging.INFO):
            acts = "; ".join(event_text(session.game, record.event) for record in records)
            LOG.info("recorded %s step %s (%s): %s", session.header.game_id, step, source, acts)
        return following

    def seated(self, session: GameSession) -> None:
        """Store who plays this game now. Raises StoreError."""
        with self._writing():
            self._store.seat(session.header.game_id, session.header.players)
        LOG.info("%s is for %s now", session.header.game_id, len(session.header.players))

    def deleted(self, game_id: str, *, for_good: bool) -> None:
        """Put a game into the bin, or forget it. Raises UnknownGameError, StoreError."""
        with self._writing():
            if for_good:
                self._store.delete(game_id)
            else:
                self._store.put_in_bin(game_id, self._clock())
        LOG.info("deleted %s %s", game_id, "for good" if for_good else "into the bin")

    def taken_back(self, game_id: str) -> None:
        """Restore a game from the bin. Raises UnknownGameError, StoreError."""
        with self._writing():
            self._store.take_back(game_id)
        LOG.info("took %s back from the bin", game_id)

    def erased(self, names: Collection[str]) -> None:
        """Delete the people with these names from all games. Raises StoreError."""
        with self._writing():
            self._store.erase(names)
        LOG.info("deleted a player from all games")

    def headers(self) -> tuple[GameHeader, ...]:
        """All games of the list whose header can be read. Raises StoreError."""
        return self._store.headers()

    def stored(self, game_id: str) -> GameSession:
        """A game from the store.

        Raises UnknownGameError, NotOfferedError (no such rulebook), TranscriptError, StoreError.
        """
        header = self._store.header(game_id)
        game = rulebook(header.game)
        records = self._store.events(game_id)
        try:
            return GameSession.of(header, game, records, self._ranks)
        except DAMAGE as error:
            raise damaged(game_id) from error

    def newest_unfinished(self) -> tuple[GameSession | None, Message | None]:
        """The newest game that is neither over nor closed. Raises StoreError.

        Newer games that cannot be read are skipped; the message names the last one.
        """
        fault = None
        start, page = 0, FIRST_PAGE
        while listed := self._store.games(start, page):
            for one, standing in known_standings(self._store, listed):
                if isinstance(standing, Message):
                    fault = standing
                elif not (standing.finished or standing.abandoned):
                    return self.stored(one.game_id), fault
            start, page = start + page, min(2 * page, LARGEST_PAGE)
        return None, fault

    def best_before(self, session: GameSession) -> int | None:
        """A lone player's best points in other solo games of the same rules (YZ-20).

        None with several players, or when no such game was finished. An unreadable game has no
        result; resuming it shows the fault. Raises StoreError.
        """
        game, header = session.game, session.header
        if len(header.players) != 1:
            return None
        rules, better = rules_key(game, header.options), game.better(header.options)
        ids = [
            other.game_id
            for other in self._store.headers()
            if (other.game, other.players) == (header.game, header.players)
            and other.game_id != header.game_id
            and rules_key(game, other.options) == rules
        ]
        known = known_standings(self._store, self._store.games(ids=ids))
        finished = (each for _, each in known if isinstance(each, GameStatus) and each.finished)
        totals = (each.totals[0] for each in finished)
        return max(totals, key=lambda total: better * total, default=None)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            self.fault = error.message
            raise
        self.fault = None


def event_text(game: AnyGame, event: object) -> str:
    """An event in the game's notation; its kind if the notation has none."""
    match event:
        case Retraction(of):
            return f"undo {of}"
        case Abandoned():
            return "put away"
        case Resumed():
            return "taken up again"
        case _:
            kinds = {kept: kind for kind, kept in game.kinds.items()}
            return game.notation.written(event) or kinds.get(type(event), "")


def known_standings(
    store: EventStore, listed: Sequence[StoredGame]
) -> tuple[tuple[StoredGame, GameStatus | Message], ...]:
    """The status of listed games, or the reason a game cannot be read. Raises StoreError.

    A missing status is computed by replaying, and stored.
    """
    worked_out: dict[str, tuple[int, GameStatus]] = {}

    def known(one: StoredGame) -> GameStatus | Message:
        if one.standing is not None and one.header is not None and one.header.game in GAMES:
            return one.standing
        try:
            worked_out[one.game_id] = found = _replayed(store, one.game_id)
        except (NotOfferedError, SchemaError, TranscriptError, UnknownGameError) as error:
            return error.message
        return found[1]

    standings = tuple((one, known(one)) for one in listed)
    if worked_out:
        with suppress(StoreError):  # a full disk must not take the list away
            store.keep_standings(worked_out)
    return standings


def _replayed(store: EventStore, game_id: str) -> tuple[int, GameStatus]:
    """How many events a game has, and its status after them."""
    header, records = store.header(game_id), store.events(game_id)
    game = rulebook(header.game)
    state = state_after(game, header, records)
    try:
        return len(records), GameStatus.of(game, state, abandoned=is_abandoned(records))
    except DAMAGE as error:
        raise damaged(game_id) from error
