"""From what table and hub know to what the table shows of its event."""

from __future__ import annotations

from scoreboard.message import Message, message
from scoreboard.table.event import (
    Due,
    EventResult,
    EventSight,
    LinkStanding,
    Signature,
    Word,
)
from scoreboard.tournament.client.attendance import Attendance
from scoreboard.tournament.client.event_game import EventGame
from scoreboard.tournament.client.local_game import LocalGame
from scoreboard.tournament.client.next_game import Local, games_of, seat_names
from scoreboard.tournament.protocol.hub_update import HubUpdate as HubWord
from scoreboard.tournament.protocol.result_update import ResultUpdate
from scoreboard.tournament.protocol.seating_update import SeatingUpdate


def event_view(
    attendance: Attendance,
    local: Local,
    link: LinkStanding,
    following: EventGame | None = None,
    obstacle: Message | None = None,
) -> EventSight:
    """What the table shows; `following` is the game that comes next, if one may begin."""
    update, ticket = attendance.word, attendance.ticket
    sitting = None if update is None else update.sitting
    return EventSight(
        title=ticket.title if update is None else update.title,
        place=ticket.place if update is None else update.place,
        address=ticket.address,
        round=None if sitting is None else sitting.round,
        phase="" if sitting is None else sitting.rounds_phase,
        players=() if sitting is None else seat_names(sitting.seats),
        due=None if following is None or sitting is None else _due(following, sitting),
        obstacle=obstacle,
        results=() if sitting is None else results(attendance, sitting, local),
        games=frozenset(game.game_id for game in attendance.games),
        link=link,
        notice=None if update is None else said_by(update),
    )


def said_by(update: HubWord) -> Message | None:
    """The hub's sentence for the players; one that it told in words alone stays in English."""
    if update.said is not None:
        return update.said.message
    return message("The hub says: {message}", message=update.notice) if update.notice else None


def results(
    attendance: Attendance, sitting: SeatingUpdate, local: Local
) -> tuple[EventResult, ...]:
    """The games of this round that are over at this table, with what was said of each."""
    said = () if attendance.word is None else attendance.word.results
    by_number = {each.game: each for each in said if each.round == sitting.round}
    played = (
        (game, local[game.game_id])
        for game in games_of(attendance, sitting)
        if game.game_id in local and local[game.game_id].stage == "finished"
    )
    found = (_result(game, how, by_number.get(game.number)) for game, how in played)
    return tuple(sorted(found, key=lambda result: result.number))


def _due(game: EventGame, sitting: SeatingUpdate) -> Due:
    return Due(
        game.game_id,
        game.game,
        game.players,
        game.options,
        game.round,
        game.number,
        sitting.games,
    )


def _result(game: EventGame, how: LocalGame, told: ResultUpdate | None) -> EventResult:
    """What the hub said of other scores, before an undo, is said of another result.

    Whatever the table's sheet says, a result in the referee's hands is one.
    """
    agreed = told if told is not None and _scores(told) == _own_scores(game, how) else None
    signed = () if agreed is None else agreed.signed
    signatures = tuple(
        Signature(entrant, player, _word(game, how, entrant, signed))
        for entrant, player in zip(game.entrants, game.players, strict=True)
    )
    decided = told is not None and told.phase in {"disputed", "settled"}
    shown = told if decided else agreed
    phase = "" if shown is None else shown.phase
    return EventResult(game.game_id, game.round, game.number, signatures, phase, _settled(told))


def _settled(told: ResultUpdate | None) -> dict[int, int]:
    """The scores that the referee decided on, by entrant."""
    if told is None or told.phase != "settled":
        return {}
    return _scores(told)


def _scores(told: ResultUpdate) -> dict[int, int]:
    return {each.entrant: each.score for each in told.game_scores if each.fate == "played"}


def _own_scores(game: EventGame, how: LocalGame) -> dict[int, int | None]:
    """What the table's own sheet says, by entrant."""
    return {
        entrant: how.points.get(player)
        for entrant, player in zip(game.entrants, game.players, strict=True)
    }


def _word(game: EventGame, how: LocalGame, entrant: int, signed: tuple[int, ...]) -> Word:
    """What an entrant said last of the game as it stands; an undo takes the ground from it."""
    said = [note for note in game.notes if note.entrant == entrant and note.after >= how.events]
    if said:
        return "signed" if said[-1].why is None else "disputed"
    return "signed" if entrant in signed else "open"
