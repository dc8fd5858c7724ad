"""Finished games as rows, one a player, and queries on them.

Only rows with the number of events of the game's standing count, and no game in the bin: once a
game goes on, its old figures are never shown.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, permutations
from typing import Any, Final
from urllib.parse import parse_qsl

import sqlalchemy as sa

from scoreboard.dice import FACES
from scoreboard.games import GAMES
from scoreboard.games.finished import FinishedGame, PlayerRecord, better
from scoreboard.message import Message
from scoreboard.players import is_guest
from scoreboard.storage.database import Database
from scoreboard.storage.profiles import SqlProfiles
from scoreboard.storage.schema import (
    BIN_TABLE,
    EVENTS_TABLE,
    FINISHED_TABLE,
    GAMES_TABLE,
    STANDINGS_TABLE,
)

_IS_TRUE: Final = sa.and_(
    STANDINGS_TABLE.c.game_id == FINISHED_TABLE.c.game_id,
    STANDINGS_TABLE.c.events == FINISHED_TABLE.c.events,
    STANDINGS_TABLE.c.finished == 1,
)
_IN_BIN: Final = sa.select(BIN_TABLE.c.game_id)
LENGTH: Final = (  # the number of events of a game in `games`
    sa.select(sa.func.coalesce(sa.func.max(EVENTS_TABLE.c.sequence), 0))
    .where(EVENTS_TABLE.c.game_id == GAMES_TABLE.c.game_id)
    .scalar_subquery()
)
YEAR: Final = 4  # as many letters of a date
Lineup = tuple[tuple[str, int], ...]  # the players of one game, each with the place they took
LEAST_MEETINGS: Final = 3  # games of two people that are worth a sentence


@dataclass(frozen=True, slots=True)
class GameKind:
    """Games that can be compared: of one rulebook, under the same house rules; or all, by wins.

    Of all if `game` is empty. `season` is a year ("2026"), empty for all times. `names` selects
    these players' games, `before` (aware) only games that ended before it.
    """

    game: str = ""
    rules: str = ""
    season: str = ""
    names: tuple[str, ...] = ()
    before: datetime | None = None

    @property
    def title(self) -> Message:
        """What such games are called: by the table's own name, if they have one."""
        return GAMES[self.game].title_under(dict(parse_qsl(self.rules)))

    @property
    def better(self) -> int:
        """As for a rulebook: 1 if the higher total is better, -1 if the lower is."""
        return better(self.game, self.rules) if self.game else 1


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player's figures in games of one kind; with `season` in that year alone.

    `shared` are the games with others, of which `wins` were won; an average and the best are those
    of the games played to their end, None without any.
    """

    name: str
    games: int
    shared: int = 0
    wins: int = 0
    average: float | None = None
    best: int | None = None
    yahtzees: int | None = None
    luck: float | None = None
    costs: float | None = None
    season: str = ""


@dataclass(frozen=True, slots=True)
class Meetings:
    """A player's record against another: games that both played, and who was ahead."""

    name: str
    other: str
    games: int
    wins: int
    losses: int


@dataclass(frozen=True, slots=True)
class Result:
    """A player's result in one game, under the current name; `finished_at` as it is stored."""

    game_id: str
    seat: int
    name: str
    place: int | None = None
    total: int | None = None
    luck: float | None = None
    costs: float | None = None
    finished_at: str | None = None


class SqlFinishedGames:
    """The rows of finished games; each call is one transaction. All raise StoreError."""

    def __init__(self, database: Database, profiles: SqlProfiles) -> None:
        self._database = database
        self._asked = database.rows
        self._profiles = profiles

    def stale(self) -> tuple[str, ...]:
        """The listed games whose figures are missing or outdated, oldest first."""
        query = (
            sa.select(GAMES_TABLE.c.game_id)
            .outerjoin(STANDINGS_TABLE, STANDINGS_TABLE.c.game_id == GAMES_TABLE.c.game_id)
            .outerjoin(FINISHED_TABLE, sa.and_(_IS_TRUE, FINISHED_TABLE.c.seat == 0))
            .where(
                GAMES_TABLE.c.game_id.not_in(_IN_BIN),
                sa.or_(
                    STANDINGS_TABLE.c.events.is_(None),
                    STANDINGS_TABLE.c.events != LENGTH,
                    sa.and_(STANDINGS_TABLE.c.finished == 1, FINISHED_TABLE.c.seat.is_(None)),
                ),
            )
            .order_by(GAMES_TABLE.c.opened)
        )
        return tuple(game_id for (game_id,) in self._asked(query))

    def keep(self, games: Mapping[str, tuple[int, Sequence[FinishedGame]]]) -> None:
        """Store each game's rows after that many events; a game with another number gets none.

        A set of dice that was named before keeps its name.
        """
        of_games = FINISHED_TABLE.c.game_id.in_(games)
        standings = sa.select(STANDINGS_TABLE).where(STANDINGS_TABLE.c.game_id.in_(games))
        with self._database.writing() as connection:
            named = connection.execute(
                sa.select(FINISHED_TABLE.c.game_id, FINISHED_TABLE.c.dice).where(of_games)
            )
            dice = {game_id: name for game_id, name in named if name}
            rows = [
                _row(part, stored.events, dice.get(stored.game_id))
                for stored in connection.execute(standings)
                if stored.finished and stored.events == games[stored.game_id][0]
                for part in games[stored.game_id][1]
            ]
            connection.execute(sa.delete(FINISHED_TABLE).where(of_games))
            if rows:
                connection.execute(sa.insert(FINISHED_TABLE), rows)

    def kinds(self, name: str = "") -> dict[GameKind, dict[str, int]]:
        """The kinds that this player played, and how often in each year: most games first."""
        rows = self._counted().c
        year = sa.func.substr(rows.finished_on, 1, YEAR).label("year")
        query = (
            sa.select(rows.game, rows.rules, year, sa.func.count())
            .where(rows.name == name if name else rows.seat == 0)
            .group_by(rows.game, rows.rules, year)
            .order_by(year.desc())
        )
        kinds: dict[GameKind, dict[str, int]] = defaultdict(dict)
        for game, rules, of_year, games in self._asked(query):
            kinds[GameKind(game, rules)][of_year] = games
        return dict(sorted(kinds.items(), key=lambda each: -sum(each[1].values())))

    def players(self, kind: GameKind, *, by_year: bool = False) -> tuple[PlayerSummary, ...]:
        """Each player's figures except guests', the most games first.

        `by_year` for each year separately, the newest first.
        """
        rows, games = self._counted(kind).c, sa.func.count().label("games")
        season = sa.func.substr(rows.finished_on, 1, YEAR if by_year else 0).label("season")
        shared = rows.players > 1
        query = (
            sa.select(
                rows.name,
                games,
                sa.func.count().filter(shared),
                sa.func.count().filter(shared, rows.place == 1),
                _average(rows.total),
                kind.better * sa.func.max(kind.better * rows.total),
                sa.func.sum(rows.yahtzees),
                *(_average(each) for each in (rows.luck, rows.costs)),
                season,
            )
            .group_by(rows.name, season)
            .order_by(season.desc(), games.desc(), rows.name)
        )
        found = (PlayerSummary(*row) for row in self._asked(query))
        return tuple(each for each in found if not is_guest(each.name))

    def lineups(self, kind: GameKind) -> tuple[Lineup, ...]:
        """The players of each game with others, of the `names` if any, by their ends."""
        rows = self._counted(kind).c
        taken = sa.cast(rows.place, sa.String) + " " + rows.name
        query = (
            sa.select(sa.func.aggregate_strings(taken, "\n"))
            .where(rows.players > 1)
            .group_by(rows.game_id)
            .order_by(sa.func.min(rows.finished_at), rows.game_id)
        )
        return tuple(_lineup(written) for (written,) in self._asked(query))

    def records(self, kind: GameKind) -> tuple[int | None, dict[str, PlayerRecord]]:
        """The best total overall, None without any, and the figures of each of the `names`."""
        best = self.best_games(replace(kind, names=()), most=1)
        runs = streaks(self.lineups(kind))
        return best[0].total if best else None, {
            each.name: PlayerRecord(each.best, *runs.get(each.name, (0, 0)))
            for each in self.players(kind)
        }

    def box_averages(self, kind: GameKind) -> dict[str, dict[str, float]]:
        """Each player's average in each box, in games played to their end."""
        rows = self._counted(kind).c
        query = (
            sa.select(rows.name, sa.func.aggregate_strings(rows.boxes, ","))
            .where(rows.total.is_not(None))
            .group_by(rows.name)
        )
        return {name: _averages(json.loads(f"[{cards}]")) for name, cards in self._asked(query)}

    def best_games(self, kind: GameKind, most: int = 5) -> tuple[Result, ...]:
        rows = self._counted(kind).c
        query = (
            sa.select(*(rows[each] for each in Result.__slots__))
            .where(rows.total.is_not(None))
            .order_by((kind.better * rows.total).desc(), rows.finished_at, rows.seat)
            .limit(most)
        )
        return tuple(Result(*row) for row in self._asked(query))

    def results(self, ids: Collection[str]) -> dict[str, tuple[Result, ...]]:
        """Each player's result in these games, as far as they count: the best first."""
        rows = self._counted().c
        query = sa.select(*(rows[each] for each in Result.__slots__)).where(rows.game_id.in_(ids))
        found: dict[str, tuple[Result, ...]] = {}
        for row in self._asked(query.order_by(rows.place, rows.seat)):
            found[row.game_id] = (*found.get(row.game_id, ()), Result(*row))
        return found

    def ends(self) -> dict[str, datetime]:
        """Every counted game with the time of its end (aware UTC), the oldest first."""
        rows = self._counted().c
        query = sa.select(rows.game_id, rows.finished_at).where(rows.seat == 0)
        found = self._asked(query.order_by(rows.finished_at, rows.game_id))
        return {game_id: datetime.fromisoformat(at) for game_id, at in found}

    def rolled(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """The rolls of each set of dice, game by game in the order of play, by face."""
        rows = self._counted().c
        query = (
            sa.select(rows.dice, *(sa.func.sum(rows[f"rolled_{face}"]) for face in FACES))
            .where(rows.yahtzees.is_not(None))
            .group_by(rows.dice, rows.finished_at, rows.game_id)
            .order_by(rows.finished_at, rows.game_id)
        )
        sets: dict[str, list[tuple[int, ...]]] = defaultdict(list)
        for dice, *counts in self._asked(query):
            sets[dice].append(tuple(counts))
        return {dice: tuple(games) for dice, games in sets.items()}

    def _counted(self, kind: GameKind | None = None) -> sa.CTE:
        """The rows that count, each under its player's current name."""
        rows = FINISHED_TABLE.c
        name = self._shown(rows.name)
        others = [column for column in rows if column.name != "name"]
        query = sa.select(name.label("name"), *others).join(STANDINGS_TABLE, _IS_TRUE)
        query = query.where(rows.game_id.not_in(_IN_BIN))
        if kind is not None:
            if kind.game:
                query = query.where(rows.game == kind.game, rows.rules == kind.rules)
            if kind.season:
                query = query.where(rows.finished_on.startswith(kind.season))
            if kind.names:
                query = query.where(name.in_(kind.names))
            if kind.before is not None:
                query = query.where(rows.finished_at < kind.before.astimezone(UTC).isoformat())
        return query.cte("counted")

    def _shown(self, name: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
        """A player's current name; a join for each row takes twice the time."""
        known = self._profiles.by_name().items()
        renamed = {each: profile.name for each, profile in known if each != profile.name}
        return sa.case(renamed, value=name, else_=name) if renamed else name


def _average(column: sa.ColumnElement[Any]) -> sa.ColumnElement[float]:
    return sa.func.avg(sa.cast(column, sa.Float))  # PostgreSQL averages whole numbers as decimals


def _averages(cards: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """The average of each box over the cards that have it."""
    points: dict[str, list[int]] = defaultdict(list)
    for card in cards:
        for box, each in card.items():
            points[box].append(each)
    return {box: sum(each) / len(each) for box, each in points.items()}


def _row(part: FinishedGame, events: int, dice: str | None) -> dict[str, object]:
    row = asdict(part)
    rolled = row.pop("rolled")
    return row | {
        "events": events,
        "finished_at": part.finished_at.isoformat(),
        "finished_on": part.finished_at.astimezone().date().isoformat(),  # an evening at this table
        "boxes": json.dumps(row["boxes"]),
        "bonus": None if part.bonus is None else int(part.bonus),
        "dice": dice or part.dice,
        **{f"rolled_{face}": count for face, count in zip(FACES, rolled, strict=True)},
    }


@lru_cache(maxsize=1024)  # the same few people, mostly
def _lineup(written: str) -> Lineup:
    found = re.findall(r"^(\d+) (.*)$", written, re.MULTILINE)
    return tuple((name, int(place)) for place, name in found)


def streaks(lineups: Iterable[Lineup]) -> dict[str, tuple[int, int]]:
    """The longest run of wins in these games of each name, and the one still running."""
    found: dict[str, tuple[int, int]] = {}
    for name, place in chain.from_iterable(lineups):
        longest, running = found.get(name, (0, 0))
        running = running + 1 if place == 1 else 0
        found[name] = (max(longest, running), running)
    return found


def meetings(lineups: Iterable[Lineup]) -> tuple[Meetings, ...]:
    """The players' records against each other, the most frequent first; none of guests."""
    met = defaultdict[tuple[str, str], Counter[int]](Counter)
    for lineup, games in Counter(lineups).items():
        for (name, place), (other, of_other) in permutations(lineup, 2):
            met[name, other][(place > of_other) - (place < of_other)] += games
    found = (Meetings(*names, by.total(), by[-1], by[1]) for names, by in met.items())
    known = [each for each in found if not (is_guest(each.name) or is_guest(each.other))]
    return tuple(sorted(known, key=lambda each: (-each.games, each.name, each.other)))


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A person's games in three figures, and what a sentence could be about.

    `summary.best` is the best total in `best_in`, of the kinds of games that they finished the one
    that the table plays most; None without any. `longest` and `streak` are the most wins in a row,
    and those that go on, `met` the records against others, whom they met most first.
    """

    summary: PlayerSummary
    best_in: Message | None = None
    longest: int = 0
    streak: int = 0
    met: tuple[Meetings, ...] = ()


def people(finished: SqlFinishedGames, kind: GameKind = GameKind()) -> dict[str, PlayerCard]:
    """Everybody in games of that kind by name, most games won first. Raises StoreError."""
    summaries, best = finished.players(kind), dict[str, tuple[int, Message]]()
    known = (each for each in finished.kinds() if each.game in GAMES)
    of_kinds = {kind: summaries} if kind.game else {each: finished.players(each) for each in known}
    for of_kind, players in of_kinds.items():
        for each in players:
            if each.best is not None:
                best.setdefault(each.name, (each.best, of_kind.title))
    lineups = finished.lineups(kind)
    runs, met = streaks(lineups), defaultdict[str, tuple[Meetings, ...]](tuple)
    for one in meetings(lineups):
        if one.games >= LEAST_MEETINGS:
            met[one.name] += (one,)
    found = {}
    for each in sorted(summaries, key=lambda one: -one.wins):
        total, game = best.get(each.name, (None, None))
        run = runs.get(each.name, (0, 0))
        found[each.name] = PlayerCard(replace(each, best=total), game, *run, met[each.name])
    return found


def rivalries(everybody: Iterable[PlayerCard]) -> tuple[Meetings, ...]:
    """Each two who met most, once."""
    met = {frozenset((one.name, one.other)): one for each in everybody for one in each.met[:1]}
    return tuple(met.values())
