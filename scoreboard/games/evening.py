"""The games of one evening together: which they are, and the players' results over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Final

from scoreboard.games.advice.luck import PlayerLuck
from scoreboard.games.finished import FinishedGame
from scoreboard.message import Message, listed, message

PAUSE: Final = timedelta(hours=6)  # a longer one parts two evenings
DAY_BEGINS: Final = timedelta(hours=6)  # what ends at one in the night belongs to the day before


@dataclass(frozen=True, slots=True)
class EveningPlayer:
    """One player's games of an evening.

    `wins` are those against others; `points` all totals added. `luck` and `cost` are in points over
    the games of dice with known best play, None without any.
    """

    place: int
    name: str
    games: int
    wins: int
    points: int
    luck: float | None = None
    cost: float | None = None


def evenings(finished: Iterable[tuple[str, datetime]]) -> dict[str, tuple[str, ...]]:
    """The games of each evening: `2026-11-25`, the day's second `2026-11-25-2`.

    `finished` are ids of games, each with the local time of its end; both come back in that order.
    """
    parted: list[list[tuple[str, datetime]]] = []
    for one in sorted(finished, key=itemgetter(1)):
        if parted and one[1] - parted[-1][-1][1] <= PAUSE:
            parted[-1].append(one)
        else:
            parted.append([one])
    found: dict[str, tuple[str, ...]] = {}
    for day, of_day in groupby(parted, key=lambda each: (each[0][1] - DAY_BEGINS).date()):
        for number, games in enumerate(of_day, start=1):
            key = f"{day}-{number}" if number > 1 else str(day)
            found[key] = tuple(game_id for game_id, _ in games)
    return found


def podium(
    games: Iterable[Sequence[FinishedGame]], luck: Iterable[PlayerLuck] = ()
) -> tuple[EveningPlayer, ...]:
    """The players of these games: most wins first, then better totals; equal places are shared."""
    parts, lucks = [part for game in games for part in game], list(luck)
    players, merits = [], dict[str, tuple[int, int]]()
    for name in dict.fromkeys(part.name for part in parts):
        own = [part for part in parts if part.name == name]
        known = [each for each in lucks if each.player == name]
        wins = sum(part.place == 1 and part.players > 1 for part in own)
        merits[name] = wins, sum(part.better * (part.total or 0) for part in own)
        players.append(
            EveningPlayer(
                0,
                name,
                len(own),
                wins,
                sum(part.total or 0 for part in own),
                sum(each.luck for each in known) if known else None,
                sum(each.cost for each in known) if known else None,
            )
        )
    order = sorted(merits.values(), reverse=True)
    ranked = sorted(players, key=lambda each: merits[each.name], reverse=True)
    return tuple(replace(each, place=1 + order.index(merits[each.name])) for each in ranked)


def headline(players: Sequence[EveningPlayer]) -> Message:
    """Who won the evening, in a sentence; `players` are those of its podium."""
    first, *others = [each for each in players if each.place == 1]
    if others:
        names = listed(message("{name}", name=each.name) for each in (first, *others))
        return message("A tie for the evening: {players}", players=names)
    if not first.wins:
        return message("{player}’s evening", player=first.name)
    if first.games == 1:
        return message("{player} won the evening", player=first.name)
    won = {"wins": first.wins, "games": first.games}
    return message("{player} won the evening: {wins} of {games} games", player=first.name, **won)
