"""Seasons: the standings over several tournaments, from each player's places or points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Literal, get_args

from scoreboard.tournament.model.scores import Points, read_points, share, total

Sum = Literal["sum", "average"]
Tie = Literal["best", "won", "last"]
SUMS: Final[tuple[Sum, ...]] = get_args(Sum)
TIES: Final[tuple[Tie, ...]] = get_args(Tie)


@dataclass(frozen=True, slots=True)
class Season:
    """Which tournaments count together, and how.

    `places` are the points for each place, such as `25 18 15`, empty to count the tournament's own
    points; `best` is how many of the best tournaments count, 0 for all. Ties are broken by the best
    tournament, by tournaments won or by the last one.
    """

    number: int
    name: str
    events: tuple[str, ...] = ()
    places: str = ""
    how: Sum = "sum"
    best: int = 0
    tie: Tie = "best"

    def brought(self, place: int, points: Points) -> Points:
        """A tournament's season points for that place and those points."""
        table = self.places.split()
        if not table:
            return points
        return read_points(table[place - 1]) if place <= len(table) else 0


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A player's place in a season; `brought` are their points in each tournament."""

    player: str
    place: int
    points: Points
    brought: Mapping[str, Points]
    shared: bool = False


def season_from_document(number: int, name: str, rules: Mapping[str, Any]) -> Season:
    """A season from its stored form."""
    given = {**rules, "number": number, "name": name, "events": tuple(rules["events"])}
    return Season(**given)


def season_standings(
    season: Season, results: Mapping[str, Mapping[str, tuple[int, Points]]]
) -> tuple[SeasonStanding, ...]:
    """All players of the tournaments, best first.

    `results` has for each player place and points by tournament; sharers of a place all get its
    points.
    """
    ranked = []
    for player, theirs in results.items():
        own = {event: theirs[event] for event in season.events if event in theirs}
        if own:
            brought = {event: season.brought(*each) for event, each in own.items()}
            counted = sorted(brought.values(), reverse=True)[: season.best or None]
            points = total(counted)
            if season.how == "average":
                points = share(points, len(counted))
            tie: Points = {
                "best": counted[0],
                "won": sum(place == 1 for place, _ in own.values()),
                "last": next((brought[each] for each in season.events[::-1] if each in own), 0),
            }[season.tie]
            ranked.append((points, tie, player, brought))
    ranked.sort(key=lambda each: each[:2], reverse=True)
    rows: list[SeasonStanding] = []
    for _, level in groupby(ranked, lambda each: each[:2]):
        group = list(level)
        place = len(rows) + 1
        rows += [
            SeasonStanding(player, place, points, brought, len(group) > 1)
            for points, _, player, brought in group
        ]
    return tuple(rows)
