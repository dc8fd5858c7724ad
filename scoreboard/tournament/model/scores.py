"""Scores, awards and points with their notations, and the results behind a standing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import nlargest
from itertools import takewhile
from math import lcm
from typing import Final, Literal, NamedTuple, get_args

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.table.tournament_view import Fate
from scoreboard.tournament.model.entrant import HIGHEST_NUMBER
from scoreboard.typed_numbers import plain_digits

Points = int | Fraction

_POINTS: Final = re.compile(r"[+-]?[0-9]{1,9}(/[1-9][0-9]{0,3})?")
_SIGNS: Final = {
    "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕",
    "2/5": "⅖", "3/5": "⅗", "4/5": "⅘", "1/6": "⅙", "5/6": "⅚",
}  # fmt: skip
_PARTS: Final = 60  # a place shared by one to six comes in parts of these
HIGHEST_SCORE: Final = 9_999_999
FATES: Final[tuple[Fate, ...]] = get_args(Fate)
_SCORE: Final = re.compile(r"([1-9][0-9]{0,5})\s+(\S+)")
_FIGURE: Final = re.compile(r"[+-]?[0-9]{1,7}")


def points(value: Points) -> Points:
    """The same value, a whole one as an int, so that equal points are written equally."""
    return value.numerator if value.denominator == 1 else value


def total(values: Iterable[Points]) -> Points:
    """The sum; parts of at most six, as tables award them, without slow fractions."""
    whole, sixtieths, rest = 0, 0, Fraction(0)
    for value in values:
        numerator, parts = value.as_integer_ratio()
        if parts == 1:
            whole += numerator
        elif _PARTS % parts:
            rest += value
        else:
            sixtieths += numerator * (_PARTS // parts)
    if not sixtieths and not rest:
        return whole
    exact = Fraction(whole * _PARTS + sixtieths, _PARTS)
    return points(exact + rest if rest else exact)


def share(total: Points, among: int) -> Points:
    """The share of each of `among` entrants in `total`."""
    return points(Fraction(total, among))


def read_points(text: str) -> Points:
    """Read `52`, `+52`, `-7` or `7/2`; other programs' dashes are fine. Raises NotationError."""
    plain = plain_digits(text).strip()
    if not _POINTS.fullmatch(plain):
        raise NotationError.worded(
            "“{text}” is no number of points: write it as 52, -7 or 7/2.", text=text
        )
    return points(Fraction(plain))


def write_points(value: Points) -> str:
    """The notation that `read_points` reads, exact: `7/2`. Records and other programs have it."""
    return str(points(value))


def shown_points(value: Points) -> str:
    """The value for pages and sheets: `3½`, `-⅓`, `3 7/12`."""
    whole, part = divmod(abs(Fraction(value)), 1)
    if not part:
        return str(points(value))
    sign, before = "-" if value < 0 else "", str(whole) if whole else ""
    written = str(part)
    if written in _SIGNS:
        return f"{sign}{before}{_SIGNS[written]}"
    return f"{sign}{before} {written}" if before else f"{sign}{written}"


def decimal_points(value: Points) -> int | float:
    """The value for spreadsheets: `3.5`, rounded to four places: `0.3333`."""
    return value.numerator if value.denominator == 1 else round(float(value), 4)


@dataclass(frozen=True, slots=True)
class Score:
    """A game's end for an entrant; `score` is 0 unless `fate` is "played". Raises NotationError."""

    entrant: int
    score: int = 0
    fate: Fate = "played"

    def __post_init__(self) -> None:
        scored = self.score == 0 or self.fate == "played"
        if not 1 <= self.entrant <= HIGHEST_NUMBER or abs(self.score) > HIGHEST_SCORE or not scored:
            raise NotationError.worded(
                "Entrant {entrant} with a score of {score}: write it as 4 52 or 7 no-show.",
                entrant=self.entrant,
                score=self.score,
            )

    def __str__(self) -> str:
        return f"{self.entrant} {self.score if self.fate == 'played' else self.fate}"


@dataclass(frozen=True, slots=True)
class GameScores:
    """A game's scores in seat order; notation `4 52, 7 -12, 12 no-show`. Raises NotationError."""

    scores: tuple[Score, ...]

    def __post_init__(self) -> None:
        _require_once([each.entrant for each in self.scores])

    @classmethod
    def parse(cls, text: str) -> GameScores:
        """Read the notation; a plus before a score is fine. Raises NotationError."""
        return cls(tuple(_score(part.strip()) for part in text.split(",")))

    def __str__(self) -> str:
        return ", ".join(map(str, self.scores))

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entrants, in order."""
        return tuple(each.entrant for each in self.scores)


@dataclass(frozen=True, slots=True)
class Award:
    """An entrant's award for a game: points, and the win, a part of it if shared."""

    score: Score
    points: Points
    won: Points = 0

    @property
    def entrant(self) -> int:
        return self.score.entrant

    def __str__(self) -> str:
        return f"{self.score} = {write_points(self.points)} won {write_points(self.won)}"


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game with awards: `4 52 = 62 won 1, 7 no-show = -100 won 0`. Raises NotationError."""

    awards: tuple[Award, ...]

    def __post_init__(self) -> None:
        _require_once([each.entrant for each in self.awards])

    @classmethod
    def parse(cls, text: str) -> GameResult:
        """Read the notation. Raises NotationError."""
        return cls(tuple(_award(part.strip()) for part in text.split(",")))

    def __str__(self) -> str:
        return ", ".join(map(str, self.awards))

    def __iter__(self) -> Iterator[Award]:
        return iter(self.awards)

    @property
    def scores(self) -> GameScores:
        return GameScores(tuple(each.score for each in self.awards))


def _require_once(entrants: list[int]) -> None:
    if not entrants:
        raise NotationError(message("A game needs at least one score."))
    for entrant in entrants:
        if entrants.count(entrant) > 1:
            raise NotationError(message("Entrant {entrant} stands there twice.", entrant=entrant))


def _score(text: str) -> Score:
    found = _SCORE.fullmatch(plain_digits(text))
    if found is not None:
        entrant, word = int(found[1]), found[2]
        for fate in FATES[1:]:
            if word == fate:
                return Score(entrant, fate=fate)
        if _FIGURE.fullmatch(word):
            return Score(entrant, int(word))
    raise NotationError.worded(
        "“{text}” is no score: write entrant and score, as 4 52 or 7 no-show.", text=text
    )


def _award(text: str) -> Award:
    score, equals, rest = text.partition(" = ")
    given, won, wins = rest.partition(" won ")
    if not equals or not won:
        raise NotationError.worded("“{text}” is no award: write it as 4 52 = 62 won 1.", text=text)
    return Award(_score(score), read_points(given), read_points(wins))


class SeatResult(NamedTuple):
    """One entrant's round; a tuple, since each look at large standings makes thousands of them.

    `opponents` is empty for a bye, a round missed and a score played alone; `games` are the scores
    of each game that was played to its end, by the table's own sheets; `score` is their sum. With
    the `unplayed` opponents no game was played; whoever is `absent` has no seat and no bye.
    """

    round: int
    opponents: tuple[int, ...]
    points: Points
    wins: Points = 0
    games: tuple[int, ...] = ()
    score: int = 0
    meeting: int = 1
    unplayed: tuple[int, ...] = ()
    absent: bool = False


class Opponent(NamedTuple):
    """An opponent as Buchholz and Sonneborn-Berger count one, or who stands in for one unplayed.

    `parts` are the opponent's points; `outcome` is 2 for a win, 1 for a draw, 0 for a loss;
    `missed` marks an unplayed game or round that the entrant missed.
    """

    parts: int
    outcome: int
    missed: bool = False


@dataclass(frozen=True, slots=True)
class CountedGames:
    """The results that are added: those of the `best` meetings or rounds, 0 for all."""

    best: int = 0
    unit: Literal["round", "meeting"] = "round"


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The results of all ranked entrants, by entrant and round, as `result_table` makes them.

    `earlier` is the place in the stage before; `play_offs` and `lots` are orders of entrants, best
    first, the latest last; `losses_allowed` is 0 without elimination. `parts` are the totals as
    whole numbers, `scale` of which make a point, since sums of shared points are slow in fractions;
    `adjusted` are those that count for opponents. `draw` is what a drawn match earns, None where
    unplayed rounds count as awarded, and `most` as many draws as rounds, in parts.
    """

    results: Mapping[int, Mapping[int, SeatResult]]
    totals: Mapping[int, Points]
    parts: Mapping[int, int]
    adjusted: Mapping[int, int]
    scale: int = 1
    draw: Points | None = None
    most: int = 0
    earlier: Mapping[int, int] = field(default_factory=dict)
    play_offs: tuple[tuple[int, ...], ...] = ()
    lots: tuple[tuple[int, ...], ...] = ()
    losses_allowed: int = 0
    third_place: bool = False
    better: int = 1

    def met(self, entrant: int) -> Iterator[tuple[SeatResult, SeatResult, int]]:
        """Each meeting with a ranked opponent: the own result, theirs, and the opponent."""
        for number, own in self.results[entrant].items():
            for opponent in own.opponents:
                if opponent in self.results:
                    yield own, self.results[opponent][number], opponent

    @property
    def floats(self) -> Mapping[int, Mapping[int, int]]:
        """Each entrant's floats by round: 1 down, to fewer points or a bye, and -1 up."""
        found: dict[int, dict[int, int]] = {each: {} for each in self.results}
        had: dict[int, Points] = dict.fromkeys(self.results, 0)
        for number in sorted({each for own in self.results.values() for each in own}):
            playing = {each: own[number] for each, own in self.results.items() if number in own}
            for each, result in playing.items():
                apart = [had[each] - had[other] for other in result.opponents if other in had]
                down = not apart or apart[0] > 0
                if down or apart[0] < 0:
                    found[each][number] = 1 if down else -1
            for each, result in playing.items():
                had[each] += result.points
        return found

    def opposition(self, entrant: int) -> Iterator[Opponent]:
        """The ranked opponents, and for each game or round unplayed one of at most the own points.

        By FIDE's tie-break regulations (C.07, article 16): see `docs/reference/tie-breaks.md`.
        """
        total, draw = self.parts[entrant], self.draw
        for own, theirs, opponent in self.met(entrant):
            parts = self.adjusted[opponent]
            if opponent not in own.unplayed:
                yield Opponent(parts, _outcome(own.points, theirs.points))
            else:
                outcome = _outcome(own.points, theirs.points if draw is None else draw)
                yield Opponent(min(total, parts), outcome, missed=not own.games)
        for own in self.results[entrant].values():
            if not own.opponents and not own.games:
                # without draws it is lost
                most, even = (total, own.points + 1) if draw is None else (self.most, draw)
                yield Opponent(min(total, most), _outcome(own.points, even), own.absent)


def result_table(
    entrants: Iterable[int],
    results: Mapping[int, Iterable[SeatResult]],
    counting: CountedGames | None = None,
    carried: Mapping[int, Points] | None = None,
    draw: Points | None = None,
) -> ResultTable:
    """The results of these entrants; `carried` are points from before, `draw` those of a draw."""
    counting, carried = counting or CountedGames(), carried or {}
    by_round = {
        entrant: {result.round: result for result in results.get(entrant, ())}
        for entrant in entrants
    }
    totals = {
        entrant: carried.get(entrant, 0) + counted(own.values(), counting)
        for entrant, own in by_round.items()
    }
    adjusted = dict(totals)
    if draw is not None:
        for entrant, own in by_round.items():
            if missed := _missed_at_the_end(reversed(own.values())):
                drawn = own | {each.round: each._replace(points=draw) for each in missed}
                adjusted[entrant] += counted(drawn.values(), counting)
                adjusted[entrant] -= counted(own.values(), counting)
    scale = lcm(*{each.denominator for each in (*totals.values(), *adjusted.values())})

    parts, shown = (
        {each: int(brought * scale) for each, brought in values.items()}
        for values in (totals, adjusted)
    )
    most = int((draw or 0) * max(map(len, by_round.values()), default=0) * scale)
    return ResultTable(by_round, totals, parts, shown, scale, draw, most)


def _missed_at_the_end(results: Iterable[SeatResult]) -> list[SeatResult]:
    """The rounds of an absent entrant after which no game was played and no bye was given."""
    last = takewhile(lambda each: each.absent or (each.unplayed and not each.games), results)
    return [each for each in last if each.absent]


def _outcome(own: Points, other: Points) -> int:
    return 1 + (own > other) - (own < other)


def counted(results: Iterable[SeatResult], counting: CountedGames) -> Points:
    """The sum of the results, of the best ones if not all count."""
    if counting.unit == "round" or not counting.best:
        brought = [result.points for result in results]
    else:
        meetings = defaultdict[int, list[Points]](list)
        for result in results:
            meetings[result.meeting].append(result.points)
        brought = [total(each) for each in meetings.values()]
    return total(nlargest(counting.best, brought) if counting.best else brought)
