"""A table's acts at a tournament: begin the due game, sign results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final, Self

from scoreboard.errors import NotOfferedError
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import Message, message
from scoreboard.table.pending_pieces import PendingPieces
from scoreboard.table.ports import Notary
from scoreboard.table.requests import GameOpened, ResultDisputed, ResultEntered, ResultSigned
from scoreboard.table.tournament_view import DueGame, TournamentResult, TournamentView

SIGN_FIRST: Final = message(
    "Hold KEEP and REROLL together to sign for all, or sign on the page; then the next game begins."
)
NOTHING_DUE: Final = message("No event game is waiting to begin here.")
NO_RESULT: Final = message("No event result is waiting to be signed here.")
KEPT_FOR_THE_EVENT: Final = message("This game belongs to the event: leave the event first.")
AT_THE_EVENT: Final = message(
    "This player is at the event: leave the event on this table before you delete them."
)
AT_PLAY: Final = message("This player’s game is under way: finish or close it, then delete them.")


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin the game that is due."""

    due: DueGame

    @property
    def label(self) -> Message:
        number, games = self.due.number, self.due.games
        return message("Begin game {number} of {games}", number=number, games=games)


@dataclass(frozen=True)
class PendingTournament(PendingPieces):
    """With the tournament of the table: `event` is what is known of it."""

    event: TournamentView | None = None

    @property
    def begins(self) -> Begin | Message | None:
        """What KEEP begins where no game goes on, or why nothing; None for its usual meaning."""
        if self.event is None or self.is_under_way:
            return None
        result = self._awaiting(self.event)
        if result is not None and not result.is_disputed:
            return SIGN_FIRST
        return None if self.event.due is None else Begin(self.event.due)

    @property
    def is_under_way(self) -> bool:
        """Whether the game on the table goes on."""
        return self.session is not None and self.session.is_under_way

    def _awaiting(self, event: TournamentView) -> TournamentResult | None:
        """The result to be signed: of the game on the table, else the round's last.

        A result may also have been entered without a game, besides the game on the table.
        """
        if self.is_under_way:
            return None
        game = self.session
        shown = game.header.game_id if game is not None and game.is_finished else None
        last = next((each for each in event.results[::-1] if game is None or each.is_entered), None)
        found = (each for each in (event.result(shown), last) if each is not None and each.unsigned)
        return next(found, None)

    def opening(self, game_id: str) -> GameOpened:
        """The message that opens that game.

        Raises NotOfferedError: it is not due, or another game that still counts is under way.
        """
        event, game = self.event, self.session
        if event is None or event.due is None or event.due.game_id != game_id:
            raise NotOfferedError(NOTHING_DUE)
        shown = game.header.game_id if game is not None and game.is_under_way else None
        if shown in event.games and not event.has_passed(shown):
            raise NotOfferedError(NOTHING_DUE)
        due = event.due
        return GameOpened(due.game, due.players, due.options, due.game_id)

    def agreed_by_all(self) -> ResultSigned | None:
        """That all others agree to the shown result, None at no event. Raises NotOfferedError."""
        if self.event is None:
            return None
        result = self._awaiting(self.event)
        if result is None:
            raise NotOfferedError(NO_RESULT)
        return ResultSigned(result.game_id, result.unsigned)

    def result_answered(
        self, notary: Notary | None, request: ResultSigned | ResultDisputed | ResultEntered
    ) -> Self:
        """After players spoke of a result, or entered one.

        Raises NotOfferedError (at no event, or they cannot say that now), StoreError.
        """
        if notary is None or self.event is None:
            raise NotOfferedError(NO_RESULT)
        match request:
            case ResultSigned(game_id, entrants):
                event = notary.sign(game_id, entrants)
            case ResultDisputed(game_id, entrant, why):
                event = notary.dispute(game_id, entrant, why)
            case ResultEntered(game_id, scores):
                event = notary.enter(game_id, scores)
        return replace(self, event=event)

    def require_free(self, game_id: str) -> None:
        """Refuse to change or delete a game that the hub may need. Raises NotOfferedError."""
        if self.event is not None and game_id in self.event.games:
            raise NotOfferedError(KEPT_FOR_THE_EVENT)

    def require_absent(
        self, names: Collection[str], headers: Callable[[], Iterable[GameHeader]]
    ) -> None:
        """Refuse to delete who plays, or is at the tournament. Raises NotOfferedError."""
        theirs, game, event = set(names), self.session, self.event
        if game is not None and game.is_under_way and not theirs.isdisjoint(game.header.players):
            raise NotOfferedError(AT_PLAY)
        if event is not None:
            due = () if event.due is None else event.due.players
            played = (one.players for one in headers() if one.game_id in event.games)
            if any(not theirs.isdisjoint(players) for players in (event.players, due, *played)):
                raise NotOfferedError(AT_THE_EVENT)
