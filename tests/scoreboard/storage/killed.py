"""Processes that are killed.

`python -m tests.scoreboard.storage.killed append URL` keeps in turn two events of a table's game, a
record of a tournament, and an item of a delivered game (each item comes twice). It prints what it
kept each time, until it is killed: `events 4`, `records 2`, `items 2`.

`python -m tests.scoreboard.storage.killed ACT URL NUMBER` carries out ACT (`put_in_bin`,
`take_back`, `delete` or `empty_bin`) with the game `evening`, and kills itself before statement
NUMBER, or before the commit if that comes first. It ends well when there are fewer of them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from typing import Any

from sqlalchemy import Engine, event

from scoreboard.storage import SqlStore, open_store
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.scoreboard.storage.records import EVENING, RECORDS, record
from tests.scoreboard.tournament.storage.samples import items
from tests.scoreboard.tournament.storage.samples import record as hub_record


def append(url: str) -> None:
    with closing(open_store(url)) as store, closing(open_hub_store(url)) as hub:
        kinds = {"events": _events(store), "records": _records(hub), "items": _items(hub)}
        while True:
            for kind, kept in kinds.items():
                sys.stdout.write(f"{kind} {next(kept)}\n")
                sys.stdout.flush()


def _events(store: SqlStore) -> Iterator[int]:
    kept = len(store.events("evening"))
    while True:
        store.append("evening", kept, [record(kept + n, RECORDS[0].event) for n in (1, 2)])
        kept += 2
        yield kept


def _records(hub: SqlHubStore) -> Iterator[int]:
    kept = len(hub.tournaments.records("open"))
    while True:
        hub.tournaments.append("open", kept, [hub_record(kept + 1)])
        kept += 1
        yield kept


def _items(hub: SqlHubStore) -> Iterator[int]:
    kept = hub.deliveries.held("g").through
    while True:
        kept = hub.deliveries.take("north", "g", items(max(kept, 1), kept + 1)).through
        yield kept


def act_in_bin(act: str, url: str, number: int) -> None:
    """Carry out the act, as far as it comes."""
    with closing(open_store(url)) as store:
        reached = count(1)

        def reach(*_details: Any) -> None:
            if next(reached) == number:
                os.kill(os.getpid(), signal.SIGKILL)

        for moment in ("before_cursor_execute", "commit"):
            event.listen(Engine, moment, reach)
        acts: dict[str, Callable[[], object]] = {
            "put_in_bin": lambda: store.put_in_bin("evening", EVENING),
            "take_back": lambda: store.take_back("evening"),
            "delete": lambda: store.delete("evening"),
            "empty_bin": lambda: store.empty_bin(EVENING),
        }
        acts[act]()


if __name__ == "__main__":
    if sys.argv[1] == "append":
        append(sys.argv[2])
    else:
        act_in_bin(sys.argv[1], sys.argv[2], int(sys.argv[3]))
