"""Rounds: draw, seat by hand, start, close, take back; and tables merged and split."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.round_draw import drawn, next_round
from scoreboard.tournament.model.rounds import (
    CloseRound,
    DrawByHand,
    DrawRound,
    Replan,
    StartRound,
    UndoRound,
)
from scoreboard.tournament.model.tables import MergeTables, SplitTable
from web.hub.hub import Hub
from web.hub.views.command_form import (
    CommandForm,
    back,
    confirm_for_the_referee,
    require_last,
    whole,
    wholes,
)

LARGEST_SEED = 999_999


def round_views(hub: Hub) -> Blueprint:
    """`/e/<id>/rounds`."""
    views = Blueprint("rounds", __name__, url_prefix="/e/<tournament_id>/rounds")
    command_form = CommandForm(hub)
    _add_drawing(views, command_form)
    _add_course(views, command_form)
    _add_tables(views, command_form)
    return views


def _add_drawing(views: Blueprint, command_form: CommandForm) -> None:
    @views.post("/draw")
    def draw(tournament_id: str) -> Response:
        typed = request.form.get("seed", "").strip()
        confirm_for_the_referee(command_form.snapshot(tournament_id).state)
        seed = whole("seed") if typed else command_form.hub.chance.randint(1, LARGEST_SEED)
        command_form.give(tournament_id, DrawRound(seed))
        return back("desk.show", tournament_id=tournament_id)

    @views.get("/seats")
    def ask_seats(tournament_id: str) -> str:
        state = command_form.snapshot(tournament_id).state
        coming = next_round(state)
        proposal = drawn(state, coming, command_form.hub.chance.randint(1, LARGEST_SEED))
        return render_template(
            "seats.html",
            state=state,
            tournament_id=tournament_id,
            number=coming.number,
            text="\n".join(str(proposal).split(" | ")),
        )

    @views.post("/seats")
    def seat(tournament_id: str) -> Response:
        lines = request.form.get("draw", "").splitlines()
        confirm_for_the_referee(command_form.snapshot(tournament_id).state)
        parsed = Draw.parse(" | ".join(line for line in lines if line.strip()))
        command_form.give(tournament_id, DrawByHand(parsed, **command_form.attribution()))
        return back("desk.show", tournament_id=tournament_id)


def _add_course(views: Blueprint, command_form: CommandForm) -> None:
    @views.post("/start")
    def start(tournament_id: str) -> Response:
        command_form.give(tournament_id, StartRound())
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/close")
    def close(tournament_id: str) -> Response:
        command_form.give(tournament_id, CloseRound())
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/undo")
    def undo(tournament_id: str) -> Response:
        snapshot = command_form.snapshot(tournament_id)
        require_last(snapshot, whole("round"))
        command = UndoRound(**command_form.attribution())
        command_form.give(tournament_id, command, expected=snapshot.version)
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/replan")
    def replan(tournament_id: str) -> Response:
        command_form.give(tournament_id, Replan(whole("rounds"), **command_form.attribution()))
        return back("desk.show", tournament_id=tournament_id)


def _add_tables(views: Blueprint, command_form: CommandForm) -> None:
    @views.post("/merge")
    def merge(tournament_id: str) -> Response:
        command = MergeTables(whole("table"), whole("into"), **command_form.attribution())
        command_form.give(tournament_id, command)
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/split")
    def split(tournament_id: str) -> Response:
        leaving = wholes("leaving")
        command = SplitTable(whole("table"), leaving, whole("to"), **command_form.attribution())
        command_form.give(tournament_id, command)
        return back("desk.show", tournament_id=tournament_id)
