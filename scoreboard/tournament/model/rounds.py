"""Rounds: planned, drawn, started, closed and taken back; their clock.

Their tables are changed in `proposed_draw`; what older events record of it is replayed here.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import (
    OFFICIALS,
    Attributed,
    CommandRefusedError,
    refused,
)
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.round_draw import drawn, due_matches, next_round, rounds_of_meeting
from scoreboard.tournament.model.scoring import closed_round, is_complete, winners
from scoreboard.tournament.model.tournament import Command, Event, Round, RoundClock, Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS

MOST_ROUNDS = 100


class Replan(Command, Attributed):
    """Play another number of rounds in each meeting before the cut."""

    rounds: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if state.format.system not in {"tables", "swiss"} or state.cuts:
            raise refused("The number of rounds is settled and cannot be changed.")
        least = max(rounds_of_meeting(state), 1)
        if not least <= self.rounds <= MOST_ROUNDS:
            raise refused(
                "Plan {least} to {most} rounds: {rounds} cannot be planned.",
                rounds=self.rounds,
                least=least,
                most=MOST_ROUNDS,
            )
        return (RoundsReplanned(state.format.rounds, self.rounds, **self.attribution),)


class RoundsReplanned(Event, Attributed):
    """Another number of rounds was planned."""

    was: int
    rounds: int

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, format=replace(state.format, rounds=self.rounds))

    def describe(self, state: Tournament) -> Message:
        return message(
            "Planned rounds: {rounds} rather than {was}.", rounds=self.rounds, was=self.was
        )


class DrawRound(Command):
    """Draw the next round; the same seed gives the same draw."""

    seed: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        due = next_round(state)
        return (RoundDrawn(*due.place, drawn(state, due, self.seed), self.seed),)


class RoundDrawn(Event):
    """The round was drawn from a seed; `stage` counts the cuts before it."""

    round: int
    stage: int
    meeting: int
    games: int
    draw: Draw
    seed: int

    def apply(self, state: Tournament) -> Tournament:
        fresh = Round(self.round, self.draw, self.games, self.stage, self.meeting, self.seed)
        return replace(state, rounds=(*state.rounds, fresh))

    def describe(self, state: Tournament) -> Message:
        return message(
            "Round {round} was drawn with seed {seed}.", round=self.round, seed=self.seed
        )


class RoundDrawnByHand(Event, Attributed):
    """The director seated the round; until 28 November 2026."""

    round: int
    stage: int
    meeting: int
    games: int
    draw: Draw

    def apply(self, state: Tournament) -> Tournament:
        fresh = Round(self.round, self.draw, self.games, self.stage, self.meeting)
        return replace(state, rounds=(*state.rounds, fresh))

    def describe(self, state: Tournament) -> Message:
        return message("Round {round} was seated by hand.", round=self.round)


class StartRound(Command):
    """Begin the round that is drawn."""

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        return (RoundStarted(_in_phase(state, "drawn").number),)


class RoundStarted(Event):
    """The round began."""

    round: int

    def apply(self, state: Tournament) -> Tournament:
        return state.with_round(replace(state.rounds[self.round - 1], phase="running"))

    def describe(self, state: Tournament) -> Message:
        return message("Round {round} began.", round=self.round)


class CloseRound(Command):
    """End the round, all of whose results are in."""

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        running = _in_phase(state, "running")
        form = state.format.in_stage(running.stage)
        for due in due_matches(state):
            if due.round == running.number:
                raise refused("Call {names} first.", names=state.listed(due.seats))
        disputed = dict(reversed(running.disputed))  # so that of several the first one is named
        by_table = running.games_by_table  # once: else every table would search all results
        for table in running.draw.tables:
            if table.number in disputed:
                raise refused(
                    "Game {game} at table {table} is disputed: have the referee settle it.",
                    game=disputed[table.number],
                    table=table.number,
                )
            games = by_table.get(table.number, ())
            if not is_complete(form, len(table.seats), running.games, games):
                raise refused(
                    "Games reported by table {table}: {given} of {games}. Wait, or report the "
                    "others here.",
                    table=table.number,
                    given=len(games),
                    games=running.games,
                )
            if form.system in KNOCKOUTS and len(winners(form, games)) > 1:
                raise refused(
                    "The match at table {table} is drawn: play another game and report it as "
                    "{game}.",
                    table=table.number,
                    game=len(games) + 1,
                )
        return (RoundClosed(running.number),)


class RoundClosed(Event):
    """The round ended."""

    round: int

    def apply(self, state: Tournament) -> Tournament:
        return state.with_round(closed_round(state.format, state.rounds[self.round - 1]))

    def describe(self, state: Tournament) -> Message:
        return message("Round {round} ended.", round=self.round)


class UndoRound(Command, Attributed):
    """Take the last round back, with its draw, its results and later decisions."""

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        return (RoundUndone(state.drawn_round().number, **self.attribution),)


class RoundUndone(Event, Attributed):
    """The round was taken back, with later decisions."""

    round: int

    def apply(self, state: Tournament) -> Tournament:
        """Without cuts and decisions made since; a new holder plays the round in its place."""
        number = self.round
        return replace(
            state,
            rounds=state.rounds[: number - 1],
            cuts=tuple(cut for cut in state.cuts if cut.after_round < number),
            decisions=tuple(each for each in state.decisions if each.after_round < number),
            holders={
                entrant: tuple(
                    replace(each, from_round=min(each.from_round, number)) for each in held
                )
                for entrant, held in state.holders.items()
            },
            clock=None,
        )

    def describe(self, state: Tournament) -> Message:
        return message("Round {round} was taken back.", round=self.round)


def _in_phase(state: Tournament, phase: str) -> Round:
    state.drawn_round()  # refused before the first
    last = state.current_rounds[0]
    if last.phase == phase:
        return last
    cures = {
        "drawn": message("Round {round} has not begun: start it first.", round=last.number),
        "running": message("Round {round} is being played already.", round=last.number),
        "closed": message("Round {round} is closed: draw the next one first.", round=last.number),
    }
    raise CommandRefusedError(cures[last.phase])


MOST_SEATS = 6


class TablesMerged(Event, Attributed):
    """The players of `table` moved to the end of table `into`; until 28 November 2026."""

    round: int
    table: int
    into: int

    def apply(self, state: Tournament) -> Tournament:
        draw = state.rounds[self.round - 1].draw
        moved = next(each.seats for each in draw.tables if each.number == self.table)
        return state.with_tables(self.round, draw.moved(moved, self.into).tables)

    def describe(self, state: Tournament) -> Message:
        return message("Table {table} moved to table {into}.", table=self.table, into=self.into)


class TableSplit(Event, Attributed):
    """Those `leaving` moved from `table` to the new table `to`; until 28 November 2026."""

    round: int
    table: int
    leaving: tuple[int, ...]
    to: int

    def apply(self, state: Tournament) -> Tournament:
        draw = state.rounds[self.round - 1].draw
        return state.with_tables(self.round, draw.moved(self.leaving, self.to).tables)

    def describe(self, state: Tournament) -> Message:
        return message(
            "{names} moved from table {table} to {to}.",
            names=state.listed(self.leaving),
            table=self.table,
            to=self.to,
        )


LONGEST_SECONDS: Final = 24 * 60 * 60
SECONDS_A_MINUTE: Final = 60


class SetClock(Command):
    """Give the tables of the last round `left` seconds from `at` on, running or stopped."""

    roles = OFFICIALS

    round: int
    left: int
    running: bool
    at: datetime

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        played = state.drawn_round()
        if played.number != self.round or played.phase == "closed":
            raise refused("Look again: only the round that is being played has a clock.")
        if abs(self.left) > LONGEST_SECONDS:
            raise refused("Give the round at most {hours} hours.", hours=LONGEST_SECONDS // 3600)
        return (ClockSet(self.round, self.left, int(self.running), self.at),)


class ClockSet(Event):
    """From `at` on the tables had `left` seconds, below 0 in overtime; `running` is 1 or 0."""

    round: int
    left: int
    running: int
    at: datetime

    def apply(self, state: Tournament) -> Tournament:
        clock = RoundClock(self.round, self.left, bool(self.running), self.at)
        return replace(state, clock=clock)

    def describe(self, state: Tournament) -> Message:
        minutes, seconds = divmod(abs(self.left), SECONDS_A_MINUTE)
        time = f"{'-' if self.left < 0 else ''}{minutes}:{seconds:02}"
        if self.running:
            return message("The clock of round {round} runs: {time}.", round=self.round, time=time)
        return message("The clock of round {round} stands: {time}.", round=self.round, time=time)
