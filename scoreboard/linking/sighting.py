"""From what table and hub know to what the table shows of its event."""

from __future__ import annotations

from scoreboard.linking.attendance import Attendance
from scoreboard.linking.event_game import EventGame
from scoreboard.linking.local_game import LocalGame
from scoreboard.linking.planning import Local, games_of, seat_names
from scoreboard.phrase import Phrase, phrase
from scoreboard.table.event import (
    Due,
    EventResult,
    EventSight,
    LinkStanding,
    Signature,
    Word,
)
from scoreboard.wire.result_word import ResultWord
from scoreboard.wire.sitting_word import SittingWord
from scoreboard.wire.word import Word as HubWord


def sight(
    attendance: Attendance,
    local: Local,
    link: LinkStanding,
    following: EventGame | None = None,
    obstacle: Phrase | None = None,
) -> EventSight:
    """What the table shows; `following` is the game that comes next, if one may begin."""
    word, ticket = attendance.word, attendance.ticket
    sitting = None if word is None else word.sitting
    return EventSight(
        title=ticket.title if word is None else word.title,
        place=ticket.place if word is None else word.place,
        address=ticket.address,
        round=None if sitting is None else sitting.round,
        phase="" if sitting is None else sitting.rounds_phase,
        players=() if sitting is None else seat_names(sitting.seats),
        due=None if following is None or sitting is None else _due(following, sitting),
        obstacle=obstacle,
        results=() if sitting is None else results(attendance, sitting, local),
        games=frozenset(game.game_id for game in attendance.games),
        link=link,
        notice=None if word is None else said_by(word),
    )


def said_by(word: HubWord) -> Phrase | None:
    """The hub's sentence for the players; one that it told in words alone stays in English."""
    if word.said is not None:
        return word.said.phrase
    return phrase("The hub says: {message}", message=word.notice) if word.notice else None


def results(attendance: Attendance, sitting: SittingWord, local: Local) -> tuple[EventResult, ...]:
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


def _due(game: EventGame, sitting: SittingWord) -> Due:
    return Due(
        game.game_id,
        game.game,
        game.players,
        game.options,
        game.round,
        game.number,
        sitting.games,
    )


def _result(game: EventGame, how: LocalGame, told: ResultWord | None) -> EventResult:
    signed = () if told is None else told.signed
    signatures = tuple(
        Signature(entrant, player, _word(game, how, entrant, signed))
        for entrant, player in zip(game.entrants, game.players, strict=True)
    )
    phase = "" if told is None else told.phase
    return EventResult(game.game_id, game.round, game.number, signatures, phase, _settled(told))


def _settled(told: ResultWord | None) -> dict[int, int]:
    """The scores that the referee decided on, by entrant."""
    if told is None or told.phase != "settled":
        return {}
    return {each.entrant: each.score for each in told.game_scores if each.fate == "played"}


def _word(game: EventGame, how: LocalGame, entrant: int, signed: tuple[int, ...]) -> Word:
    """What an entrant said last of the game as it stands; an undo takes the ground from it."""
    said = [note for note in game.notes if note.entrant == entrant and note.after >= how.events]
    if said:
        return "signed" if said[-1].why is None else "disputed"
    return "signed" if entrant in signed else "open"
