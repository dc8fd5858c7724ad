"""Rounds: draw, seat by hand, start, close, take back; and tables merged and split."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from scoreboard.tournament.draw import Draw
from scoreboard.tournament.drawing import drawn, next_round
from scoreboard.tournament.orders import (
    CloseRound,
    DrawByHand,
    DrawRound,
    MergeTables,
    Replan,
    SplitTable,
    StartRound,
    UndoRound,
)
from web.hub.hub import Hub
from web.hub.views.giving import (
    Giving,
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
    giving = Giving(hub)
    _add_drawing(views, giving)
    _add_course(views, giving)
    _add_tables(views, giving)
    return views


def _add_drawing(views: Blueprint, giving: Giving) -> None:
    @views.post("/draw")
    def draw(tournament_id: str) -> Response:
        typed = request.form.get("seed", "").strip()
        confirm_for_the_referee(giving.look(tournament_id).state)
        seed = whole("seed") if typed else giving.hub.chance.randint(1, LARGEST_SEED)
        giving.give(tournament_id, DrawRound(seed))
        return back("desk.show", tournament_id=tournament_id)

    @views.get("/seats")
    def ask_seats(tournament_id: str) -> str:
        state = giving.look(tournament_id).state
        coming = next_round(state)
        proposal = drawn(state, coming, giving.hub.chance.randint(1, LARGEST_SEED))
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
        confirm_for_the_referee(giving.look(tournament_id).state)
        parsed = Draw.parse(" | ".join(line for line in lines if line.strip()))
        giving.give(tournament_id, DrawByHand(parsed, **giving.attribution()))
        return back("desk.show", tournament_id=tournament_id)


def _add_course(views: Blueprint, giving: Giving) -> None:
    @views.post("/start")
    def start(tournament_id: str) -> Response:
        giving.give(tournament_id, StartRound())
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/close")
    def close(tournament_id: str) -> Response:
        giving.give(tournament_id, CloseRound())
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/undo")
    def undo(tournament_id: str) -> Response:
        look = giving.look(tournament_id)
        require_last(look, whole("round"))
        order = UndoRound(**giving.attribution())
        giving.give(tournament_id, order, expected=look.version)
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/replan")
    def replan(tournament_id: str) -> Response:
        giving.give(tournament_id, Replan(whole("rounds"), **giving.attribution()))
        return back("desk.show", tournament_id=tournament_id)


def _add_tables(views: Blueprint, giving: Giving) -> None:
    @views.post("/merge")
    def merge(tournament_id: str) -> Response:
        order = MergeTables(whole("table"), whole("into"), **giving.attribution())
        giving.give(tournament_id, order)
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/split")
    def split(tournament_id: str) -> Response:
        leaving = wholes("leaving")
        order = SplitTable(whole("table"), leaving, whole("to"), **giving.attribution())
        giving.give(tournament_id, order)
        return back("desk.show", tournament_id=tournament_id)
