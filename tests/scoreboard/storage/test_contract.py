"""Every store keeps the same contract."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from scoreboard.dice import Roll
from scoreboard.errors import ConflictError, UnknownGameError
from scoreboard.games.dice.acts import DiceRolled
from scoreboard.games.engine.transcript import UNKNOWN, GameStatus, StoredGame
from scoreboard.storage import SqlStore, open_store
from scoreboard.table.ports import EventStore
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.storage.racing import race
from tests.scoreboard.storage.records import EVENING, RECORDS, STANDING, header, record

Store = MemoryStore | SqlStore


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Each kind of store, empty."""
    with closing(MemoryStore() if url == "memory:" else open_store(url)) as kept:
        yield kept


class TestEventStore:
    """The promises of `scoreboard.table.ports.EventStore`."""

    def test_what_was_kept_is_given_back(self, store: EventStore) -> None:
        store.open_game(header())
        store.append("evening", 0, RECORDS[:3])
        store.append("evening", 3, RECORDS[3:])
        assert store.header("evening") == header()
        assert store.events("evening") == RECORDS

    def test_who_confirmed_an_event_is_kept(self, store: EventStore) -> None:
        store.open_game(header())
        kept = tuple(
            replace(one, confirmed_by=by)
            for one, by in zip(RECORDS, ("here", "phöne-1", "buttons", "camera", ""), strict=True)
        )
        store.append("evening", 0, kept)
        assert [one.confirmed_by for one in store.events("evening")] == [
            "here", "phöne-1", "buttons", "camera", UNKNOWN,
        ]  # fmt: skip
        assert store.events("evening") == kept

    def test_the_newest_game_comes_first(self, store: EventStore) -> None:
        for game_id in ("b", "c", "a"):
            store.open_game(header(game_id))
        assert [kept.game_id for kept in store.headers()] == ["a", "c", "b"]

    def test_an_id_is_taken_once(self, store: EventStore) -> None:
        store.open_game(header())
        with pytest.raises(ConflictError):
            store.open_game(header(players=("East",)))
        assert store.header("evening").players == ("North", "Süd")

    def test_who_plays_may_change(self, store: EventStore) -> None:
        """Somebody joins; what was recorded stays, and a stored status fits no more."""
        store.open_game(header())
        store.append("evening", 0, RECORDS, STANDING)
        store.seat("evening", ("North", "Süd", "East"))
        assert store.header("evening").players == ("North", "Süd", "East")
        assert store.events("evening") == RECORDS
        with pytest.raises(UnknownGameError):
            store.seat("nowhere", ("North",))

    @pytest.mark.parametrize("expected", [1, 3])
    def test_a_writer_that_did_not_see_all_is_refused(
        self, store: EventStore, expected: int
    ) -> None:
        store.open_game(header())
        store.append("evening", 0, RECORDS[:2])
        with pytest.raises(ConflictError):
            store.append("evening", expected, RECORDS[expected:])
        assert store.events("evening") == RECORDS[:2]

    def test_one_writer_of_many_wins(self, store: EventStore) -> None:
        store.open_game(header())
        refused = race([lambda: store.append("evening", 0, RECORDS[:1])] * 8)
        assert sorted(str(type(each)) for each in refused if each) == [str(ConflictError)] * 7
        assert store.events("evening") == RECORDS[:1]

    @pytest.mark.parametrize(
        "wrong", [record(3, DiceRolled(Roll(()))), record(2, DiceRolled(Roll(())), "other")]
    )
    def test_all_events_are_kept_or_none(self, store: EventStore, wrong: object) -> None:
        store.open_game(header())
        with pytest.raises(ConflictError):
            store.append("evening", 0, [RECORDS[0], wrong])  # type: ignore[list-item]
        assert store.events("evening") == ()

    def test_nothing_to_append_is_nothing(self, store: EventStore) -> None:
        store.open_game(header())
        store.append("evening", 0, [])
        assert store.events("evening") == ()

    def test_a_deleted_game_is_gone(self, store: EventStore) -> None:
        store.open_game(header())
        store.append("evening", 0, RECORDS)
        store.delete("evening")
        assert store.headers() == ()
        store.open_game(header())
        assert store.events("evening") == ()

    def test_a_game_in_the_bin_counts_as_unknown(self, store: EventStore) -> None:
        """It is in no list, is neither read nor written to, and its rows and its id are kept."""
        store.open_game(header("other"))
        store.open_game(header())
        store.append("evening", 0, RECORDS, STANDING)
        store.put_in_bin("evening", EVENING)
        assert [kept.game_id for kept in store.headers()] == ["other"]
        assert [kept.game_id for kept in store.games()] == ["other"]
        assert store.games(ids=["evening"]) == ()
        assert (store.count(), store.count(in_bin=True)) == (1, 1)
        for act in (
            lambda: store.header("evening"),
            lambda: store.events("evening"),
            lambda: store.append("evening", len(RECORDS), [record(len(RECORDS) + 1, RECORDS[0])]),
            lambda: store.put_in_bin("evening", EVENING),
        ):
            with pytest.raises(UnknownGameError, match="“evening” is in the bin"):
                act()
        with pytest.raises(ConflictError):
            store.open_game(header())
        assert len(store.raw("evening").splitlines()) == 1 + len(RECORDS)
        binned = StoredGame("evening", header(), STANDING, EVENING)
        assert store.games(in_bin=True) == store.games(ids=["evening"], in_bin=True) == (binned,)

    def test_a_game_is_taken_back_whole(self, store: EventStore) -> None:
        for game_id in ("old", "evening", "new"):
            store.open_game(header(game_id))
        store.append("evening", 0, RECORDS[:3], STANDING)
        for _ in range(2):
            store.put_in_bin("evening", EVENING)
            store.take_back("evening")
        assert [kept.game_id for kept in store.games()] == ["new", "evening", "old"]
        assert store.games(ids=["evening"]) == (StoredGame("evening", header(), STANDING),)
        assert store.games(in_bin=True) == ()
        store.append("evening", 3, RECORDS[3:])
        assert store.events("evening") == RECORDS
        for unknown in ("evening", "nowhere"):
            with pytest.raises(UnknownGameError, match=unknown):
                store.take_back(unknown)

    def test_the_bin_is_emptied_of_what_was_there_long_enough(self, store: EventStore) -> None:
        for hours, game_id in enumerate(("a", "b", "c", "listed")):
            store.open_game(header(game_id))
            store.append(game_id, 0, [replace(RECORDS[0], game_id=game_id)])
            if game_id != "listed":
                store.put_in_bin(game_id, EVENING + timedelta(hours=hours))
        assert store.empty_bin(EVENING - timedelta(seconds=1)) == ()
        assert sorted(store.empty_bin(EVENING + timedelta(hours=1))) == ["a", "b"]
        assert [kept.game_id for kept in store.games(in_bin=True)] == ["c"]
        assert [kept.game_id for kept in store.games()] == ["listed"]
        store.open_game(header("a"))
        assert store.events("a") == ()

    def test_a_game_is_deleted_out_of_the_bin(self, store: EventStore) -> None:
        store.open_game(header())
        store.put_in_bin("evening", EVENING)
        store.delete("evening")
        assert store.count(in_bin=True) == 0
        store.open_game(header())
        assert store.games(ids=["evening"]) == (StoredGame("evening", header()),)

    def test_an_unknown_game_is_named(self, store: EventStore) -> None:
        with pytest.raises(UnknownGameError, match="nowhere"):
            store.events("nowhere")
        with pytest.raises(LookupError, match="nowhere"):
            store.header("nowhere")
        with pytest.raises(UnknownGameError, match="nowhere"):
            store.append("nowhere", 0, RECORDS[:1])
        with pytest.raises(UnknownGameError, match="nowhere"):
            store.delete("nowhere")
        with pytest.raises(UnknownGameError, match="nowhere"):
            store.put_in_bin("nowhere", EVENING)

    def test_games_are_listed_by_pages(self, store: EventStore) -> None:
        for game_id in ("a", "b", "c", "d"):
            store.open_game(header(game_id))
        assert store.count() == 4
        assert [one.game_id for one in store.games()] == ["d", "c", "b", "a"]
        assert [one.game_id for one in store.games(1, 2)] == ["c", "b"]
        assert [one.game_id for one in store.games(ids=["a", "d", "x"])] == ["d", "a"]
        assert store.games(4, 2) == ()
        assert store.games(ids=["b"]) == (StoredGame("b", header("b")),)

    def test_a_list_by_time_has_an_old_game_that_came_later_below(self, store: EventStore) -> None:
        """As one out of an archive; games of the same time stand as they came."""
        for game_id, days in (("new", 0), ("old", -2), ("late", 0)):
            opened_at = EVENING + timedelta(days=days)
            store.open_game(replace(header(game_id), opened_at=opened_at))
        listed = [one.game_id for one in store.games(by_time=True)]
        assert listed == ["late", "new", "old"]
        assert [one.game_id for one in store.games(1, 1, by_time=True)] == ["new"]

    def test_a_standing_is_kept_with_its_events(self, store: EventStore) -> None:
        store.open_game(header())
        store.append("evening", 0, RECORDS[:1], STANDING)
        store.append("evening", 1, RECORDS[1:3], STANDING)
        assert standing_of(store) == STANDING
        store.append("evening", 3, RECORDS[3:4])
        assert standing_of(store) is None
        store.append("evening", 4, RECORDS[4:])
        store.keep_standings({"evening": (5, STANDING)})
        assert standing_of(store) == STANDING

    def test_a_standing_of_other_events_is_not_given(self, store: EventStore) -> None:
        store.open_game(header())
        store.append("evening", 0, RECORDS)
        store.keep_standings({"evening": (4, STANDING), "nowhere": (0, STANDING)})
        assert standing_of(store) is None

    def test_raw_rows_are_lines_of_json(self, store: EventStore) -> None:
        store.open_game(header())
        store.append("evening", 0, RECORDS)
        head, *events = map(json.loads, store.raw("evening").splitlines())
        assert (head["game_id"], json.loads(head["players"])) == ("evening", ["North", "Süd"])
        assert [event["sequence"] for event in events] == [1, 2, 3, 4, 5]
        with pytest.raises(UnknownGameError, match="nowhere"):
            store.raw("nowhere")


def standing_of(store: EventStore) -> GameStatus | None:
    return store.games()[0].standing
