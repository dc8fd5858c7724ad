"""A process that moves a game into or out of the bin, and is killed at a statement of it.

`python -m tests.scoreboard.storage.binning URL ACT NUMBER` carries out ACT (`put_in_bin`,
`take_back`, `delete` or `empty_bin`) with the game `evening`, and kills itself before statement
NUMBER, or before the commit if that comes first. It ends well when there are fewer of them.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from itertools import count
from typing import Any

from sqlalchemy import Engine, event

from scoreboard.storage import open_store
from tests.scoreboard.storage.records import EVENING


def main(url: str, act: str, number: int) -> None:
    """Carry out the act, as far as it comes."""
    with closing(open_store(url)) as store:
        reached = count(1)

        def reach(*_details: Any) -> None:
            if next(reached) == number:
                os.kill(os.getpid(), signal.SIGKILL)

        for moment in ("before_cursor_execute", "commit"):
            event.listen(Engine, moment, reach)
        match act:
            case "put_in_bin":
                store.put_in_bin("evening", EVENING)
            case "take_back":
                store.take_back("evening")
            case "delete":
                store.delete("evening")
            case "empty_bin":
                store.empty_bin(EVENING)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
