"""Rounds: planned, drawn, started, closed and taken back; their clock.

Of the tables of a round that is drawn two are merged, or one is split.
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
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.entries import entered
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


class DrawByHand(Command, Attributed):
    """Seat the next round by the director's plan."""

    draw: Draw

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        due = next_round(state)
        if state.format.lays_down(due.stage):
            raise refused(
                "Who meets whom was laid down by the first draw: draw it, or undo round 1."
            )
        for number in self.draw.entrants:
            if number not in due.entrants:
                raise refused("{name} does not play this round.", name=entered(state, number).name)
        for number in due.entrants:
            if number not in self.draw.entrants:
                raise refused(
                    "{name} is not in the draw: seat them, or give them a bye.",
                    name=state.names[number],
                )
        return (RoundDrawnByHand(*due.place, self.draw, **self.attribution),)


class RoundDrawnByHand(Event, Attributed):
    """The director seated the round."""

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


class MergeTables(Command, Attributed):
    """Move the players of `table` to the end of table `into`, before either has a result."""

    table: int
    into: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        last = _open_round(state)
        one, other = _fresh_table(last, self.table), _fresh_table(last, self.into)
        if one == other:
            raise refused("A table cannot be merged into itself: name two tables.")
        if len(one.seats) + len(other.seats) > MOST_SEATS:
            raise refused(
                "{seats} do not fit at a table of {most}: split one of them first.",
                seats=len(one.seats) + len(other.seats),
                most=MOST_SEATS,
            )
        return (TablesMerged(last.number, self.table, self.into, **self.attribution),)


class TablesMerged(Event, Attributed):
    """The players of `table` moved to the end of table `into`."""

    round: int
    table: int
    into: int

    def apply(self, state: Tournament) -> Tournament:
        draw = state.rounds[self.round - 1].draw
        moved = next(each.seats for each in draw.tables if each.number == self.table)
        tables = tuple(
            TableSeats(self.into, (*each.seats, *moved)) if each.number == self.into else each
            for each in draw.tables
            if each.number != self.table
        )
        return state.with_tables(self.round, tables)

    def describe(self, state: Tournament) -> Message:
        return message("Table {table} moved to table {into}.", table=self.table, into=self.into)


class SplitTable(Command, Attributed):
    """Seat those `leaving` a table at a new table `to`, before it has a result."""

    table: int
    leaving: tuple[int, ...]
    to: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        last = _open_round(state)
        table = _fresh_table(last, self.table)
        if last.table(self.to) is not None:
            raise refused("Table {table} is taken: name one that is free.", table=self.to)
        if self.to < 1:
            raise refused("Tables are numbered from 1.")
        strangers = [each for each in self.leaving if each not in table.seats]
        if strangers:
            raise refused(
                "Entrant {entrant} does not sit at table {table}: check the number.",
                entrant=strangers[0],
                table=table.number,
            )
        different = len(set(self.leaving))
        if not different or different < len(self.leaving) or different == len(table.seats):
            raise refused(
                "Name those who leave table {table}, each once, not all.", table=table.number
            )
        return (TableSplit(last.number, self.table, self.leaving, self.to, **self.attribution),)


class TableSplit(Event, Attributed):
    """Those `leaving` moved from `table` to the new table `to`."""

    round: int
    table: int
    leaving: tuple[int, ...]
    to: int

    def apply(self, state: Tournament) -> Tournament:
        staying = tuple(
            replace(each, seats=tuple(seat for seat in each.seats if seat not in self.leaving))
            if each.number == self.table
            else each
            for each in state.rounds[self.round - 1].draw.tables
        )
        return state.with_tables(self.round, (*staying, TableSeats(self.to, self.leaving)))

    def describe(self, state: Tournament) -> Message:
        return message(
            "{names} moved from table {table} to {to}.",
            names=state.listed(self.leaving),
            table=self.table,
            to=self.to,
        )


def _open_round(state: Tournament) -> Round:
    last = state.drawn_round()
    if last.phase == "closed":
        raise refused("Round {round} is closed: draw the next one first.", round=last.number)
    return last


def _fresh_table(last: Round, number: int) -> TableSeats:
    """A table of the round without a result yet. Raises CommandRefusedError."""
    table = last.table(number)
    if table is None:
        raise refused("Round {round} has no table {table}.", round=last.number, table=number)
    if last.has_result(number):
        raise refused("Table {table} has a result already: it plays on as it is.", table=number)
    return table


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
