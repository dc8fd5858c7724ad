"""The pages of games: set up, play again, resume, export, delete, take back, and end early."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final, cast, get_args

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import OfferKind
from scoreboard.message import Message, message
from scoreboard.players import LONGEST_NAME, player_names
from scoreboard.table.requests import (
    Answer,
    Chosen,
    GameAbandoned,
    GameDeleted,
    GameOpened,
    GameResumed,
    GameTakenBack,
)
from web.security import whole_number
from web.table.archive import BIN_STAY, ExportFormat, GameSummary
from web.table.table_page import STATUSES, Showing, StaleError, Table, step_of

STATES: Final = {
    "on the table": message("on the table"),
    "unfinished": message("unfinished"),
    "abandoned": message("closed"),
    "finished": message("finished"),
    "damaged": message("cannot be read"),
}
EXPORTS: Final = {
    "txt": "text/plain",
    "json": "application/json",
    "csv": "text/csv",
    "steps.csv": "text/csv",
    "raw": "text/plain",
}
FORMATS: Final = cast("tuple[ExportFormat, ...]", get_args(ExportFormat))


def game_views(showing: Showing) -> Blueprint:
    """`/games`, `/abandon` and `/leave`."""
    views, table = Blueprint("games", __name__, url_prefix=""), showing.table
    views.register_error_handler(StaleError, showing.stale)

    @views.get("/games")
    def show() -> str:
        return _listed(table, request.args.get("page", 1, type=int))

    @views.post("/games/<game_id>/resume")
    def resume(game_id: str) -> AnyResponse:
        answer = table.submit(GameResumed(known_game(table, game_id).game_id))
        return after_list_act(table, answer, "table.show")

    @views.get("/games/<game_id>/delete")
    def ask_delete(game_id: str) -> str:
        return render_template("delete.html", game=known_game(table, game_id), days=BIN_STAY.days)

    @views.post("/games/<game_id>/delete")
    def delete(game_id: str) -> AnyResponse:
        answer = table.submit(GameDeleted(known_game(table, game_id).game_id))
        return after_list_act(table, answer, "games.show")

    @views.post("/games/<game_id>/take-back")
    def take_back(game_id: str) -> AnyResponse:
        answer = table.submit(GameTakenBack(binned_game(table, game_id).game_id))
        return after_list_act(table, answer, "games.show")

    @views.get("/games/<game_id>/erase")
    def ask_erase(game_id: str) -> str:
        return render_template("delete.html", game=binned_game(table, game_id))

    @views.post("/games/<game_id>/erase")
    def erase(game_id: str) -> AnyResponse:
        game = binned_game(table, game_id)
        answer = table.submit(GameDeleted(game.game_id, for_good=True))
        return after_list_act(table, answer, "games.show")

    @views.get("/games/<game_id>/game.<form>")
    def export(game_id: str, form: str) -> Response:
        return exported(table, game_id, form)

    _add_endings(views, showing)
    return views


def _add_endings(views: Blueprint, showing: Showing) -> None:
    table = showing.table

    @views.get("/abandon")
    def ask_abandon() -> str:
        view = table.session.view
        return render_template("abandon.html", view=view, run=table.live.run, step=step_of(view))

    @views.post("/abandon")
    def abandon() -> AnyResponse:
        return showing.submit(GameAbandoned(showing.expected()))

    @views.get("/leave")
    def ask_leave() -> str:
        return leave_page(table)

    @views.post("/leave")
    def leave() -> AnyResponse:
        offer = request.form.get("offer", "")
        if not OfferKind.LEAVE.is_kind_of(offer):
            abort(400)
        answer = table.submit(Chosen(offer, showing.expected()))
        if answer.verdict in {"done", "unchanged"}:
            return showing.answer(answer)
        return Response(leave_page(table, answer.notice), STATUSES[answer.verdict])


def leave_page(table: Table, fault: Message | None = None) -> str:
    """The question who leaves, with what was wrong with the answer to it before."""
    view = table.session.view
    leavers = tuple(offer for offer in view.offers if OfferKind.LEAVE.is_kind_of(offer.key))
    return render_template(
        "leave.html",
        view=view,
        run=table.live.run,
        step=step_of(view),
        leavers=leavers,
        fault=fault,
    )


def known_game(table: Table, game_id: str) -> GameSummary:
    """The stored game of that id; 404 when there is none."""
    known = table.archive.summary(game_id, table.session.view.game_id)
    if known is None:
        abort(404)
    return known


def binned_game(table: Table, game_id: str) -> GameSummary:
    """The game of that id in the bin; 404 when there is none."""
    found = [game for game in table.archive.bin() if game.game_id == game_id]
    return found[0] if found else abort(404)


def after_list_act(table: Table, answer: Answer, endpoint: str) -> AnyResponse:
    """Go on when it was done; else show the list with what was wrong."""
    if answer.verdict in {"done", "unchanged"}:
        return redirect(url_for(endpoint), HTTPStatus.SEE_OTHER)
    return Response(_listed(table, 1, answer.notice), HTTPStatus.CONFLICT)


def _listed(table: Table, number: int, fault: Message | None = None) -> str:
    page = table.archive.page(number, table.session.view.game_id)
    return render_template(
        "games.html",
        page=page,
        bin=table.archive.bin(),
        states=STATES,
        formats=("txt", "json", "csv", "steps.csv"),
        formats_of_damaged=("raw",),
        fault=fault,
    )


def exported(table: Table, game_id: str, form: str) -> Response:
    """The game as a file to keep; 404 when there is no such game or format."""
    if form not in FORMATS:
        abort(404)
    text = table.archive.export(known_game(table, game_id).game_id, form)
    kept_as = f'attachment; filename="{game_id}.{form}"'
    return Response(text, mimetype=EXPORTS[form], headers={"Content-Disposition": kept_as})


BLANK_SEATS: Final = ("", "")
NAMES: Final = "names"
OPTION: Final = "option-"  # before a house rule's name, the name of its field
OWN: Final = "own-"  # the same, of the field for a value of one's own


@dataclass(frozen=True, slots=True)
class SetupForm:
    """What stands in the set-up form, as it was typed."""

    game: str
    names: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    fresh: int | None = None

    @classmethod
    def of(cls, fields: MultiDict[str, str]) -> SetupForm:
        """Read the form that a browser sent."""
        game = fields.get("game", "")
        return cls(
            game=game if game in GAMES else next(iter(GAMES)),
            names=tuple(fields.getlist("name")),
            options=_named(fields, OPTION),
            own=_named(fields, OWN),
        )

    @property
    def agreed(self) -> dict[str, str]:
        """The house rules of this game as they are chosen; an unknown value is the default.

        What is written in a field goes before the choices beside it.
        """
        chosen = {}
        for option in GAMES[self.game].options:
            written = self.own.get(option.name, "").strip()
            value = self.options.get(option.name, option.default)
            if option.own is not None and written:
                value = written
            elif value not in {each.value for each in option.choices}:
                value = option.default
            chosen[option.name] = value
        return chosen

    def changed(self, change: str) -> SetupForm:
        """The form after one of its buttons: `add`, `up:1`, `down:0`, `remove:2`, `game:yams`.

        A change that names no seat and no game changes nothing.
        """
        act, _, place = change.partition(":")
        number = whole_number(place)
        seat = -1 if number is None else number
        match act:
            case "add":
                return replace(self, names=(*self.names, ""), fresh=len(self.names))
            case "remove" if seat in range(len(self.names)):
                return replace(self, names=self.names[:seat] + self.names[seat + 1 :])
            case "game" if place in GAMES:
                return replace(self, game=place)
            case "up":
                return self._swapped(seat - 1)
            case "down":
                return self._swapped(seat)
            case _:
                return self

    def _swapped(self, seat: int) -> SetupForm:
        if seat not in range(len(self.names) - 1):
            return self
        before, one, other = self.names[:seat], self.names[seat], self.names[seat + 1]
        return replace(self, names=(*before, other, one, *self.names[seat + 2 :]))

    def table_request(self) -> GameOpened:
        """The request that opens this game; seats without a name are left out.

        Raises:
            NotationError: the names are not allowed.
        """
        players = player_names(name for name in self.names if name.strip())
        return GameOpened(self.game, players, self.agreed)

    def faulty(self) -> str | None:
        """Where the form cannot be right: `names`, or a house rule’s name; None for nowhere."""
        for option in GAMES[self.game].options:
            try:
                option.settled(self.agreed)
            except RuleViolationError:
                return option.name
        try:
            seats = len(self.table_request().players)
        except NotationError:
            return NAMES
        return None if seats in GAMES[self.game].seats else NAMES


def _named(fields: MultiDict[str, str], prefix: str) -> dict[str, str]:
    """The fields whose names begin so, without it."""
    return {
        name.removeprefix(prefix): value
        for name, value in fields.items()
        if name.startswith(prefix)
    }


def setup_views(showing: Showing) -> Blueprint:
    """`/setup` and `/rematch`."""
    views = Blueprint("setup", __name__)
    table = showing.table
    views.register_error_handler(StaleError, showing.stale)

    @views.get("/setup")
    def show() -> Response:
        form = SetupForm.of(request.args)
        return setup_page(table, form if form.names else replace(form, names=known_names(table)))

    @views.post("/setup")
    def change() -> AnyResponse:
        form = SetupForm.of(request.form)
        act = request.form.get("do", "begin")
        return begin(table, form) if act == "begin" else setup_page(table, form.changed(act))

    @views.post("/rematch")
    def rematch() -> AnyResponse:
        view, expected = table.session.view, showing.expected()
        if view.version != expected or view.scoresheet is None:
            notice = message("That tap came too late. Here is how the game stands now.")
            return showing.answer(Answer("stale", view.version, notice))
        sheet = view.scoresheet
        return showing.submit(GameOpened(sheet.game, sheet.players, view.options))

    return views


def known_names(table: Table) -> tuple[str, ...]:
    """The players of the game on the table, in seat order; two empty seats without one."""
    sheet = table.session.view.scoresheet
    return sheet.players if sheet else BLANK_SEATS


def begin(table: Table, form: SetupForm) -> AnyResponse:
    """Open the game, or show the form again with what is wrong."""
    try:
        answer = table.submit(form.table_request())
    except NotationError as error:
        return setup_page(table, form, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
    if answer.verdict in {"done", "unchanged"}:
        return redirect(url_for("table.show"), HTTPStatus.SEE_OTHER)
    fault = answer.notice or message("The table can’t start this game now.")
    return setup_page(table, form, fault, HTTPStatus.UNPROCESSABLE_ENTITY)


def setup_page(
    table: Table, form: SetupForm, fault: Message | None = None, status: int = HTTPStatus.OK
) -> Response:
    """The set-up form with what was typed, a fault where it is."""
    view = table.session.view
    page = render_template(
        "setup.html",
        form=form,
        fault=fault,
        fault_at=form.faulty() if fault is not None else None,
        games=GAMES,
        longest_name=LONGEST_NAME,
        under_way=view.stage in {"starting", "rolling", "choosing", "playing"},
    )
    return make_response(page, status)
