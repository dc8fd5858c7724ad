"""Ended games, their players and photos as one zip, which another Tablescore opens.

pack(store, file, "1.4")            # what is still being played is left out
archive = open_archive(file)        # checked from end to end
archive.take_in(store)              # all or nothing
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from sqlalchemy import Connection, insert, select

from scoreboard.errors import ScoreboardError
from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import (
    DAMAGE,
    GameHeader,
    GameStatus,
    RecordedEvent,
    is_abandoned,
    state_after,
)
from scoreboard.message import Message, message
from scoreboard.players import player_name, player_names
from scoreboard.storage import schema
from scoreboard.storage.profiles import COLOURS, Profile, profile_row
from scoreboard.storage.rows import as_json, event_row, header_row, read_event, read_header
from scoreboard.storage.score_photos import MOST_PHOTO_BYTES, ScorePhoto, photo_row
from scoreboard.storage.sql import SqlStore

FORMAT: Final = 1  # of the zip; a newer one may hold what this program would lose
MOST_FILES: Final = 200_000
MOST_BYTES: Final = 2_000_000_000  # unpacked
# What may be in it, and how large each may be unpacked. Nothing is ever written to such a path.
_PLACES: Final = {
    re.compile(r"(manifest|profiles)\.json|games/\d{5}\.jsonl|photos/\d{5}\.json"): 8_000_000,
    re.compile(r"photos/\d{5}/\d{5}\.jpg"): MOST_PHOTO_BYTES,
    re.compile(r"profiles/\d{5}\.jpg"): 100_000,
}
_GAME_ID: Final = re.compile(r"[\w.:-]{1,80}", re.ASCII)
_PROFILE_ID: Final = re.compile(r"[0-9a-f]{1,32}")
_LONGEST_MARK: Final = 16  # characters of an initial or an emoji
JPEG_START: Final = b"\xff\xd8"
# What hostile bytes make zipfile, zlib, json and the rulebooks raise.
HOSTILE: Final = (
    *DAMAGE,
    BadZipFile,
    EOFError,
    OSError,
    RuntimeError,
    ScoreboardError,
    struct.error,
    zlib.error,
)


class ArchiveError(ScoreboardError, ValueError):
    """The file is not an archive of games that this program can import."""


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """One ended game with all its events; `number` is its place in the zip, from 1."""

    number: int
    header: GameHeader
    records: tuple[RecordedEvent, ...]


@dataclass(frozen=True, slots=True)
class GameArchive:
    """The checked content of a zip: games oldest first, and each profile with its names and photo.

    The photos behind scores stay in the `file`, which must be open as long as this is used; None
    without any. `left_out` are games in it that could not be used.
    """

    file: IO[bytes] | None
    games: tuple[ArchivedGame, ...]
    profiles: tuple[tuple[Profile, tuple[str, ...], bytes | None], ...]
    left_out: int = 0

    def take_in(self, store: SqlStore) -> tuple[ArchivedGame, ...]:
        """Store the games and people that the store lacks, all or none; gives those games.

        Raises StoreError, and ConflictError if another process has just taken them in.
        """
        ids = [game.header.game_id for game in self.games]
        known = {one.game_id for gone in (False, True) for one in store.games(ids=ids, in_bin=gone)}
        fresh = tuple(game for game in self.games if game.header.game_id not in known)

        def add_others(connection: Connection) -> None:
            _add_profiles(connection, self.profiles)
            if self.file is None:
                return
            with ZipFile(self.file) as packed:
                for photo in (photo for game in fresh for photo in _read_photos(packed, game)):
                    connection.execute(insert(schema.SCORE_PHOTOS_TABLE).values(photo_row(photo)))

        store.add_games([(game.header, game.records) for game in fresh], add_others)
        return fresh


def pack(store: SqlStore, file: IO[bytes], written_by: str) -> int:
    """Write all ended games of the list into a zip; how many. The same store gives the same bytes.

    Raises StoreError.
    """
    count = photos = 0
    with ZipFile(file, "w") as packed:
        for one in reversed(store.games()):
            try:
                kept = _ended(count + 1, store.header(one.game_id), store.events(one.game_id))
            except (ArchiveError, LookupError, *DAMAGE):
                continue  # it goes on, or cannot be read
            count += 1
            photos += _write_photos(packed, count, store.photos.of_game(one.game_id))
            kinds = GAMES[kept.header.game].kinds
            rows = [header_row(kept.header), *(event_row(each, kinds) for each in kept.records)]
            _write(packed, f"games/{count:05}.jsonl", "".join(f"{as_json(row)}\n" for row in rows))
        profiles = sorted(store.profiles.all(), key=lambda one: one.profile_id)
        known = [
            {"profile": asdict(each), "names": store.profiles.names(each.profile_id)}
            for each in profiles
        ]
        _write(packed, "profiles.json", as_json(known))
        for number, profile in enumerate(profiles, start=1):
            if photo := store.profiles.photo(profile.profile_id):
                _write(packed, f"profiles/{number:05}.jpg", photo)
        manifest = {"format": FORMAT, "tablescore": written_by, "schema": schema.VERSION}
        _write(packed, "manifest.json", as_json(manifest | {"games": count, "photos": photos}))
    return count


def open_archive(file: IO[bytes]) -> GameArchive:
    """Read a zip that `pack` wrote, and check all of it: sizes, checksums, rules.

    Raises ArchiveError if it is damaged, hostile, or of a newer Tablescore.
    """
    try:
        with ZipFile(file) as packed:
            names, manifest = _checked(packed)
            texts = (packed.read(name).decode() for name in names if name.startswith("games/"))
            games = tuple(_read_game(number, text) for number, text in enumerate(texts, start=1))
            archive = GameArchive(file, games, tuple(_read_profiles(packed, frozenset(names))))
            photos = sum(1 for game in archive.games for _ in _read_photos(packed, game))
    except ArchiveError:
        raise
    except HOSTILE as error:
        raise ArchiveError.worded(
            "This file is no archive of Tablescore, or it is damaged; nothing was taken."
        ) from error
    ids = {game.header.game_id for game in archive.games}
    if (len(ids), photos) != (manifest["games"], manifest["photos"]):
        raise _strange(message("games or photos are missing or doubled"))
    return archive


def _checked(packed: ZipFile) -> tuple[list[str], dict[str, Any]]:
    """The file names in order, each known, small enough and whole, and the manifest."""
    infos = packed.infolist()
    names = sorted({info.filename for info in infos})
    if len(names) != len(infos) or len(infos) > MOST_FILES:
        raise _strange(message("it has too many files"))
    for info in infos:
        most = [size for place, size in _PLACES.items() if place.fullmatch(info.filename)]
        if not most or info.compress_type not in {ZIP_DEFLATED, ZIP_STORED}:
            raise _strange(message("“{name}” does not belong there", name=info.filename[:80]))
        if info.file_size > most[0]:
            raise _strange(message("“{name}” is too large", name=info.filename))
    if sum(info.file_size for info in infos) > MOST_BYTES:
        raise _strange(message("it is too large"))
    if (damaged := packed.testzip()) is not None:
        raise _strange(message("“{name}” is damaged", name=damaged))
    manifest = json.loads(packed.read("manifest.json"))
    if manifest["format"] != FORMAT:
        raise ArchiveError(message("A newer Tablescore wrote this archive: update this one first."))
    return names, manifest


def _strange(why: Message) -> ArchiveError:
    return ArchiveError.worded("This archive cannot be opened: {why}. Nothing was taken.", why=why)


def _ended(number: int, header: GameHeader, records: Sequence[RecordedEvent]) -> ArchivedGame:
    """The game, replayed by its rulebook. Raises ArchiveError if it goes on."""
    game = GAMES[header.game]
    state = GameStatus.of(game, state_after(game, header, records), abandoned=is_abandoned(records))
    if not (state.finished or state.abandoned):
        raise _strange(message("game “{game_id}” has not ended", game_id=header.game_id))
    return ArchivedGame(number, header, tuple(records))


def _read_game(number: int, text: str) -> ArchivedGame:
    first, *rows = [json.loads(line) for line in text.splitlines()]
    header = read_header(first)
    if not _GAME_ID.fullmatch(header.game_id) or player_names(header.players) != header.players:
        raise ValueError(header.game_id)
    if header.game not in GAMES:
        raise _strange(message("this Tablescore has no rulebook “{game}”", game=header.game[:40]))
    kinds = GAMES[header.game].kinds
    records = tuple(read_event({**row, "game_id": header.game_id}, kinds) for row in rows)
    if [each.sequence for each in records] != list(range(1, len(records) + 1)):
        raise ValueError(header.game_id)
    return _ended(number, header, records)


def _write_photos(packed: ZipFile, number: int, photos: Sequence[ScorePhoto]) -> int:
    for photo in photos:
        _write(packed, f"photos/{number:05}/{photo.step:05}.jpg", photo.jpeg)
    known = [
        {"step": each.step, "taken_at": each.taken_at.isoformat(), "seen": each.seen}
        for each in photos
    ]
    if known:
        _write(packed, f"photos/{number:05}.json", as_json(known))
    return len(known)


def _read_photos(packed: ZipFile, game: ArchivedGame) -> Iterator[ScorePhoto]:
    """The photos behind a game's scores, each of an existing step."""
    place, steps = f"photos/{game.number:05}", {record.step for record in game.records}
    rows = json.loads(packed.read(f"{place}.json")) if f"{place}.json" in packed.NameToInfo else []
    for row in rows:
        jpeg, seen = packed.read(f"{place}/{row['step']:05}.jpg"), row["seen"]
        at = datetime.fromisoformat(row["taken_at"])
        photo = ScorePhoto(game.header.game_id, row["step"], at, jpeg, seen)
        pieces = seen["pieces"]
        texts = (seen["entered"], *(each[name] for each in pieces for name in ("value", "read")))
        numbers = (
            *(seen["width"], seen["height"], *(each["confidence"] for each in pieces)),
            *(number for each in pieces for x, y in each["corners"] for number in (x, y)),
        )
        if (
            photo.step not in steps
            or photo.taken_at.tzinfo is None
            or not jpeg.startswith(JPEG_START)
            or not all(isinstance(text, str) for text in texts)
            or not all(type(number) in {int, float} for number in numbers)
        ):
            raise ValueError(place)
        yield photo


def _read_profiles(
    packed: ZipFile, names: frozenset[str]
) -> Iterator[tuple[Profile, tuple[str, ...], bytes | None]]:
    for number, row in enumerate(json.loads(packed.read("profiles.json")), start=1):
        profile, place = Profile(**row["profile"]), f"profiles/{number:05}.jpg"
        texts = (profile.profile_id, profile.name, profile.initial, profile.emoji, *row["names"])
        if (
            not all(isinstance(text, str) for text in texts)
            or [player_name(name) for name in row["names"]] != row["names"]
            or player_name(profile.name) != profile.name
            or profile.colour not in COLOURS
            or not _PROFILE_ID.fullmatch(profile.profile_id)
            or max(len(profile.initial), len(profile.emoji)) > _LONGEST_MARK
        ):
            raise ValueError(place)
        photo = packed.read(place) if place in names else None
        if photo is not None and not photo.startswith(JPEG_START):
            raise ValueError(place)
        yield profile, tuple(row["names"]), photo


def _add_profiles(
    connection: Connection, profiles: Sequence[tuple[Profile, tuple[str, ...], bytes | None]]
) -> None:
    """Store people of whom no name is known; known people get their new names."""
    table, named = schema.PROFILES_TABLE.c, schema.PROFILE_NAMES_TABLE.c
    owners = dict(connection.execute(select(named.name, named.profile_id)).all())
    ids = set(connection.execute(select(table.profile_id)).scalars())
    for profile, names, photo in profiles:
        same = [owners[name] for name in names if name in owners]
        owner = same[0] if same else profile.profile_id
        if owner not in ids:
            row = profile_row(profile) | {"photo": photo}
            connection.execute(insert(schema.PROFILES_TABLE).values(row))
            ids.add(owner)
        for name in names:
            if name not in owners:
                owners[name] = owner
                row = {"name": name, "profile_id": owner}
                connection.execute(insert(schema.PROFILE_NAMES_TABLE).values(row))


def _write(packed: ZipFile, name: str, content: str | bytes) -> None:
    """Put a file into the zip, without any time, so that the same games give the same bytes."""
    packed.writestr(ZipInfo(name), content, ZIP_STORED if name.endswith(".jpg") else ZIP_DEFLATED)
