"""What players do on the table page: every form of it becomes one request to the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from secrets import choice
from typing import IO, TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, jsonify, render_template, request

from hardware.errors import CameraError
from scoreboard.dice import FACES, Roll
from scoreboard.errors import NotationError
from scoreboard.games.engine.game import OfferKind
from scoreboard.message import message
from scoreboard.players import LONGEST_NAME, plain_text
from scoreboard.storage.profiles import shown_names
from scoreboard.table.requests import (
    Action,
    Answer,
    Chosen,
    Corrected,
    DieCorrected,
    GameAbandoned,
    GameDeleted,
    KeepMarked,
    PieceCorrected,
    PlayerJoined,
    Pressed,
    ReadAgain,
    StepsUndone,
)
from vision.errors import PhotoError
from web.shared.security import LARGEST_PHOTO_BYTES, whole_number
from web.table.parts import STATUSES, Parts, StaleError, fault_answer, shown, step_of
from web.table.play.demo import is_show, open_show
from web.table.play.table_page import Showing

if TYPE_CHECKING:
    from hardware.cameras.phone import PhoneCamera


ADDED = "new"
NO_DIE = "none"


class NoPhotoError(Exception):
    """A form without the photo that it should send."""


def act_views(showing: Showing) -> Blueprint:
    """Every changing request of the table page."""
    views = Blueprint("acts", __name__)
    for name, act in ACTS.items():
        views.add_url_rule(
            f"/{name}", name, partial(act, showing), methods=["POST"], right="player"
        )
    _add_endings(views, showing)
    _add_people(views, showing)

    @views.post("/games/<game_id>/steps/<int:number>/back", right="player")
    def back(game_id: str, number: int) -> Response:
        parts = showing.parts
        if parts.session.view.game_id != game_id:
            raise StaleError(f"{game_id} is not on the table any more.")
        return showing.submit(StepsUndone(number, parts.expected()))

    return views


def _add_endings(views: Blueprint, showing: Showing) -> None:
    parts = showing.parts

    @views.post("/demo", right="player")
    def demo() -> Response:
        """Begin the show again; the one before goes into the bin, where a night of them is kept."""
        if showing.extras.demo is None:
            abort(404)
        before = parts.session.view
        answer = parts.submit(open_show(parts.store, parts.clock()))
        if is_show(before) and before.game_id and before.stage == "finished":
            parts.submit(GameDeleted(before.game_id))
        return showing.answer(answer)

    @views.get("/abandon", right="player")
    def ask_abandon() -> str:
        view = parts.session.view
        return render_template("abandon.html", view=view, run=parts.live.run, step=step_of(view))

    @views.post("/abandon", right="player")
    def abandon() -> Response:
        return showing.submit(GameAbandoned(parts.expected()))


def _add_people(views: Blueprint, showing: Showing) -> None:
    parts = showing.parts

    @views.get("/join", right="player")
    def ask_join() -> Response:
        return people_page(parts, "join.html")

    @views.post("/join", right="player")
    def join() -> Response:
        typed = plain_text(request.form.get("name", ""))
        (name,) = shown_names((typed,), parts.known())
        answer = parts.submit(PlayerJoined(name, parts.expected()))
        if answer.verdict not in {"done", "unchanged"}:
            return people_page(parts, "join.html", answer)
        parts.store.profiles.note((name,))
        return showing.answer(answer)

    @views.get("/leave", right="player")
    def ask_leave() -> Response:
        return people_page(parts, "leave.html")

    @views.post("/leave", right="player")
    def leave() -> Response:
        offer = request.form.get("offer", "")
        if not OfferKind.LEAVE.is_kind_of(offer):
            abort(400)
        answer = parts.submit(Chosen(offer, parts.expected()))
        if answer.verdict in {"done", "unchanged"}:
            return showing.answer(answer)
        return people_page(parts, "leave.html", answer)


def people_page(parts: Parts, template: str, answer: Answer | None = None) -> Response:
    """The question of who joins or leaves, with the fault of the last answer."""
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


def press(showing: Showing) -> Response:
    """One of the three buttons."""
    action = request.form.get("action", "")
    if action not in {known.value for known in Action}:
        abort(400)
    return showing.submit(Pressed(Action(action), showing.parts.clock(), showing.parts.expected()))


def choose(showing: Showing) -> Response:
    """An offer, `score:chance`; an open one with what fills it, `foul:3=6` or in a field."""
    offer, _, tapped = request.form.get("offer", "").partition("=")
    filling = tapped or request.form.get("filling")
    return showing.submit(Chosen(offer, showing.parts.expected(), filling))


def draw(showing: Showing) -> Response:
    """One of the offers whose keys begin with `among`, at random, as if it had been drawn."""
    among, view = request.form.get("among", ""), showing.parts.session.view
    drawn = [offer.key for offer in view.offers if among and offer.key.startswith(among)]
    if not drawn:
        abort(400)
    return showing.submit(Chosen(choice(drawn), showing.parts.expected()))


def enter_roll(showing: Showing) -> Response:
    """The whole roll, typed: `33516`, blanks between are fine."""
    expected = showing.parts.expected()
    try:
        roll = Roll.parse("".join(request.form.get("roll", "").split()))
    except NotationError as error:
        return showing.answer(Answer("refused", error.message))
    if not roll.faces:
        notice = message("Type what the dice show, one digit per die: 33516.")
        return showing.answer(Answer("refused", notice))
    return showing.submit(Corrected(roll, expected))


def correct_die(showing: Showing) -> Response:
    """One die of the reading: `2=5`, `2=none` where there is none, `new=5` for a missed one."""
    die, face = die_and_rest(request.form.get("die", ""))
    return showing.submit(DieCorrected(die, parsed_face(face), showing.parts.expected()))


def correct_piece(showing: Showing) -> Response:
    """One of the pieces seen: `label=K7`, or `label=none` where there is none."""
    piece, label = whole_number(request.form.get("piece", "")), request.form.get("label", "")
    if piece is None or not label:
        abort(400)
    correct = None if label == NO_DIE else label
    return showing.submit(PieceCorrected(piece, correct, showing.parts.expected()))


def read_again(showing: Showing) -> Response:
    """Read the table again."""
    return showing.submit(ReadAgain(showing.parts.expected()))


def mark_kept(showing: Showing) -> Response:
    """One die is kept or not: `2=yes`."""
    die, kept = die_and_rest(request.form.get("keep", ""))
    if die is None or kept not in {"yes", "no"}:
        abort(400)
    return showing.submit(KeepMarked(die, kept == "yes", showing.parts.expected()))


def send_photo(showing: Showing) -> Response:
    """A photo for the camera that waits for one."""
    uploads = showing.extras.camera.uploads
    if uploads is None:
        abort(404)
    request.max_content_length = LARGEST_PHOTO_BYTES

    def sent() -> IO[bytes]:  # the form is parsed only here: a flood's are refused unseen
        photo = request.files.get("photo")
        if not photo:
            raise NoPhotoError
        return photo.stream

    try:
        fault = uploads.take(sent, request.remote_addr or "")
    except NoPhotoError:
        fault = message("Choose a photo first.")
    return showing.answer(Answer("refused" if fault else "done", fault))


ACTS: Final[Mapping[str, Callable[[Showing], Response]]] = {
    "press": press,
    "choose": choose,
    "draw": draw,
    "roll": enter_roll,
    "die": correct_die,
    "piece": correct_piece,
    "again": read_again,
    "keep": mark_kept,
    "photo": send_photo,
}


def die_and_rest(text: str) -> tuple[int | None, str]:
    """Read `2=5`, `2=none` or `new=5`: the die's index, None for an added one, and the rest."""
    written, _, rest = text.partition("=")
    if written == ADDED:
        return None, rest
    die = whole_number(written)
    return abort(400) if die is None else (die, rest)


def parsed_face(text: str) -> int | None:
    """A face from 1 to 6, None for no die."""
    if text == NO_DIE:
        return None
    if text not in {str(face) for face in FACES}:
        abort(400)
    return int(text)


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
