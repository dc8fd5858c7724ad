"""What players do on the table page: every form of it becomes one request to the table."""

from __future__ import annotations

import re
from functools import partial
from http import HTTPStatus
from secrets import choice
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, jsonify, request

from hardware.errors import CameraError
from scoreboard.dice import FACES, Roll
from scoreboard.errors import NotationError
from scoreboard.games.engine.game import OfferKind
from scoreboard.message import message
from scoreboard.players import LONGEST_NAME, plain_text
from scoreboard.storage.profiles import shown_names
from scoreboard.table import requests
from scoreboard.table.requests import Action, Answer, Verdict
from vision.errors import PhotoError
from web.shared.security import LARGEST_PHOTO_BYTES, whole_number
from web.table.parts import STATUSES, Parts, StaleError, fault_answer, shown, step_of
from web.table.play.demo import is_show, open_show
from web.table.play.table_page import Showing

if TYPE_CHECKING:
    from hardware.cameras.phone import PhoneCamera


ADDED = "new"
NO_DIE = "none"


def act_views(showing: Showing) -> Blueprint:
    """Every changing request of the table page, and what it asks before some of them."""
    views, parts = Blueprint("acts", __name__), showing.parts
    for act in ACTS:  # each at the address of its name
        does, name = partial(act, showing), act.__name__
        views.add_url_rule(f"/{name}", name, does, methods=["POST"], right="player")
    for name in ("abandon", "join", "leave"):
        ask = partial(question, parts, f"{name}.html")
        views.add_url_rule(f"/{name}", f"ask_{name}", ask, right="player")

    @views.post("/games/<game_id>/steps/<int:number>/back", right="player")
    def back(game_id: str, number: int) -> Response:
        if parts.session.view.game_id != game_id:
            raise StaleError(f"{game_id} is not on the table any more.")
        return showing.submit(requests.StepsUndone(number, parts.expected()))

    return views


def question(parts: Parts, template: str, answer: Answer | None = None) -> Response:
    """The page that asks before an act, or for a name, with the fault of the last answer."""
    view = parts.session.view
    return shown(
        template,
        STATUSES[answer.verdict] if answer else None,
        view=view,
        run=parts.live.run,
        step=step_of(view),
        known=parts.store.profiles.all(),
        leavers=tuple(offer for offer in view.offers if OfferKind.LEAVE.is_kind_of(offer.key)),
        longest_name=LONGEST_NAME,
        fault=answer and answer.notice,
    )


def demo(showing: Showing) -> Response:
    """Begin the show again; the one before goes into the bin, where a night of them is kept."""
    parts, before = showing.parts, showing.parts.session.view
    if showing.extras.demo is None:
        abort(404)
    answer = parts.submit(open_show(parts.store, parts.clock()))
    if is_show(before) and before.game_id and before.stage == "finished":
        parts.submit(requests.GameDeleted(before.game_id))
    return showing.answer(answer)


def abandon(showing: Showing) -> Response:
    """Close the game."""
    return showing.submit(requests.GameAbandoned(showing.parts.expected()))


def join(showing: Showing) -> Response:
    """A player joins the game."""
    parts, typed = showing.parts, plain_text(request.form.get("name", ""))
    (name,) = shown_names((typed,), parts.known())
    answer = parts.submit(requests.PlayerJoined(name, parts.expected()))
    if answer.verdict not in {"done", "unchanged"}:
        return question(parts, "join.html", answer)
    parts.store.profiles.note((name,))
    return showing.answer(answer)


def leave(showing: Showing) -> Response:
    """A player leaves the game, by the offer of that."""
    parts, offer = showing.parts, request.form.get("offer", "")
    if not OfferKind.LEAVE.is_kind_of(offer):
        abort(400)
    answer = parts.submit(requests.Chosen(offer, parts.expected()))
    if answer.verdict in {"done", "unchanged"}:
        return showing.answer(answer)
    return question(parts, "leave.html", answer)


def press(showing: Showing) -> Response:
    """One of the three buttons."""
    action, parts = request.form.get("action", ""), showing.parts
    if action not in {known.value for known in Action}:
        abort(400)
    return showing.submit(requests.Pressed(Action(action), parts.clock(), parts.expected()))


def choose(showing: Showing) -> Response:
    """An offer, `score:chance`; an open one with what fills it, `foul:3=6` or in a field."""
    offer, _, tapped = request.form.get("offer", "").partition("=")
    filling = tapped or request.form.get("filling")
    return showing.submit(requests.Chosen(offer, showing.parts.expected(), filling))


def draw(showing: Showing) -> Response:
    """One of the offers whose keys begin with `among`, at random, as if it had been drawn."""
    among, view = request.form.get("among", ""), showing.parts.session.view
    drawn = [offer.key for offer in view.offers if among and offer.key.startswith(among)]
    if not drawn:
        abort(400)
    return showing.submit(requests.Chosen(choice(drawn), showing.parts.expected()))


def roll(showing: Showing) -> Response:
    """The whole roll, typed: `33516`, blanks between are fine."""
    expected = showing.parts.expected()
    try:
        typed = Roll.parse("".join(request.form.get("roll", "").split()))
    except NotationError as error:
        return showing.answer(Answer("refused", error.message))
    if not typed.faces:
        notice = message("Type what the dice show, one digit per die: 33516.")
        return showing.answer(Answer("refused", notice))
    return showing.submit(requests.Corrected(typed, expected))


def die(showing: Showing) -> Response:
    """One die of the reading: `2=5`, `2=none` where there is none, `new=5` for a missed one."""
    at, face = die_and_rest(request.form.get("die", ""))
    if face not in {NO_DIE, *map(str, FACES)}:
        abort(400)
    correct = None if face == NO_DIE else int(face)
    return showing.submit(requests.DieCorrected(at, correct, showing.parts.expected()))


def piece(showing: Showing) -> Response:
    """One of the pieces seen: `label=K7`, or `label=none` where there is none."""
    at, label = whole_number(request.form.get("piece", "")), request.form.get("label", "")
    if at is None or not label:
        abort(400)
    correct = None if label == NO_DIE else label
    return showing.submit(requests.PieceCorrected(at, correct, showing.parts.expected()))


def again(showing: Showing) -> Response:
    """Read the table again."""
    return showing.submit(requests.ReadAgain(showing.parts.expected()))


def keep(showing: Showing) -> Response:
    """One die is kept or not: `2=yes`."""
    at, kept = die_and_rest(request.form.get("keep", ""))
    if at is None or kept not in {"yes", "no"}:
        abort(400)
    return showing.submit(requests.KeepMarked(at, kept == "yes", showing.parts.expected()))


def photo(showing: Showing) -> Response:
    """A photo for the camera that waits for one."""
    uploads = showing.extras.camera.uploads
    if uploads is None:
        abort(404)
    request.max_content_length = LARGEST_PHOTO_BYTES

    # the form is parsed only when it is called: a flood's are refused unseen
    fault = uploads.take(lambda: request.files.get("photo"), request.remote_addr or "")
    verdict: Verdict = "refused" if fault else "done"
    return showing.answer(Answer(verdict, fault))


ACTS = (press, choose, draw, roll, die, piece, again, keep, photo, demo, abandon, join, leave)


def die_and_rest(text: str) -> tuple[int | None, str]:
    """Read `2=5`, `2=none` or `new=5`: the die's index, None for an added one, and the rest."""
    written, _, rest = text.partition("=")
    if written == ADDED:
        return None, rest
    at = whole_number(written)
    return abort(400) if at is None else (at, rest)


LARGEST_FRAME_BYTES: Final = 1024 * 1024
SENDER: Final = re.compile("[0-9-]{1,32}", re.ASCII)  # a device names itself, at random


def phone_views(showing: Showing, phone: PhoneCamera) -> Blueprint:
    """`/camera`, on which a phone becomes the table's camera, and `/camera/frame`.

    A frame names its exposure on the table's own clock: each answer gives the phone a mark of that
    clock, from which it counts on. So a delayed frame is known to be old.
    """
    views = Blueprint("phone", __name__, url_prefix="/camera")

    @views.get("", right="player")
    def show() -> Response:
        page = showing.page(template="camera.html")
        page.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
        return page

    @views.post("/frame", right="player")
    def take() -> Response:
        request.max_content_length = LARGEST_FRAME_BYTES
        sender, exposed = request.args.get("sender", ""), whole_number(request.args.get("at", ""))
        if exposed is None or not SENDER.fullmatch(sender):
            abort(HTTPStatus.BAD_REQUEST)
        take_over = request.args.get("instead") == "yes"
        try:
            phone.put(request.get_data(), sender, exposed / 1000, take_over=take_over)
        except CameraError as error:
            return fault_answer(HTTPStatus.CONFLICT, error.message)
        except PhotoError as error:
            return fault_answer(HTTPStatus.BAD_REQUEST, error.message)
        return jsonify(mark=int(phone.now() * 1000))

    return views
