"""Where log lines go: one configuration, one line a record, libraries kept quiet."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.process import NEW_GAME, running
from tests.web.starts import logs_restored, refused
from tests.web.test_run import BY_HAND, enter
from web.shared.logs import FORMAT, LogPlan, OneLineFormatter, RecentLines, configure_logs


@pytest.fixture
def restored() -> Iterator[None]:
    """The levels and handlers of before the test."""
    with logs_restored():
        yield


def record(text: str, level: int = logging.INFO) -> logging.LogRecord:
    """A line of the session's."""
    return logging.LogRecord("scoreboard.table", level, __file__, 1, text, (), None)


@pytest.mark.parametrize(
    ("verbose", "named", "level"),
    [
        (0, None, logging.WARNING),
        (1, None, logging.INFO),
        (2, None, logging.DEBUG),
        (5, None, logging.DEBUG),
        (0, "debug", logging.DEBUG),
        (2, "error", logging.ERROR),
    ],
)
def test_the_level_is_counted_or_named(verbose: int, named: str | None, level: int) -> None:
    """-v is info, -vv debug; a level that is named beats both."""
    assert LogPlan.of(verbose, named, None).level == level


@pytest.mark.parametrize("end", ["\n", "\r\n", "\x1b[2J", "\u2028", "\x85"])
def test_what_a_player_types_makes_no_line_of_its_own(end: str) -> None:
    """A line's end in a name cannot forge a line, and a terminal is not steered."""
    line = OneLineFormatter(FORMAT).format(record(f"open for Anna{end}2026 INFO press KEEP: done"))
    assert len(line.splitlines()) == 1
    assert line.isprintable()


def test_the_newest_lines_are_remembered() -> None:
    """From INFO on, and no more of them than are wanted."""
    recent = RecentLines(most=2)
    for number in range(4):
        recent.handle(record(f"line {number}"))
    assert recent.lines() == ("line 2", "line 3")
    assert recent.level == logging.INFO


@pytest.mark.usefixtures("restored")
def test_a_file_takes_the_lines_and_the_terminal_keeps_the_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line of ours is in the file; what a library tells below a warning is nowhere."""
    file = tmp_path / "table.log"
    recent = configure_logs(LogPlan(logging.INFO, file))
    logging.getLogger("scoreboard.table").info("press KEEP")
    logging.getLogger("scoreboard.table").debug("a bounce")
    logging.getLogger("alembic.runtime").info("SELECT 'secret'")
    logging.getLogger("web.wiring").warning("no reader")
    written = file.read_text(encoding="utf-8")
    assert [line.split(": ")[-1] for line in written.splitlines()] == ["press KEEP", "no reader"]
    assert len(recent.lines()) == 2
    errors = capsys.readouterr().err
    assert "no reader" in errors
    assert "press KEEP" not in errors


@pytest.mark.usefixtures("restored")
def test_a_table_that_shows_warnings_remembers_its_presses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without -v too, so that diagnose can tell what happened."""
    recent = configure_logs(LogPlan())
    logging.getLogger("scoreboard.table").info("press KEEP")
    assert [line.split(": ")[-1] for line in recent.lines()] == ["press KEEP"]
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("restored")
def test_a_full_log_file_is_begun_anew(tmp_path: Path) -> None:
    """It does not fill the card of a small machine."""
    file = tmp_path / "table.log"
    configure_logs(LogPlan(logging.INFO, file, 2000))
    for number in range(400):
        logging.getLogger("web").info("line %s", number)
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["table.log", *(f"table.log.{old}" for old in range(1, 5))]
    assert all(path.stat().st_size <= 2000 for path in tmp_path.iterdir())


def test_a_running_table_writes_its_log_file(tmp_path: Path) -> None:
    """The process that plays writes it, and tells what was entered."""
    file, database = tmp_path / "table.log", f"sqlite:///{tmp_path}/games.sqlite3"
    with running(*BY_HAND, "--database", database, "-v", "--log-file", str(file)) as table:
        table.ask("/setup", NEW_GAME)
        assert enter(table, "13566")["verdict"] == "done"
    written = file.read_text(encoding="utf-8")
    assert "INFO web.wiring: version " in written
    assert "recorded " in written
    assert "step 1 (page): roll 13566" in written


def test_a_log_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """Before anything starts, by its name."""
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    sentence = refused("run", "--database", database, "--log-file", f"{tmp_path}/none/table.log")
    assert "none/table.log: No such file or directory." in sentence
