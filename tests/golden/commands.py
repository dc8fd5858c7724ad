"""Runs `tablescore` as a player does: a process of its own, in UTC and in English."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
TABLESCORE: Final = (sys.executable, "-m", "web")


def environment(**more: str) -> Mapping[str, str]:
    """This machine's environment, but for the time zone, the language and where modules are."""
    own = {"TZ": "UTC", "LANGUAGE": "en", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own, **more}


def tablescore(*arguments: str, folder: Path = ROOT) -> str:
    """What a command prints, on both streams, and how it ends when that is not well."""
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
