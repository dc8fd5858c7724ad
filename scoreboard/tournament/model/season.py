"""Players over several tournaments: seasons, and Glicko-2 ratings after rating periods.

Mark E. Glickman, "Example of the Glicko-2 system" (2022), whose step numbers are cited below. The
library `glicko2` 2.1.0 is not used: where his formula for the volatility has the deviation it has
the rating, so that it is right for a rating of 1500 alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import exp, log, pi, sqrt
from typing import Any, Final, Literal, get_args

from scoreboard.tournament.model.scores import Points, read_points, share, total
from scoreboard.tournament.model.tournament import Tournament

Sum = Literal["sum", "average"]
Tie = Literal["best", "won", "last"]
SUMS: Final[tuple[Sum, ...]] = get_args(Sum)
TIES: Final[tuple[Tie, ...]] = get_args(Tie)
SCALE: Final = 173.7178
CENTRE: Final = 1500.0
WIDEST: Final = 350.0  # of somebody who never played
TAU: Final = 0.5  # how fast a volatility may change
CLOSE: Final = 0.000001


@dataclass(frozen=True, slots=True)
class Season:
    """Which tournaments count together, and how.

    `places` are the points for each place, such as `25 18 15`, empty to count the tournament's own
    points; `best` is how many of the best tournaments count, 0 for all; `least` is how many an
    average needs, 0 for half of those held.
    """

    number: int
    name: str
    events: tuple[str, ...] = ()
    places: str = ""
    how: Sum = "sum"
    best: int = 0
    tie: Tie = "best"
    least: int = 0

    def needed(self, held: int) -> int:
        """How many tournaments a player needs for a place after those held: one for a sum."""
        return (self.least or (held + 1) // 2) if self.how == "average" else 1

    def brought(self, place: int, points: Points) -> Points:
        """A tournament's season points for that place and those points."""
        table = self.places.split()
        if not table:
            return points
        return read_points(table[place - 1]) if place <= len(table) else 0


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A player's place, None for too few tournaments, and what each of theirs `brought`."""

    player: str
    place: int | None
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
    """All players, best first, from each player's places and points by tournament."""
    least = season.needed(sum(any(one in own for own in results.values()) for one in season.events))
    ranked = []
    for player, theirs in results.items():
        own = {each: theirs[each] for each in season.events if each in theirs}
        if own:
            brought = {each: season.brought(*result) for each, result in own.items()}
            counted = sorted(brought.values(), reverse=True)[: season.best or None]
            points = total(counted)
            if season.how == "average":
                points = share(points, len(counted))
            tie: Points = {
                "best": counted[0],
                "won": sum(place == 1 for place, _ in own.values()),
                "last": next((brought[each] for each in season.events[::-1] if each in own), 0),
            }[season.tie]
            ranked.append((len(own) >= least, points, tie, player, brought))
    ranked.sort(key=lambda each: each[:3], reverse=True)
    rows: list[SeasonStanding] = []
    for (enough, *_), level in groupby(ranked, lambda each: each[:3]):
        group = list(level)
        place = len(rows) + 1 if enough else None
        rows += [
            SeasonStanding(player, place, points, brought, enough and len(group) > 1)
            for _, points, _, player, brought in group
        ]
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength, on the scale where a new player has 1500 give or take 350."""

    value: float = CENTRE
    deviation: float = WIDEST
    volatility: float = 0.06

    def rested(self, periods: int) -> Rating:
        """The rating after rating periods without a game: the same, but less certain (step 6)."""
        wider = sqrt(self.deviation**2 + periods * (self.volatility * SCALE) ** 2)
        return Rating(self.value, min(wider, WIDEST), self.volatility)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One comparison of two players: `outcome` is 1 for `one`, 0 for `other`, 0.5 for a tie."""

    one: str
    other: str
    outcome: float


def rated_games(state: Tournament) -> tuple[RatedGame, ...]:
    """Every two who played a game of the closed rounds, by name, compared by their awards."""
    found = []
    for played in state.rounds:
        names = state.names_in(played.number)
        if played.phase == "closed":
            for games in played.games_by_table.values():
                for game in games:
                    there = (each for each in game if each.score.fate == "played")
                    found += [
                        RatedGame(
                            names[one.entrant],
                            names[other.entrant],
                            ((one.points > other.points) - (one.points < other.points) + 1) / 2,
                        )
                        for one, other in combinations(there, 2)
                    ]
    return tuple(found)


def rated(own: Rating, games: Sequence[tuple[Rating, float]]) -> Rating:
    """The rating after one period's games, each with the opponent's before it and 1, 0.5 or 0."""
    if not games:
        return own.rested(1)
    mu, phi = (own.value - CENTRE) / SCALE, own.deviation / SCALE  # step 2
    information = surprise = 0.0
    for opponent, outcome in games:
        weight = 1 / sqrt(1 + 3 * (opponent.deviation / SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-weight * (mu - (opponent.value - CENTRE) / SCALE)))
        information += weight**2 * expected * (1 - expected)  # step 3
        surprise += weight * (outcome - expected)
    variance = 1 / information
    sigma = _volatility(phi, own.volatility, variance, variance * surprise)
    narrower = 1 / sqrt(1 / (phi**2 + sigma**2) + information)  # steps 6 and 7
    value = CENTRE + SCALE * (mu + narrower**2 * surprise)
    return Rating(value, narrower * SCALE, sigma)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Step 5: the lowest root of f, by steps and then by halving; f is above 0 at the start."""
    a = log(sigma**2)

    def f(x: float) -> float:
        wide = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - wide) / (2 * wide**2) - (x - a) / TAU**2

    low = high = a - TAU**2 / 2
    while f(high) > 0:
        low, high = high, high + TAU**2 / 2
    while high - low > CLOSE:
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return exp(low / 2)
