"""Runs `tablescore` as a player does, in UTC and in English."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from tests.golden.seams import COMMANDS

ROOT: Final = Path(__file__).parents[2]
TABLESCORE: Final = (sys.executable, "-m", "web")


def environment(**more: str) -> Mapping[str, str]:
    """This machine's environment, but for the time zone, the language and where modules are."""
    own = {"TZ": "UTC", "LANGUAGE": "en", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own, **more}


def tablescore(*arguments: str, folder: Path = ROOT) -> str:
    """What a command prints in a process of its own, and how it ends when that is not well."""
    done = subprocess.run(
        [*TABLESCORE, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    ended = f"[exit status {done.returncode}]\n" if done.returncode else ""
    return done.stdout + done.stderr + ended


def invoke(*arguments: str) -> str:
    """What a command prints, as `tablescore` says it; in this process, which is much faster."""
    done = CliRunner().invoke(COMMANDS, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    ended = f"[exit status {done.exit_code}]\n" if done.exit_code else ""
    return done.output + ended
