"""The command line: parses, and calls what the wiring hands it."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final

import click

from hardware.errors import HardwareError
from scoreboard.errors import ScoreboardError
from vision.errors import VisionError
from web.cli.options import Refusal
from web.shared.settings import SettingsError

COMMANDS: Final = (
    "run",
    "read",
    "read-slip",
    "teach",
    "evaluate",
    "replay",
    "advise",
    "analyse",
    "games",
    "export",
    "delete",
    "backup",
    "restore",
    "rebuild",
    "cameras",
    "check",
    "diagnose",
    "calibrate",
    "watch",
    "hub",
    "verify",
    "publish",
)
FAULTS: Final = (ScoreboardError, VisionError, HardwareError, SettingsError, OSError)


class CommandFolder(click.Group):
    """The commands of `web/cli/`, loaded when they are named.

    Most need neither OpenCV nor onnxruntime, which take seconds on a small machine. Known
    faults end in a sentence instead of a traceback.
    """

    def list_commands(self, _context: click.Context) -> list[str]:
        """The commands' names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Load the command of that name, None when there is none."""
        if name not in COMMANDS:
            return None
        module = name.replace("-", "_")
        command = getattr(importlib.import_module(f"web.cli.{module}"), module)
        return command if isinstance(command, click.Command) else None

    def invoke(self, context: click.Context) -> Any:
        """Run the command that was named."""
        try:
            return super().invoke(context)
        except BrokenPipeError:  # whoever read along has gone: click ends quietly
            raise
        except FAULTS as error:
            sentence = str(error)
            if isinstance(error, OSError) and error.filename and error.strerror:
                sentence = f"{error.filename}: {error.strerror}."
            raise Refusal(sentence) from error


@click.group(cls=CommandFolder, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    package_name="tablescore", prog_name="tablescore", message="%(prog)s %(version)s"
)
def tablescore() -> None:
    """Read the dice on a real table, keep the score by the rulebook, show it live.

    Example: tablescore run --host 0.0.0.0 --camera webcam:0
    """


def main() -> None:
    """Run the command line; names and sentences are written in UTF-8 whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        # a file name that is no UTF-8 is written escaped, which in JSON is an escape too
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    tablescore(prog_name="tablescore")


if __name__ == "__main__":
    main()
