"""What a family says of its games: how often each won, who wins in a row, who beats whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from scoreboard.games import GAMES
from scoreboard.message import Message
from scoreboard.storage.finished_games import GameKind, Meetings, PlayerSummary, SqlFinishedGames

LEAST_MEETINGS: Final = 3  # games of two people that are worth a sentence
ALL: Final = GameKind()


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A person's games in three figures, and what a sentence could be about.

    `summary.best` is the best total in `best_in`, of the kinds of games that they finished the one
    that the table plays most; None without any. `streak` are the wins in a row that go on, `rival`
    the record against whom they met most.
    """

    summary: PlayerSummary
    best_in: Message | None = None
    streak: int = 0
    rival: Meetings | None = None


def people(finished: SqlFinishedGames, kind: GameKind = ALL) -> dict[str, PlayerCard]:
    """Everybody in games of that kind by name, most games won first. Raises StoreError."""
    best: dict[str, tuple[int, Message]] = {}
    known = (each for each in finished.kinds() if each.game in GAMES)
    for of_kind in [kind] if kind.game else known:
        for each in finished.players(of_kind):
            if each.best is not None:
                best.setdefault(each.name, (each.best, GAMES[of_kind.game].title))
    streaks, met = finished.streaks(kind), dict[str, Meetings]()
    for meetings in finished.meetings(kind):
        if meetings.games >= LEAST_MEETINGS:
            met.setdefault(meetings.name, meetings)
    found = {}
    for each in sorted(finished.players(kind), key=lambda one: -one.wins):
        total, game = best.get(each.name, (None, None))
        running = streaks.get(each.name, (0, 0))[1]
        found[each.name] = PlayerCard(replace(each, best=total), game, running, met.get(each.name))
    return found


def rivalries(everybody: Iterable[PlayerCard]) -> tuple[Meetings, ...]:
    """Each two who met most, once."""
    met = {frozenset((one.name, one.other)): one for each in everybody if (one := each.rival)}
    return tuple(met.values())
