"""The figures of finished games, in both kinds of database, against plain Python."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from scoreboard.games.engine.transcript import GameStatus
from scoreboard.games.finished import FinishedGame, PlayerRecord
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.finished_games import MONTH, YEAR, GameKind, PlayerSummary
from tests.scoreboard.storage.finished import (
    NAMES,
    Games,
    finished,
    keep,
    longest_and_running,
    mean,
    parts_of,
)
from tests.scoreboard.storage.records import RECORDS, record

YAHTZEE = GameKind("yahtzee")
AT = datetime(2026, 5, 1, 20, tzinfo=UTC)
ONE = FinishedGame("g1", "yahtzee", "", AT, 0, "Ann", 1, 200, 1, {"aces": 3}, 0, bonus=False)


def opened(url: str) -> SqlStore:
    """The database at that address."""
    store = open_store(url)
    assert isinstance(store, SqlStore)
    return store


@pytest.fixture(scope="module")
def reused(made_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStore]:
    """A file that each example finds empty: making one takes longer than all questions."""
    path = shutil.copy(made_file, tmp_path_factory.mktemp("finished"))
    with closing(opened(f"sqlite:///{path}")) as kept:
        yield kept


def emptied(store: SqlStore) -> SqlStore:
    """The store without its games."""
    with store._database.writing() as connection:
        connection.execute(text("DELETE FROM games"))
    return store


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[SqlStore]:
    """Each kind of database, empty."""
    with closing(opened(request.getfixturevalue(request.param))) as kept:
        yield kept


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
        assert store.finished.streaks(kind).get(name, (0, 0)) == longest_and_running(parts)
        for length in (YEAR, MONTH):
            seasons = {str(part.finished_at.astimezone().date())[:length] for part in parts}
            assert store.finished.players(kind, length) == tuple(
                replace(summed(name, parts_of(games, name, season)) or PlayerSummary("", 0),
                        season=season)
                for season in sorted(seasons, reverse=True)
            )  # fmt: skip
        totals = [part.total for part in whole if part.total is not None]
        assert store.finished.finals(kind) == Counter(t // 25 * 25 for t in totals)
        best = [each.total for each in store.finished.best_games(kind)]
        assert best == sorted(totals, reverse=True)[:5]


def summed(name: str, parts: list[FinishedGame]) -> PlayerSummary | None:
    """A player's figures from what was played."""
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
        bonus_rate=mean([part.bonus for part in parts if part.bonus is not None]),
    )


@settings(max_examples=25)
@given(finished())
def test_figures_are_those_of_the_games(reused: SqlStore, games: Games) -> None:
    """Games, wins, averages, boxes, streaks, seasons, totals and best games of each player."""
    keep(emptied(reused), games)
    require_figures(reused, games)


@settings(max_examples=25)
@given(finished(), st.permutations(NAMES))
def test_two_players_are_compared_in_the_games_that_both_played(
    reused: SqlStore, games: Games, names: list[str]
) -> None:
    """Who was ahead how often, and what both had on average."""
    one, two, _ = names
    both = [
        (by_name[one], by_name[two])
        for parts in games
        if {one, two} <= (by_name := {part.name: part for part in parts}).keys()
    ]
    keep(emptied(reused), games)
    found = [
        each
        for each in reused.finished.meetings(replace(YAHTZEE, names=(one,)))
        if each.other == two
    ]
    assert [(each.games, each.wins, each.losses, each.ties) for each in found] == [
        (
            len(both),
            sum(a.place < b.place for a, b in both),  # type: ignore[operator] # all have places
            sum(a.place > b.place for a, b in both),  # type: ignore[operator] # as above
            sum(a.place == b.place for a, b in both),
        )
    ] * bool(both)
    for each in found:
        assert each.average == mean([a.total for a, _ in both if a.total is not None])
        assert each.other_average == mean([b.total for _, b in both if b.total is not None])


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
    assert store.finished.meetings(replace(YAHTZEE, names=("Ann",)))[0].games == 7
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
    with store._database.glancing() as connection:
        left = connection.execute(text("SELECT game_id FROM finished_games")).scalars().all()
    assert left == ["g2"]


def test_a_game_that_goes_on_again_does_not_count(store: SqlStore) -> None:
    """Undo of the last box: there is nothing to work out until it is finished again."""
    keep(store, [(ONE,)])
    status = GameStatus(finished=False, abandoned=False, totals=(1,))
    store.append("g1", 1, [record(2, RECORDS[1].event, "g1")], status)
    assert (store.finished.players(YAHTZEE), store.finished.stale()) == ((), ())


def test_a_set_of_dice_keeps_its_name(store: SqlStore) -> None:
    """Also when the game's figures are worked out anew without it."""
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
    with closing(opened(f"sqlite:///{tmp_path}/games.db")) as store:
        keep(store, [(ONE,)])
        profile = store.profiles.add("Ann")
        store.erase(store.profiles.names(profile.profile_id))
        with store._database.glancing() as connection:
            rows = connection.execute(text("SELECT name FROM finished_games")).scalars().all()
    assert rows == ["Guest 1"]
