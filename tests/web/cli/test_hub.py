"""`tablescore hub` as a real process, what it refuses, and what `publish` writes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import HTTPError

import pytest
from click.testing import Result
from markupsafe import escape

from scoreboard.storage import database_path
from scoreboard.storage.backups import backups_of
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.protocol.audit_log import Account
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.tournament.hub.halls import KEY
from tests.web.cli.calling import call
from tests.web.hub.house import OWN, PASSWORD, QUICK
from tests.web.hub.prepared_event import DIRECTOR, now, prepare
from tests.web.process import ROOT
from tests.web.starts import refused
from web.cli.hub import HubPlan
from web.cli.options import Refusal
from web.hub.credentials import Passwords
from web.hub.hub import HubSettings
from web.hub.public_api import write_site
from web.hub.startup import reserved, start_hub

COMMAND = [sys.executable, "-m", "web", "hub"]


@contextmanager
def running(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A hub that listens, and what it told at its start; gone at the end."""
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        if line.strip().startswith("stop"):
            break
    try:
        yield process, printed
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_SECONDS)


def address(printed: str, word: str) -> str:
    """The address behind a word of the start text."""
    found = re.search(rf"^  {word} +(http\S+)$", printed, re.MULTILINE)
    assert found is not None, printed
    return found[1]


def page(url: str) -> str:
    """What the hub answers."""
    with urllib.request.urlopen(
        f"http://{url.removeprefix('http://')}", timeout=PATIENCE_SECONDS
    ) as answer:
        return str(answer.read().decode())


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a database that does not exist yet."""
    return f"sqlite:///{tmp_path}/event/hub.sqlite3"


@dataclass(frozen=True, slots=True)
class Starts:
    """What a hub printed at two starts, answered after the first and left when it ended."""

    printed: tuple[str, str]
    pages: dict[str, str]
    status: int
    errors: str
    log: str
    opened: tuple[set[int], set[int]]  # of each start the rights that others have to its files


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory) -> Starts:
    """A hub with a viewing code that tells the most, before and after there is a director."""
    folder = tmp_path_factory.mktemp("hub") / "event"
    database, log = f"sqlite:///{folder}/hub.sqlite3", folder.with_name("hub.log")
    options = ("--database", database, "--viewers", "code")
    with running(*options, "-vv", "--log-file", str(log)) as (process, first):
        opened = rights_of_others(folder)
        pages = {word: page(address(first, word)) for word in ("set up", "open")}
        for path in ("p/cup-1f2e/1/abcdefghijklmnop", "set-up/abcdefghijklmnop"):
            with pytest.raises(HTTPError, match="404"):
                page(f"{address(first, 'open')}{path}")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    store = open_hub_store(database)
    store.people.add_account(Account("Dana", "director", "a hash"))
    store.close()
    (folder / "hub.sqlite3").chmod(0o644)  # as an older Tablescore left it
    with running(*options) as (_, second):
        printed, later = (first, second), rights_of_others(folder)
    written = log.read_text(encoding="utf-8")
    opened |= rights_of_others(log)
    return Starts(printed, pages, process.returncode, errors, written, (opened, later))


def rights_of_others(place: Path) -> set[int]:
    """The rights that others have to a file, or to those of a folder."""
    files = place.iterdir() if place.is_dir() else (place,)
    return {each.stat().st_mode & 0o077 for each in files}


def test_the_first_start_tells_how_to_set_the_password(starts: Starts) -> None:
    """Later starts do not, and Ctrl-C ends it cleanly."""
    assert "The first director of this hub" in starts.pages["set up"]
    printed = starts.printed[0]
    assert printed.index("set up") < printed.index("first: ") < printed.index("open ")
    assert (starts.status, starts.errors) == (0, "")
    assert "set up" not in starts.printed[1]


def test_a_refused_link_of_a_player_leaves_no_key_in_the_log(starts: Starts) -> None:
    """The hub that tells the most says that a page was refused, and not by which key."""
    log = starts.log
    assert "refused with 404: GET player.show (cup-1f2e, 1) (UnknownTournamentError)" in log
    assert "refused with 404: GET doors.set_up" in log
    assert "abcdefghijklmnop" not in starts.errors + log


def test_the_viewing_code_is_printed_and_asked_for(starts: Starts) -> None:
    """It stays the same over a restart, since it is on posters by then."""
    codes = [re.findall(r"viewing code (\w{6})", printed) for printed in starts.printed]
    assert len(codes[0]) == 1
    assert codes[0] == codes[1]
    assert "viewing code" in starts.pages["open"]


def test_the_files_of_a_hub_are_its_owners_alone(starts: Starts) -> None:
    """They hold the hub's keys; a database that an older Tablescore left open is closed."""
    assert starts.opened == ({0}, {0})


def test_a_file_has_one_hub_only(database: str) -> None:
    """The second is told so."""
    with reserved(database):
        told = refused("hub", "--database", database)
    assert "stop that one, or name another database" in told


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        (("--workers", "2"), "Several workers need a PostgreSQL database"),
        (("--workers", "2", "--database", "memory:"), "cannot share a memory"),
        (
            ("--workers", "2", "--log-file", "hub.log", "--database", "postgresql://h/league"),
            "cannot share a log file",
        ),
        (("--address", "hub.example.org"), "write it as https://"),
        (("--address", "https://hub.example.org"), "as --proxy 127.0.0.1"),
        (("--proxy", "proxy.lan"), "“proxy.lan” is no proxy’s address"),
        (("--database", "mysql://nowhere"), "cannot be kept in “mysql”"),
    ],
)
def test_what_cannot_be_is_refused_with_a_cure(options: tuple[str, ...], printed: str) -> None:
    """Before anything is started."""
    assert printed in refused("hub", *options)


def test_several_workers_may_share_a_server() -> None:
    """What a plan tells of it holds no password."""
    url = "postgresql://hub:secret@db.example/league"
    plan = HubPlan("0.0.0.0", url, 4, "open", 500, "https://hub.example.org/", ("::1",))  # noqa: S104 -- never bound
    assert plan.place == "db.example, database league"
    settings = plan.hub_settings(8100)
    assert settings.address == "https://hub.example.org"
    assert settings.proxies == ("::1",)
    assert "hub.example.org" in settings.allowed_hosts
    with pytest.raises(Refusal, match="is no address"):
        HubPlan("127.0.0.1", url, 1, "open", 500, "ftp://hub")


def new_password(database: str, name: str, typed: str) -> Result:
    """What `tablescore hub password` does, with this typed twice."""
    arguments = ["hub", "password", name, "--database", database]
    return call(*arguments, typed=f"{typed}\n{typed}\n")


def test_a_lost_password_is_set_anew_on_the_hubs_machine(database: str) -> None:
    """While the hub runs; the new one opens, the old one and its sessions do not."""
    hub = start_hub(database, HubSettings("http://localhost", frozenset({"localhost"})))
    store = open_hub_store(database)
    store.people.add_account(Account("Dana", "director", Passwords(QUICK).hashed(PASSWORD)))
    store.close()
    client = hub.app.test_client()

    def signs_in(password: str) -> int:
        form = {"name": "Dana", "password": password}
        return client.post("/sign-in", data=form, headers=OWN).status_code

    assert signs_in(PASSWORD) == 303
    printed = new_password(database, "Dana", "another good password")
    assert (printed.exit_code, printed.stdout.splitlines()[-1]) == (0, "Dana has a new password.")
    assert client.get("/people").status_code == 303
    assert (signs_in(PASSWORD), signs_in("another good password")) == (401, 303)
    hub.close()


def test_a_password_is_set_for_no_one_else_and_no_other_file(database: str) -> None:
    """A name that is none is told with those that are, and no hub is made by the way."""
    printed = new_password(database, "Dana", PASSWORD)
    assert (printed.exit_code, printed.stderr.startswith("There is no hub in /")) == (1, True)
    assert not Path(database.removeprefix("sqlite:///")).exists()
    store = open_hub_store(database)
    store.people.add_account(Account("Dana", "director", "a hash"))
    store.close()
    printed = new_password(database, "Diana", PASSWORD)
    assert printed.stderr == "Nobody is called “Diana” at this hub; it knows Dana.\n"
    assert (
        "Choose a password of 10 to 200 characters"
        in new_password(database, "Dana", "short").stderr
    )


def test_a_hub_is_backed_up_and_put_back(database: str, tmp_path: Path) -> None:
    """Its accounts are there again, only its owner reads the copy, and what was replaced stays."""
    with closing(open_hub_store(database)) as store:
        store.people.add_account(Account("Dana", "director", "hash"))
    copy = tmp_path / "copy.sqlite3"
    saved = commanded("backup", str(copy), "--database", database)
    assert saved.output == f"{copy}: events: 0.\n"
    assert copy.stat().st_mode & 0o077 == 0
    with closing(open_hub_store(database)) as store:
        store.people.remove_account("Dana")
    back = commanded("restore", str(copy), "--database", database)
    assert back.output.startswith("Events stored now: 0.\nWhat was there before is kept as ")
    with closing(open_hub_store(database)) as store:
        assert [each.name for each in store.people.accounts()] == ["Dana"]


def commanded(*words: str) -> Result:
    """What a command of the hub prints, having succeeded."""
    mask = os.umask(0o022)  # a hub sets its own
    answer = call("hub", *words)
    os.umask(mask)
    assert answer.exit_code == 0, answer.output
    return answer


def test_a_running_hub_makes_one_backup_a_day(database: str) -> None:
    """A second look on the same day makes none; the next day's is another file."""
    with closing(open_hub_store(database)) as store:
        for day in (21, 21, 22):
            store.back_up(datetime(2026, 11, day, 12, tzinfo=UTC))
    path = database_path(database)
    assert path is not None
    assert [each.name[7:17] for each in backups_of(path)] == ["2026-11-21", "2026-11-22"]


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
        (["--database", "memory:", "--event", "x"], "No stored tournament is called “x”"),
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


def test_a_hub_on_trial_prints_a_code_and_the_faults_of_a_client(tmp_path: Path) -> None:
    """It keeps nothing, and sets no director up."""
    with running("--try", "--database", f"sqlite:///{tmp_path}/hub.sqlite3") as (process, printed):
        assert "in memory, gone at the end" in printed
        assert "set up" not in printed
        assert process.stdout is not None
        assert "lets table 1 join" in process.stdout.readline()
        with pytest.raises(HTTPError):
            page(f"{address(printed, 'open')}api/v1/word")
        assert process.stdout.readline() == "GET /api/v1/word: 401\n"
        assert process.stdout.readline().startswith("  wrong    ")
    assert list(tmp_path.iterdir()) == []
