"""What is stored of the people who play, in both kinds of database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from scoreboard.errors import ConflictError, NotationError
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.profiles import COLOURS, Profile, SqlProfiles, UnknownProfileError

JPEG = b"\xff\xd8 a face"


@pytest.fixture
def store(database: str) -> Iterator[SqlStore]:
    """An empty database of each kind."""
    with closing(open_store(database)) as opened:
        assert isinstance(opened, SqlStore)
        yield opened


@pytest.fixture
def profiles(store: SqlStore) -> SqlProfiles:
    """The profiles of an empty database."""
    return store.profiles


def test_a_new_person_has_a_colour_that_few_have(profiles: SqlProfiles) -> None:
    """And the initial of their name; they are listed by their names."""
    names = [f"{letter}. Smith" for letter in "hgfedcba"]
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
        assert isinstance(again, SqlStore)
        assert again.profiles.by_name() == {"Ann": changed, "Anna": changed}
        assert again.profiles.names(ann.profile_id) == ("Ann", "Anna")


def test_a_name_is_one_persons(profiles: SqlProfiles) -> None:
    """Neither a new person nor a renamed one takes another's, and nothing is changed then."""
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
    """The first keeps their look, and has the names of both."""
    ann, anna = profiles.add("Ann"), profiles.add("Anna")
    profiles.set_photo(anna.profile_id, JPEG)
    profiles.merge(ann.profile_id, anna.profile_id)
    assert profiles.by_name() == {"Ann": ann, "Anna": ann}


def test_nobody_is_merged_with_themselves_or_with_nobody(profiles: SqlProfiles) -> None:
    """And neither is lost by it."""
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
