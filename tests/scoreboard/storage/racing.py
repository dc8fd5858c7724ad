"""Threads that do the same at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Barrier, Thread


def race(acts: Sequence[Callable[[], object]]) -> list[Exception | None]:
    """Do all acts at once, each in a thread; what each raised, in their order."""
    outcomes: list[Exception | None] = [None] * len(acts)
    start = Barrier(len(acts))

    def run(place: int) -> None:
        start.wait()
        try:
            acts[place]()
        except (ValueError, OSError) as error:
            outcomes[place] = error

    threads = [Thread(target=run, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes
