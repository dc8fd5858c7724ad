"""The director's desk: every round drawn, started, closed or undone, and the end of the event."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.tournament.model.calls import CallMatch, TakeMatchBack
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.round_draw import drawn, due_matches, next_round
from scoreboard.tournament.model.rounds import (
    SECONDS_A_MINUTE,
    CloseRound,
    DrawByHand,
    DrawRound,
    MergeTables,
    Replan,
    SetClock,
    SplitTable,
    StartRound,
    UndoRound,
)
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff, Reopen
from web.hub.check_in import presence_of
from web.hub.forms import (
    attribution,
    back,
    carry_out,
    confirm_for_the_referee,
    give,
    require_last,
    whole,
    wholes,
)
from web.hub.hall import clock_document
from web.hub.hub import Hub, event_page
from web.hub.progress import for_the_referee, next_step, rows_of_round

LARGEST_SEED: Final = 999_999


def desk_views(hub: Hub) -> Blueprint:
    """`/e/<id>/desk`."""
    views = Blueprint("desk", __name__, url_prefix="/e/<tournament_id>/desk")

    @views.get("", right="director")
    def show(tournament_id: str) -> str:
        return _desk(hub, tournament_id, "desk.html")

    return views


def desk_live(hub: Hub, tournament_id: str) -> str:
    """Render the part of the desk that changes while it is watched."""
    return _desk(hub, tournament_id, "desk_live.html")


def _desk(hub: Hub, tournament_id: str, template: str) -> str:
    snapshot = hub.service.snapshot(tournament_id)
    state = snapshot.state
    return event_page(
        template,
        snapshot,
        step=next_step(state),
        last=state.last_round,
        tables=[(each, rows_of_round(hub, snapshot, each)) for each in state.current_rounds],
        due=due_matches(state),
        waiting=for_the_referee(state),
        presence=presence_of(hub, tournament_id, state),
        clock=clock_document(hub, state),
        told_again=hub.table_api.told_again(tournament_id),
    )


def round_views(hub: Hub) -> Blueprint:
    """`/e/<id>/rounds`."""
    views = Blueprint("rounds", __name__, url_prefix="/e/<tournament_id>/rounds")

    @views.post("/draw", right="director", page="desk.show")
    def draw(tournament_id: str) -> AnyResponse:
        typed = request.form.get("seed", "").strip()
        confirm_for_the_referee(hub.service.snapshot(tournament_id).state)
        seed = whole("seed") if typed else hub.chance.randint(1, LARGEST_SEED)
        return carry_out(hub, tournament_id, DrawRound(seed))

    @views.get("/seats", right="director")
    def ask_seats(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        coming = next_round(snapshot.state)
        proposal = drawn(snapshot.state, coming, hub.chance.randint(1, LARGEST_SEED))
        text = str(proposal).replace(" | ", "\n")
        return event_page("seats.html", snapshot, number=coming.number, text=text)

    @views.post("/seats", right="director", page="rounds.ask_seats")
    def seat(tournament_id: str) -> AnyResponse:
        lines = request.form.get("draw", "").splitlines()
        confirm_for_the_referee(hub.service.snapshot(tournament_id).state)
        parsed = Draw.parse(" | ".join(line for line in lines if line.strip()))
        return carry_out(hub, tournament_id, DrawByHand(parsed, **attribution(hub)))

    @views.post("/start", right="director", page="desk.show")
    def start(tournament_id: str) -> AnyResponse:
        state, now = hub.service.snapshot(tournament_id).state, hub.clock()
        minutes = state.format.round_minutes
        clock = [
            SetClock(state.drawn_round().number, SECONDS_A_MINUTE * minutes, running=True, at=now)
        ]
        give(hub, tournament_id, StartRound(), *(clock if minutes else ()))
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/close", right="director", page="desk.show")
    def close(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, CloseRound())

    _add_changes_of_round(views, hub)
    return views


def _add_changes_of_round(views: Blueprint, hub: Hub) -> None:
    @views.post("/undo", right="director", page="desk.show")
    def undo(tournament_id: str) -> AnyResponse:
        snapshot = hub.service.snapshot(tournament_id)
        require_last(snapshot, whole("round"))
        command = UndoRound(**attribution(hub))
        give(hub, tournament_id, command, expected=snapshot.version)
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/replan", right="director", page="desk.show")
    def replan(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, Replan(whole("rounds"), **attribution(hub)))

    @views.post("/merge", right="director", page="desk.show")
    def merge(tournament_id: str) -> AnyResponse:
        command = MergeTables(whole("table"), whole("into"), **attribution(hub))
        return carry_out(hub, tournament_id, command)

    @views.post("/split", right="director", page="desk.show")
    def split(tournament_id: str) -> AnyResponse:
        leaving = wholes("leaving")
        command = SplitTable(whole("table"), leaving, whole("to"), **attribution(hub))
        return carry_out(hub, tournament_id, command)


def call_views(hub: Hub) -> Blueprint:
    """`/e/<id>/calls`."""
    views = Blueprint("calls", __name__, url_prefix="/e/<tournament_id>/calls")

    @views.post("", right="director", page="desk.show")
    def call(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, CallMatch(wholes("seats"), whole("table")))

    @views.post("/take-back", right="director", page="desk.show")
    def take_back(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, TakeMatchBack(whole("table"), **attribution(hub)))

    return views


def ending_views(hub: Hub) -> Blueprint:
    """`/e/<id>/cut` and what belongs to it."""
    views = Blueprint("ending", __name__, url_prefix="/e/<tournament_id>")

    @views.post("/cut", right="director", page="desk.show")
    def cut(tournament_id: str) -> AnyResponse:
        confirm_for_the_referee(hub.service.snapshot(tournament_id).state)
        return carry_out(hub, tournament_id, Cut())

    @views.post("/lot", right="referee", page="event.standings")
    def lot(tournament_id: str) -> AnyResponse:
        seed = hub.chance.randint(1, LARGEST_SEED)
        return carry_out(hub, tournament_id, DrawLot(seed, wholes("entrants")), "event.standings")

    @views.post("/play-off", right="referee", page="event.standings")
    def play_off(tournament_id: str) -> AnyResponse:
        command = PlayOff(wholes("order"), **attribution(hub))
        return carry_out(hub, tournament_id, command, "event.standings")

    @views.post("/finish", right="director", page="desk.show")
    def finish(tournament_id: str) -> AnyResponse:
        confirm_for_the_referee(hub.service.snapshot(tournament_id).state)
        return carry_out(hub, tournament_id, Finish())

    @views.post("/reopen", right="director", page="desk.show")
    def reopen(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, Reopen(**attribution(hub)))

    return views
