"""Where log lines go, configured once, by the commands that run long.

The modules log with `logging.getLogger(__name__)` and know nothing of files or levels. Levels
concern our own packages: a library's lines are shown from WARNING on, whatever was asked for,
because some libraries write down what they were given, secrets included.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final

import click

OURS: Final = ("scoreboard", "vision", "hardware", "web")
LEVELS: Final = ("debug", "info", "warning", "error")
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
FILE_BYTES: Final = 2 * 1024 * 1024
OLD_FILES: Final = 4
LINES_REMEMBERED: Final = 2000  # an evening of presses, readings and decisions
# What a player typed may hold a line's end; it must not look like a line of its own.
ONE_LINE: Final = {code: f"\\x{code:02x}" for code in (*range(32), 127, 0x85)} | {
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


@dataclass(frozen=True, slots=True)
class LogPlan:
    """The level of the log, and its file, begun anew beyond `file_bytes`, or None."""

    level: int = logging.WARNING
    file: Path | None = None
    file_bytes: int = FILE_BYTES

    @classmethod
    def of(cls, verbose: int, level: str | None, file: Path | None) -> LogPlan:
        """From the command line: `-v` is info, `-vv` debug, a named level overrides both."""
        counted = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
        named = counted if level is None else logging.getLevelNamesMapping()[level.upper()]
        return cls(named, file)


class OneLineFormatter(logging.Formatter):
    """Writes a record as one line; only a traceback has more."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging's own name
        """The line, what would break it escaped."""
        return super().formatMessage(record).translate(ONE_LINE)


class RecentLines(logging.Handler):
    """Remembers the newest lines from INFO on, for `tablescore diagnose`, whatever is shown."""

    def __init__(self, most: int = LINES_REMEMBERED) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))

    def lines(self) -> tuple[str, ...]:
        self.acquire()
        try:
            return tuple(self._lines)
        finally:
            self.release()


def configure_logs(plan: LogPlan) -> RecentLines:
    """Send log lines by the plan, and the newest into what is returned.

    With a file, the terminal shows warnings only. The file is opened at the first line, in the
    process that writes it: one opened before a fork would be written on after it was rotated.
    Raises OSError if the file cannot be written.
    """
    shown, recent = logging.StreamHandler(), RecentLines()
    shown.setLevel(plan.level if plan.file is None else max(plan.level, logging.WARNING))
    handlers: list[logging.Handler] = [shown, recent]
    if plan.file is not None:
        plan.file.open("a", encoding="utf-8").close()
        written = RotatingFileHandler(
            plan.file, maxBytes=plan.file_bytes, backupCount=OLD_FILES, encoding="utf-8", delay=True
        )
        written.setLevel(plan.level)
        handlers.append(written)
    for handler in handlers:
        handler.setFormatter(OneLineFormatter(FORMAT))
        logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(min(plan.level, logging.INFO))
    return recent


def log_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add `-v`, `--log-level` and `--log-file`; the command is given them as `log`, a LogPlan."""

    @click.option(
        "-v",
        "--verbose",
        count=True,
        help="Log each press, reading, decision, delivery and refusal; -vv logs more.",
    )
    @click.option(
        "--log-level", type=click.Choice(LEVELS), help="How much is logged, in place of -v."
    )
    @click.option(
        "--log-file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the log into FILE; at 2 MB a new one is begun, and the last five are kept.",
    )
    @wraps(function)
    def planned(
        *given: Any, verbose: int, log_level: str | None, log_file: Path | None, **options: Any
    ) -> None:
        function(*given, log=LogPlan.of(verbose, log_level, log_file), **options)

    return planned
