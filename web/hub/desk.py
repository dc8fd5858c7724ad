"""The director's desk: rounds proposed, drawn, started, closed, undone; the end of the event."""

from __future__ import annotations

import logging
from datetime import datetime, time
from itertools import count
from typing import Final

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.model import proposed_draw, rounds
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.calls import CallMatch, TakeMatchBack
from scoreboard.tournament.model.draw import OUT, Draw
from scoreboard.tournament.model.round_draw import due_matches
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff, Reopen
from scoreboard.tournament.model.tournament import Command, Round, Tournament
from scoreboard.tournament.protocol.audit_log import Actor
from web.hub.access import visitor
from web.hub.entries import presence_of
from web.hub.forms import (
    FieldError,
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
    """`/e/<id>/desk`, and the calls of a knockout's matches."""
    views = Blueprint("desk", __name__, url_prefix="/e/<tournament_id>")

    @views.get("/desk", right="director")
    def show(tournament_id: str) -> str:
        return desk_part(hub, tournament_id, "desk.html")

    @views.post("/calls", right="director", page="desk.show", seen="nothing")
    def call(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, CallMatch(wholes("seats"), whole("table")))

    @views.post("/calls/take-back", right="director", page="desk.show")
    def take_back(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, TakeMatchBack(whole("table"), **attribution(hub)))

    return views


def desk_part(hub: Hub, tournament_id: str, template: str) -> str:
    """The desk, or a part that changes while it is watched, of the desk or above the results."""
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
        return carry_out(hub, tournament_id, rounds.DrawRound(seed))

    @views.post("/start", right="director", page="desk.show")
    def start(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        seconds = rounds.SECONDS_A_MINUTE * state.format.round_minutes
        clock = rounds.SetClock(state.drawn_round().number, seconds, running=True, at=hub.clock())
        give(hub, tournament_id, rounds.StartRound(), *([clock] if seconds else ()))
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/close", right="director", page="desk.show")
    def close(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, rounds.CloseRound())

    @views.post("/undo", right="director", page="desk.show")
    def undo(tournament_id: str) -> AnyResponse:
        snapshot = hub.service.snapshot(tournament_id)
        require_last(snapshot, whole("round"))
        command = rounds.UndoRound(**attribution(hub))
        give(hub, tournament_id, command, expected=snapshot.version)
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/replan", right="director", page="desk.show")
    def replan(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, rounds.Replan(whole("rounds"), **attribution(hub)))

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


LOG: Final = logging.getLogger(__name__)
PUBLISHER: Final = Actor("hub", "hub")


def proposed_views(hub: Hub) -> Blueprint:
    """`/e/<id>/proposed`."""
    views = Blueprint("proposed", __name__, url_prefix="/e/<tournament_id>/proposed")

    @views.get("", right="referee")
    def show(tournament_id: str) -> AnyResponse | str:
        snapshot = hub.service.snapshot(tournament_id)
        state, coming = snapshot.state, proposed_draw.on_board(snapshot.state)
        if coming is None or not (state.proposed or "round" in request.values):
            page = "desk.show" if visitor(hub).directs else "results.show"
            return back(page, tournament_id=tournament_id)
        taken = {table.number for table in coming.draw.tables}
        return event_page(
            "proposed.html",
            snapshot,
            coming=coming,
            proposed=state.proposed,
            tables=proposed_draw.marked_tables(state, coming),
            past=proposed_draw.before_round(state, coming.number),
            most=proposed_draw.most_seats(state),
            new_table=next(each for each in count(1) if each not in taken),
        )

    @views.post("", right="director", page="desk.show")
    def propose(tournament_id: str) -> AnyResponse:
        confirm_for_the_referee(hub.service.snapshot(tournament_id).state)
        command = proposed_draw.ProposeRound(hub.chance.randint(1, LARGEST_SEED))
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/change", right="director", page="proposed.show")
    def change(tournament_id: str) -> AnyResponse:
        state, why = hub.service.snapshot(tournament_id).state, request.form.get("why", "")
        coming = proposed_draw.require_on_board(state, whole("round"))
        draw = changed_draw(state, coming)
        if state.proposed is None:
            command: Command = proposed_draw.ChangeTables(draw, **attribution(hub))
        else:
            command = proposed_draw.ChangeProposed(coming.number, draw, why)
        return carry_out(hub, tournament_id, command, "proposed.show", round=coming.number)

    @views.post("/plan", right="director", page="proposed.show")
    def plan(tournament_id: str) -> AnyResponse:
        typed = request.form.get("at", "").strip()
        at = time_today(typed, hub.clock()) if typed else None
        command = proposed_draw.PlanPublishing(whole("round"), at)
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/publish", right="director", page="proposed.show")
    def publish(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, proposed_draw.PublishRound(whole("round")))

    return views


def changed_draw(state: Tournament, coming: Round) -> Draw:
    """The draw after the form's change. Raises FieldError if it names no player for it."""
    draw, act = coming.draw, request.form.get("do", "").split()
    if act[:1] == ["undo"] and state.proposed is not None:
        return next(reversed(state.proposed.earlier), draw)
    if act[:1] == ["remove"]:
        kept = [each.number for each in draw.tables if coming.has_result(each.number)]
        return draw.dissolved(whole("do", act[-1]), proposed_draw.most_seats(state), kept)
    chosen = [whole("chosen", each) for each in request.form.getlist("chosen")]
    if act == ["swap"]:
        if len(chosen) != 2:  # noqa: PLR2004 -- a swap is of two
            raise FieldError("chosen", message("Choose the two players who swap places."))
        return draw.swapped(*chosen)
    if not chosen:
        raise FieldError("chosen", message("Choose the players who move."))
    return draw.moved(chosen, OUT if request.form.get("to") == "out" else whole("to"))


def time_today(typed: str, now: datetime) -> datetime:
    """A time of today, `HH:MM` here. Raises FieldError if it is none or has passed."""
    try:
        chosen = time.fromisoformat(typed)
    except ValueError as error:
        raise FieldError("at", message("Enter a time as 19:30.")) from error
    here = now.astimezone()
    at = datetime.combine(here, chosen, here.tzinfo)
    if at <= here:
        raise FieldError("at", message("{time} has passed: choose a later time.", time=typed))
    return at.astimezone(now.tzinfo)


def publish_due(hub: Hub) -> None:
    """Publish every proposed draw whose time has come.

    Of several processes the first one publishes. Raises StoreError; the next call publishes then.
    """
    try:
        for snapshot in hub.service.tournaments(unfinished=True):
            proposed = snapshot.state.proposed
            if proposed and proposed.publish_at and proposed.publish_at <= hub.clock():
                command = proposed_draw.PublishRound(proposed.round.number)
                hub.service.give(snapshot.header.tournament_id, command, PUBLISHER)
    except (CommandRefusedError, ConflictError) as error:
        LOG.info("A draw is published elsewhere or later: %s", error)
