"""What is stored of the people who play, their devices and the photos behind their scores."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from scoreboard.errors import ConflictError, NotationError, StoreError
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.devices import Device, hashed_secret
from scoreboard.storage.profiles import COLOURS, Profile, SqlProfiles, UnknownProfileError
from scoreboard.storage.score_photos import ScorePhoto
from tests.scoreboard.storage.records import EVENING, header

JPEG = b"\xff\xd8 a face"
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
PHONE = Device("d1", "Ben’s phone", "player", hashed_secret("one"), NOON)
LINK = Device("d2", "For the cousins", "watcher", hashed_secret("two"), NOON + timedelta(seconds=1))
SEEN = {"width": 640, "pieces": [{"value": "5", "read": "?", "corners": [[10.5, 10]]}]}
SCORE_PHOTO = ScorePhoto("evening", 3, EVENING, b"\xff\xd8 a picture", SEEN)


@pytest.fixture
def profiles(store: SqlStore) -> SqlProfiles:
    return store.profiles


def test_a_new_person_has_a_colour_that_few_have(profiles: SqlProfiles) -> None:
    names = [f"{letter}. Smith" for letter in "lkjihgfedcba"]
    assert [profiles.add(name).colour for name in names] == list(COLOURS)
    assert [(one.name, one.initial) for one in profiles.all()] == [
        (name, name[0].upper()) for name in sorted(names)
    ]
    assert profiles.add("Zoë").colour == next(iter(COLOURS))


@pytest.mark.parametrize("name", ["", "  ", "A, B", "x" * 61])
def test_what_is_no_name_is_nobody(profiles: SqlProfiles, name: str) -> None:
    """The rules for names at the table hold here too."""
    with pytest.raises(NotationError):
        profiles.add(name)


def test_what_was_changed_outlives_the_store(store: SqlStore, database: str) -> None:
    """Name, colour, initial, emoji and hidden come back; the name of before still finds them."""
    ann = store.profiles.add("Ann")
    changed = Profile(ann.profile_id, "Anna", "pink", "AN", "🦊", hidden=True)
    store.profiles.change(changed)
    with closing(open_store(database)) as again:
        assert again.profiles.by_name() == {"Ann": changed, "Anna": changed}
        assert again.profiles.names(ann.profile_id) == ("Ann", "Anna")


def test_a_name_is_one_persons(profiles: SqlProfiles) -> None:
    ann, ben = profiles.add("Ann"), profiles.add("Ben")
    for act in (lambda: profiles.add(" Ben "), lambda: profiles.change(replace(ann, name="Ben"))):
        with pytest.raises(ConflictError, match="Merge them"):
            act()
    assert profiles.all() == (ann, ben)


def test_a_photo_is_read_only_where_it_is_asked_for(profiles: SqlProfiles) -> None:
    """A profile says only whether there is one."""
    ann = profiles.add("Ann")
    assert (ann.has_photo, profiles.photo(ann.profile_id)) == (False, None)
    profiles.set_photo(ann.profile_id, JPEG)
    assert profiles.of(ann.profile_id) == replace(ann, has_photo=True)
    assert profiles.photo(ann.profile_id) == JPEG
    profiles.set_photo(ann.profile_id, None)
    assert profiles.of(ann.profile_id) == ann


def test_merging_makes_one_person_of_two(profiles: SqlProfiles) -> None:
    ann, anna = profiles.add("Ann"), profiles.add("Anna")
    profiles.set_photo(anna.profile_id, JPEG)
    profiles.merge(ann.profile_id, anna.profile_id)
    assert profiles.by_name() == {"Ann": ann, "Anna": ann}


def test_nobody_is_merged_with_themselves_or_with_nobody(profiles: SqlProfiles) -> None:
    ann = profiles.add("Ann")
    for one, other in ((ann.profile_id, ann.profile_id), (ann.profile_id, "x"), ("x", "y")):
        with pytest.raises(UnknownProfileError):
            profiles.merge(one, other)
    assert profiles.all() == (ann,)


def test_who_is_not_there_is_not_changed(profiles: SqlProfiles) -> None:
    """A page that was left open names somebody who was deleted meanwhile."""
    gone = Profile("x", "Ann", "pink", "A")
    acts = (
        lambda: profiles.change(gone),
        lambda: profiles.set_photo("x", JPEG),
        lambda: profiles.of("x"),
    )
    for act in acts:
        with pytest.raises(UnknownProfileError):
            act()
    assert profiles.all() == ()


def test_names_of_games_get_profiles_quietly(profiles: SqlProfiles) -> None:
    """Who is known stays; case and blanks alone make nobody new; a guest gets no profile."""
    ann = profiles.add("Ann")
    profiles.note(("Ann", "ben", "a nn", "Ben", "Guest 2"))
    assert {name: one.name for name, one in profiles.by_name().items()} == {
        "Ann": "Ann",
        "a nn": "Ann",
        "ben": "ben",
        "Ben": "ben",
    }
    assert profiles.by_name()["Ann"] == ann
    revision = profiles.revision
    profiles.note(("Ann", "Guest 1"))
    assert profiles.revision == revision


def test_those_who_play_together_are_different_people(profiles: SqlProfiles) -> None:
    """However alike their names are, and whoever has a profile already."""
    profiles.note(("Ann", "ann", "ANN"), apart=True)
    assert len({one.profile_id for one in profiles.by_name().values()}) == 3


def test_devices_come_back_as_they_were_kept(store: SqlStore) -> None:
    store.devices.add(LINK)
    store.devices.add(PHONE)
    assert store.devices.all() == (PHONE, LINK)


def test_changes_are_kept_together(store: SqlStore) -> None:
    """Renamed, used and removed; a device that is not stored makes no row."""
    store.devices.add(PHONE)
    later = NOON + timedelta(days=3)
    changed = replace(PHONE, name="Mum’s", role="owner", used_at=later, revoked_at=later)
    store.devices.change((changed, LINK))
    assert store.devices.all() == (changed,)


def test_a_secret_opens_one_device(store: SqlStore) -> None:
    store.devices.add(PHONE)
    with pytest.raises(StoreError):
        store.devices.add(replace(LINK, secret_sha256=PHONE.secret_sha256))


def test_a_role_of_another_version_may_do_the_least(store: SqlStore) -> None:
    """What is not understood gives no right."""
    store.devices.add(PHONE)
    with store._database.writing() as connection:
        connection.execute(text("UPDATE devices SET role = 'emperor'"))
    assert [device.role for device in store.devices.all()] == ["watcher"]


@pytest.fixture
def played(store: SqlStore) -> SqlStore:
    """A database of each kind with one game."""
    store.open_game(header())
    return store


def test_a_photo_comes_back_as_it_was_kept(played: SqlStore) -> None:
    later = replace(SCORE_PHOTO, step=7, seen={})
    played.photos.add(later)
    played.photos.add(SCORE_PHOTO)
    assert played.photos.of_game("evening", 3) == (SCORE_PHOTO,)
    assert played.photos.of_game("evening", 4) == ()
    assert played.photos.of_game("evening") == (SCORE_PHOTO, later)
    assert played.photos.steps("evening") == {3, 7}


def test_photos_go_with_their_game(played: SqlStore) -> None:
    """The bin keeps them; what is deleted for good has none, and gets none later."""
    played.photos.add(SCORE_PHOTO)
    played.put_in_bin("evening", EVENING)
    assert played.photos.steps("evening") == {3}
    played.empty_bin(EVENING + timedelta(days=1))
    played.photos.add(replace(SCORE_PHOTO, step=4))
    assert played.photos.of_game("evening") == ()


def test_only_the_newest_games_keep_their_photos(played: SqlStore) -> None:
    for name in ("second", "without", "third"):
        played.open_game(header(name))
    for name in ("evening", "second", "third"):
        played.photos.add(replace(SCORE_PHOTO, game_id=name))
    played.photos.keep_newest(2)
    kept = [name for name in ("evening", "second", "third") if played.photos.steps(name)]
    assert kept == ["second", "third"]
    played.photos.keep_newest(0)
    assert not played.photos.steps("third")


def test_a_backup_has_the_photos(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        store.open_game(header())
        store.photos.add(SCORE_PHOTO)
        store.copy_to(tmp_path / "copy.db")
    with closing(open_store(f"sqlite:///{tmp_path}/copy.db")) as copy:
        assert copy.photos.of_game("evening") == (SCORE_PHOTO,)
