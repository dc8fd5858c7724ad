"""`tablescore hub` as real processes: how it starts, refuses, serves and ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from urllib.error import HTTPError

import pytest
from click.testing import CliRunner, Result

from scoreboard.tournament.protocol.audit_log import Account
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.patience import PATIENCE_SECONDS
from tests.web.hub.house import OWN, PASSWORD, QUICK
from tests.web.process import ROOT
from web.__main__ import tablescore
from web.cli.hub import HubPlan
from web.cli.options import Refusal
from web.hub.credentials import Passwords
from web.hub.hub import HubSettings
from web.hub.startup import start_hub
from web.server import takes

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


def refused(*options: str) -> str:
    """What a start that is refused says: one sentence, exit status 1."""
    ended = subprocess.run(
        [*COMMAND, "--port", "0", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert ended.returncode == 1, ended
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a database that does not exist yet."""
    return f"sqlite:///{tmp_path}/event/hub.sqlite3"


def test_the_first_start_tells_how_to_set_the_password(database: str) -> None:
    """Later starts do not, and Ctrl-C ends it cleanly."""
    with running("--database", database) as (process, printed):
        assert "The first director of this hub" in page(address(printed, "set up"))
        assert "No events yet." in page(address(printed, "open"))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
        assert (process.returncode, errors) == (0, "")
    store = open_hub_store(database)
    store.people.add_account(Account("Dana", "director", "a hash"))
    store.close()
    with running("--database", database) as (_, printed):
        assert "set up" not in printed


def test_a_refused_link_of_a_player_leaves_no_key_in_the_log(database: str, tmp_path: Path) -> None:
    """The hub that tells the most says that a page was refused, and not by which key."""
    log = tmp_path / "hub.log"
    with running("--database", database, "-vv", "--log-file", str(log)) as (process, printed):
        for path in ("p/cup-1f2e/1/abcdefghijklmnop", "set-up/abcdefghijklmnop"):
            with pytest.raises(HTTPError, match="404"):
                page(f"{address(printed, 'open')}{path}")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    written = log.read_text(encoding="utf-8")
    assert "refused with 404: GET player.show (cup-1f2e, 1) (UnknownTournamentError)" in written
    assert "refused with 404: GET doors.set_up" in written
    assert "abcdefghijklmnop" not in errors + written
    assert log.stat().st_mode & 0o077 == 0


def test_a_file_has_one_hub_only(database: str) -> None:
    """The second is told so."""
    with running("--database", database):
        assert "stop that one, or name another database" in refused("--database", database)


def test_the_viewing_code_is_printed_and_asked_for(database: str) -> None:
    """It stays the same over a restart, since it is on posters by then."""
    codes = []
    for _ in range(2):
        with running("--database", database, "--viewers", "code") as (_, printed):
            found = re.search(r"viewing code (\w{6})", printed)
            assert found is not None
            codes.append(found[1])
            assert "viewing code" in page(address(printed, "open"))
    assert codes[0] == codes[1]


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
        (("--database", "mysql://nowhere"), "cannot be kept in “mysql”"),
    ],
)
def test_what_cannot_be_is_refused_with_a_cure(options: tuple[str, ...], printed: str) -> None:
    """Before anything is started."""
    assert printed in refused(*options)


def test_several_workers_may_share_a_server() -> None:
    """What a plan tells of it holds no password."""
    url = "postgresql://hub:secret@db.example/league"
    plan = HubPlan("0.0.0.0", url, 4, "open", 500, "https://hub.example.org/")  # noqa: S104 -- never bound
    assert plan.place == "db.example, database league"
    settings = plan.hub_settings(8100)
    assert settings.address == "https://hub.example.org"
    assert settings.behind_proxy
    assert "hub.example.org" in settings.allowed_hosts
    with pytest.raises(Refusal, match="is no address"):
        HubPlan("127.0.0.1", url, 1, "open", 500, "ftp://hub")


def new_password(database: str, name: str, typed: str) -> Result:
    """What `tablescore hub password` does, with this typed twice."""
    arguments = ["hub", "password", name, "--database", database]
    return CliRunner().invoke(tablescore, arguments, input=f"{typed}\n{typed}\n")


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


def test_the_file_of_a_hub_is_its_owners_alone(database: str) -> None:
    """It holds the hub's keys; one that an older Tablescore left open is closed."""
    path = Path(database.removeprefix("sqlite:///"))
    for mode in (None, 0o644):
        if mode is not None:
            path.chmod(mode)
        with running("--database", database):
            assert {each.stat().st_mode & 0o077 for each in path.parent.iterdir()} == {0}


def test_one_of_several_processes_prints_what_comes_later() -> None:
    """They are forks, and each address is to be printed once."""
    with TemporaryFile() as turn:
        assert takes(turn)
        child = os.fork()
        if child == 0:
            os._exit(takes(turn))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
