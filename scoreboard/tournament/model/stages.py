"""Stages: the cut, play-offs and lots, and the end of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import OFFICIALS, Attributed, refused
from scoreboard.tournament.model.draw import random_order
from scoreboard.tournament.model.entries import entered
from scoreboard.tournament.model.round_draw import rounds_left, schedule
from scoreboard.tournament.model.standings import Standing, standings_of
from scoreboard.tournament.model.tournament import (
    Command,
    CutMade,
    Event,
    LotDrawn,
    PlayedOff,
    Round,
    Tournament,
)
from scoreboard.tournament.model.tournament_format import Stage

_FEWEST = 2


class Cut(Command):
    """Let the best through to the next stage, all of them if fewer are there than it is for.

    It may be made again as long as its stage is not drawn. It is refused if none is due, too few
    are there, or a shared place would have to be split.
    """

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        last = state.last_round
        if last is None or last.phase != "closed":
            raise refused("A cut follows a closed round: close the round first.")
        stage = _due(state, last)
        before = replace(state, cuts=state.cuts[: last.stage])  # of a cut that is made again
        rows = [  # the standing of those who reached the stage and have not dropped out
            row
            for row in standings_of(before).rows
            if row.stage == last.stage and row.entrant not in state.away
        ]
        if len(rows) < state.format.in_stage(last.stage + 1).smallest_table:
            raise refused("Only {there} are there to go on: bring somebody back.", there=len(rows))
        through = _best_of_tables(last, rows, stage) if stage.best_of_table else ()
        rest = [row for row in rows if row not in through]
        left = stage.entrants - len(through)
        _require_parted(rest, left)
        best = (*through, *rest[:left])
        order = tuple(row.entrant for row in rows if row in best)
        return (CutMade(last.stage + 1, order, last.number),)


def _due(state: Tournament, last: Round) -> Stage:
    if last.stage >= len(state.format.stages):
        raise refused("No cut is left in this format: finish the tournament.")
    if not last.stage:
        robin = state.format.system == "round-robin"
        left = len(schedule(state)) - len(state.rounds) if robin else rounds_left(state)
        if left > 0:
            raise refused(
                "Rounds left before the cut: {left}; play them, or plan fewer.", left=left
            )
    return state.format.stages[last.stage]


def _best_of_tables(last: Round, rows: Sequence[Standing], stage: Stage) -> tuple[Standing, ...]:
    """The best of each table, equally many from each."""
    each = stage.entrants // len(last.draw.tables)
    found: list[Standing] = []
    for table in last.draw.tables:
        there = [row for row in rows if row.entrant in table.seats]
        _require_parted(there, each)
        found += there[:each]
    return tuple(found)


def _require_parted(rows: Sequence[Standing], many: int) -> None:
    """Refuse a cut between two who share a place."""
    if 0 < many < len(rows) and rows[many - 1].place == rows[many].place:
        raise refused(
            "Place {place} is shared across the cut: play it off or draw lots, then cut.",
            place=rows[many].place,
        )


class PlayOff(Command, Attributed):
    """Record a play-off: its players, best first."""

    roles = OFFICIALS

    order: tuple[int, ...]

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        _require_group(state, self.order)
        return (PlayedOff(self.order, len(state.rounds), **self.attribution),)


class DrawLot(Command):
    """Draw lots among `entrants`, or in every group that shares a place if none are named."""

    roles = OFFICIALS

    seed: int
    entrants: tuple[int, ...] = ()

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if self.entrants:
            _require_group(state, self.entrants)
        groups = (self.entrants,) if self.entrants else standings_of(state).level
        if not groups:
            raise refused("Nobody shares a place: there is nothing to draw lots for.")
        after = len(state.rounds)
        return tuple(LotDrawn(random_order(group, self.seed), self.seed, after) for group in groups)


def _require_group(state: Tournament, group: tuple[int, ...]) -> None:
    for number in group:
        entered(state, number)
    if len(group) < _FEWEST or len(set(group)) < len(group):
        raise refused("Name two entrants or more, each once.")


class Finish(Command):
    """End the tournament: the standings are final."""

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        last = state.last_round
        if last is not None and last.phase != "closed":
            raise refused("Round {round} is not closed: close it, or undo it.", round=last.number)
        return (Finished(),)


class Finished(Event):
    """The standings became final."""

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, finished=True)

    def describe(self, state: Tournament) -> Message:
        return message("The tournament ended.")


class Reopen(Command, Attributed):
    """Take the end back."""

    after_end = True

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if not state.finished:
            raise refused("The tournament is not finished.")
        return (Reopened(**self.attribution),)


class Reopened(Event, Attributed):
    """The end was taken back."""

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, finished=False)

    def describe(self, state: Tournament) -> Message:
        return message("The tournament was reopened.")
