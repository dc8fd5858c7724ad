"""The evenings of finished games: who won them, their best turns and luck."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Final

from scoreboard.errors import UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.advice.luck import PlayerLuck
from scoreboard.games.engine.transcript import TranscriptError
from scoreboard.games.evening import EveningPlayer, evenings, podium
from scoreboard.games.finished import FinishedGame, beginner, finished_games
from scoreboard.games.finished import race as race_of
from scoreboard.message import Message, message
from scoreboard.storage import SqlStore
from scoreboard.storage.profiles import Profile
from web.table.history.game_log import GameLog, read_log
from web.table.history.statistics import Statistics, luck_in, records_at_end
from web.table.scoreboard_strip import marks_of

MOST_COUNTED_AT_ONCE: Final = 50  # games that a page brings up to date


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The turn with the best points, and the step of its photo, if any.

    Turns of games are compared by `merit`: the points, negative if the lowest total wins.
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
    """A game of the evening under the current names; `parts` have the best first.

    `race` are the totals in seat order after each round, `records` those that fell at its end, and
    `beginner` is the seat of the beginner.
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
    """An evening for display; `earlier` and `later` name its neighbours.

    `marks` are the players', by the names that are shown.
    """

    key: str
    at: datetime
    games: tuple[EveningGame, ...]
    players: tuple[EveningPlayer, ...]
    marks: Mapping[str, Profile]
    best: BestTurn | None
    earlier: str | None = None
    later: str | None = None


class Evenings:
    """The evenings of a table's finished games; read games are cached."""

    def __init__(self, store: SqlStore, statistics: Statistics) -> None:
        self._store = store
        self._statistics = statistics
        self._read = lru_cache(maxsize=64)(
            lambda _at, game_id: read_game(store, statistics.advice, game_id)
        )

    def of(self, key: str | None) -> Evening | None:
        """That evening or the newest, or None. Raises StoreError."""
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
            self.marks(*(name for game in games for name in game.names)),
            max(turns, key=attrgetter("merit"), default=None),
            listed[place - 1] if place else None,
            listed[place + 1] if place + 1 < len(listed) else None,
        )

    def game(self, game_id: str) -> EveningGame | None:
        """A finished game, or None. Raises StoreError."""
        return self._game(game_id, self._ends())

    def marks(self, *names: str) -> dict[str, Profile]:
        """The marks of these people, by the names that are shown now."""
        known = {each.name: each for each in self._store.profiles.by_name().values()}
        return marks_of(list(dict.fromkeys(names)), known)

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
            names = self._store.header(game_id).players
            return self._read((ends[game_id], len(ends), names), game_id)
        return None


def read_game(store: SqlStore, advice: Path | None, game_id: str) -> EveningGame:
    """A finished game, with the advice in that folder. Raises UnknownGameError, TranscriptError."""
    header, records = store.header(game_id), store.events(game_id)
    game, parts = GAMES[header.game], finished_games(GAMES[header.game], header, records)
    title = game.title_under(header.options)
    log, photographed = read_log(game, header, records), store.photos.steps(game_id)
    return EveningGame(
        game_id,
        title,
        tuple(sorted(parts, key=lambda part: part.place or len(parts) + 1)),
        race_of(game, header, records),
        header.players,
        luck_in(game, header, records, advice),
        tuple(records_at_end(store.finished, title, parts)),
        best_turn(game_id, header.players, log, photographed),
        beginner(game, header, records),
    )


def best_turn(
    game_id: str, names: tuple[str, ...], log: GameLog, photographed: Collection[int]
) -> BestTurn | None:
    """The box with the best points and bonus, the first of equals; None if none had any.

    If the lowest total wins, a box without points is as good as any.
    """
    turns, better = [], log.scoresheet.better
    for (key, seat), step in sorted(log.scored.items(), key=itemgetter(1)):
        row, photo = log.scoresheet.row(key), log.pictured(step, photographed)
        bonus, box = log.bonuses.get(step, 0), row.label
        points = (row.cells[seat].points or 0) + bonus
        if points or better < 0:
            if bonus:
                box = message("{box} with a bonus of {bonus}", box=box, bonus=bonus)
            shown, merit = None if photo is None else photo.number, better * points
            turns.append(BestTurn(game_id, step, names[seat], points, box, shown, merit))
    return max(turns, key=attrgetter("merit"), default=None)
