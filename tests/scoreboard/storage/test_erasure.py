"""A person is deleted everywhere, and the games stay what they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scoreboard.games import GAMES
from scoreboard.games.dice.acts import CategoryScored, PlayerLeft
from scoreboard.games.engine.transcript import NAMING, state_after
from scoreboard.players import player_names
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.score_photos import ScorePhoto
from scoreboard.table.game_repository import known_standings
from tests.golden.playthroughs import texts
from tests.golden.seams import fill_store
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.storage.records import EVENING, RECORDS, STANDING, header, record

JPEG = b"\xff\xd8 a face that nobody else has"
# What else the events of each game have as a text: none of it names a player.
OTHER_TEXTS = {"category", "rule", "mission"}


@pytest.fixture
def store(url: str) -> Iterator[MemoryStore | SqlStore]:
    """Each kind of store, empty."""
    with closing(MemoryStore() if url == "memory:" else open_store(url)) as kept:
        yield kept


def test_each_member_that_names_a_player_is_known() -> None:
    """A new event with another text has to say whether it is a name."""
    found = {
        name
        for game in GAMES.values()
        for event in game.kinds.values()
        for name, kind in event.__annotations__.items()
        if kind == "str"
    }
    assert found == {*NAMING, *OTHER_TEXTS}


def test_a_name_becomes_a_guest_in_header_and_events(store: MemoryStore | SqlStore) -> None:
    """In the list and in the bin; undone events too; everybody else stays, and other games."""
    for game_id in ("evening", "binned"):
        store.open_game(header(game_id))
        store.append(game_id, 0, tuple(record(n, each.event, game_id) for n, each in numbered()))
    store.put_in_bin("binned", EVENING)
    store.open_game(header("other", ("Süd", "Northern")))
    store.erase(("North",))
    store.take_back("binned")
    for game_id in ("evening", "binned"):
        assert store.header(game_id).players == ("Guest 1", "Süd")
        scored = CategoryScored("Guest 1", "chance", 24, "YZ-16", 0)
        assert store.events(game_id)[3].event == scored
        assert "North" not in store.raw(game_id)
    assert store.header("other").players == ("Süd", "Northern")


def numbered() -> Iterator[tuple[int, Any]]:
    return enumerate(RECORDS, start=1)


def test_guests_of_one_game_differ(store: MemoryStore | SqlStore) -> None:
    """Somebody may be called so already, and one person may have sat there under two names."""
    store.open_game(header(players=("Guest 1", "Ann", "Ben", "anna")))
    store.append("evening", 0, [record(1, PlayerLeft("anna"))])
    store.erase(("Ann", "anna"))
    assert store.header("evening").players == ("Guest 1", "Guest 2", "Ben", "Guest 3")
    assert store.events("evening")[0].event == PlayerLeft("Guest 3")


@pytest.mark.parametrize("name", ["Anna \"O'x\\", "안나", "[Ann]", '"'])
def test_any_name_can_be_deleted(store: MemoryStore | SqlStore, name: str) -> None:
    """Also one that needs care as JSON, or as a pattern."""
    store.open_game(header(players=(name, "B")))
    store.append("evening", 0, [record(1, CategoryScored(name, "chance", 24, "YZ-16", 0))])
    store.erase((name,))
    assert store.header("evening").players == ("Guest 1", "B")
    assert store.events("evening")[0].event.player == "Guest 1"  # type: ignore[attr-defined]


def test_a_standing_is_still_known(store: MemoryStore | SqlStore) -> None:
    """The list shows the same totals as before, and the game goes on."""
    store.open_game(header())
    store.append("evening", 0, RECORDS[:4], STANDING)
    store.erase(("North",))
    (listed,) = known_standings(store, store.games())
    assert listed[1] == STANDING
    (kept,) = store.games()
    assert kept.standing == STANDING
    store.append("evening", 4, RECORDS[4:])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every playthrough, stored in one file."""
    path = tmp_path_factory.mktemp("played") / "games.db"
    fill_store(path, texts())
    return path


def test_every_playthrough_ends_the_same_without_its_players(played: Path) -> None:
    """All are deleted one after the other: no name is left in any row, and all points stay."""
    with closing(open_store(f"sqlite:///{played}")) as store:
        before = sheets(store)
        everybody = {player for one in store.headers() for player in one.players}
        for player in sorted(everybody):
            store.profiles.note((player,))
            store.erase((player,))
        assert sheets(store) == before
        assert all(player_names(one.players) for one in store.headers())
        assert {name.split()[0] for one in store.headers() for name in one.players} == {"Guest"}
        assert store.profiles.all() == ()


def sheets(store: MemoryStore | SqlStore) -> Mapping[str, object]:
    games = {one.game_id: one for one in store.headers()}
    return {
        game_id: [
            [cell.points for cell in row.cells]
            for row in GAMES[one.game]
            .scoresheet(state_after(GAMES[one.game], one, store.events(game_id)))
            .rows
        ]
        for game_id, one in games.items()
    }


def test_no_byte_is_left_in_the_file(tmp_path: Path) -> None:
    """Neither of the name nor of the photo, in the database or the log beside it."""
    path = tmp_path / "games.db"
    with closing(open_store(f"sqlite:///{path}")) as store:
        profile = store.profiles.add("Rumpelstilzchen")
        store.profiles.set_photo(profile.profile_id, JPEG * 500)
        store.open_game(header(players=("Rumpelstilzchen", "B")))
        left = [record(1, PlayerLeft("Rumpelstilzchen"))]
        store.append("evening", 0, left, STANDING)
        assert b"Rumpelstilzchen" in path.read_bytes() + path.with_name("games.db-wal").read_bytes()
        store.erase(store.profiles.names(profile.profile_id))
        for file in tmp_path.iterdir():
            assert b"Rumpelstilzchen" not in file.read_bytes(), file
            assert JPEG not in file.read_bytes(), file
        assert store.profiles.all() == ()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_photos_of_their_turns_go_too(kind: str, request: pytest.FixtureRequest) -> None:
    """Those of the others stay; where nobody knows whose turn it was they go as well."""
    database = request.getfixturevalue(kind)
    with closing(open_store(database)) as store:
        store.open_game(header(players=("North", "Süd", "Ann", "ann")))
        store.open_game(header("other", ("North", "Süd")))
        seen = [{"seat": seat, "entered": ""} for seat in (0, 1, 2, 3, 12, None)]
        for step, known in enumerate((*seen, {}), start=1):
            for game_id in ("evening", "other"):
                store.photos.add(ScorePhoto(game_id, step, EVENING, b"jpeg", known))
        store.erase(("Ann", "Süddeutscher"))
        kept = {game_id: store.photos.steps(game_id) for game_id in ("evening", "other")}
    assert kept == {"evening": {1, 2, 4}, "other": {1, 2, 3, 4, 5, 6, 7}}
