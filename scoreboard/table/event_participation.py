"""What a table does at an event: begin the game that is due, sign what was played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from scoreboard.errors import NotOfferedError
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import Message, message
from scoreboard.table.event import DueGame, EventResult, EventView
from scoreboard.table.game_session import GameSession
from scoreboard.table.ports import Notary
from scoreboard.table.requests import GameOpened, ResultDisputed, ResultEntered, ResultSigned

SIGN_FIRST: Final = message(
    "Hold KEEP and REROLL together to sign for all, or sign on the page; then the next game begins."
)
NOTHING_DUE: Final = message("No event game is waiting to begin here.")
NO_RESULT: Final = message("No event result is waiting to be signed here.")
KEPT_FOR_THE_EVENT: Final = message(
    "This game belongs to the event: leave the event before you delete it."
)

AT_THE_EVENT: Final = message(
    "This player is at the event: leave the event on this table before you delete them."
)
AT_PLAY: Final = message("This player’s game is under way: finish or close it, then delete them.")


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin the game that is due."""

    due: DueGame
    label: Message = field(compare=False)

    @classmethod
    def of(cls, due: DueGame) -> Begin:
        """The action, with its label."""
        return cls(
            due, message("Begin game {number} of {games}", number=due.number, games=due.games)
        )


def next_action(session: GameSession | None, event: EventView | None) -> Begin | Message | None:
    """What KEEP does where no game is under way: begin what is due, or say what comes first.

    None where KEEP means what it means without an event.
    """
    if event is None or (session is not None and is_under_way(session)):
        return None
    result = awaiting(event, session)
    if result is not None and not result.is_disputed:
        return SIGN_FIRST
    return None if event.due is None else Begin.of(event.due)


def is_under_way(session: GameSession) -> bool:
    """Whether the game on the table goes on."""
    return not (session.is_finished or session.is_abandoned)


def awaiting(event: EventView, session: GameSession | None) -> EventResult | None:
    """The result that is to be signed: of the game on the table, else the round's last.

    Beside the game on the table there may be one that was entered, without a game.
    """
    if session is not None and is_under_way(session):
        return None
    shown = session.header.game_id if session is not None and session.is_finished else None
    last = next((each for each in event.results[::-1] if session is None or each.is_entered), None)
    waiting = (each for each in (event.result(shown), last) if each is not None and each.unsigned)
    return next(waiting, None)


def opening(event: EventView | None, session: GameSession | None, game_id: str) -> GameOpened:
    """The message that opens the game of that id.

    Raises:
        NotOfferedError: it is not due, or another game of the event is under way that still counts.
    """
    if event is None or event.due is None or event.due.game_id != game_id:
        raise NotOfferedError(NOTHING_DUE)
    shown = None if session is None or not is_under_way(session) else session.header.game_id
    if shown in event.games and not event.has_passed(shown):
        raise NotOfferedError(NOTHING_DUE)
    due = event.due
    return GameOpened(due.game, due.players, due.options, due.game_id)


def agreed_by_all(event: EventView, session: GameSession | None) -> ResultSigned:
    """What both buttons held say: all who have not spoken yet agree to the result shown.

    Raises:
        NotOfferedError: no result waits to be signed.
    """
    result = awaiting(event, session)
    if result is None:
        raise NotOfferedError(NO_RESULT)
    return ResultSigned(result.game_id, result.unsigned)


def result_answered(
    notary: Notary | None,
    event: EventView | None,
    request: ResultSigned | ResultDisputed | ResultEntered,
) -> EventView:
    """What the table shows after players spoke of a result, or entered one.

    Raises:
        NotOfferedError: the table is at no event, or they cannot say that now.
        StoreError: it could not be kept.
    """
    if notary is None or event is None:
        raise NotOfferedError(NO_RESULT)
    match request:
        case ResultSigned(game_id, entrants):
            return notary.sign(game_id, entrants)
        case ResultDisputed(game_id, entrant, why):
            return notary.dispute(game_id, entrant, why)
        case ResultEntered(game_id, scores):
            return notary.enter(game_id, scores)


def require_free(event: EventView | None, game_id: str) -> None:
    """Refuse to forget what the hub may not have yet.

    Raises:
        NotOfferedError: the game belongs to the event.
    """
    if event is not None and game_id in event.games:
        raise NotOfferedError(KEPT_FOR_THE_EVENT)


def require_absent(
    event: EventView | None,
    session: GameSession | None,
    names: Collection[str],
    headers: Callable[[], Iterable[GameHeader]],
) -> None:
    """Refuse to delete somebody who plays now, or whose games a hub compares with its own.

    Raises:
        NotOfferedError: their game is under way, or they are at the event.
    """
    theirs = set(names)
    playing = session.header.players if session is not None and is_under_way(session) else ()
    if not theirs.isdisjoint(playing):
        raise NotOfferedError(AT_PLAY)
    if event is not None:
        due = () if event.due is None else event.due.players
        played = (one.players for one in headers() if one.game_id in event.games)
        if any(not theirs.isdisjoint(players) for players in (event.players, due, *played)):
            raise NotOfferedError(AT_THE_EVENT)
