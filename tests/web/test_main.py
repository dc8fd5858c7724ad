"""The command line as a whole: its commands, its help and how faults end."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import click
import pytest

from tests.web.cli.calling import call
from web.__main__ import COMMANDS, HUB_LIBRARIES, main, tablescore

ROOT = Path(__file__).parents[2]
GAME = "game yahtzee\nplayers Zoë, 北\nroll 55521\nscore fives 15\n"


def test_every_command_is_listed() -> None:
    """A command that is in no list could never be called."""
    found = set[str | None]()
    for path in (ROOT / "web" / "cli").glob("[a-z]*.py"):
        values = vars(importlib.import_module(f"web.cli.{path.stem}")).values()
        found |= {each.name for each in values if isinstance(each, click.Command)}
    assert found - {"password"} == set(COMMANDS)  # which is the hub's own


def test_every_command_has_help_with_an_example() -> None:
    """Whoever asks for help sees how it is called."""
    for name in COMMANDS:
        result = call(name, "--help")
        assert result.exit_code == 0
        assert f"Example: tablescore {name}" in result.stdout
        command = tablescore.get_command(click.Context(tablescore), name)
        assert command is not None
        assert command.get_short_help_str(limit=1000) == COMMANDS[name]


HEAVY = {
    *("cv2", "numpy", "onnxruntime", "highspy", "PIL", "torch"),
    *("flask", "jinja2", "babel", "sqlalchemy", "cryptography", "msgspec"),
    *("web.wiring", "web.table", "web.hub", "scoreboard.tournament", "vision.read"),
    *HUB_LIBRARIES,
}


def test_help_loads_nothing_that_takes_time() -> None:
    """Neither pixels, pages, databases nor a command: each loads what it needs when it runs."""
    code = """
import sys
from click.testing import CliRunner
from web.__main__ import tablescore
assert CliRunner().invoke(tablescore, ["--help"]).exit_code == 0
print(*sys.modules)
"""
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert HEAVY.isdisjoint(loaded)
    assert [name for name in loaded if name.startswith("web.cli.")] == ["web.cli.options"]


def test_commands_that_show_no_page_load_none() -> None:
    """Neither pages nor databases nor pixels, until they run."""
    names = ("read", "teach", "replay", "cameras")
    imports = "".join(f"import web.cli.{name}\n" for name in names)
    loaded = subprocess.run(
        [sys.executable, "-c", f"{imports}import sys\nprint(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert {"flask", "sqlalchemy", "numpy", "cv2", "web.wiring"}.isdisjoint(loaded)


WITHOUT_THE_EXTRA = """
import importlib, pkgutil, sys
from web.__main__ import HUB_LIBRARIES, main
sys.modules.update(dict.fromkeys(HUB_LIBRARIES))
if sys.argv[1:]:
    main()
import scoreboard, hardware, vision, web
modules = [
    each.name
    for package in (scoreboard, hardware, vision, web)
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not each.name.startswith(("vision.train", "web.hub"))
]
for name in modules:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        print(name)
"""


def without_the_extra(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command, or else import everything, where the packages of a hub are missing."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_EXTRA, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_table_does_without_the_packages_of_a_hub() -> None:
    """What draws and pairs a hub's rounds needs them, and its commands; nothing of a table."""
    assert without_the_extra().stdout.split() == [
        "scoreboard.tournament.model.pairing.dutch",
        "scoreboard.tournament.model.pairing.minimum_cost",
        "scoreboard.tournament.model.pairing.swiss",
        "web.cli.hub",
    ]


@pytest.mark.parametrize(
    "command", [["hub"], ["publish", "out"], ["games", "--database", "postgresql://me@there/games"]]
)
def test_a_hub_without_its_packages_says_how_to_install_them(command: list[str]) -> None:
    """In one sentence, with the interpreter that lacks them; and so does a server's database."""
    ended = without_the_extra(*command)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.endswith(
        f"{sys.executable} -m pip install argon2-cffi 'psycopg[binary]' rustworkx\n"
    )
    assert ended.stderr.count("\n") == 1


def test_the_extra_is_what_its_message_installs() -> None:
    """Each package of the extra “hub” holds one of the modules that a table does without."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = {re.split(r"[^\w-]", each)[0] for each in project["optional-dependencies"]["hub"]}
    holders = packages_distributions()
    assert {name for library in HUB_LIBRARIES for name in holders[library]} == packages


def test_the_version_is_the_packages() -> None:
    """`--version` says what pyproject.toml says, and so does the metadata of the package."""
    written = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    number = written["project"]["version"]
    result = call("--version")
    assert (result.exit_code, result.stdout) == (0, f"tablescore {number}\n")
    assert version("tablescore") == number


def test_an_unknown_command_is_a_usage_error() -> None:
    """A slip in the name ends with 2, as every usage error."""
    result = call("dance")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No such command 'dance'" in result.stderr


def tablescore_process(*arguments: str, text: str = "", closed: bool = False) -> list[str | int]:
    """Run the program with a hostile locale; its status, output and errors."""
    reader, writer = os.pipe()
    if closed:
        os.close(reader)
    process = subprocess.Popen(
        [sys.executable, "-m", "web", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    _, errors = process.communicate(text.encode())
    output = b""
    if not closed:
        with os.fdopen(reader, "rb") as pipe:
            output = pipe.read()
    return [process.returncode, output.decode("utf-8"), errors.decode("utf-8")]


def test_names_are_written_in_utf_8_whatever_the_locale() -> None:
    """A Latin-1 terminal setting neither breaks nor changes a name."""
    status, output, errors = tablescore_process("replay", "-", text=GAME)
    assert (status, errors) == (0, "")
    assert "Zoë  北" in str(output)


def test_a_reader_that_went_away_is_no_traceback() -> None:
    """`tablescore games | head` must end quietly."""
    status, _, errors = tablescore_process("replay", "-", text=GAME, closed=True)
    assert (status, errors) == (1, "")


def test_the_console_script_runs_the_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is installed as `tablescore` parses the process's own arguments."""
    monkeypatch.setattr(sys, "argv", ["tablescore", "replay", "no-such-evening.txt"])
    with pytest.raises(SystemExit, match="1"):
        main()
    assert capsys.readouterr().err == "no-such-evening.txt: No such file or directory.\n"
