"""Penalties, and the private notes on players."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.tournament.model.authority import Attribution, CommandRefusedError
from scoreboard.tournament.model.entries import entered
from scoreboard.tournament.model.penalties import AwardPenalty, UndoPenalty, penalty_message
from scoreboard.tournament.model.results import CorrectResult
from scoreboard.tournament.model.scores import GameScores, Score, read_points
from scoreboard.tournament.model.tournament import Command, Tournament
from web.hub.forms import FieldError, attribution, back, carry_out, give, whole
from web.hub.hub import Hub

LONGEST_NOTE: Final = 500
KINDS: Final = {
    "warning": message("warning"),
    "points": message("points off"),
    "game": message("loss of a game"),
    "disqualification": message("disqualification"),
}


def penalty_views(hub: Hub) -> Blueprint:
    """`/e/<id>/penalties`."""
    views = Blueprint("penalties", __name__, url_prefix="/e/<tournament_id>/penalties")

    @views.get("")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        notes = hub.store.entrant_notes.of(tournament_id)
        return render_template(
            "penalties.html",
            snapshot=snapshot,
            state=snapshot.state,
            kinds=KINDS,
            penalty_message=penalty_message,
            notes={number: kept.note for number, kept in notes.items() if kept.note},
            longest=LONGEST_NOTE,
        )

    @views.post("")
    def award(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        number, kind, said = whole("entrant"), request.form.get("kind", ""), attribution(hub)
        commands: list[Command] = [AwardPenalty(number, kind, _points(kind), **said)]
        if kind == "game":
            commands.append(lost_game(state, number, whole("round"), whole("game"), said))
        give(hub, tournament_id, *commands)
        return back("penalties.show", tournament_id=tournament_id)

    @views.post("/<int:number>/undo")
    def undo(tournament_id: str, number: int) -> AnyResponse:
        command = UndoPenalty(number, **attribution(hub))
        return carry_out(hub, tournament_id, command, "penalties.show")

    @views.post("/note")
    def note(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        number = entered(state, whole("entrant")).number
        text = request.form.get("note", "").strip()[:LONGEST_NOTE]
        hub.store.entrant_notes.keep(tournament_id, "note", {number: text})
        return back("penalties.show", tournament_id=tournament_id)

    return views


def lost_game(
    state: Tournament, number: int, round_number: int, game: int, said: Attribution
) -> CorrectResult:
    """The correction by which an entrant gave up a game of theirs.

    Raises:
        CommandRefusedError: they have no result of such a game.
    """
    played = state.rounds[round_number - 1] if 0 < round_number <= len(state.rounds) else None
    seats = None if played is None else played.draw.table_of(number)
    reported = seats and played and played.results.get((seats.number, game))
    if not reported or seats is None:
        raise CommandRefusedError(
            message(
                "{name} has no result of game {game} in round {round}:"
                " enter it first, as given up.",
                name=entered(state, number).name,
                game=game,
                round=round_number,
            )
        )
    scores = tuple(
        Score(number, fate="forfeit") if each.entrant == number else each
        for each in reported.result.scores
    )
    return CorrectResult(round_number, seats.number, game, GameScores(scores), **said)


def _points(kind: str) -> str:
    """The points that a penalty takes off. Raises FieldError."""
    if kind != "points":
        return "0"
    typed = request.form.get("points", "")
    try:
        read_points(typed)
    except NotationError as error:
        raise FieldError("points", error.message) from error
    return typed
