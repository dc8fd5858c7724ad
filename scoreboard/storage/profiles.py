"""The people who play at a table: how each is shown, and by which names the games know them.

Games keep the names that they were played under, and are read under those that people have now; a
name belongs to one profile. Taking a person out of the stored games is the one exception to events
that stay (decision 0033).
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final

import sqlalchemy as sa

from scoreboard.errors import ConflictError, ScoreboardError
from scoreboard.games.engine.transcript import NAMING, RecordedEvent
from scoreboard.message import message
from scoreboard.players import guests_for, is_guest, player_name
from scoreboard.storage.database import Database
from scoreboard.storage.rows import Row, as_json
from scoreboard.storage.schema import (
    EVENTS_TABLE,
    FINISHED_TABLE,
    GAMES_TABLE,
    PROFILE_NAMES_TABLE,
    PROFILES_TABLE,
    SCORE_PHOTOS_TABLE,
)

# Each colour with its mark: the shape in `base.css` distinguishes it without any colour.
COLOURS: Final = {
    "green": message("green, a circle"),
    "blue": message("blue, a square"),
    "red": message("red, a pentagon"),
    "purple": message("purple, a hexagon"),
    "brown": message("brown, a shield"),
    "teal": message("turquoise, a cross"),
    "pink": message("pink, a drop"),
    "olive": message("olive, a flag"),
    "orange": message("orange, a diamond"),
    "navy": message("dark blue, an arch"),
    "black": message("black, a leaf"),
    "grey": message("grey, a star"),
}
_TEXTS: Final = ("profile_id", "name", "colour", "initial", "emoji")
_PROFILES, _NAMES = PROFILES_TABLE.c, PROFILE_NAMES_TABLE.c
# A member that names a player, as `json` wrote it; rows are edited as text, damaged ones too.
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAMED: Final = re.compile(rf'("(?:{"|".join(NAMING)})": )({_TEXT.pattern})')


@dataclass(frozen=True, slots=True)
class Profile:
    """A person who plays here: name and mark.

    `colour` is one of `COLOURS`; the mark shows the photo, else the `emoji`, else the `initial`.
    One that is `hidden` is not offered for a new game.
    """

    profile_id: str
    name: str
    colour: str
    initial: str
    emoji: str = ""
    hidden: bool = False
    has_photo: bool = False


class UnknownProfileError(ScoreboardError, LookupError):
    """There is no such profile."""

    def __init__(self) -> None:
        super().__init__(message("There is no such player; somebody may have deleted them."))


class SqlProfiles:
    """The stored profiles; each change is one transaction. Thread-safe.

    Reads are cached until the next change: the table is the only program that makes any. `revision`
    counts them. All methods raise StoreError.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._known: Mapping[str, Profile] | None = None
        self.revision = 0

    def all(self) -> tuple[Profile, ...]:
        """Every profile, by the shown name."""
        return tuple(sorted(set(self.by_name().values()), key=lambda one: one.name.casefold()))

    def by_name(self) -> Mapping[str, Profile]:
        """The profile of each name in a game."""
        fields = *(_PROFILES[each] for each in _TEXTS), _PROFILES.hidden != 0
        query = sa.select(_NAMES.name, *fields, _PROFILES.photo.is_not(None)).join(PROFILES_TABLE)
        with self._lock:
            if self._known is None:
                rows = self._database.rows(query)
                self._known = {name: Profile(*profile) for name, *profile in rows}
            return self._known

    def names(self, profile_id: str) -> tuple[str, ...]:
        """This person's names, in alphabetical order; none if unknown."""
        known = self.by_name().items()
        return tuple(sorted(name for name, one in known if one.profile_id == profile_id))

    def of(self, profile_id: str) -> Profile:
        for one in self.by_name().values():
            if one.profile_id == profile_id:
                return one
        raise UnknownProfileError

    def photo(self, profile_id: str) -> bytes | None:
        """The person's photo as a JPEG file, or None."""
        return self._database.value(sa.select(_PROFILES.photo).where(_is(profile_id)))

    def add(self, name: str) -> Profile:
        """Store a new person under that name, in a rarely used colour.

        Raises NotationError if it is no name, ConflictError if it is taken.
        """
        wanted = player_name(name)
        with self.changing() as connection:
            if wanted in _owners(connection):
                raise _taken(wanted)
            made = _made(connection, wanted)
            _give(connection, wanted, made.profile_id)
            return made

    def note(self, names: Collection[str], *, apart: bool = False) -> None:
        """Give each of these names a profile: its own, that of the same letters, or a new one.

        Names have the same letters if they differ only in case and blanks. Those that play together
        are different people (`apart`). A guest gets none.
        """
        if all(name in self.by_name() or is_guest(name) for name in names):
            return
        with self.changing() as connection:
            owners = _owners(connection)
            for name in names:
                if name in owners or is_guest(name):
                    continue
                others = {owners[each] for each in names if each in owners} if apart else set()
                same = {owner for each, owner in owners.items() if letters(each) == letters(name)}
                owner = min(same - others, default="") or _made(connection, name).profile_id
                owners[name] = owner
                _give(connection, name, owner)

    def change(self, profile: Profile) -> None:
        """Store this profile; a new name is added to the person's earlier ones.

        Raises UnknownProfileError, and as `add` does.
        """
        name = player_name(profile.name)
        with self.changing() as connection:
            owner = _owners(connection).get(name)
            if owner not in {None, profile.profile_id}:
                raise _taken(name)
            _update(connection, profile.profile_id, profile_row(replace(profile, name=name)))
            if owner is None:
                _give(connection, name, profile.profile_id)

    def set_photo(self, profile_id: str, jpeg: bytes | None) -> None:
        """Store or delete a photo. Raises UnknownProfileError."""
        with self.changing() as connection:
            _update(connection, profile_id, {"photo": jpeg})

    def merge(self, profile_id: str, other_id: str) -> None:
        """Merge two people: the first stays unchanged, and gets the names of the other.

        Raises UnknownProfileError if one of them does not exist, or they are the same.
        """
        with self.changing() as connection:
            _update(connection, profile_id, {"profile_id": profile_id})
            moved = sa.update(PROFILE_NAMES_TABLE).where(_NAMES.profile_id == other_id)
            connection.execute(moved.values(profile_id=profile_id))
            gone = sa.delete(PROFILES_TABLE).where(_is(other_id), ~_is(profile_id))
            if not connection.execute(gone).rowcount:
                raise UnknownProfileError

    @contextmanager
    def changing(self) -> Iterator[sa.Connection]:
        """A transaction that changes profiles and then clears the cache."""
        with self._lock, self._database.writing() as connection:
            self._known = None
            self.revision += 1
            yield connection


def shown_names(names: tuple[str, ...], known: Mapping[str, Profile]) -> tuple[str, ...]:
    """These players' current names; the old ones if two became one person."""
    shown = tuple(known[name].name if name in known else name for name in names)
    return shown if len(set(shown)) == len(names) else names


def stored_name(name: str, players: Sequence[str], known: Mapping[str, Profile]) -> str:
    """The one of a person's names under which they are among a game's stored players."""
    theirs = known[name].profile_id if name in known else None
    same = (each for each in players if each in known and known[each].profile_id == theirs)
    return name if name in players else next(same, name)


def renamed(record: RecordedEvent, name_of: Callable[[str], str]) -> RecordedEvent:
    """The record with other names in the members that name a player."""
    event: Any = record.event
    named = {member: getattr(event, member) for member in NAMING if hasattr(event, member)}
    others = {member: name_of(name) for member, name in named.items()}
    return record if others == named else replace(record, event=replace(event, **others))


def letters(name: str) -> str:
    """The common key of two spellings of a name, without case and blanks."""
    return "".join(name.split()).casefold()


def _is(profile_id: str) -> sa.ColumnElement[bool]:
    return _PROFILES.profile_id == profile_id


def profile_row(profile: Profile) -> dict[str, Any]:
    """A profile as a row of `profiles`, without the photo."""
    return {name: getattr(profile, name) for name in _TEXTS} | {"hidden": int(profile.hidden)}


def _owners(connection: sa.Connection) -> dict[str, str]:
    return dict(connection.execute(sa.select(_NAMES.name, _NAMES.profile_id)).all())


def _made(connection: sa.Connection, name: str) -> Profile:
    used = Counter(connection.execute(sa.select(_PROFILES.colour)).scalars())
    colour = min(COLOURS, key=lambda each: used[each])
    profile = Profile(secrets.token_hex(4), name, colour, name[:1].upper())
    connection.execute(sa.insert(PROFILES_TABLE).values(profile_row(profile)))
    return profile


def _give(connection: sa.Connection, name: str, profile_id: str) -> None:
    connection.execute(sa.insert(PROFILE_NAMES_TABLE).values(name=name, profile_id=profile_id))


def _update(connection: sa.Connection, profile_id: str, values: Mapping[str, Any]) -> None:
    changed = sa.update(PROFILES_TABLE).where(_is(profile_id)).values(values)
    if not connection.execute(changed).rowcount:
        raise UnknownProfileError


def _taken(name: str) -> ConflictError:
    return ConflictError.worded(
        "“{name}” is another player’s name. Is it the same person? Merge them.", name=name
    )


def erase_players(connection: sa.Connection, names: Collection[str]) -> None:
    """Rename these people to guests in every game, in the bin too, and delete their profiles.

    The photos of their turns are deleted, and those without a known turn.
    """
    listed = connection.execute(sa.select(GAMES_TABLE).with_for_update()).mappings().all()
    photos = SCORE_PHOTOS_TABLE.c
    for row in listed:
        if theirs := [name for name in names if as_json(name) in row["players"]]:
            of_others = [
                photos.seen.startswith(f'{{"seat": {seat}, ')
                for seat, player in enumerate(_TEXT.findall(row["players"]))
                if player not in map(as_json, theirs)
            ]
            gone = (photos.game_id == row["game_id"], ~sa.or_(sa.false(), *of_others))
            connection.execute(sa.delete(SCORE_PHOTOS_TABLE).where(*gone))
            _rename(connection, row, theirs)
    owned = sa.select(PROFILE_NAMES_TABLE.c.profile_id).where(PROFILE_NAMES_TABLE.c.name.in_(names))
    connection.execute(sa.delete(PROFILES_TABLE).where(PROFILES_TABLE.c.profile_id.in_(owned)))


def _rename(connection: sa.Connection, row: Row, names: Collection[str]) -> None:
    game_id, players = row["game_id"], str(row["players"])
    guests = guests_for(names, re.findall(r'"([^"]*)"', players))
    renamed = {as_json(name): as_json(guest) for name, guest in guests.items()}
    for name, guest in renamed.items():
        players = players.replace(name, guest)
    this_game = GAMES_TABLE.c.game_id == game_id
    connection.execute(sa.update(GAMES_TABLE).where(this_game).values(players=players))
    events = EVENTS_TABLE.c
    named = sa.or_(*(events.event.contains(name, autoescape=True) for name in renamed))
    rows = connection.execute(
        sa.select(events.sequence, events.event).where(events.game_id == game_id, named)
    )
    changed = [{"at": at, "text": _renamed(event, renamed)} for at, event in rows]
    if changed:
        this_event = (events.game_id == game_id, events.sequence == sa.bindparam("at"))
        edit = sa.update(EVENTS_TABLE).where(*this_event)
        connection.execute(edit.values(event=sa.bindparam("text")), changed)
    for name, guest in guests.items():
        seat = _TEXT.findall(str(row["players"])).index(as_json(name))
        theirs = (FINISHED_TABLE.c.game_id == game_id, FINISHED_TABLE.c.seat == seat)
        connection.execute(sa.update(FINISHED_TABLE).where(*theirs).values(name=guest))


def _renamed(event: str, renamed: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda found: found[1] + renamed.get(found[2], found[2]), event)
