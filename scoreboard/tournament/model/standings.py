"""Who stands where, and why: tie-breaks in the director's order, shared places, one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.points import Points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tiebreaks import TIEBREAKS

_DECISIONS: Final = frozenset({"play-off", "lot"})


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's place; equal ones are shared and the next is skipped.

    `stage` is the last stage reached, 0 before any cut; `values` are those of the tie-breaks in
    their order, as far as they were needed to tell the entrant apart.
    """

    entrant: int
    place: int
    values: tuple[Points, ...]
    stage: int = 0
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Standings:
    """All places, best first; those who share one stand in the order of entry.

    `tiebreaks` are the names of what decided, in order; `stages` those of the stages played.
    """

    rows: tuple[Standing, ...]
    tiebreaks: tuple[str, ...]
    stages: tuple[Message, ...] = ()

    def of(self, entrant: int) -> Standing:
        """Where an entrant stands. Raises KeyError where nobody has the number."""
        for row in self.rows:
            if row.entrant == entrant:
                return row
        raise KeyError(entrant)

    @property
    def order(self) -> tuple[int, ...]:
        """The entrants, best first."""
        return tuple(row.entrant for row in self.rows)

    @property
    def level(self) -> tuple[tuple[int, ...], ...]:
        """Those who share a place, group by group."""
        shared = groupby((row for row in self.rows if row.shared), lambda row: row.place)
        return tuple(tuple(row.entrant for row in rows) for _, rows in shared)


def standings(ledger: ResultTable, tiebreaks: tuple[str, ...]) -> Standings:
    """Rank everyone in a ledger by tie-breaks, the first of which decides before the second."""
    return staged_standings((ledger,), tiebreaks)


def staged_standings(
    ledgers: tuple[ResultTable, ...],
    tiebreaks: tuple[str, ...],
    stages: tuple[Message, ...] = (),
) -> Standings:
    """Rank over all stages: who reached a later one stands above who did not.

    `ledgers` are those of the stages in order, each of those who reached it; the places of
    those who went no further are what they were in their last stage.
    """
    placed: set[int] = set()
    rows: list[Standing] = []
    for stage, ledger in reversed(tuple(enumerate(ledgers))):
        groups = [
            (tuple(each for each in group if each not in placed), values)
            for group, values in _ranked(ledger, tiebreaks)
        ]
        rows += _rows(groups, stage, len(rows) + 1)
        placed.update(ledger.sittings)
    return Standings(tuple(rows), tiebreaks, stages)


def with_earlier(tiebreaks: tuple[str, ...]) -> tuple[str, ...]:
    """The tie-breaks of an event with cuts: the stage before decides ahead of play-off and lot."""
    if "earlier" in tiebreaks:
        return tiebreaks
    decisions = (at for at, name in enumerate(tiebreaks) if name in _DECISIONS)
    at = next(decisions, len(tiebreaks))
    return (*tiebreaks[:at], "earlier", *tiebreaks[at:])


def why(standings: Standings, names: Mapping[int, str], one: int, other: int) -> Message:
    """One sentence that says why one entrant stands above the other, or that they are level.

    Who stands above, or is listed first, is named first, whichever is asked for first. Raises
    KeyError where nobody has one of the numbers.
    """
    above, below = sorted((standings.of(one), standings.of(other)), key=standings.rows.index)
    called = {"one": names[above.entrant], "other": names[below.entrant]}
    if above.stage != below.stage:
        reached = standings.stages[above.stage]
        return message(
            "{one} stands above {other}: only {one} reached {stage}.", **called, stage=reached
        )
    if above.place == below.place:
        return message("{one} and {other} share a place: nothing that counts parts them.", **called)
    return _parted(standings, above, below, called)


def _parted(
    standings: Standings, above: Standing, below: Standing, called: Mapping[str, str]
) -> Message:
    pairs = tuple(zip(above.values, below.values, strict=False))
    at = next(index for index, (more, less) in enumerate(pairs) if more != less)
    reason = TIEBREAKS[standings.tiebreaks[at]].reason(*pairs[at])
    if not at:
        return message("{one} stands above {other}: {reason}.", **called, reason=reason)
    level = _listed(TIEBREAKS[name].label for name in standings.tiebreaks[:at])
    return message(
        "{one} stands above {other}: level in {level}, then {reason}.",
        **called,
        level=level,
        reason=reason,
    )


def _listed(labels: Iterable[Message]) -> Message:
    return reduce(lambda one, other: message("{one}, {other}", one=one, other=other), labels)


Group = tuple[tuple[int, ...], tuple[Points, ...]]


def _ranked(ledger: ResultTable, tiebreaks: tuple[str, ...]) -> list[Group]:
    """Those who are level at the last, best first, each group with its values.

    Every tie-break parts only those whom the ones before it left level, so that the order is
    whole and no two tie-breaks can contradict each other.
    """
    groups: list[Group] = [(tuple(ledger.sittings), ())] if ledger.sittings else []
    for name in tiebreaks:
        groups = [part for group in groups for part in _split(ledger, name, group)]
    return groups


def _split(ledger: ResultTable, name: str, group: Group) -> Iterator[Group]:
    level, values = group
    if len(level) == 1 and values:
        yield group
        return
    parts: dict[Points, list[int]] = {}
    for each, value in TIEBREAKS[name].values(ledger, level).items():
        parts.setdefault(value, []).append(each)
    for value in sorted(parts, reverse=True):
        yield tuple(parts[value]), (*values, value)


def _rows(groups: Iterable[Group], stage: int, place: int) -> Iterator[Standing]:
    for group, values in groups:
        for entrant in group:
            yield Standing(entrant, place, values, stage, shared=len(group) > 1)
        place += len(group)
