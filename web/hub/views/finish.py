"""What ends a stage or an event: the cut, play-offs and lots, the end and its taking back."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff, Reopen
from web.hub.hub import Hub
from web.hub.views.command_form import CommandForm, back, confirm_for_the_referee, wholes
from web.hub.views.rounds import LARGEST_SEED


def ending_views(hub: Hub) -> Blueprint:
    """`/e/<id>/cut` and what belongs to it."""
    views = Blueprint("ending", __name__, url_prefix="/e/<tournament_id>")
    command_form = CommandForm(hub)
    _add_decisions(views, command_form)
    _add_end(views, command_form)
    return views


def _add_decisions(views: Blueprint, command_form: CommandForm) -> None:
    @views.post("/cut")
    def cut(tournament_id: str) -> Response:
        confirm_for_the_referee(command_form.snapshot(tournament_id).state)
        command_form.give(tournament_id, Cut())
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/lot")
    def lot(tournament_id: str) -> Response:
        seed = command_form.hub.chance.randint(1, LARGEST_SEED)
        command_form.give(tournament_id, DrawLot(seed, wholes("entrants")))
        return back("event.standings", tournament_id=tournament_id)

    @views.post("/play-off")
    def play_off(tournament_id: str) -> Response:
        command_form.give(tournament_id, PlayOff(wholes("order"), **command_form.attribution()))
        return back("event.standings", tournament_id=tournament_id)


def _add_end(views: Blueprint, command_form: CommandForm) -> None:
    @views.post("/finish")
    def finish(tournament_id: str) -> Response:
        confirm_for_the_referee(command_form.snapshot(tournament_id).state)
        command_form.give(tournament_id, Finish())
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/reopen")
    def reopen(tournament_id: str) -> Response:
        command_form.give(tournament_id, Reopen(**command_form.attribution()))
        return back("desk.show", tournament_id=tournament_id)
