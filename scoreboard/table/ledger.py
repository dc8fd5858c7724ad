"""What the table writes into the store, one act of a person as one step, and reads from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from scoreboard.errors import NotOfferedError, RuleViolationError, SchemaError, StoreError
from scoreboard.phrase import Phrase
from scoreboard.players import player_names
from scoreboard.table.messages import GameOpened
from scoreboard.table.ports import Clock, EventStore
from scoreboard.table.sitting import AnyGame, Sitting, rulebook
from scoreboard.transcript import GameHeader, RecordedEvent, Source, TranscriptError


class Ledger:
    """The store as the table uses it.

    `fault` says why the last write failed, None when it went well: the table shows it as
    the reason why play pauses.
    """

    def __init__(
        self,
        store: EventStore,
        clock: Clock,
        new_id: Callable[[], str],
        games: Mapping[str, AnyGame],
    ) -> None:
        self._store = store
        self._clock = clock
        self._new_id = new_id
        self._games = games
        self.fault: Phrase | None = None

    def opened(self, message: GameOpened) -> Sitting:
        """A new game, stored.

        Raises:
            NotOfferedError: there is no such rulebook.
            NotationError: a name is not allowed, or two are the same.
            RuleViolationError: the rulebook refuses the players or the options.
            ConflictError: the id that was given is taken.
            StoreError: the game could not be kept.
        """
        game = rulebook(self._games, message.game)
        players, options = player_names(message.players), dict(message.options)
        game_id = message.game_id or self._new_id()
        header = GameHeader(game_id, game.name, players, self._clock(), options)
        sitting = Sitting.of(header, game)
        with self._writing():
            self._store.open_game(header)
        return sitting

    def followed(self, sitting: Sitting, events: Iterable[object], source: Source) -> Sitting:
        """The game after these events, which are on disk as one step when this returns.

        Raises:
            ConflictError: something else wrote to the game.
            StoreError: nothing could be kept.
        """
        step, at = len(sitting.records) + 1, self._clock()
        records = tuple(
            RecordedEvent(sitting.header.game_id, sequence, at, source, step, event)
            for sequence, event in enumerate(events, start=step)
        )
        following = sitting.followed_by(records)
        with self._writing():
            self._store.append(sitting.header.game_id, step - 1, records)
        return following

    def deleted(self, game_id: str) -> None:
        """Forget a game for good. Raises UnknownGameError, StoreError."""
        with self._writing():
            self._store.delete(game_id)

    def stored(self, game_id: str) -> Sitting:
        """A game as the store has it.

        Raises:
            UnknownGameError: there is no such game.
            NotOfferedError: its rulebook is not known here.
            TranscriptError: its events contradict themselves.
            StoreError: it cannot be read.
        """
        header = self._store.header(game_id)
        game = rulebook(self._games, header.game)
        return Sitting.of(header, game, self._store.events(game_id))

    def newest_unfinished(self) -> tuple[Sitting | None, Phrase | None]:
        """The newest game that is not over and was not put away.

        Newer games that cannot be read are passed over; the phrase tells of the last one.

        Raises:
            StoreError: the store cannot be read.
        """
        fault = None
        for header in self._store.headers():
            sitting = self._read(header)
            if isinstance(sitting, Phrase):
                fault = sitting
            elif not (sitting.is_finished or sitting.is_abandoned):
                return sitting, fault
        return None, fault

    def best_before(self, header: GameHeader) -> int | None:
        """What a lone player plays against: their best points in other solo games (YZ-20).

        None with several players, or when no such game was finished. A game that cannot be
        read has no result; whoever takes it up is told.

        Raises:
            StoreError: the store cannot be read.
        """
        if len(header.players) != 1:
            return None
        return max(self._solo_results(header), default=None)

    def _solo_results(self, header: GameHeader) -> Iterator[int]:
        for other in self._store.headers():
            same = (other.game, other.players) == (header.game, header.players)
            if same and other.game_id != header.game_id:
                sitting = self._read(other)
                outcome = None if isinstance(sitting, Phrase) else sitting.outcome
                if outcome is not None:
                    yield outcome.ranking[0].points

    def _read(self, header: GameHeader) -> Sitting | Phrase:
        """The stored game, or why it cannot be played here."""
        try:
            return self.stored(header.game_id)
        except (NotOfferedError, RuleViolationError, SchemaError, TranscriptError) as error:
            return error.phrase

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            self.fault = error.phrase
            raise
        self.fault = None
