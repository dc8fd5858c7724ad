"""All games at once: spreadsheets, and the archive that another table opens."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient

from scoreboard.storage import SqlStore
from tests.scoreboard.storage.test_game_archive import GOING_ON, TEXTS, a_store, keep, packed
from tests.web.table.history.test_statistics import counted
from tests.web.table_fake import FakeTable
from web.shared.spreadsheet import as_csv
from web.table.history.archive import Archive

OWN = {"Origin": "http://localhost"}
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
DUEL = next(text for text in TEXTS if "tied roll-off" in text)


def client_of(store: SqlStore) -> FlaskClient:
    """A browser at the machine of a table with this store."""
    archive = Archive(store)
    return FakeTable().app(archive=archive, store=store).test_client()


@pytest.fixture
def stores() -> Iterator[tuple[SqlStore, SqlStore]]:
    """One with a finished game, a closed one and one that goes on, and an empty one."""
    with ExitStack() as opened:
        one, other = (opened.enter_context(a_store()) for _ in range(2))
        keep(one, "duel", DUEL)
        keep(one, "closed", GOING_ON, closed=True)
        keep(one, "on", GOING_ON)
        one.profiles.add("North")
        yield one, other


def test_a_spreadsheet_has_a_row_a_box(stores: tuple[SqlStore, SqlStore]) -> None:
    """Of finished games alone: its rolls, the time it took, and how that player's game ended."""
    counted(stores[0])
    client = client_of(stores[0])
    text = client.get("/games").text
    for address in ("all.csv", "all.xlsx", "archive.zip", "archive"):
        assert f'"/games/{address}"' in text
    answer = client.get("/games/all.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert {(row["player"], row["place"], row["total"]) for row in rows} == {
        ("North", "1", "383"),
        ("South", "2", "259"),
    }
    assert {row["game_id"] for row in rows} == {"duel"}
    assert len(rows) == 26
    assert sum(int(row["points"]) for row in rows if row["player"] == "South") <= 259
    for row in rows:
        assert re.fullmatch(r"\d{5}( / \d{5}){0,2}", row["rolls"])
        assert float(row["luck"]) or float(row["decisions"])
    assert answer.headers["Content-Disposition"] == 'attachment; filename="tablescore-games.csv"'


def test_a_workbook_has_the_same_cells(stores: tuple[SqlStore, SqlStore]) -> None:
    """Numbers as numbers; every part of the file is well-formed."""
    client = client_of(stores[0])
    (head, *rows) = csv.reader(io.StringIO(client.get("/games/all.csv").text))
    with ZipFile(io.BytesIO(client.get("/games/all.xlsx", buffered=True).data)) as files:
        parts = {name: ET.fromstring(files.read(name)) for name in files.namelist()}  # noqa: S314 -- our own
    assert len(parts) == 5
    cells = [[*row] for row in parts["xl/sheet.xml"].iter(f"{{{MAIN}}}row")]
    written = [["".join(cell.itertext()) for cell in row] for row in cells]
    assert written == [head, *rows]
    assert [cell.get("t") for cell in cells[1]].count("inlineStr") < len(head)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1"])
def test_no_name_is_taken_for_a_formula(name: str) -> None:
    """A spreadsheet computes what begins with = + - @, also after a tab."""
    (line,) = as_csv([[name, "North", -1]])
    assert line == f"'{name},North,-1\n"


def test_an_archive_is_taken_in_once(stores: tuple[SqlStore, SqlStore]) -> None:
    """The page says what it holds and what was new; the second time nothing changes."""
    one, other = stores
    there = client_of(other)
    sent = client_of(one).get("/games/archive.zip", buffered=True).data
    for told in ("2 of 2 games were new here", "are here already"):
        upload = {"archive": (io.BytesIO(sent), "games.zip")}
        page = there.post("/games/archive", data=upload, headers=OWN)
        assert "Yahtzee: 2" in page.text
        assert "Ann, Bo, North, South" in page.text
        assert told in page.text
        assert {game.game_id for game in other.games()} == {"duel", "closed"}
        assert packed(other) == packed(one)


@pytest.mark.parametrize("zipped", [False, True])
def test_a_backup_of_bg_stats_becomes_history(
    stores: tuple[SqlStore, SqlStore], *, zipped: bool
) -> None:
    """Each game under its name, once; what has no points, or came from here, is left out."""
    other = stores[1]
    there = client_of(other)
    backup = json.dumps(BACKUP).encode()
    if zipped:
        packed_file = io.BytesIO()
        with ZipFile(packed_file, "w") as files:
            files.writestr("BGStatsExport.json", backup)
        backup = packed_file.getvalue()
    for told in ("2 of 2 games were new here", "are here already"):
        upload = {"archive": (io.BytesIO(backup), "BGStatsExport")}
        text = there.post("/games/archive", data=upload, headers=OWN).text
        assert "Hearts: 1" in text
        assert "Azul, the 2nd: 1" in text
        assert told in text
        assert "no points: 2" in text
    assert {profile.name for profile in other.profiles.all()} == {"Ann", "Bo  Jr"}
    azul = next(header for header in other.headers() if header.options["name"].startswith("Azul"))
    assert str(azul.opened_at) == "2019-03-21 22:02:33+00:00"
    totals = {str(game.title): game.totals for game in Archive(other).summaries()}
    assert totals == {"Hearts": (26, 0), "Azul, the 2nd": (31, 45)}


BACKUP = {
    "players": [{"id": 4, "name": "Ann"}, {"id": 7, "name": "Bo, Jr"}],
    "games": [
        {"id": 1, "name": "Hearts", "highestWins": False},
        {"id": 2, "name": "Azul, the #2nd", "highestWins": True},
    ],
    "plays": [
        {
            "uuid": f"1DB76738-9A83-4201-93CB-48E842B3CC7{number}",
            "playDate": at,
            "gameRefId": game,
            "playerScores": [
                {"playerRefId": player, "score": score, "winner": False}
                for player, score in zip((4, 7), scores, strict=True)
            ],
        }
        for number, (at, game, scores) in enumerate(
            (
                ("2019-03-20 20:00:00", 1, ("26", "0")),
                ("2019-03-21 22:02:33", 2, ("20+11", "45")),
                ("2019-03-22 20:00:00", 1, ("", "")),
                ("2019-03-23 20:00:00", 3, ("1", "2")),
            )
        )
    ],
}


def test_what_is_no_archive_is_refused_in_words(stores: tuple[SqlStore, SqlStore]) -> None:
    """And nothing is taken in."""
    client = client_of(stores[1])
    upload = {"archive": (io.BytesIO(b"GIF89a"), "games.zip")}
    answer = client.post("/games/archive", data=upload, headers=OWN)
    assert answer.status_code == 422
    assert "This file is no archive of Tablescore" in answer.text
    assert client.post("/games/archive", headers=OWN).status_code == 400
    assert stores[1].games() == ()
