"""Announcements of fallen records, by the figures of before and the current game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoreboard.games.finished import FinishedGame
from scoreboard.message import Message, message

LEAST_STREAK: Final = 3  # wins in a row that are worth a line
ORDINALS: Final = (
    message("first"),
    message("second"),
    message("third"),
    message("fourth"),
    message("fifth"),
)


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player's figures before the current game, in comparable games.

    `best` is the best total of a game played to its end; `streak` and `running` are the wins in a
    row at most and now.
    """

    best: int | None = None
    streak: int = 0
    running: int = 0


def five_alike_record(name: str, what: Message, count: int) -> Message:
    """The line for a new five of a kind: its name `what`, and how many this year."""
    if count > len(ORDINALS):
        return message(
            "{player}: {what} number {count} of the year", player=name, what=what, count=count
        )
    return message(
        "{player}’s {ordinal} {what} of the year",
        player=name,
        ordinal=ORDINALS[count - 1],
        what=what,
    )


def end_records(
    title: Message,
    best_of_all: int | None,
    before: Mapping[str, PlayerRecord],
    games: Sequence[FinishedGame],
) -> Iterator[Message]:
    """The lines for the end of a game: the best total of all, a player's best, wins in a row.

    `title` is the game's, `best_of_all` the best total overall before. A first game sets no record.
    """
    for game in games:
        known = before.get(game.name, PlayerRecord())
        if game.total is None or best_of_all is None:
            continue
        words: Mapping[str, str | int | Message]
        words = {"player": game.name, "game": title, "points": game.total}
        merit = game.better * game.total
        others = (game.better * each.total for each in games if each.total is not None)
        if merit > game.better * best_of_all and merit == max(others):
            yield message("The best {game} so far: {player}, {points}", **words)
        elif known.best is not None and merit > game.better * known.best:
            yield message("{player}’s best {game}: {points}", **words)
    for game in games:
        known = before.get(game.name, PlayerRecord())
        wins = known.running + 1
        if game.place != 1 or game.players == 1 or wins < LEAST_STREAK:
            continue
        if wins > known.streak:
            yield message(
                "{player}: {count} wins in a row, more than ever", player=game.name, count=wins
            )
        else:
            yield message("{player}: {count} wins in a row", player=game.name, count=wins)
