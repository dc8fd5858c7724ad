"""Finished games at random, and their figures worked out without a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby

from hypothesis import strategies as st
from sqlalchemy import insert

from scoreboard.games.dice.acts import KINDS
from scoreboard.games.engine.transcript import GameHeader, GameStatus
from scoreboard.games.finished import FinishedGame
from scoreboard.storage import SqlStore
from scoreboard.storage.rows import event_row, header_row, standing_row
from scoreboard.storage.schema import EVENTS_TABLE, GAMES_TABLE, STANDINGS_TABLE
from tests.scoreboard.storage.records import RECORDS, record

NAMES = ("Ann", "Ben", "Çem")
Games = list[tuple[FinishedGame, ...]]


@st.composite
def finished(draw: st.DrawFn) -> Games:
    """Up to twelve games, in the order of play."""
    at, games = datetime(2025, 11, 1, 12, tzinfo=UTC), []
    for number in range(draw(st.integers(0, 12))):
        at += timedelta(days=draw(st.integers(1, 60)))
        names = draw(st.permutations(NAMES))[: draw(st.integers(1, 3))]
        totals = [draw(st.none() | st.integers(100, 130)) for _ in names]
        merits = [-1 if total is None else total for total in totals]
        games.append(
            tuple(
                FinishedGame(
                    game_id=f"g{number}",
                    game="yahtzee",
                    rules="",
                    finished_at=at,
                    seat=seat,
                    name=name,
                    players=len(names),
                    total=totals[seat],
                    place=1 + sum(merit > merits[seat] for merit in merits),
                    boxes={"aces": draw(st.integers(0, 5)), "chance": draw(st.integers(5, 30))},
                    yahtzees=draw(st.integers(0, 2)),
                    bonus=None if totals[seat] is None else draw(st.booleans()),
                    rolled=tuple(draw(st.integers(0, 9)) for _ in range(6)),
                    dice=draw(st.sampled_from(["", "red"])),
                )
                for seat, name in enumerate(names)
            )
        )
    return games


def keep(store: SqlStore, games: Sequence[Sequence[FinishedGame]]) -> None:
    headers, events, standings = [], [], []
    for parts in games:
        game_id, names = parts[0].game_id, tuple(part.name for part in parts)
        headers.append(header_row(GameHeader(game_id, "yahtzee", names, parts[0].finished_at)))
        events.append(event_row(record(1, RECORDS[0].event, game_id), KINDS))
        status = GameStatus(finished=True, abandoned=False, totals=(0,) * len(names))
        standings.append({"game_id": game_id, **standing_row(status, 1)})
    with store._database.writing() as connection:
        for table, rows in (
            (GAMES_TABLE, headers),
            (EVENTS_TABLE, events),
            (STANDINGS_TABLE, standings),
        ):
            if rows:
                connection.execute(insert(table), rows)
    store.finished.keep({parts[0].game_id: (1, parts) for parts in games})


def parts_of(games: Games, name: str, season: str = "") -> list[FinishedGame]:
    return [
        part
        for parts in games
        for part in parts
        if part.name == name and str(part.finished_at.astimezone().date()).startswith(season)
    ]


def mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def longest_and_running(parts: Sequence[FinishedGame]) -> tuple[int, int]:
    won = [part.place == 1 for part in parts if part.players > 1]
    runs = [(win, len(list(run))) for win, run in groupby(won)]
    wins = [length for win, length in runs if win]
    return max(wins, default=0), runs[-1][1] if runs and runs[-1][0] else 0
