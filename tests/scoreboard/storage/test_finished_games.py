"""The figures of finished games, in both kinds of database, against plain Python."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, text

from scoreboard.games.dice.acts import KINDS
from scoreboard.games.engine.transcript import GameHeader, GameStatus
from scoreboard.games.finished import FinishedGame, PlayerRecord
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.finished_games import GameKind, PlayerSummary, meetings, streaks
from scoreboard.storage.rows import event_row, header_row, standing_row
from scoreboard.storage.schema import EVENTS_TABLE, GAMES_TABLE, STANDINGS_TABLE
from tests.scoreboard.storage.records import RECORDS, record

NAMES = ("Ann", "Ben", "Çem")
Games = list[tuple[FinishedGame, ...]]
YAHTZEE = GameKind("yahtzee")
AT = datetime(2026, 5, 1, 20, tzinfo=UTC)
ONE = FinishedGame("g1", "yahtzee", "", AT, 0, "Ann", 1, 200, 1, {"aces": 3}, 0, bonus=False)


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


@pytest.fixture(scope="module")
def reused(made_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStore]:
    """A file that each example finds empty: making one takes longer than all questions."""
    path = shutil.copy(made_file, tmp_path_factory.mktemp("finished"))
    with closing(open_store(f"sqlite:///{path}")) as kept:
        yield kept


def emptied(store: SqlStore) -> SqlStore:
    with store._database.writing() as connection:
        connection.execute(text("DELETE FROM games"))
    return store


def require_figures(store: SqlStore, games: Games) -> None:
    """Check every question about each player against the games themselves."""
    figures = {each.name: each for each in store.finished.players(YAHTZEE)}
    boxes = store.finished.box_averages(YAHTZEE)
    for name in NAMES:
        parts = parts_of(games, name)
        assert figures.get(name) == summed(name, parts)
        whole = [part for part in parts if part.total is not None]
        if whole:
            for box in ("aces", "chance"):
                assert boxes[name][box] == mean([part.boxes[box] for part in whole])
        kind = replace(YAHTZEE, names=(name,))
        assert streaks(store.finished.lineups(kind)).get(name, (0, 0)) == longest_and_running(parts)
        years = {str(part.finished_at.astimezone().year) for part in parts}
        assert store.finished.players(kind, by_year=True) == tuple(
            replace(summed(name, parts_of(games, name, year)) or PlayerSummary("", 0), season=year)
            for year in sorted(years, reverse=True)
        )
        totals = [part.total for part in whole if part.total is not None]
        best = [each.total for each in store.finished.best_games(kind)]
        assert best == sorted(totals, reverse=True)[:5]


def summed(name: str, parts: list[FinishedGame]) -> PlayerSummary | None:
    totals = [part.total for part in parts if part.total is not None]
    if not parts:
        return None
    return PlayerSummary(
        name,
        games=len(parts),
        shared=sum(part.players > 1 for part in parts),
        wins=sum(part.players > 1 and part.place == 1 for part in parts),
        average=mean(totals),
        best=max(totals, default=None),
        yahtzees=sum(part.yahtzees or 0 for part in parts),
    )


@settings(max_examples=25)
@given(finished())
def test_figures_are_those_of_the_games(reused: SqlStore, games: Games) -> None:
    keep(emptied(reused), games)
    require_figures(reused, games)


@settings(max_examples=25)
@given(finished(), st.permutations(NAMES))
def test_two_players_are_compared_in_the_games_that_both_played(
    reused: SqlStore, games: Games, names: list[str]
) -> None:
    one, two, _ = names
    both = [
        (by_name[one], by_name[two])
        for parts in games
        if {one, two} <= (by_name := {part.name: part for part in parts}).keys()
    ]
    keep(emptied(reused), games)
    found = [
        each
        for each in meetings(reused.finished.lineups(YAHTZEE))
        if (each.name, each.other) == (one, two)
    ]
    assert [(each.games, each.wins, each.losses) for each in found] == [
        (
            len(both),
            sum(a.place < b.place for a, b in both),  # type: ignore[operator] # all have places
            sum(a.place > b.place for a, b in both),  # type: ignore[operator] # as above
        )
    ] * bool(both)


@settings(max_examples=25)
@given(finished())
def test_dice_are_counted_by_set_and_game(reused: SqlStore, games: Games) -> None:
    """Each set's rolls by face, game by game; what the players of a game rolled is added."""
    keep(emptied(reused), games)
    rolled = reused.finished.rolled()
    for dice in ("", "red"):
        expected = []
        for parts in games:
            of_set = [part.rolled for part in parts if part.dice == dice]
            if of_set:
                expected.append(tuple(map(sum, zip(*of_set, strict=True))))
        assert list(rolled.get(dice, ())) == expected


def test_both_databases_answer_alike(store: SqlStore) -> None:
    """An evening of three players in each."""
    games = [
        tuple(
            replace(
                ONE, game_id=f"g{number}", seat=seat, name=name, players=3, finished_at=AT,
                total=100 + 37 * (number + seat) % 90, place=1 + (number + seat) % 3,
                boxes={"aces": number, "chance": seat},
            )
            for seat, name in enumerate(NAMES)
        )
        for number in range(7)
    ]  # fmt: skip
    keep(store, games)
    require_figures(store, games)
    assert store.finished.kinds() == {YAHTZEE: {"2026": 7}}
    assert [each.games for each in meetings(store.finished.lineups(YAHTZEE))] == [7] * 6
    assert store.finished.stale() == ()


@settings(max_examples=25)
@given(finished())
def test_records_are_those_before_a_time(reused: SqlStore, games: Games) -> None:
    """The best total of all, and each player's own, with wins in a row at most and now."""
    keep(emptied(reused), games)
    for number, parts in enumerate(games):
        kind = replace(YAHTZEE, names=NAMES, before=parts[0].finished_at)
        best, known = reused.finished.records(kind)
        before = {name: parts_of(games[:number], name) for name in NAMES}
        totals = {
            name: max((each.total for each in played if each.total is not None), default=None)
            for name, played in before.items()
        }
        assert best == max((each for each in totals.values() if each is not None), default=None)
        assert known == {
            name: PlayerRecord(totals[name], *longest_and_running(played))
            for name, played in before.items()
            if played
        }


def test_a_game_that_changed_is_stale_and_does_not_count(store: SqlStore) -> None:
    """After another event, in the bin or deleted: until it is redone."""
    keep(store, [(ONE,), (replace(ONE, game_id="g2"),)])
    assert store.finished.players(YAHTZEE)[0].games == 2
    status = GameStatus(finished=True, abandoned=False, totals=(1,))
    store.append("g1", 1, [record(2, RECORDS[1].event, "g1")], status)
    assert store.finished.stale() == ("g1",)
    assert store.finished.players(YAHTZEE)[0].games == 1
    store.finished.keep({"g1": (1, (ONE,))})  # worked out before the event came
    assert store.finished.stale() == ("g1",)
    store.finished.keep({"g1": (2, (ONE,))})
    assert store.finished.stale() == ()
    store.put_in_bin("g1", AT)
    assert store.finished.players(YAHTZEE)[0].games == 1
    store.take_back("g1")
    assert store.finished.players(YAHTZEE)[0].games == 2
    store.delete("g1")
    with store._database.reading() as connection:
        left = connection.execute(text("SELECT game_id FROM finished_games")).scalars().all()
    assert left == ["g2"]


def test_a_game_that_goes_on_again_does_not_count(store: SqlStore) -> None:
    """Undo of the last box: there is nothing to work out until it is finished again."""
    keep(store, [(ONE,)])
    status = GameStatus(finished=False, abandoned=False, totals=(1,))
    store.append("g1", 1, [record(2, RECORDS[1].event, "g1")], status)
    assert (store.finished.players(YAHTZEE), store.finished.stale()) == ((), ())


def test_a_set_of_dice_keeps_its_name(store: SqlStore) -> None:
    keep(store, [(replace(ONE, dice="red"),)])
    store.finished.keep({"g1": (1, (ONE,))})
    assert list(store.finished.rolled()) == ["red"]


def test_a_player_is_counted_under_the_name_that_is_shown(store: SqlStore) -> None:
    """Over all names of the profile; guests are in no list."""
    other = replace(ONE, game_id="g2", name="Anna")
    keep(store, [(ONE,), (other,), (replace(ONE, game_id="g3", name="Guest 1"),)])
    profile, merged = store.profiles.add("Ann"), store.profiles.add("Anna")
    store.profiles.merge(profile.profile_id, merged.profile_id)
    store.profiles.change(replace(profile, name="Annie"))
    assert [(each.name, each.games) for each in store.finished.players(YAHTZEE)] == [("Annie", 2)]


def test_a_deleted_player_is_in_no_row(tmp_path: Path) -> None:
    """The figures name a guest at once, not only when they are worked out anew."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        keep(store, [(ONE,)])
        profile = store.profiles.add("Ann")
        store.erase(store.profiles.names(profile.profile_id))
        with store._database.reading() as connection:
            rows = connection.execute(text("SELECT name FROM finished_games")).scalars().all()
    assert rows == ["Guest 1"]
