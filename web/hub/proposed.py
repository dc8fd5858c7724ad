"""The proposed draw: reviewed, changed, and published at once or at a minute."""

from __future__ import annotations

import logging
from datetime import datetime, time
from typing import Final

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.proposed_draw import (
    ChangeProposed,
    PlanPublishing,
    ProposeRound,
    PublishRound,
    marked_tables,
    missing,
    require_proposed,
)
from scoreboard.tournament.model.tournament import ProposedRound
from scoreboard.tournament.protocol.audit_log import Actor
from web.hub.access import visitor
from web.hub.desk import LARGEST_SEED
from web.hub.forms import FieldError, back, carry_out, confirm_for_the_referee, whole
from web.hub.hub import Hub, event_page

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
            tables=marked_tables(state, proposed.round.draw),
            missing=missing(state, proposed.round.draw),
        )

    @views.post("", right="director", page="desk.show")
    def propose(tournament_id: str) -> AnyResponse:
        confirm_for_the_referee(hub.service.snapshot(tournament_id).state)
        command = ProposeRound(hub.chance.randint(1, LARGEST_SEED))
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/change", right="director", page="proposed.show")
    def change(tournament_id: str) -> AnyResponse:
        before = _sent_about(hub, tournament_id)
        why = request.form.get("why", "")
        command = ChangeProposed(before.round.number, changed_draw(before), why)
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/plan", right="director", page="proposed.show")
    def plan(tournament_id: str) -> AnyResponse:
        number = _sent_about(hub, tournament_id).round.number
        typed = request.form.get("at", "").strip()
        command = PlanPublishing(number, time_today(typed, hub.clock()) if typed else None)
        return carry_out(hub, tournament_id, command, "proposed.show")

    @views.post("/publish", right="director", page="proposed.show")
    def publish(tournament_id: str) -> AnyResponse:
        return carry_out(hub, tournament_id, PublishRound(whole("round")))

    return views


def _sent_about(hub: Hub, tournament_id: str) -> ProposedRound:
    """The proposed round that the form is about. Raises CommandRefusedError."""
    return require_proposed(hub.service.snapshot(tournament_id).state, whole("round"))


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
    """A time of today in this machine's time zone, from `HH:MM`.

    Raises:
        FieldError: it is no time, or it has passed.
    """
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
                command = PublishRound(proposed.round.number)
                hub.service.give(snapshot.header.tournament_id, command, PUBLISHER)
    except (CommandRefusedError, ConflictError) as error:
        LOG.info("A draw is published elsewhere or later: %s", error)
