"""`tablescore publish`: the whole site, only what changed, and nothing of others touched."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from markupsafe import escape

from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.scoreboard.tournament.hub.halls import KEY
from tests.web.cli.calling import call
from tests.web.hub.prepared_event import DIRECTOR, now, prepare
from web.hub.site import write_site

PLAYERS = [f"Player {number}" for number in range(1, 17)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlHubStore]:
    """A hub's file."""
    with closing(open_hub_store(f"sqlite:///{tmp_path}/hub.db")) as opened:
        yield opened


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file with when it was written and what is in it."""
    return {
        str(each.relative_to(folder)): (each.stat().st_mtime_ns, each.read_bytes())
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


def test_the_site_is_whole_and_stands_alone(store: SqlHubStore, tmp_path: Path) -> None:
    """Every link leads to a file of the site, and nothing is asked of any other place."""
    event = prepare(store, PLAYERS).event
    site = tmp_path / "site"
    result = call("publish", site, "--database", f"sqlite:///{tmp_path}/hub.db")
    assert result.exit_code == 0, result.output
    pages = list(site.rglob("*.html"))
    assert {page.name for page in pages} == {
        "index.html", "standings.html", "players.html", "round-1.html", "round-2.html",
    }  # fmt: skip
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            assert (page.parent / link).is_file(), link
        assert "<script" not in text
        assert re.search("https?://", text) is None
    standings = (site / event / "standings.html").read_text(encoding="utf-8")
    assert all(name in standings for name in PLAYERS)
    assert "stands above" in standings
    assert json.loads((site / event / "round-2.json").read_bytes())["round"]["phase"] == "running"


def test_a_knockout_has_its_bracket(store: SqlHubStore, tmp_path: Path) -> None:
    """Drawn on a page of its own with everybody's name, escaped."""
    service = TournamentService(store, now, KEY)
    event = service.open("Cup", FORMATS["knockout"], DIRECTOR)
    names = ("Anna", "Ben", "<b>Chen</b>", "Dora")
    entries = [Enter(Entrant(number, name)) for number, name in enumerate(names, start=1)]
    service.give_all(event, [*entries, DrawRound(1)], DIRECTOR)
    call("publish", tmp_path / "site", "--database", f"sqlite:///{tmp_path}/hub.db")
    page = (tmp_path / "site" / event / "bracket.html").read_text(encoding="utf-8")
    assert page.count("<svg") == page.count("</svg>") == 1
    assert all(str(escape(name)) in page for name in names)
    assert "<b>" not in page
    assert 'href="bracket.html"' in (tmp_path / "site" / event / "index.html").read_text()


def test_only_what_changed_is_written_again(store: SqlHubStore, tmp_path: Path) -> None:
    """The same event twice leaves every file alone; one in the bin takes its files away."""
    event = prepare(store, PLAYERS).event
    site, database = tmp_path / "site", f"sqlite:///{tmp_path}/hub.db"
    call("publish", site, "--database", database)
    (site / "own.html").write_text("of the club")
    before = snapshot(site)
    assert "0 files changed" in call("publish", site, "--database", database).output
    assert snapshot(site) == before
    store.event_marks.change(event, deleted_at=datetime.now(UTC))
    call("publish", site, "--database", database)
    left = [each for each in snapshot(site) if event in each]
    assert left == []
    assert (site / "own.html").read_text() == "of the club"


def test_the_site_is_in_the_language_that_is_asked_for(store: SqlHubStore, tmp_path: Path) -> None:
    """Its sentences too, which the reading API writes."""
    event = prepare(store, PLAYERS).event
    call(
        "publish",
        tmp_path / "site",
        "--database",
        f"sqlite:///{tmp_path}/hub.db",
        "--language",
        "ko",
    )
    page = (tmp_path / "site" / event / "index.html").read_text(encoding="utf-8")
    assert '<html lang="ko">' in page
    assert "순위" in page
    assert "Round 2" not in page


def test_a_test_event_is_published_only_by_its_name(store: SqlHubStore, tmp_path: Path) -> None:
    """It is left out of the site, unless somebody asks for it."""
    event, database = prepare(store, PLAYERS).event, f"sqlite:///{tmp_path}/hub.db"
    store.event_marks.change(event, test=True)
    call("publish", tmp_path / "all", "--database", database)
    assert not (tmp_path / "all" / event).exists()
    call("publish", tmp_path / "one", "--database", database, "--event", event)
    assert "Test: nothing here counts." in (tmp_path / "one" / event / "index.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--database", "sqlite:////nowhere/hub.db"], "There is no hub in"),
        (["--database", "memory:", "--event", "x"], "There is no event “x”"),
    ],
)
def test_what_cannot_be_published_is_said(arguments: list[str], words: str, tmp_path: Path) -> None:
    """In a sentence, and nothing is written."""
    result = call("publish", tmp_path / "site", *arguments)
    assert result.exit_code != 0
    assert words in result.output
    assert not (tmp_path / "site").exists()


def test_no_file_outside_the_folder_is_removed(tmp_path: Path) -> None:
    """A list of earlier files that somebody changed leads nowhere else."""
    (tmp_path / "precious").write_text("kept")
    site = tmp_path / "site"
    site.mkdir()
    (site / ".tablescore.json").write_text('["../precious"]')
    write_site(site, {"index.html": b"new"})
    assert (tmp_path / "precious").read_text() == "kept"
