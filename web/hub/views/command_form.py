"""How the pages give orders: as whoever is signed in, with the reason that was typed."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Any, TypedDict

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from scoreboard.errors import ConflictError
from scoreboard.message import Message, message
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.tournament import Command, Round, Tournament
from web.hub.hub import Hub
from web.hub.rows import for_the_referee
from web.hub.sent_form import FieldError, confirm
from web.hub.visitors import visitor


class Attribution(TypedDict):
    """Who, when and why."""

    by: str
    at: datetime
    why: str


class CommandForm:
    """What every page that changes something needs."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub

    def snapshot(self, tournament_id: str) -> TournamentSnapshot:
        """Where a tournament stands now. Raises UnknownTournamentError."""
        return self.hub.service.snapshot(tournament_id)

    def give(self, tournament_id: str, *commands: Command, expected: int | None = None) -> None:
        """Carry the orders out as the visitor's, all or none; raises as HubDesk.give_all does."""
        self.hub.service.give_all(tournament_id, commands, visitor(self.hub).actor, expected)

    def attribution(self) -> Attribution:
        """Who does it, when, and why, as the form says.

        Raises:
            FieldError: the form gives no reason.
        """
        return {"by": visitor(self.hub).name, "at": self.hub.clock(), "why": reason()}


def reason() -> str:
    """Why something is done, as typed. Raises FieldError where nothing was."""
    why = request.form.get("why", "").strip()
    if not why:
        raise FieldError("why", message("Say why, in a few words: the record keeps it."))
    return why


def whole(name: str, text: str | None = None) -> int:
    """A whole number from a field of the form, or from its text.

    Raises:
        FieldError: there is none.
    """
    typed = request.form.get(name, "") if text is None else text
    try:
        return int(typed.strip())
    except ValueError as error:
        raise FieldError(name, _no_number(typed.strip())) from error


def _no_number(typed: str) -> Message:
    if not typed:
        return message("A number is missing here: write it in figures.")
    return message("“{typed}” is no number: write it in figures.", typed=typed)


def wholes(name: str) -> tuple[int, ...]:
    """All whole numbers in a field, with blanks or commas between. Raises FieldError."""
    typed = " ".join(request.form.getlist(name)).replace(",", " ")
    return tuple(whole(name, each) for each in typed.split())


def require_last(snapshot: TournamentSnapshot, number: int) -> Round:
    """The last round, where it is the one that the form is about.

    Raises:
        ConflictError: another round was drawn, or it was taken back, since the form was shown.
    """
    last = snapshot.state.last_round
    if last is None or last.number != number:
        raise ConflictError(
            message("Round {round} is not the last one any more: look again.", round=number)
        )
    return last


def confirm_for_the_referee(state: Tournament) -> None:
    """Ask before somebody builds on results that wait for the referee.

    Raises:
        UnconfirmedError: there are such, each of which it names.
    """
    confirm(*(each.told for each in for_the_referee(state)))


def back(endpoint: str, **values: Any) -> Response:
    """Go on to a page after something was done."""
    return redirect(url_for(endpoint, **values), HTTPStatus.SEE_OTHER)
