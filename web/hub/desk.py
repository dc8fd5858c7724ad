"""The director's desk: rounds proposed, drawn, started, closed, undone; the end of the event."""

from __future__ import annotations

import logging
from datetime import datetime, time
from typing import Final

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.model import proposed_draw, rounds
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.calls import CallMatch, TakeMatchBack
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.round_draw import drawn, due_matches, next_round
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish, PlayOff, Reopen
from scoreboard.tournament.model.tournament import ProposedRound
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
        return carry_out(hub, tournament_id, rounds.DrawByHand(parsed, **attribution(hub)))

    @views.post("/start", right="director", page="desk.show")
    def start(tournament_id: str) -> AnyResponse:
        state, now = hub.service.snapshot(tournament_id).state, hub.clock()
        minutes = state.format.round_minutes
        clock = [
            rounds.SetClock(
                state.drawn_round().number, rounds.SECONDS_A_MINUTE * minutes, running=True, at=now
            )
        ]
        give(hub, tournament_id, rounds.StartRound(), *(clock if minutes else ()))
        return back("desk.show", tournament_id=tournament_id)

    @views.post("/close", right="director", page="desk.show")
    def close(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, rounds.CloseRound())

    _add_changes_of_round(views, hub)
    return views


def _add_changes_of_round(views: Blueprint, hub: Hub) -> None:
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

    @views.post("/merge", right="director", page="desk.show")
    def merge(tournament_id: str) -> AnyResponse:
        command = rounds.MergeTables(whole("table"), whole("into"), **attribution(hub))
        return carry_out(hub, tournament_id, command)

    @views.post("/split", right="director", page="desk.show")
    def split(tournament_id: str) -> AnyResponse:
        leaving = wholes("leaving")
        command = rounds.SplitTable(whole("table"), leaving, whole("to"), **attribution(hub))
        return carry_out(hub, tournament_id, command)


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
        state, proposed = snapshot.state, snapshot.state.proposed
        if proposed is None:
            return back(
                "desk.show" if visitor(hub).directs else "results.show", tournament_id=tournament_id
            )
        return event_page(
            "proposed.html",
            snapshot,
            proposed=proposed,
            tables=proposed_draw.marked_tables(state, proposed.round.draw),
            missing=proposed_draw.missing(state, proposed.round.draw),
        )

    @views.post("", right="director", page="desk.show")
    def propose(tournament_id: str) -> AnyResponse:
        confirm_for_the_referee(hub.service.snapshot(tournament_id).state)
        command = proposed_draw.ProposeRound(hub.chance.randint(1, LARGEST_SEED))
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/change", right="director", page="proposed.show")
    def change(tournament_id: str) -> AnyResponse:
        before = _sent_about(hub, tournament_id)
        why = request.form.get("why", "")
        command = proposed_draw.ChangeProposed(before.round.number, changed_draw(before), why)
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/plan", right="director", page="proposed.show")
    def plan(tournament_id: str) -> AnyResponse:
        number = _sent_about(hub, tournament_id).round.number
        typed = request.form.get("at", "").strip()
        command = proposed_draw.PlanPublishing(
            number, time_today(typed, hub.clock()) if typed else None
        )
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/publish", right="director", page="proposed.show")
    def publish(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, proposed_draw.PublishRound(whole("round")))

    return views


def _sent_about(hub: Hub, tournament_id: str) -> ProposedRound:
    return proposed_draw.require_proposed(hub.service.snapshot(tournament_id).state, whole("round"))


def changed_draw(before: ProposedRound) -> Draw:
    """The draw after the form's change. Raises FieldError if it names no player for it."""
    draw = before.round.draw
    if request.form.get("do") == "undo":
        return before.earlier[-1] if before.earlier else draw
    chosen = [whole("chosen", each) for each in request.form.getlist("chosen")]
    strangers = [each for each in chosen if each not in draw.entrants]
    if request.form.get("do") == "swap":
        if len(chosen) != 2 or strangers:  # noqa: PLR2004 -- a swap is of two
            raise FieldError("chosen", message("Choose the two players who swap places."))
        return draw.swapped(*chosen)
    if not chosen or strangers:
        raise FieldError("chosen", message("Choose the players who move."))
    table = whole("table") if request.form.get("do") == "move" else 0
    for each in chosen:
        draw = draw.moved(each, table)
    return draw


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
            at = None if proposed is None else proposed.publish_at
            if proposed is not None and at is not None and at <= hub.clock():
                command = proposed_draw.PublishRound(proposed.round.number)
                hub.service.give(snapshot.header.tournament_id, command, PUBLISHER)
    except (CommandRefusedError, ConflictError) as error:
        LOG.info("A draw is published elsewhere or later: %s", error)
