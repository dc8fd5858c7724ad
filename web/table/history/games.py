"""The pages of stored games: their list, all of them at once; one's log, photos and best turns.

`/lay` finds the best turn for a rack of Rummikub without a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from http import HTTPStatus
from importlib.metadata import version
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any, Final, cast

from flask import Blueprint, Response, abort, render_template, request, send_file

from scoreboard.errors import NotationError
from scoreboard.games import GAMES
from scoreboard.games.advice import best_turns
from scoreboard.games.advice.best_ends import best_play, games_ended
from scoreboard.games.engine.game import Setup, replay
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import Message, message
from scoreboard.storage.bg_stats import open_games
from scoreboard.storage.game_archive import pack
from scoreboard.table.pending_dice import DOUBTFUL_BELOW
from scoreboard.table.requests import Answer, GameDeleted, GameResumed, GameTakenBack, TableStatus
from scoreboard.table.view import TableView
from vision.capture.frame import Frame
from vision.capture.photo import open_to_read
from vision.errors import PhotoError
from vision.read.observation import read_photo
from vision.read.readers import open_reader
from web.shared.security import LARGEST_PHOTO_BYTES
from web.shared.spreadsheet import as_csv, write_xlsx
from web.table.history.archive import BIN_STAY, Archive, ExportFormat, GameSummary
from web.table.history.game_log import LoggedStep
from web.table.parts import Parts, jpeg, shown, step_of, to
from web.table.scoreboard_strip import player_tiles, sheet_panes

LARGEST_ARCHIVE_BYTES: Final = 512 * 1024 * 1024


def game_views(parts: Parts, archive: Archive) -> Blueprint:
    """`/games`."""
    views = Blueprint("games", __name__, url_prefix="")
    known, acted = partial(known_game, parts, archive), partial(_acted, parts, archive)

    @views.get("/games", right="guest")
    def show() -> Response:
        return _listed(parts, archive, request.args.get("page", 1, type=int))

    @views.post("/games/<game_id>/resume", right="player")
    def resume(game_id: str) -> Response:
        return acted(parts.submit(GameResumed(known(game_id).game_id)), "table.show")

    @views.get("/games/<game_id>/delete", right="owner")
    def ask_delete(game_id: str) -> str:
        return render_template("delete.html", game=known(game_id), days=BIN_STAY.days)

    @views.post("/games/<game_id>/delete", right="owner")
    def delete(game_id: str) -> Response:
        return acted(parts.submit(GameDeleted(known(game_id).game_id)))

    @views.post("/games/<game_id>/take-back", right="owner")
    def take_back(game_id: str) -> Response:
        return acted(parts.submit(GameTakenBack(binned_game(archive, game_id).game_id)))

    @views.get("/games/<game_id>/erase", right="owner")
    def ask_erase(game_id: str) -> str:
        return render_template("delete.html", game=binned_game(archive, game_id))

    @views.post("/games/<game_id>/erase", right="owner")
    def erase(game_id: str) -> Response:
        game = binned_game(archive, game_id)
        return acted(parts.submit(GameDeleted(game.game_id, for_good=True)))

    @views.get(
        "/games/<game_id>/game.<any(txt, json, raw):form>", right="guest", on_table="watcher"
    )
    def export(game_id: str, form: ExportFormat) -> Response:
        text = archive.export(known(game_id).game_id, form)
        kept_as = {"Content-Disposition": f'attachment; filename="{game_id}.{form}"'}
        kind = "application/json" if form == "json" else "text/plain"
        return Response(text, mimetype=kind, headers=kept_as)

    return views


def known_game(parts: Parts, archive: Archive, game_id: str) -> GameSummary:
    """The stored game of that id; 404 when there is none."""
    return archive.summary(game_id, parts.session.view.game_id) or abort(404)


def binned_game(archive: Archive, game_id: str) -> GameSummary:
    """The game of that id in the bin; 404 when there is none."""
    return next((game for game in archive.bin() if game.game_id == game_id), None) or abort(404)


def _acted(
    parts: Parts, archive: Archive, answer: Answer, endpoint: str = "games.show"
) -> Response:
    """Continue when it was done; else show the list with the fault."""
    if answer.verdict in {"done", "unchanged"}:
        return to(endpoint)
    return _listed(parts, archive, 1, answer)


def _listed(parts: Parts, archive: Archive, number: int, refusal: Answer | None = None) -> Response:
    page = archive.page(number, parts.session.view.game_id)
    ids = [game.game_id for game in page.games]
    results, photos = parts.store.finished.results(ids), parts.store.photos.newest(ids)
    known = {"page": page, "bin": archive.bin(), "results": results, "photos": photos}
    if refusal is None:
        return shown("games.html", **known, fault=None)
    return shown("games.html", HTTPStatus.CONFLICT, **known, fault=refusal.notice)


def archive_views(parts: Parts, archive: Archive) -> Blueprint:
    """`/games/all...` and `/games/archive...`."""
    views = Blueprint("archive", __name__)

    @views.get("/games/all.csv", right="player")
    def lines() -> Response:
        kept_as = {"Content-Disposition": 'attachment; filename="tablescore-games.csv"'}
        return Response(as_csv(archive.boxes()), mimetype="text/csv", headers=kept_as)

    @views.get("/games/all.xlsx", right="player")
    def workbook() -> Response:
        return _packed("tablescore-games.xlsx", partial(write_xlsx, archive.boxes()))

    @views.get("/games/archive.zip", right="owner")
    def packed() -> Response:
        name = f"tablescore-{parts.clock().astimezone():%Y-%m-%d}.zip"
        return _packed(name, partial(pack, parts.store, written_by=version("tablescore")))

    @views.post("/games/archive", right="owner")
    def take_in() -> str:
        request.max_content_length = LARGEST_ARCHIVE_BYTES
        sent = request.files.get("archive") or abort(HTTPStatus.BAD_REQUEST)
        sent_archive = open_games(sent.stream, parts.store.finished.ends().values())
        fresh = sent_archive.take_in(parts.store)
        headers = [game.header for game in sent_archive.games]
        kinds = Counter(GAMES[one.game].title_under(one.options) for one in headers)
        names = sorted({name for game in sent_archive.games for name in game.header.players})
        if sent_archive.file is None:  # those of Tablescore bring the people with them
            parts.store.profiles.note(names)
        return render_template(
            "archive.html", archive=sent_archive, fresh=fresh, kinds=kinds, names=names
        )

    return views


def _packed(name: str, write: Callable[[IO[bytes]], object]) -> Response:
    file = cast("IO[bytes]", TemporaryFile())  # noqa: SIM115 -- the answer closes it
    write(file)
    file.seek(0)
    return send_file(file, as_attachment=True, download_name=name)


DeviceName = Callable[[str], str | None]  # of the id by which it is stored
CONFIRMED: Final = {
    "button": message("with the buttons"),
    "camera": message("by itself, as the settings say"),
    "clock": message("by the clock"),
    "hub": message("by the event"),
    "page": message("on a page"),
}


def log_views(parts: Parts, archive: Archive, device_name: DeviceName) -> Blueprint:
    """`/games/ID/log`, `/boxes`, `/steps` and `/photos.zip`."""
    views = Blueprint("log", __name__, url_prefix="/games/<game_id>")

    @views.get("/log", right="guest", on_table="watcher")
    def show(game_id: str) -> str:
        game, log = known_game(parts, archive, game_id), archive.log(game_id)
        view = TableView(0, "finished", TableStatus.NOTHING, game_id, scoresheet=log.scoresheet)
        tiles = player_tiles(log.scoresheet, parts.known())
        return render_template(
            "game_log.html",
            game=game,
            log=log,
            photos=archive.pictured(game_id),
            confirmed=partial(confirmed, device_name),
            running=is_running(parts, game_id),
            view=view,
            tiles=tiles,
            panes=sheet_panes(log.scoresheet.without_offers),
            paper_title=game.title,
        )

    @views.get("/photos.zip", right="guest")
    def photos(game_id: str) -> Response:
        packed = BytesIO(archive.photos_zip(known_game(parts, archive, game_id).game_id))
        return send_file(packed, as_attachment=True, download_name=f"{game_id}-photos.zip")

    @views.get("/boxes/<row>/<int:seat>", right="guest", on_table="watcher")
    def box(game_id: str, row: str, seat: int) -> Response:
        known_game(parts, archive, game_id)
        number = archive.log(game_id).scored.get((row, seat)) or abort(404)
        return to("log.step", game_id=game_id, number=number)

    _add_steps(views, parts, archive, device_name)
    return views


def _add_steps(views: Blueprint, parts: Parts, archive: Archive, device_name: DeviceName) -> None:
    @views.get("/steps/<int:number>", right="guest", on_table="watcher")
    def step(game_id: str, number: int) -> str:
        game = known_game(parts, archive, game_id)
        log = archive.log(game_id)
        found = log.step(number) or abort(404)
        pictured = log.pictured(number, archive.pictured(game_id))
        photo = None if pictured is None else archive.photo(game_id, pictured.number)
        at = log.steps.index(found)
        undone = log.later(number) if is_running(parts, game_id) and found.in_force else ()
        return render_template(
            "game_step.html",
            game=game,
            step=found,
            confirmed=partial(confirmed, device_name),
            pictured=pictured,
            photo=photo,
            doubtful_below=DOUBTFUL_BELOW,
            earlier=log.steps[at - 1] if at else None,
            later=log.steps[at + 1] if at + 1 < len(log.steps) else None,
            undone=undone,
            run=parts.live.run,
            view=parts.session.view,
            at=step_of(parts.session.view),
            running=is_running(parts, game_id),
            box=next((box for box, filler in log.scored.items() if filler == number), None),
        )

    @views.get("/steps/<int:number>.jpg", right="guest", on_table="watcher")
    def picture(game_id: str, number: int) -> Response:
        photo = archive.photo(known_game(parts, archive, game_id).game_id, number)
        return jpeg(photo.jpeg if photo else None, "no-store")


def is_running(parts: Parts, game_id: str) -> bool:
    """Whether the game is on the table and not closed, so that steps of it can be undone."""
    view = parts.session.view
    return view.game_id == game_id and view.stage != "abandoned"


def confirmed(device_name: DeviceName, step: LoggedStep) -> Message:
    """Which device or button confirmed a step, in words."""
    if step.source == "page" and step.confirmed_by == "here":
        return message("on the table’s own page")
    device = device_name(step.confirmed_by)
    return CONFIRMED[step.source] if device is None else message("on {device}", device=device)


Coaches = Callable[[str], bool]  # whether players of that game switched the coach on just now
TOO_LONG: Final = message("This turn has too many possibilities to work out here.")
IN_TOURNAMENT: Final = message("There are no hints while the table takes part in an event.")
found_turn = lru_cache(64)(best_turns.best_turn)  # the same one for each step of a page


def best_views(parts: Parts, archive: Archive, coaches: Coaches) -> Blueprint:
    """`/games/<id>/best`: only what is over, and nothing in an event."""
    views = Blueprint("best", __name__, url_prefix="/games/<game_id>/best")

    @views.get("", endpoint="show", right="player")
    @views.get("/<int:number>", endpoint="one", right="player")
    def show(game_id: str, number: int | None = None) -> str:
        header, events = archive.played(known_game(parts, archive, game_id).game_id)
        game, coached = GAMES[header.game], coaches(header.game_id)
        if not game.review:
            abort(404)
        if parts.session.view.event is not None:
            return _page(header, fault=IN_TOURNAMENT)
        if game.review == "ends":
            if number is None:
                return _page(header, ended=games_ended(events), turns={})
            start = game.start(Setup(header.players, header.options))
            return _page(header, end=best_play(start, events, number) or abort(404))
        turns = _reviews(header, events, coached=coached)
        if number is None:
            return _page(header, turns=turns, coach_off=not coached)
        review, worth = turns.get(number) or abort(404), best_turns.counted(header.options)
        step = request.args.get("step", 0, type=int)
        try:
            shown = best_turns.replay_turn(review.standing, found_turn(review.standing), step)
        except TimeoutError:
            return _page(header, fault=TOO_LONG)
        return _page(header, review=review, number=number, points=worth, **shown._asdict())

    return views


def _reviews(
    header: GameHeader, events: tuple[Any, ...], *, coached: bool
) -> dict[int, best_turns.TurnReview]:
    """The turns by number: all of finished rounds, and of the open one the last.

    That one shows a rack still in play, so it is included only with the coach on.
    """
    game, setup = GAMES[header.game], Setup(header.players, header.options)
    found = dict(enumerate(best_turns.reviews(game.start(setup), events), start=1))
    open_round = len(replay(game, setup, events).scores) + 1
    last = len(found) if coached else 0
    return {at: review for at, review in found.items() if review.number < open_round or at == last}


def _page(header: GameHeader, **shown: object) -> str:
    return render_template("best.html", header=header, title=GAMES[header.game].title, **shown)


FIELDS: Final = ("rack", "table")
_reader = cache(open_reader)  # loaded with the first photo


def lay_views(parts: Parts) -> Blueprint:
    """`/lay`: the best turn for a rack that is typed, or on a photo."""
    views = Blueprint("lay", __name__)

    @views.get("/lay", endpoint="show", right="player")
    @views.post("/lay", endpoint="read", right="player")
    def show() -> Response:
        request.max_content_length = len(FIELDS) * LARGEST_PHOTO_BYTES
        typed = {name: request.values.get(name, "") for name in FIELDS}
        melded, answer = bool(request.values.get("melded")), dict[str, object]()
        try:
            for name in FIELDS:
                photo = request.files.get(f"{name}-photo")
                if photo is not None and (jpeg := photo.read()):
                    typed[name] = tiles_on(jpeg, in_sets=name == "table")
            if parts.session.view.event is not None:
                answer = {"fault": IN_TOURNAMENT}
            elif typed["rack"].strip():
                standing = best_turns.standing_of(typed["table"], typed["rack"], melded=melded)
                step = request.values.get("step", 0, type=int)
                answer = best_turns.replay_turn(standing, found_turn(standing), step)._asdict()
        except (NotationError, PhotoError) as error:
            answer = {"fault": error.message}
        except TimeoutError:
            answer = {"fault": TOO_LONG}
        points = best_turns.counted({})
        return shown("lay.html", points=points, typed=typed, melded=melded, **answer)

    return views


def tiles_on(jpeg: bytes, *, in_sets: bool) -> str:
    """The tiles on a photo in the notation, sets in lines of their own. Raises PhotoError."""
    frame = Frame(0, datetime.now(UTC), open_to_read(jpeg)[0], single=True)
    seen = read_photo(_reader("tiles"), frame)
    if in_sets:
        return "\n".join(" ".join(each.pieces) for each in seen.sets)
    return " ".join(seen.labels)
