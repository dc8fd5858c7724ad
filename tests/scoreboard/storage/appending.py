"""A process that keeps one thing after the other and says so, until it is killed.

`python -m tests.scoreboard.storage.appending URL` keeps in turn two events of a table's game, a
record of a tournament, and an item of a delivered game (each item comes twice). It prints what it
kept each time: `events 4`, `records 2`, `items 2`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing

from scoreboard.storage import open_store
from scoreboard.table.ports import EventStore
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.scoreboard.storage.records import RECORDS, record
from tests.scoreboard.tournament.storage.samples import items
from tests.scoreboard.tournament.storage.samples import record as hub_record


def main(url: str) -> None:
    """Keep on from what is there."""
    with closing(open_store(url)) as store, closing(open_hub_store(url)) as hub:
        kinds = {"events": _events(store), "records": _records(hub), "items": _items(hub)}
        while True:
            for kind, kept in kinds.items():
                sys.stdout.write(f"{kind} {next(kept)}\n")
                sys.stdout.flush()


def _events(store: EventStore) -> Iterator[int]:
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


if __name__ == "__main__":
    main(sys.argv[1])
