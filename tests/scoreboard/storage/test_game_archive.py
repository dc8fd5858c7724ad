"""Games as a zip: what is packed comes back, and nothing else is taken in."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import ConflictError
from scoreboard.games.engine.transcript import Abandoned, RecordedEvent
from scoreboard.games.notation import replay_text
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.game_archive import ArchiveError, open_archive, pack
from scoreboard.storage.score_photos import ScorePhoto

TEXTS = [
    path.read_text(encoding="utf-8")
    for path in sorted(Path(__file__).parents[2].glob("playthroughs/*.txt"))
]
OPENED = datetime(2026, 5, 1, 18, 0, tzinfo=UTC)
JPEG = b"\xff\xd8 a face"
GOING_ON = "game yahtzee\nplayers Ann, Bo\nroll 55521\nscore fives 15\n"


@contextmanager
def a_store() -> Iterator[SqlStore]:
    """An empty database in a folder of its own."""
    with (
        TemporaryDirectory() as folder,
        closing(open_store(f"sqlite:///{folder}/games.sqlite3")) as store,
    ):
        yield store


def keep(store: SqlStore, game_id: str, text: str, *, closed: bool = False) -> None:
    written = replay_text(text, game_id)
    store.open_game(replace(written.header, opened_at=OPENED))
    at, records = OPENED + timedelta(minutes=20), list(written.records)
    if closed:
        number = len(records) + 1
        records.append(RecordedEvent(game_id, number, at, "page", number, Abandoned(), "here"))
    store.append(game_id, 0, [replace(one, recorded_at=at) for one in records])


def photo_of(game_id: str, step: int) -> ScorePhoto:
    corners = [[1.0, 2.0], [3.5, 2.0], [3.5, 4.0], [1.0, 4.0]]
    die = {"value": "5", "read": "6", "confidence": 0.75, "corners": corners}
    seen = {"width": 640, "height": 480, "entered": "55521", "pieces": [die]}
    return ScorePhoto(game_id, step, OPENED, JPEG, seen)


def packed(store: SqlStore) -> bytes:
    file = io.BytesIO()
    pack(store, file, "1.0")
    return file.getvalue()


names = st.text("aäÅ김あ 🦊'\"#-", min_size=1, max_size=9).filter(lambda name: name.strip() == name)


@settings(max_examples=10, deadline=None)
@given(
    played=st.lists(st.sampled_from(TEXTS), max_size=4),
    people=st.lists(names, max_size=4, unique=True),
    photographed=st.booleans(),
)
def test_export_import_export_is_the_same(
    played: Sequence[str], people: Sequence[str], *, photographed: bool
) -> None:
    with a_store() as one, a_store() as other:
        for number, text in enumerate(played):
            keep(one, f"g{number}", text, closed=number % 2 == 1)
            if photographed:
                one.photos.add(photo_of(f"g{number}", one.events(f"g{number}")[0].step))
        for name in people:
            profile = one.profiles.add(name)
            one.profiles.change(replace(profile, emoji="🦊", hidden=True))
            if photographed:
                one.profiles.set_photo(profile.profile_id, JPEG)
        first = packed(one)
        open_archive(io.BytesIO(first)).take_in(other)
        assert packed(other) == first
        assert other.profiles.by_name() == one.profiles.by_name()
        assert [one.events(each.game_id) for each in one.games()] == [
            other.events(each.game_id) for each in other.games()
        ]
        assert [one.photos.of_game(each.game_id) for each in one.games()] == [
            other.photos.of_game(each.game_id) for each in other.games()
        ]


def test_what_is_there_already_is_skipped(database: str) -> None:
    """By its id, in the list or in the bin; a person who is known by one name gets the others."""
    with closing(open_store(database)) as here, a_store() as there:
        for number in range(3):
            keep(there, f"g{number}", GOING_ON, closed=True)
        keep(here, "g0", GOING_ON, closed=True)
        keep(here, "g1", GOING_ON, closed=True)
        here.put_in_bin("g1", OPENED)
        ann = there.profiles.add("Ann")
        there.profiles.change(replace(ann, name="Anna"))
        known = here.profiles.add("Ann")
        archive = open_archive(io.BytesIO(packed(there)))
        assert [game.header.game_id for game in archive.take_in(here)] == ["g2"]
        assert {one.game_id for one in here.games()} == {"g0", "g2"}
        assert here.profiles.by_name() == {"Ann": known, "Anna": known}


def test_a_game_that_goes_on_stays(database: str) -> None:
    """It could be played on at two tables; and the bin is left out."""
    with closing(open_store(database)) as store:
        keep(store, "on", GOING_ON)
        keep(store, "closed", GOING_ON, closed=True)
        keep(store, "deleted", GOING_ON, closed=True)
        store.put_in_bin("deleted", OPENED)
        assert [game.header.game_id for game in open_archive(io.BytesIO(packed(store))).games] == [
            "closed"
        ]


def test_all_or_nothing(database: str) -> None:
    with closing(open_store(database)) as here, a_store() as there:
        for number in range(2):
            keep(there, f"g{number}", GOING_ON, closed=True)
        there.profiles.add("Ann")
        archive = open_archive(io.BytesIO(packed(there)))
        twice = replace(archive, games=(*archive.games, archive.games[0]))
        with pytest.raises(ConflictError):
            twice.take_in(here)
        assert (here.games(), here.profiles.by_name()) == ((), {})


def with_file(name: str, content: bytes | str) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        files[name] = content.encode() if isinstance(content, str) else content

    return change


def with_line(
    edit: Callable[[list[dict[str, object]]], object],
) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        rows = [json.loads(line) for line in files["games/00001.jsonl"].decode().splitlines()]
        edit(rows)
        files["games/00001.jsonl"] = "".join(f"{json.dumps(row)}\n" for row in rows).encode()

    return change


def manifest(*, games: int = 1, photos: int = 1) -> str:
    return json.dumps({"format": 1, "tablescore": "1", "games": games, "photos": photos})


PERSON = {"colour": "green", "initial": "A", "emoji": "", "hidden": False, "has_photo": False}
AT = OPENED.isoformat()
NEWER = '{"format": 2, "tablescore": "9", "games": 1}'


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (with_file("../../evil.sh", "x"), "does not belong there"),
        (with_file("/etc/passwd", "x"), "does not belong there"),
        (with_file("games/../../00001.jsonl", "x"), "does not belong there"),
        (with_file("games\\00002.jsonl", "x"), "does not belong there"),
        (with_file("games/00002.jsonl", b" " * 8_000_001), "is too large"),
        (with_file("manifest.json", NEWER), "A newer Tablescore"),
        (with_file("manifest.json", "{}"), "damaged"),
        (with_file("manifest.json", manifest(games=2)), "missing"),
        (with_file("manifest.json", manifest(photos=2)), "missing"),
        (with_file("photos/00001/00001.jpg", b"<svg>"), "damaged"),
        (with_file("photos/00001/00001.jpg", JPEG * 20_000), "is too large"),
        (with_file("photos/00001.json", json.dumps([{"step": 99, "taken_at": AT}])), "damaged"),
        (with_file("games/00001.jsonl", "[" * 100_000), "damaged"),
        (with_file("games/00001.jsonl", b"\xff"), "damaged"),
        (lambda files: files.pop("profiles.json") and None, "damaged"),
        (with_line(lambda rows: rows.pop(1) and None), "damaged"),
        (with_line(lambda rows: rows.pop() and None), "has not ended"),
        (with_line(lambda rows: rows[0].update(game="chess")), "no rulebook “chess”"),
        (with_line(lambda rows: rows[0].update(game_id="../x")), "damaged"),
        (with_line(lambda rows: rows[0].update(players='["A, B"]')), "damaged"),
        (with_line(lambda rows: rows[1].update(event='{"kind": "sudo"}')), "damaged"),
        (with_file("profiles/00001.jpg", b"<svg>"), None),
        (
            with_file(
                "profiles.json",
                json.dumps(
                    [{"profile": {**PERSON, "profile_id": "../x", "name": "A"}, "names": []}]
                ),
            ),
            "damaged",
        ),
        (
            with_file(
                "profiles.json",
                json.dumps([{"profile": {**PERSON, "profile_id": "aa", "name": 7}, "names": []}]),
            ),
            "damaged",
        ),
    ],
)
def test_hostile_and_damaged_archives_are_refused(
    change: Callable[[dict[str, bytes]], None], words: str | None
) -> None:
    with a_store() as store:
        keep(store, "g", GOING_ON, closed=True)
        store.photos.add(photo_of("g", 1))
        with ZipFile(io.BytesIO(packed(store))) as whole:
            files = {name: whole.read(name) for name in whole.namelist()}
    change(files)
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    if words is None:  # nobody's photo is not even looked at
        assert open_archive(file).profiles == ()
        return
    with pytest.raises(ArchiveError, match=words):
        open_archive(file)


def test_bytes_that_are_no_whole_zip_are_refused() -> None:
    """Cut short, with a wrong checksum, with a lying size, or packed in another way."""
    with a_store() as store:
        keep(store, "g", GOING_ON, closed=True)
        whole = packed(store)
    for cut in (b"", b"PK", whole[:-30], whole[: len(whole) // 2], b"\0" * 500):
        with pytest.raises(ArchiveError):
            open_archive(io.BytesIO(cut))
    for at in range(0, len(whole), 7):
        spoilt = bytearray(whole)
        spoilt[at] ^= 0x55
        try:
            open_archive(io.BytesIO(bytes(spoilt)))
        except ArchiveError:
            continue
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_LZMA) as other:
        other.writestr("manifest.json", "{}")
    with pytest.raises(ArchiveError, match="does not belong"):
        open_archive(file)
