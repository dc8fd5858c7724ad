"""Tie-breaks: criteria that may decide a standing, each with its name, values and reason in words.

A new one is an entry of TIEBREAKS with its values and its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.scores import Points, ResultTable, share, shown_points, total

Values = Callable[[ResultTable, tuple[int, ...]], Mapping[int, Points]]
Reason = Callable[[Points, Points], Message]
NOTHING: Final = 1_000_000_000  # who played no game has a worse best game than anybody
STILL_IN: Final = 1_000_000  # the round after which one is out who is not


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """A rule that separates level entrants; the higher value wins.

    With `of_scores`, of the tables' own sheets, it is the better one by the format. `label` heads
    the `column`; with `among_level` only the level are compared; `reason` ends a sentence.
    """

    label: Message
    values: Values
    reason: Reason
    among_level: bool = False
    column: bool = True
    of_scores: bool = False


def _against(template: Message) -> Reason:
    """The reason with both values in the gaps `more` and `less`."""
    return lambda more, less: Message(
        template.template, (("less", shown_points(less)), ("more", shown_points(more)))
    )


def _each(value: Callable[[ResultTable, int], Points]) -> Values:
    return lambda table, level: {each: value(table, each) for each in level}


def _head_to_head(table: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    """Meetings won less meetings lost against the others; all 0 if any two have never met."""
    among = set(level)
    ahead: dict[int, Points] = dict.fromkeys(level, 0)
    for each in level:
        met = set()
        for own, theirs, opponent in table.met(each):
            if opponent in among:
                met.add(opponent)
                ahead[each] += (own.points > theirs.points) - (own.points < theirs.points)
        if len(met) < len(level) - 1:
            return dict.fromkeys(level, 0)
    return ahead


def _buchholz(lowest: int = 0, highest: int = 0) -> Values:
    """The points of all opponents but the lowest and highest; harder opponents rank higher.

    The first of the lowest to go are those of rounds that the entrant missed.
    """

    def value(table: ResultTable, entrant: int) -> Points:
        met = [*table.opposition(entrant)]
        counted = sorted([each.parts for each in met])
        for missed in sorted([each.parts for each in met if each.missed])[:lowest]:
            counted.remove(missed)
        first = lowest - len(met) + len(counted)
        return share(sum(counted[first : len(counted) - highest]), table.scale)

    return _each(value)


def _sonneborn_berger(table: ResultTable, entrant: int) -> Points:
    """The points of beaten opponents, and half of those drawn with."""
    twice = sum(each.outcome * each.parts for each in table.opposition(entrant))
    return share(twice, 2 * table.scale)


def _score(table: ResultTable, level: tuple[int, ...]) -> Mapping[int, Points]:
    """The score of all games; if the lowest wins, a round without any costs the worst of one."""
    scores = {each: sum(own.score for own in table.results[each].values()) for each in level}
    if table.better > 0:
        return scores
    played = {
        each: [own.score for own in rounds.values() if own.games]
        for each, rounds in table.results.items()
    }
    most, worst = max(map(len, played.values())), max(chain(*played.values()), default=0)
    return {each: score + worst * (most - len(played[each])) for each, score in scores.items()}


def _best_game(table: ResultTable, entrant: int) -> Points:
    games = (game for own in table.results[entrant].values() for game in own.games)
    return table.better * max((table.better * game for game in games), default=-NOTHING)


def _lasted(table: ResultTable, entrant: int) -> Points:
    """In a knockout: the round of elimination; players still in rank above all.

    Those of the third-place match, which comes after that, rank half a round and three quarters
    below its round: the final's, so that they are above all but the finalists.
    """
    met = tuple(table.met(entrant))
    lost = sorted({own.round for own, theirs, _ in met if own.points < theirs.points})
    if not table.losses_allowed or len(lost) < table.losses_allowed:
        return STILL_IN
    out = lost[table.losses_allowed - 1]
    last = [(own.round, own.points > theirs.points) for own, theirs, _ in met if own.round > out]
    return last[-1][0] - Fraction(3 - last[-1][1], 4) if table.third_place and last else out


def _lasted_reason(more: Points, less: Points) -> Message:
    if less > int(less):
        decided = message("the third-place match decided")
        return decided if more > int(more) else message("reached the final")
    if more == STILL_IN:
        return message("never out, against out in round {less}", less=int(less))
    if more > int(more):
        return message("played for third place")
    return message("out in round {more} against {less}", more=int(more), less=int(less))


def _latest_order(
    orders: tuple[tuple[int, ...], ...], level: tuple[int, ...]
) -> Mapping[int, Points]:
    """The level entrants by the latest order that has them all, last 1; all 0 without one."""
    for order in reversed(orders):
        if set(level) <= set(order):
            return {each: len(order) - order.index(each) for each in level}
    return dict.fromkeys(level, 0)


TIEBREAKS: Final[Mapping[str, Tiebreak]] = {
    "points": Tiebreak(
        message("Points"),
        _each(lambda table, each: table.totals[each]),
        _against(message("{more} against {less} in points")),
    ),
    "wins": Tiebreak(  # a shared win counts in part, a bye by the format
        message("Games won"),
        _each(lambda table, each: total([own.wins for own in table.results[each].values()])),
        _against(message("{more} against {less} in games won")),
    ),
    "score": Tiebreak(  # on the tables' own sheets, whatever was awarded for it
        message("Score"),
        _score,
        _against(message("a score of {more} against {less} in all games")),
        of_scores=True,
    ),
    "head-to-head": Tiebreak(
        message("Head to head"),
        _head_to_head,
        _against(message("ahead by {more} against {less} where they met")),
        among_level=True,
    ),
    "buchholz": Tiebreak(
        message("Buchholz"),
        _buchholz(),
        _against(message("{more} against {less} in their opponents’ points")),
    ),
    "buchholz-cut-1": Tiebreak(
        message("Buchholz cut 1"),
        _buchholz(lowest=1),
        _against(message("{more} against {less} in their opponents’ points without the weakest")),
    ),
    "buchholz-median": Tiebreak(
        message("Median Buchholz"),
        _buchholz(lowest=1, highest=1),
        _against(
            message(
                "{more} against {less} in their opponents’ points without the weakest and the"
                " strongest"
            )
        ),
    ),
    "sonneborn-berger": Tiebreak(
        message("Sonneborn-Berger"),
        _each(_sonneborn_berger),
        _against(
            message(
                "{more} against {less} in the points of the opponents they beat,"
                " half counted where drawn"
            )
        ),
    ),
    "best-game": Tiebreak(
        message("Best game"),
        _each(_best_game),
        _against(message("a best game of {more} against {less}")),
        of_scores=True,
    ),
    "lasted": Tiebreak(message("Rounds survived"), _each(_lasted), _lasted_reason, column=False),
    "earlier": Tiebreak(
        message("Stage before"),
        _each(lambda table, each: -table.earlier.get(each, 0)),
        lambda more, less: message(
            "place {better} against {worse} in the stage before",
            better=shown_points(-more),
            worse=shown_points(-less),
        ),
        column=False,
    ),
    "play-off": Tiebreak(
        message("Play-off"),
        lambda table, level: _latest_order(table.play_offs, level),
        lambda _more, _less: message("the play-off decided"),
        column=False,
    ),
    "lot": Tiebreak(
        message("Lot"),
        lambda table, level: _latest_order(table.lots, level),
        lambda _more, _less: message("the lot decided"),
        column=False,
    ),
}
