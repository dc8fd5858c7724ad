"""Announcements in a hall: the round's clock, and messages to everybody, a table or a player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, g, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import message
from scoreboard.tournament.model.rounds import SECONDS_A_MINUTE, SetClock
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.storage.unrecorded import EVERYBODY, NEWEST_NEWS, HubMessage
from web.hub.access import visitor
from web.hub.forms import FieldError, back, carry_out, one_line, whole
from web.hub.hub import Hub, event_page

LONGEST_TEXT: Final = 200
READY_MADE: Final = (
    message("Please come to the desk."),
    message("The referee is on the way."),
    message("The next round starts in five minutes."),
    message("There is a break of fifteen minutes."),
)


def clock_views(hub: Hub) -> Blueprint:
    """`/e/<id>/clock`."""
    views = Blueprint("round_clock", __name__, url_prefix="/e/<tournament_id>/clock")

    @views.get("", right="viewer")
    def show(tournament_id: str) -> ResponseReturnValue:
        return jsonify(clock_document(hub, hub.service.snapshot(tournament_id).state))

    @views.post("", right="referee", page="results.show")
    def change(tournament_id: str) -> AnyResponse:
        """Set, pause and resume; and give minutes to a clock that has less than it needs."""
        state = hub.service.snapshot(tournament_id).state
        played, clock, now = state.drawn_round(), state.round_clock, hub.clock()
        left, running = (0, False) if clock is None else (clock.left_at(now), clock.running)
        match request.form.get("act"):
            case "set":
                left, running = SECONDS_A_MINUTE * whole("minutes"), True
            case "add":
                left += SECONDS_A_MINUTE * whole("minutes")
            case act:
                running = act == "resume"
        page = "desk.show" if visitor(hub).directs else "results.show"
        return carry_out(hub, tournament_id, SetClock(played.number, left, running, now), page)

    return views


def clock_document(hub: Hub, state: Tournament) -> dict[str, Any]:
    """The clock for scripts: seconds left by the hub's time, and whether it runs."""
    clock = state.round_clock
    if clock is None:
        return {"stamp": "", "left": 0, "running": False}
    # changes with every change of the clock
    stamp = f"{clock.round}/{clock.left}/{int(clock.running)}/{clock.at.isoformat()}"
    return {"stamp": stamp, "left": clock.left_at(hub.clock()), "running": clock.running}


def message_views(hub: Hub) -> Blueprint:
    """`/e/<id>/messages`."""
    views = Blueprint("messages", __name__, url_prefix="/e/<tournament_id>/messages")

    @views.get("", right="referee")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        last, clock = snapshot.state.last_round, clock_document(hub, snapshot.state)
        return event_page("messages.html", snapshot, last=last, clock=clock)

    @views.post("", right="referee", page="messages.show", seen="messages")
    def send(tournament_id: str) -> AnyResponse:
        addressee = _addressee(hub.service.snapshot(tournament_id).state)
        text, by = one_line("text", LONGEST_TEXT), visitor(hub).name
        messages, seen = hub.store.messages, g.get("seen")
        messages.send(tournament_id, addressee, text, hub.clock(), by, seen=seen)
        return back_to_messages(hub, tournament_id)

    @views.post("/<int:message_id>/away", right="referee", page="messages.show", seen="nothing")
    def take_away(tournament_id: str, message_id: int) -> AnyResponse:
        hub.service.snapshot(tournament_id)  # or there is no such event
        hub.store.messages.take_away(tournament_id, message_id)
        return back_to_messages(hub, tournament_id)

    return views


def back_to_messages(hub: Hub, tournament_id: str) -> AnyResponse:
    """Lead a director to the desk, which has the messages too, and a referee to their page."""
    if visitor(hub).directs:
        return back("desk.show", tournament_id=tournament_id, _anchor="messages")
    return back("messages.show", tournament_id=tournament_id)


def _addressee(state: Tournament) -> str:
    chosen = request.form.get("to", EVERYBODY)
    tables = (f"table {number}" for number in current_tables(state))
    players = (f"player {number}" for number in state.numbers)
    if chosen not in {EVERYBODY, *tables, *players}:
        raise FieldError("to", message("Choose again: the event has changed since."))
    return chosen


def current_tables(state: Tournament) -> tuple[int, ...]:
    """The numbers of all tables that are played at now."""
    draws = (played.draw for played in state.current_rounds)
    return tuple(sorted({table.number for draw in draws for table in draw.tables}))


def _table_of(state: Tournament, entrant: int) -> int | None:
    played = state.round_of(entrant)
    seated = None if played is None else played.draw.table_of(entrant)
    return None if seated is None else seated.number


def addressed(state: Tournament, sent: HubMessage) -> tuple[int, ...]:
    """The entrants whom a message is for now."""
    return tuple(each for each in state.present if sent.is_for(each, _table_of(state, each)))


def announcements(hub: Hub, tournament_id: str) -> tuple[HubMessage, ...]:
    """The messages on the board: those to everybody, newest first."""
    return tuple(each for each in _news(hub, tournament_id) if each.addressee == EVERYBODY)


def own_messages(hub: Hub, tournament_id: str, entrant: int) -> tuple[HubMessage, ...]:
    """A player's messages that they have not dismissed, newest first."""
    table = _table_of(hub.service.snapshot(tournament_id).state, entrant)
    news = _news(hub, tournament_id)
    return tuple(each for each in news if each.is_for(entrant, table) and entrant not in each.seen)


def _news(hub: Hub, tournament_id: str) -> Iterator[HubMessage]:
    """The messages of today, newest first."""
    sent, now = hub.store.messages.of(tournament_id), hub.clock()
    return (each for each in sent if now - each.sent_at < NEWEST_NEWS)


def news_stamps(hub: Hub, tournament_id: str) -> str:
    """The last changes by addressee, in one line: pages of players reload when it changes.

    It has numbers only, never a text: all players of an event get the same line.
    """
    state = hub.service.snapshot(tournament_id).state
    one_by_one, clock = state.stage_format.calls_matches, clock_document(hub, state)["stamp"]
    sent = ",".join(str(each.message_id) for each in hub.store.messages.of(tournament_id))
    rounds = state.current_rounds
    drawn = (f"{each.number} {each.phase} {each.draw if one_by_one else ''}" for each in rounds)
    return "|".join([sent, clock, *drawn])
