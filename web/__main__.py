"""The command line: parses, and calls what the wiring hands it."""

from __future__ import annotations

import gc
import importlib
import sys
from typing import Any, Final

import click

from hardware.errors import HardwareError
from scoreboard.errors import ScoreboardError
from vision.errors import VisionError
from web.cli.options import Refusal
from web.shared.settings import SettingsError

# The first sentence of each: what the list of commands shows without loading them
COMMANDS: Final = {
    "run": "Start the table and its page; Ctrl-C ends it.",
    "read": "Say what the dice or tiles on each PHOTO show.",
    "read-slip": "Read the printed result slips in PHOTOS, as a hub does.",
    "teach": "Learn the set NAME from the photographs in FOLDER.",
    "evaluate": "Read the labelled photographs in FOLDER and count what was right.",
    "replay": "Replay the game written in FILE and print its scoresheet.",
    "advise": "Say as JSON what to do with the last roll of the game of dice, or the rack, in "
    "FILE.",
    "analyse": "Print what luck and decisions made of the game of dice in FILE, player by player.",
    "games": "List the stored games, newest first, those of the demo evening after your own.",
    "export": "Write the stored game GAME_ID to the standard output; `tablescore games` lists "
    "the ids.",
    "delete": "Put the stored game GAME_ID into the bin, also one that cannot be read.",
    "backup": "Write all stored games into the new FILE, also while a table plays.",
    "restore": "Put the games of the backup FILE in the place of the stored ones, while no "
    "table runs.",
    "rebuild": "Replay all stored games and work out the players' figures anew, also while a "
    "table plays.",
    "cameras": "List the cameras of this machine, each as run's --camera names it.",
    "check": "Try the camera, each button and each lamp, and say what was seen.",
    "diagnose": "Write versions, settings, log, picture and the last events into the new zip FILE.",
    "calibrate": "Tell where the tray lies, so that only the tray is read, from straight above.",
    "watch": "Say what the table would propose while CLIP is played: one line a proposal.",
    "hub": "Start the hub of an event and its pages; Ctrl-C ends it.",
    "verify": "Check every link of the event exported to FILE.",
    "publish": "Write the public results of a hub into DIR: pages, style and JSON, for any web "
    "host.",
}
# Of a command that is not in the module of its name
MODULES: Final = {
    **dict.fromkeys(("read-slip", "evaluate"), "read"),
    **dict.fromkeys(("advise", "analyse"), "replay"),
    **dict.fromkeys(("export", "delete", "backup", "restore", "rebuild"), "games"),
    **dict.fromkeys(("check", "calibrate"), "cameras"),
    "publish": "hub",
}
HUB_LIBRARIES: Final = {"argon2", "psycopg", "rustworkx"}  # of the extra “hub”
FAULTS: Final = (ScoreboardError, VisionError, HardwareError, SettingsError, OSError)


class CommandFolder(click.Group):
    """The commands of `web/cli/`, loaded when they are named.

    Most need neither OpenCV nor onnxruntime, which take seconds on a small machine. Known
    faults end in a sentence instead of a traceback, and so does a missing extra.
    """

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        gc.disable()  # a thousand modules are loaded now, and none of it is ever garbage
        module = importlib.import_module(f"web.cli.{MODULES.get(name, name)}")
        gc.enable()
        command = getattr(module, name.replace("-", "_"))
        return command if isinstance(command, click.Command) else None

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them, which takes a second."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            listed = [click.Command(name, help=text) for name, text in COMMANDS.items()]
            formatter.write_dl(
                [(str(each.name), each.get_short_help_str(limit)) for each in listed]
            )

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except BrokenPipeError:  # the reader has gone: click ends quietly
            raise
        except ModuleNotFoundError as error:
            if error.name not in HUB_LIBRARIES:
                raise
            raise Refusal(
                "A hub and a PostgreSQL database take packages that a table does without. "
                f"Install them: {sys.executable} -m pip install "
                "argon2-cffi 'psycopg[binary]' rustworkx"
            ) from error
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
