"""What the director does next: one step, found from where the tournament stands."""

from __future__ import annotations

from typing import Literal

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.round_draw import draw_fixed, next_round
from scoreboard.tournament.model.scoring import is_complete
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.model.tournament_format import LAID_DOWN

Step = Literal["enter", "draw", "start", "play", "close", "cut", "finish", "scores", "over"]


def next_step(state: Tournament) -> Step:
    """The one step that the course of the event asks for."""
    last = state.last_round
    if state.finished:
        return "over"
    if state.format.system == "blind":
        return "scores" if state.entrants else "enter"
    if last is None:
        return "draw" if len(state.present) >= max(state.format.smallest_table, 2) else "enter"
    if last.phase == "drawn":
        return "start"
    if last.phase == "running":
        return "play" if tables_left(state, last) else "close"
    return _after(state)


def tables_left(state: Tournament, played: Round) -> tuple[int, ...]:
    """The tables of a round whose results are not all in and agreed on."""
    games = played.games_by_table
    disputed = {table for table, _ in played.disputed}
    return tuple(
        table.number
        for table in played.draw.tables
        if table.number in disputed
        or not is_complete(
            state.format, len(table.seats), played.games, games.get(table.number, ())
        )
    )


def _after(state: Tournament) -> Step:
    """The step after a closed round."""
    try:
        next_round(state)
        if state.format.system in LAID_DOWN and not state.stage:
            draw_fixed(state, 0)
    except CommandRefusedError:
        return "cut" if state.stage < len(state.format.stages) else "finish"
    return "draw"


def coming_players(state: Tournament) -> int:
    """How many play in the round that is drawn next; all who are there while none is due."""
    try:
        coming = next_round(state)
        if state.format.system in LAID_DOWN and not coming.stage:
            return len(draw_fixed(state, 0).entrants)
    except CommandRefusedError:
        return len(state.present)
    return len(coming.entrants)


def standing_now(state: Tournament) -> Message:
    """Where the event stands, in a sentence for everybody."""
    last = state.last_round
    if state.finished:
        return message("The event is over.")
    if state.format.system == "blind":
        return message("Scores handed in: {scores}.", scores=len(state.solo))
    if last is None:
        return message("Entries: {entries}. Round 1 is not drawn yet.", entries=len(state.entrants))
    match last.phase:
        case "drawn":
            return message("Round {round} is drawn: find your table.", round=last.number)
        case "running":
            done = len(last.draw.tables) - len(tables_left(state, last))
            return message(
                "Round {round} is under way; tables done: {done} of {tables}.",
                round=last.number,
                done=done,
                tables=len(last.draw.tables),
            )
        case _:
            return message("Round {round} is over.", round=last.number)


def round_name(state: Tournament, played: Round) -> Message:
    """What a round is called: its number, and its stage after a cut."""
    if played.stage:
        name = state.format.stages[played.stage - 1].name
        return message("Round {round}: {stage}", round=played.number, stage=name)
    if state.format.meetings > 1:
        return message(
            "Round {round}, meeting {meeting}", round=played.number, meeting=played.meeting
        )
    return message("Round {round}", round=played.number)
