"""Finished games as rows, one a player, and the questions that are asked of them.

Only rows count whose events and checksum are those of the game's standing, and of no game in the
bin: whatever else changed a game, its old figures are never shown.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import CTE, ColumnElement, and_, case, delete, func, insert, or_, select, true

from scoreboard.dice import FACES
from scoreboard.games.finished import FinishedGame
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

_IS_TRUE: Final = and_(
    STANDINGS_TABLE.c.game_id == FINISHED_TABLE.c.game_id,
    STANDINGS_TABLE.c.events == FINISHED_TABLE.c.events,
    STANDINGS_TABLE.c.checksum == FINISHED_TABLE.c.checksum,
    STANDINGS_TABLE.c.finished == 1,
)
_LISTED: Final = GAMES_TABLE.c.game_id.not_in(select(BIN_TABLE.c.game_id))
HISTOGRAM_STEP: Final = 25
YEAR, MONTH = 4, 7  # as many letters of a date


@dataclass(frozen=True, slots=True)
class GameKind:
    """Games that can be compared: of one rulebook, under the same house rules.

    `season` is a year ("2026") or a month ("2026-11"), empty for all times.
    """

    game: str
    rules: str = ""
    season: str = ""


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player's figures in games of one kind; with `season` in that year or month alone.

    `shared` are the games with others, of which `wins` were won; an average, best and bonus rate
    are those of the games played to their end, None without any.
    """

    name: str
    games: int
    shared: int = 0
    wins: int = 0
    average: float | None = None
    best: int | None = None
    yahtzees: int | None = None
    bonus_rate: float | None = None
    luck: float | None = None
    costs: float | None = None
    season: str = ""


@dataclass(frozen=True, slots=True)
class Meetings:
    """How two players did against each other: games that both played, and who was ahead."""

    name: str
    other: str
    games: int
    wins: int
    losses: int
    average: float | None
    other_average: float | None

    @property
    def ties(self) -> int:
        """The games in which they shared a place."""
        return self.games - self.wins - self.losses


@dataclass(frozen=True, slots=True)
class TopGame:
    """A player's total in one game, None where the player left; `finished_at` as it is stored."""

    name: str
    total: int | None
    game_id: str
    finished_at: str


class SqlFinishedGames:
    """The rows of finished games; each call is one transaction. All raise StoreError."""

    def __init__(self, database: Database, profiles: SqlProfiles) -> None:
        self._database = database
        self._profiles = profiles

    def stale(self) -> tuple[str, ...]:
        """The games of the list whose figures are missing or older than the game, oldest first."""
        length = (
            select(func.max(EVENTS_TABLE.c.sequence))
            .where(EVENTS_TABLE.c.game_id == GAMES_TABLE.c.game_id)
            .scalar_subquery()
        )
        first = and_(_IS_TRUE, FINISHED_TABLE.c.seat == 0)
        query = (
            select(GAMES_TABLE.c.game_id)
            .outerjoin(STANDINGS_TABLE, STANDINGS_TABLE.c.game_id == GAMES_TABLE.c.game_id)
            .outerjoin(FINISHED_TABLE, first)
            .where(
                _LISTED,
                or_(
                    STANDINGS_TABLE.c.events.is_(None),
                    STANDINGS_TABLE.c.events != func.coalesce(length, 0),
                    and_(STANDINGS_TABLE.c.finished == 1, FINISHED_TABLE.c.seat.is_(None)),
                ),
            )
            .order_by(GAMES_TABLE.c.opened)
        )
        with self._database.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def keep(self, games: Mapping[str, tuple[int, Sequence[FinishedGame]]]) -> None:
        """Keep each game's rows, worked out after so many events; one with others gets none.

        A set of dice that was named before keeps its name.
        """
        standing = select(STANDINGS_TABLE).where(STANDINGS_TABLE.c.game_id.in_(games))
        named = select(FINISHED_TABLE.c.game_id, FINISHED_TABLE.c.dice).where(
            FINISHED_TABLE.c.game_id.in_(games)
        )
        with self._database.writing() as connection:
            names = {game_id: name for game_id, name in connection.execute(named) if name}
            rows = [
                _row(part, stored.events, stored.checksum, names.get(stored.game_id))
                for stored in connection.execute(standing)
                if stored.finished and stored.events == games[stored.game_id][0]
                for part in games[stored.game_id][1]
            ]
            connection.execute(delete(FINISHED_TABLE).where(FINISHED_TABLE.c.game_id.in_(games)))
            if rows:
                connection.execute(insert(FINISHED_TABLE), rows)

    def kinds(self, name: str = "") -> dict[GameKind, dict[str, int]]:
        """What was played, by that player, and how often in each year: most games first."""
        rows = self._counted().c
        year = func.substr(rows.finished_on, 1, YEAR).label("year")
        query = (
            select(rows.game, rows.rules, year, func.count())
            .where(rows.name == name if name else rows.seat == 0)
            .group_by(rows.game, rows.rules, year)
            .order_by(year.desc())
        )
        kinds: dict[GameKind, dict[str, int]] = defaultdict(dict)
        with self._database.glancing() as connection:
            for game, rules, of_year, games in connection.execute(query):
                kinds[GameKind(game, rules)][of_year] = games
        return dict(sorted(kinds.items(), key=lambda each: -sum(each[1].values())))

    def players(
        self, kind: GameKind, *, names: Collection[str] | None = None, without: str = ""
    ) -> tuple[PlayerSummary, ...]:
        """Every player's figures, or those of `names`, the most games first; a game left out."""
        found = self._summaries(kind, names, without, 0)
        return tuple(each for each in found if not is_guest(each.name))

    def streaks(
        self, kind: GameKind, names: Collection[str], without: str = ""
    ) -> dict[str, tuple[int, int]]:
        """The longest run of wins in games with others of each name, and the one still running."""
        rows = self._counted().c
        query = (
            select(rows.name, rows.place)
            .where(_of(kind, rows), _named(rows, names), rows.game_id != without, rows.players > 1)
            .order_by(rows.finished_at, rows.game_id)
        )
        found: dict[str, tuple[int, int]] = {}
        with self._database.glancing() as connection:
            for name, place in connection.execute(query):
                longest, running = found.get(name, (0, 0))
                running = running + 1 if place == 1 else 0
                found[name] = (max(longest, running), running)
        return found

    def seasons(self, kind: GameKind, name: str, length: int) -> tuple[PlayerSummary, ...]:
        """A player's figures in each year (`YEAR`) or month (`MONTH`), the newest first."""
        return self._summaries(kind, [name], "", length)

    def box_averages(self, kind: GameKind, name: str = "") -> dict[str, dict[str, float]]:
        """What each player had in each box on average, or one, in games played to their end."""
        rows = self._counted().c
        query = (
            select(rows.name, func.aggregate_strings(rows.boxes, ","))
            .where(_of(kind, rows), rows.total.is_not(None), _named(rows, [name] if name else None))
            .group_by(rows.name)
        )
        with self._database.glancing() as connection:
            return {of_name: _averages(cards) for of_name, cards in connection.execute(query)}

    def meetings(self, kind: GameKind, name: str) -> tuple[Meetings, ...]:
        """How a player did against each other one, the most frequent first."""
        one, two = self._counted().alias("one"), FINISHED_TABLE.alias("two")  # true together
        other = self._shown(two.c.name).label("other")
        games = func.count().label("games")
        query = (
            select(
                other,
                games,
                func.sum(case((one.c.place < two.c.place, 1), else_=0)),
                func.sum(case((one.c.place > two.c.place, 1), else_=0)),
                func.avg(one.c.total),
                func.avg(two.c.total),
            )
            .select_from(one)
            .join(two, and_(two.c.game_id == one.c.game_id, two.c.seat != one.c.seat))
            .where(_of(kind, one.c), one.c.name == name)
            .group_by(other)
            .order_by(games.desc(), other)
        )
        with self._database.glancing() as connection:
            found = connection.execute(query).all()
        return tuple(
            Meetings(name, shown, count, wins, losses, _float(own), _float(others))
            for shown, count, wins, losses, own, others in found
            if not is_guest(shown)
        )

    def best_games(
        self, kind: GameKind, name: str = "", most: int = 5, without: str = ""
    ) -> tuple[TopGame, ...]:
        """The highest totals, of all players or of one; a game left out."""
        rows = self._counted().c
        query = (
            select(rows.name, rows.total, rows.game_id, rows.finished_at)
            .where(_of(kind, rows), rows.total.is_not(None), _named(rows, [name] if name else None))
            .where(rows.game_id != without)
            .order_by(rows.total.desc(), rows.finished_at, rows.seat)
            .limit(most)
        )
        with self._database.glancing() as connection:
            return tuple(TopGame(*row) for row in connection.execute(query))

    def ends(self) -> tuple[tuple[str, datetime], ...]:
        """Every game that counts with the time of its end (aware UTC), the oldest first."""
        rows = self._counted().c
        query = (
            select(rows.game_id, rows.finished_at)
            .where(rows.seat == 0)
            .order_by(rows.finished_at, rows.game_id)
        )
        with self._database.glancing() as connection:
            found = connection.execute(query).all()
        return tuple((game_id, datetime.fromisoformat(at)) for game_id, at in found)

    def results(self, kind: GameKind, until: datetime) -> tuple[FinishedGame, ...]:
        """Places and totals in games that ended before a time, oldest first; nothing else."""
        rows = self._counted().c
        query = (
            select(rows.game_id, rows.finished_at, rows.seat, rows.name, rows.players)
            .add_columns(rows.total, rows.place)
            .where(_of(kind, rows), rows.finished_at < until.astimezone(UTC).isoformat())
            .order_by(rows.finished_at, rows.game_id, rows.seat)
        )
        with self._database.glancing() as connection:
            found = connection.execute(query).all()
        return tuple(
            FinishedGame(game_id, kind.game, kind.rules, datetime.fromisoformat(at), *others)
            for game_id, at, *others in found
        )

    def finals(self, kind: GameKind, name: str = "") -> dict[int, int]:
        """How many totals there are in each step of 25 points, by its lowest."""
        rows = self._counted().c
        step = (rows.total - rows.total % HISTOGRAM_STEP).label("step")
        query = (
            select(step, func.count())
            .where(_of(kind, rows), rows.total >= 0, _named(rows, [name] if name else None))
            .group_by(step)
            .order_by(step)
        )
        with self._database.glancing() as connection:
            return dict(connection.execute(query).all())

    def rolled(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """What each set of dice showed, game by game in the order of play, by face."""
        rows = self._counted().c
        query = (
            select(rows.dice, *(func.sum(rows[f"rolled_{face}"]) for face in FACES))
            .where(rows.yahtzees.is_not(None))
            .group_by(rows.dice, rows.finished_at, rows.game_id)
            .order_by(rows.finished_at, rows.game_id)
        )
        sets: dict[str, list[tuple[int, ...]]] = defaultdict(list)
        with self._database.glancing() as connection:
            for dice, *counts in connection.execute(query):
                sets[dice].append(tuple(counts))
        return {dice: tuple(games) for dice, games in sets.items()}

    def _counted(self) -> CTE:
        """The rows that count, each under the name by which its player is shown now."""
        others = [column for column in FINISHED_TABLE.c if column.name != "name"]
        return (
            select(self._shown(FINISHED_TABLE.c.name).label("name"), *others)
            .join(STANDINGS_TABLE, _IS_TRUE)
            .where(FINISHED_TABLE.c.game_id.not_in(select(BIN_TABLE.c.game_id)))
            .cte("counted")
        )

    def _shown(self, name: ColumnElement[str]) -> ColumnElement[str]:
        """The name by which a player is shown now; a join for each row takes twice the time."""
        renamed = {
            known: profile.name
            for known, profile in self._profiles.by_name().items()
            if known != profile.name
        }
        return case(renamed, value=name, else_=name) if renamed else name

    def _summaries(
        self, kind: GameKind, names: Collection[str] | None, without: str, length: int
    ) -> tuple[PlayerSummary, ...]:
        rows, games = self._counted().c, func.count().label("games")
        season = func.substr(rows.finished_on, 1, length).label("season")
        won = and_(rows.place == 1, rows.players > 1)
        query = (
            select(
                rows.name,
                games,
                func.sum(case((rows.players > 1, 1), else_=0)).label("shared"),
                func.sum(case((won, 1), else_=0)).label("wins"),
                func.avg(rows.total).label("average"),
                func.max(rows.total).label("best"),
                func.sum(rows.yahtzees).label("yahtzees"),
                func.avg(rows.bonus).label("bonus_rate"),
                func.avg(rows.luck).label("luck"),
                func.avg(rows.costs).label("costs"),
                season,
            )
            .where(_of(kind, rows), _named(rows, names), rows.game_id != without)
            .group_by(rows.name, season)
            .order_by(season.desc(), games.desc(), rows.name)
        )
        averages = ("average", "bonus_rate", "luck", "costs")
        with self._database.glancing() as connection:
            return tuple(
                PlayerSummary(**{**row, **{each: _float(row[each]) for each in averages}})
                for row in connection.execute(query).mappings()
            )


def _of(kind: GameKind, rows: Any) -> ColumnElement[bool]:
    """The rows of games of this kind."""
    same = and_(rows.game == kind.game, rows.rules == kind.rules)
    if not kind.season:
        return same
    return and_(same, func.substr(rows.finished_on, 1, len(kind.season)) == kind.season)


def _named(rows: Any, names: Collection[str] | None) -> ColumnElement[bool]:
    return true() if names is None else rows.name.in_(names)


def _float(number: Any) -> float | None:
    return None if number is None else float(number)  # PostgreSQL averages whole numbers exactly


def _averages(texts: str) -> dict[str, float]:
    """The average of each box over cards in JSON, of which most have the same boxes."""
    shapes: dict[tuple[str, ...], list[Mapping[str, int]]] = defaultdict(list)
    for card in json.loads(f"[{texts}]"):
        shapes[tuple(card)].append(card)
    sums, counts = Counter[str](), Counter[str]()
    for boxes, cards in shapes.items():
        columns = zip(*(card.values() for card in cards), strict=True)
        sums.update(dict(zip(boxes, map(sum, columns), strict=True)))
        counts.update(dict.fromkeys(boxes, len(cards)))
    return {box: sums[box] / counts[box] for box in counts}


def _row(part: FinishedGame, events: int, checksum: int, dice: str | None) -> dict[str, object]:
    row = asdict(part)
    rolled = row.pop("rolled")
    return row | {
        "events": events,
        "checksum": checksum,
        "finished_at": part.finished_at.isoformat(),
        "finished_on": part.finished_at.astimezone().date().isoformat(),  # an evening at this table
        "boxes": json.dumps(row["boxes"]),
        "bonus": None if part.bonus is None else int(part.bonus),
        "dice": dice or part.dice,
        **{f"rolled_{face}": count for face, count in zip(FACES, rolled, strict=True)},
    }
