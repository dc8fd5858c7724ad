"""Many threads that read their first message at once: what a hub meets when a round begins."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]
TRIES = 6  # one in three ended when nothing was done about it
PROGRAM = """
import sys
from threading import Barrier, Thread
from scoreboard.tournament.protocol.documents import text_of, value_from_text, value_of
from scoreboard.tournament.protocol.hub_update import SeatUpdate, SeatingUpdate
from scoreboard.tournament.protocol.hub_update import Greeting, HubUpdate

SITTING = SeatingUpdate(1, "running", 1, 1, "yahtzee", {}, (SeatUpdate(1, "Anna"),))
WORD, GREETING = text_of(HubUpdate(1, 1, "Open", SITTING)), {"games": {"g": 3}, "heard": 1}
together = Barrier(16)

def read(number: int) -> None:
    together.wait()
    for _ in range(20):
        value_from_text(HubUpdate, WORD) if number % 2 else value_of(Greeting, GREETING)

sys.setswitchinterval(1e-6)
threads = [Thread(target=read, args=(number,)) for number in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_the_first_messages_may_come_together() -> None:
    """None of many processes dies of it."""
    for _ in range(TRIES):
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
