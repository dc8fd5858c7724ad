"""The page of an evening, and the picture of it that is shared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, render_template

from scoreboard.errors import UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.advice.luck import PlayerLuck
from scoreboard.games.engine.transcript import TranscriptError
from scoreboard.games.evening import GRADE_WORDS, EveningPlayer, evenings, podium
from scoreboard.games.finished import FinishedGame, beginner, finished_games
from scoreboard.games.finished import race as race_of
from scoreboard.message import Message, message
from web.shared.qr_code import qr_code
from web.shared.words import day
from web.table.faults import fault_answer
from web.table.history.bg_stats import create_play_link
from web.table.history.evening_picture import Fonts, draw_evening, evening_texts, luck_words
from web.table.history.game_log import GameLog, read_log
from web.table.history.statistics import Statistics, luck_in, records_at_end
from web.table.play.setup import shown_names
from web.table.play.table_page import Table
from web.table.scoreboard_strip import COLOURS

if TYPE_CHECKING:
    from scoreboard.storage import SqlStore

MOST_COUNTED_AT_ONCE: Final = 50  # games that a page brings up to date by itself


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The turn with the best points, and the step whose photo is behind it, if any.

    Turns of games are compared by `merit`: the points, negative where the lowest total wins.
    """

    game_id: str
    step: int
    player: str
    points: int
    box: Message
    photo_step: int | None
    merit: int


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of the evening under the names that are shown now; `parts` have the best first.

    `race` are the totals in seat order after each round, `records` what fell at its end, and
    `beginner` is the seat of who began.
    """

    game_id: str
    title: Message
    parts: tuple[FinishedGame, ...]
    race: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    luck: tuple[PlayerLuck, ...]
    records: tuple[Message, ...]
    best: BestTurn | None
    beginner: int


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening as it is shown; `earlier` and `later` name those beside it.

    `colours` are the players' own, as in `PlayerTile`, else those of their first seat.
    """

    key: str
    at: datetime
    games: tuple[EveningGame, ...]
    players: tuple[EveningPlayer, ...]
    colours: Mapping[str, str]
    best: BestTurn | None
    earlier: str | None = None
    later: str | None = None


class Evenings:
    """The evenings of a table's finished games; what was read of a game is kept."""

    def __init__(self, table: Table, store: SqlStore, statistics: Statistics) -> None:
        self._table = table
        self._store = store
        self._statistics = statistics
        self._read = lru_cache(maxsize=64)(
            lambda _at, *game: read_game(store, statistics.advice, *game)
        )

    def of(self, key: str | None) -> Evening | None:
        """That evening or the newest, None where there is none. Raises StoreError."""
        ends = self._ends()
        keys = evenings((game_id, at.astimezone()) for game_id, at in ends.items())
        listed = [*keys]
        key = listed[-1] if key is None and listed else key or ""
        games = [game for each in keys.get(key, ()) if (game := self._game(each, ends))]
        if not games:
            return None
        place, lucks = listed.index(key), (luck for game in games for luck in game.luck)
        dice = [game for game in games if GAMES[game.parts[0].game].has_dice] or games
        turns = (game.best for game in dice if game.best)
        return Evening(
            key,
            games[0].parts[0].finished_at.astimezone(),
            tuple(games),
            podium((game.parts for game in games), lucks),
            self._colours(games),
            max(turns, key=attrgetter("merit"), default=None),
            listed[place - 1] if place else None,
            listed[place + 1] if place + 1 < len(listed) else None,
        )

    def game(self, game_id: str) -> EveningGame | None:
        """A finished game, None where there is none. Raises StoreError."""
        return self._game(game_id, self._ends())

    def _colours(self, games: Sequence[EveningGame]) -> dict[str, str]:
        """The colour of everybody who played in these games, by the names that are shown now."""
        colours: dict[str, str] = {}
        for game in games:
            for seat, name in enumerate(game.names):
                colours.setdefault(name, str(seat % COLOURS + 1))
        known = {profile.name: profile.colour for profile in self._table.known().values()}
        return {name: known.get(name, colour) for name, colour in colours.items()}

    def _ends(self) -> dict[str, datetime]:
        finished = self._statistics.finished
        if 0 < len(finished.stale()) <= MOST_COUNTED_AT_ONCE:
            self._statistics.bring_up_to_date()  # the game that just ended
        return finished.ends()

    def _game(self, game_id: str, ends: Mapping[str, datetime]) -> EveningGame | None:
        """The game; None if it has not ended or was deleted meanwhile.

        It is read anew when any game has ended, for its records are of those before it.
        """
        with suppress(TranscriptError, UnknownGameError, KeyError):
            names = shown_names(self._store.header(game_id).players, self._table.known())
            return self._read((ends[game_id], len(ends)), game_id, names)
        return None


def evening_views(table: Table, store: SqlStore, statistics: Statistics) -> Blueprint:
    """`/evening`, `/evening/2026-11-25` with its picture, and a game's race and link."""
    views, fonts = Blueprint("evening", __name__), Fonts()
    kept = Evenings(table, store, statistics)

    @views.get("/evening")
    @views.get("/evening/<key>")
    def show(key: str | None = None) -> str:
        evening = kept.of(key)
        if evening is None:
            return abort(404) if key else render_template("evening.html", evening=None)
        letters = fonts.missing(evening_texts(evening, fonts))
        return render_template(
            "evening.html",
            evening=evening,
            day=day(evening.at),
            no_font=no_font(letters) if letters else None,
            grades=GRADE_WORDS,
            luck_words=luck_words,
        )

    @views.get("/evening/<key>/evening.png")
    def shared(key: str) -> Response:
        evening = kept.of(key) or abort(404)
        best, photo = evening.best, None
        if best is not None and best.photo_step is not None:
            photo = table.archive.photo(best.game_id, best.photo_step)
        drawn = draw_evening(evening, fonts, None if photo is None else photo.jpeg)
        if letters := fonts.missing(drawn.texts):
            return fault_answer(HTTPStatus.CONFLICT, no_font(letters))
        kept_as = f'inline; filename="tablescore-{evening.key}.png"'
        headers = {"Content-Disposition": kept_as}
        return Response(drawn.file(), mimetype="image/png", headers=headers)

    @views.get("/games/<game_id>/race")
    def race(game_id: str) -> str:
        return render_template("race.html", game=kept.game(game_id) or abort(404))

    @views.get("/games/<game_id>/bg-stats")
    def bg_stats(game_id: str) -> str:
        game = kept.game(game_id) or abort(404)
        link = create_play_link(game.parts, game.beginner)
        return render_template("bg_stats.html", game=game, link=link, code=qr_code(link))

    return views


def no_font(letters: str) -> Message:
    """Why there is no picture of an evening, and what helps."""
    return message(
        "No font on this machine can write “{letters}”, so there is no image: install one "
        "(fonts-noto-cjk has Chinese, Japanese and Korean), or print this page from your device.",
        letters=letters,
    )


def read_game(
    store: SqlStore, advice: Path | None, game_id: str, names: tuple[str, ...]
) -> EveningGame:
    """A finished game under the names that are shown now.

    `advice` is the folder of the tables that were made here.

    Raises:
        UnknownGameError: there is no such game.
        TranscriptError: it cannot be read.
    """
    header, records = store.header(game_id), store.events(game_id)
    game, shown = GAMES[header.game], dict(zip(header.players, names, strict=True))
    parts = tuple(
        replace(part, name=shown[part.name]) for part in finished_games(game, header, records)
    )
    log, photographed = read_log(game, header, records), store.photos.steps(game_id)
    return EveningGame(
        game_id,
        game.title,
        tuple(sorted(parts, key=lambda part: part.place or len(parts) + 1)),
        race_of(game, header, records),
        names,
        tuple(
            replace(one, player=shown[one.player]) for one in luck_in(game, header, records, advice)
        ),
        tuple(records_at_end(store.finished, game.title, parts)),
        best_turn(game_id, names, log, photographed),
        beginner(game, header, records),
    )


def best_turn(
    game_id: str, names: tuple[str, ...], log: GameLog, photographed: Collection[int]
) -> BestTurn | None:
    """The box with the best points, the first of equals; None where none brought any.

    Where the lowest total wins, a box without points is as good as any.
    """
    turns, better = [], log.scoresheet.better
    for (key, seat), step in sorted(log.scored.items(), key=itemgetter(1)):
        row, photo = log.scoresheet.row(key), log.pictured(step, photographed)
        points = row.cells[seat].points
        if points or (points is not None and better < 0):
            shown, merit = None if photo is None else photo.number, better * points
            turns.append(BestTurn(game_id, step, names[seat], points, row.label, shown, merit))
    return max(turns, key=attrgetter("merit"), default=None)
