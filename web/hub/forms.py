"""Submitted forms: read, carried out as commands, or shown again as they were filled in.

Nothing that was typed is lost when the hub refuses a command or asks for confirmation. A form's
hidden field `seen` is the version of the event, or of what it changes, on its page: of a second
press, a stale tab or a lost answer that is sent again only the first one counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, g, make_response, redirect, request, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError, NotationError, ScoreboardError
from scoreboard.message import Message, message
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.authority import Attribution
from scoreboard.tournament.model.tournament import Command, Round, Tournament
from scoreboard.tournament.protocol.audit_log import OutdatedError
from scoreboard.typed_numbers import MOST_DIGITS, plain_digits, typed_list, typed_number
from web.hub.access import visitor
from web.hub.hub import Hub, here
from web.hub.progress import for_the_referee
from web.shared.faults import asked_rule
from web.shared.security import READING_METHODS

CONFIRMED: Final = "confirmed"


class FieldError(NotationError):
    """The text in one field of a form cannot be read; `field` is its name."""

    def __init__(self, field: str, phrase: Message) -> None:
        super().__init__(phrase)
        self.field = field


class UnconfirmedError(ScoreboardError):
    """Something unusual needs confirmation first; `questions` describe it."""

    def __init__(self, questions: tuple[Message, ...]) -> None:
        super().__init__(questions[0])
        self.questions = questions


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form as submitted to `address` from the page `page`; false if there is none.

    `faults` are the reasons it was not carried out, `at` names the wrong field, if any; `questions`
    are asked if it would be.
    """

    address: str = ""
    page: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[Message, ...] = ()
    at: str = ""
    questions: tuple[Message, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.address)

    def value(self, name: str, default: object = "") -> object:
        return self.fields.get(name, "") if self else default

    def fault_at(self, name: str) -> Message | None:
        return self.faults[0] if self and self.at == name else None

    @property
    def answer(self) -> str:
        """The value that confirms exactly these questions; others are asked again."""
        return _answer(self.questions)


def sent_form(address: str = "", **marks: str) -> SentForm:
    """The form submitted to this address (any, if empty) with these field values."""
    sent: SentForm = g.get("sent_form", SentForm())
    marked = all(sent.fields.get(name, "") == value for name, value in marks.items())
    return sent if marked and address in {"", sent.address} else SentForm()


def confirm(*questions: Message) -> None:
    """Require that these questions are confirmed. Raises UnconfirmedError."""
    if questions and request.form.get(CONFIRMED) != _answer(questions):
        raise UnconfirmedError(questions)


def page_again(
    app: Flask, error: ScoreboardError, status: int, faults: tuple[Message, ...]
) -> Response | None:
    """The refused form's page, filled in as submitted; None if the form has no page."""
    rule = asked_rule()
    endpoint = None if rule is None else rule.page
    if endpoint is None or request.method != "POST" or not g.get("let_in", False):
        return None
    taken = next(app.url_map.iter_rules(endpoint)).arguments
    names = {name: value for name, value in (request.view_args or {}).items() if name in taken}
    g.sent_form = SentForm(
        address=here(),
        page=url_for(endpoint, **names),
        fields={key: value for key, value in request.form.items() if key != CONFIRMED},
        faults=faults,
        at=error.field if isinstance(error, FieldError) else "",
        questions=error.questions if isinstance(error, UnconfirmedError) else (),
    )
    page: Response | None = None
    with suppress(ScoreboardError, HTTPException):
        page = make_response(app.ensure_sync(app.view_functions[endpoint])(**names))
    if page is None or page.location:  # the page itself can't be shown any more
        del g.sent_form
        return None
    page.status_code = status
    return page


def newest_seen(hub: Hub, what: str, tournament_id: str) -> int | None:
    """The version of what a form must have seen newest; None for "nothing". Raises StoreError."""
    match what:
        case "nothing":
            return None
        case "messages":
            sent = hub.store.messages.of(tournament_id)
            return max((each.message_id for each in sent), default=0)
        case "events":
            return len(hub.store.tournaments.headers())
        case "seasons":
            return len(hub.store.players.seasons())
    return hub.service.snapshot(tournament_id).changes.official


def refuse_stale(app: Flask, hub: Hub) -> None:
    """Give the templates `seen(what)`, and refuse each form that saw something else."""

    @pass_context
    def seen(context: Context, what: str = "") -> Markup:
        """The hidden field: by the state on the page, not a newer one."""
        if what:
            newest = newest_seen(hub, what, context.get("id", ""))
        else:
            newest = context["snapshot"].changes.official
        return Markup('<input type="hidden" name="seen" value="{}">').format(newest)

    @app.before_request
    def check() -> None:
        rule = asked_rule()
        if rule is None or request.method in READING_METHODS or not g.get("let_in", False):
            return
        newest = newest_seen(hub, rule.seen, (request.view_args or {}).get("tournament_id", ""))
        saw = request.form.get("seen")
        if newest is None or saw is None:  # a director's script has no page and means what is now
            return
        if saw != str(newest):
            raise OutdatedError
        g.seen = newest  # checked again in one step with what is done: two may ask at once

    app.jinja_env.globals["seen"] = seen


def _answer(questions: tuple[Message, ...]) -> str:
    return sha256("\n".join(map(str, questions)).encode()).hexdigest()[:16]


def give(hub: Hub, tournament_id: str, *commands: Command, expected: int | None = None) -> None:
    """Carry the commands out as the visitor's, all or none. Raises as `give_all` of the service."""
    actor, seen = visitor(hub).actor, g.pop("seen", None)  # what follows has not been seen
    hub.service.give_all(tournament_id, commands, actor, expected, seen)


def carry_out(
    hub: Hub, tournament_id: str, command: Command, page: str = "desk.show", **values: Any
) -> AnyResponse:
    """Carry the command out as the visitor's, then lead to the page. Raises as `give` does."""
    give(hub, tournament_id, command)
    return back(page, tournament_id=tournament_id, **values)


def attribution(hub: Hub, why: str = "") -> Attribution:
    """Who does it, when, and why: as given, or in the form. Raises FieldError for no reason."""
    return {"by": visitor(hub).name, "at": hub.clock(), "why": why or reason()}


def reason() -> str:
    """The reason as typed. Raises FieldError if it is empty."""
    why = request.form.get("why", "").strip()
    if not why:
        raise FieldError("why", message("Say why, in a few words: the log keeps it."))
    return why


def one_line(name: str, most: int) -> str:
    """The text in a field, in one line. Raises FieldError if it is empty or longer than `most`."""
    typed = " ".join(request.form.get(name, "").split())
    if not 1 <= len(typed) <= most:
        raise FieldError(name, message("Write 1 to {most} characters.", most=most))
    return typed


@contextmanager
def in_field(name: str) -> Iterator[None]:
    """Report at this field what cannot be read. Raises FieldError for a NotationError."""
    try:
        yield
    except NotationError as error:
        raise FieldError(name, error.message) from error


def whole(name: str, text: str | None = None) -> int:
    """The whole number in a field, or in `text`. Raises FieldError if it is not a whole number."""
    typed = request.form.get(name, "") if text is None else text
    number = typed_number(typed)
    if number is None:
        fault = message("Enter a number in digits: “{typed}” is not one.", typed=typed.strip())
        if not typed.strip():
            fault = message("Enter a number here, in digits.")
        elif plain_digits(typed).strip().isdecimal():
            fault = message("That is too much: write at most {most}.", most=10**MOST_DIGITS - 1)
        raise FieldError(name, fault)
    return number


def wholes(name: str) -> tuple[int, ...]:
    """The whole numbers in a field, separated by blanks or commas. Raises FieldError."""
    typed = typed_list(" ".join(request.form.getlist(name)))
    return tuple(whole(name, each) for each in typed)


def require_last(snapshot: TournamentSnapshot, number: int) -> Round:
    """The last round, if the form is about it. Raises ConflictError if it is not any more."""
    last = snapshot.state.last_round
    if last is None or last.number != number:
        raise ConflictError.worded(
            "Check again: round {round} is no longer the last one.", round=number
        )
    return last


def confirm_for_the_referee(state: Tournament) -> None:
    """Confirm while results wait for the referee. Raises UnconfirmedError, which names them."""
    confirm(*(each.message for each in for_the_referee(state)))


def back(endpoint: str, **values: Any) -> AnyResponse:
    """Redirect to a page after a form was carried out."""
    return redirect(url_for(endpoint, **values), HTTPStatus.SEE_OTHER)
