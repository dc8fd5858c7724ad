"""What is stored of the photos behind the scores, in both kinds of database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.score_photos import ScorePhoto
from tests.scoreboard.storage.records import EVENING, header

SEEN = {"width": 640, "pieces": [{"value": "5", "read": "?", "corners": [[10.5, 10]]}]}
PHOTO = ScorePhoto("evening", 3, EVENING, b"\xff\xd8 a picture", SEEN)


@pytest.fixture
def store(database: str) -> Iterator[SqlStore]:
    """A database of each kind with one game."""
    with closing(open_store(database)) as opened:
        assert isinstance(opened, SqlStore)
        opened.open_game(header())
        yield opened


def test_a_photo_comes_back_as_it_was_kept(store: SqlStore) -> None:
    """Picture, what was seen, and time; other steps have none."""
    later = replace(PHOTO, step=7, seen={})
    store.photos.add(later)
    store.photos.add(PHOTO)
    assert store.photos.of_game("evening", 3) == (PHOTO,)
    assert store.photos.of_game("evening", 4) == ()
    assert store.photos.of_game("evening") == (PHOTO, later)
    assert store.photos.steps("evening") == {3, 7}


def test_photos_go_with_their_game(store: SqlStore) -> None:
    """The bin keeps them; what is deleted for good has none, and gets none later."""
    store.photos.add(PHOTO)
    store.put_in_bin("evening", EVENING)
    assert store.photos.steps("evening") == {3}
    store.empty_bin(EVENING + timedelta(days=1))
    store.photos.add(replace(PHOTO, step=4))
    assert store.photos.of_game("evening") == ()


def test_only_the_newest_games_keep_their_photos(store: SqlStore) -> None:
    """Games without photos do not count, and 0 keeps none."""
    for name in ("second", "without", "third"):
        store.open_game(header(name))
    for name in ("evening", "second", "third"):
        store.photos.add(replace(PHOTO, game_id=name))
    store.photos.keep_newest(2)
    kept = [name for name in ("evening", "second", "third") if store.photos.steps(name)]
    assert kept == ["second", "third"]
    store.photos.keep_newest(0)
    assert not store.photos.steps("third")


def test_a_backup_has_the_photos(tmp_path: Path) -> None:
    """They are in the same file as the games."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        assert isinstance(store, SqlStore)
        store.open_game(header())
        store.photos.add(PHOTO)
        store.copy_to(tmp_path / "copy.db")
    with closing(open_store(f"sqlite:///{tmp_path}/copy.db")) as copy:
        assert isinstance(copy, SqlStore)
        assert copy.photos.of_game("evening") == (PHOTO,)
