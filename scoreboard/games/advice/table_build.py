"""Makes a table that is too large to ship: once a machine, in processes of their own.

build = TableBuild(game, options, folder)      # starts at once
build.progress                                 # 0 to 1; then load(game, options, folder)
build.close()                                  # stops what is not ready
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Final

import numpy as np

import scoreboard
from scoreboard.games import GAMES
from scoreboard.games.advice import dice_values
from scoreboard.games.advice.card_model import CardModel
from scoreboard.games.engine.game import AnyGame

PROCESSES: Final = 2
PARTS: Final = 16  # of a level, so that no process waits long for the other
NICENESS: Final = 10  # the table goes first
STALE_SECONDS: Final = 3600


class TableBuild:
    """A table in the making, at low priority; it stops when this process ends."""

    def __init__(self, game: AnyGame, options: Mapping[str, str], folder: Path) -> None:
        self._progress = 0.0
        agreed = (f"{name}={value}" for name, value in options.items())
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__, game.name, str(folder.absolute()), *agreed],
            cwd=Path(scoreboard.__file__).parents[1],
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def progress(self) -> float:
        """From 0 to 1; 1 once the table is in the folder."""
        return self._progress

    @property
    def is_running(self) -> bool:
        """Whether it is at work; if not, and the progress is below 1, it failed."""
        return self._listener.is_alive()

    def wait(self) -> bool:
        self._listener.join()
        return self._progress == 1

    def close(self) -> None:
        """Stop it, if it is at work, and wait until its processes are gone."""
        if self._process.stdin:
            self._process.stdin.close()
        self._listener.join()

    def _listen(self) -> None:
        with self._process as process:
            for line in process.stdout or ():
                self._progress = float(line)


def write_table(game: AnyGame, model: CardModel, table: Any, folder: Path) -> None:
    """Put a table into the folder, whole or not at all."""
    file = folder / dice_values.file_name(game, model)
    for part in folder.glob("*.part"):
        if time.time() - part.stat().st_mtime > STALE_SECONDS:
            part.unlink(missing_ok=True)
    part = file.with_suffix(f".{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            np.save(stream, dice_values.to_keep(table))
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


class _Worker:
    """The task of a pool's process: set once, by `prepare`."""

    model: CardModel
    table: Any

    @classmethod
    def prepare(cls, shared: Any, name: str, options: Mapping[str, str]) -> None:
        """Share the table; end together with the process that asked for it."""
        if parent := parent_process():
            _end_after(parent.join)
        model = dice_values.model_of(GAMES[name], options)
        if model is None:
            raise ValueError(name)
        cls.model, cls.table = model, np.frombuffer(shared, np.float32)

    @classmethod
    def solve(cls, positions: Any) -> int:
        dice_values.solve_positions(cls.model, cls.table, positions)
        return len(positions)


def _end_after(wait: Callable[[], object]) -> None:
    """End this process once that wait is over."""

    def end() -> None:
        wait()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


def _report(done: float) -> None:
    sys.stdout.write(f"{done}\n")
    sys.stdout.flush()


def main(name: str, folder: Path, options: Mapping[str, str]) -> None:
    """Make the table, and print the progress, a number a line."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    _end_after(sys.stdin.read)
    game = GAMES[name]
    model = dice_values.model_of(game, options)
    if model is None:
        raise ValueError(name)
    context, done = get_context("spawn"), 1  # the full card is worth 0
    shared = context.RawArray("f", model.positions)
    arguments = (shared, name, options)
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(PROCESSES, context, _Worker.prepare, arguments) as pool:
        for level in dice_values.levels(model):
            for count in pool.map(_Worker.solve, np.array_split(level, PARTS)):
                done += count
                _report(0.99 * done / model.positions)
    write_table(game, model, np.frombuffer(shared, np.float32), folder)
    _report(1)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), dict(each.split("=", 1) for each in sys.argv[3:]))
