"""A proposed draw: looked at and changed by officials, then published as the next round.

Until then it is in `Tournament.proposed` and in no round, so that nothing that shows rounds (the
board, players' pages, sheets, exports, tables) can show it. The tables of a round that is drawn or
running are changed in the same way, as long as they have no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import DIRECTOR_OR_HUB, Attributed, refused
from scoreboard.tournament.model.draw import BYE, OUT, Draw, TableSeats
from scoreboard.tournament.model.entrant import Entrant, spelling_key
from scoreboard.tournament.model.round_draw import drawn, next_round
from scoreboard.tournament.model.rounds import MOST_SEATS, RoundDrawn
from scoreboard.tournament.model.scores import shown_points
from scoreboard.tournament.model.standings import qualifying_results
from scoreboard.tournament.model.tournament import Command, Event, ProposedRound, Round, Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS


def require_proposed(state: Tournament, number: int) -> ProposedRound:
    """The proposed round, if it has this number. Raises CommandRefusedError."""
    if state.proposed is None or state.proposed.round.number != number:
        raise refused("No draw of round {round} is proposed any more: look again.", round=number)
    return state.proposed


def on_board(state: Tournament) -> Round | None:
    """The round whose tables officials may look at and change: the proposed or the open one."""
    found = state.last_round if state.proposed is None else state.proposed.round
    return None if found is None or found.phase == "closed" else found


def require_on_board(state: Tournament, number: int) -> Round:
    """The round on the board, if it has this number. Raises CommandRefusedError."""
    found = on_board(state)
    if found is not None and found.number == number:
        return found
    if number <= len(state.rounds):
        raise refused("Round {round} is closed: draw the next one first.", round=number)
    return require_proposed(state, number).round


class ProposeRound(Command):
    """Draw the next round for officials alone; the same seed gives the same draw."""

    seed: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        due = next_round(state)
        return (RoundProposed(*due.place, drawn(state, due, self.seed), self.seed),)


class RoundProposed(RoundDrawn):
    """The round was drawn from a seed, for officials alone."""

    def apply(self, state: Tournament) -> Tournament:
        fresh = Round(self.round, self.draw, self.games, self.stage, self.meeting, self.seed)
        return replace(state, proposed=ProposedRound(fresh))

    def describe(self, state: Tournament) -> Message:
        return message(
            "A draw of round {round} was proposed, with seed {seed}.",
            round=self.round,
            seed=self.seed,
        )


class ChangeProposed(Command):
    """Change the proposed draw to `draw`; `why` may be empty."""

    round: int
    draw: Draw
    why: str = ""

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        proposed = require_proposed(state, self.round)
        before = proposed.round.draw
        _require_places(state, proposed.round, self.draw, proposed.earlier[-1:])
        if proposed.publish_at is not None:
            _require_playable(state, self.draw)
        if self.draw == before:
            return ()
        return (ProposedChanged(self.round, before, self.draw, self.why.strip()),)


class ProposedChanged(Event):
    """The proposed draw was `was` and is now `draw`; `why` is empty if not given."""

    round: int
    was: Draw
    draw: Draw
    why: str

    def apply(self, state: Tournament) -> Tournament:
        """Going back to the draw before undoes the change: the one before that can be undone."""
        proposed = require_proposed(state, self.round)
        undone = proposed.earlier[-1:] == (self.draw,)
        earlier = proposed.earlier[:-1] if undone else (*proposed.earlier, self.was)
        changed = replace(proposed.round, draw=self.draw)
        return replace(state, proposed=replace(proposed, round=changed, earlier=earlier))

    def describe(self, state: Tournament) -> Message:
        sentence = message(
            "Changed in the proposed draw of round {round}: {names}.",
            round=self.round,
            names=state.listed(_moved(self.was, self.draw)),
        )
        return message("{told} “{why}”", told=sentence, why=self.why) if self.why else sentence


class ChangeTables(Command, Attributed):
    """Seat the round that is drawn or running by `draw`; a table with a result stays."""

    draw: Draw

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        last = require_on_board(state, state.drawn_round().number)
        _require_places(state, last, self.draw)
        for table in last.draw.tables:
            if last.has_result(table.number) and table not in self.draw.tables:
                raise refused(
                    "Table {table} has a result already: it plays on as it is.", table=table.number
                )
        _require_playable(state, self.draw)
        if self.draw == last.draw:
            return ()
        return (TablesChanged(last.number, last.draw, self.draw, **self.attribution),)


class TablesChanged(Event, Attributed):
    """The draw of an open round was `was` and is now `draw`."""

    round: int
    was: Draw
    draw: Draw

    def apply(self, state: Tournament) -> Tournament:
        return state.with_round(replace(state.rounds[self.round - 1], draw=self.draw))

    def describe(self, state: Tournament) -> Message:
        return message(
            "Changed at the tables of round {round}: {names}.",
            round=self.round,
            names=state.listed(_moved(self.was, self.draw)),
        )


class PlanPublishing(Command):
    """Have the hub publish the proposed draw at a time; None cancels that."""

    round: int
    at: datetime | None

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        proposed = require_proposed(state, self.round)
        if self.at is not None:
            _require_playable(state, proposed.round.draw)
        return (PublishingPlanned(self.round, self.at),)


class PublishingPlanned(Event):
    """The hub is to publish the proposed draw at a time, or no longer is to."""

    round: int
    at: datetime | None

    def apply(self, state: Tournament) -> Tournament:
        proposed = require_proposed(state, self.round)
        return replace(state, proposed=replace(proposed, publish_at=self.at))

    def describe(self, state: Tournament) -> Message:
        if self.at is None:
            return message(
                "The draw of round {round} is not published by itself.", round=self.round
            )
        return message(
            "The draw of round {round} is published at {time}.",
            round=self.round,
            time=f"{self.at.astimezone():%H:%M}",
        )


class PublishRound(Command):
    """Make the proposed draw the next round, visible to all."""

    roles = DIRECTOR_OR_HUB

    round: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        _require_playable(state, require_proposed(state, self.round).round.draw)
        return (RoundPublished(self.round),)


class RoundPublished(Event):
    """The proposed draw became the round."""

    round: int

    def apply(self, state: Tournament) -> Tournament:
        fresh = require_proposed(state, self.round).round
        return replace(state, rounds=(*state.rounds, fresh), proposed=None)

    def describe(self, state: Tournament) -> Message:
        return message("The draw of round {round} was published.", round=self.round)


def _moved(was: Draw, draw: Draw) -> list[int]:
    before, after = _places(was), _places(draw)
    return [each for each in {**after, **before} if before.get(each, OUT) != after.get(each, OUT)]


def _places(draw: Draw) -> Mapping[int, TableSeats | int]:
    seated = {each: table for table in draw.tables for each in table.seats}
    return {**seated, **dict.fromkeys(draw.byes, BYE)}


def most_seats(state: Tournament) -> int:
    """How many a table seats at most."""
    return 2 if state.stage_format.two_player else MOST_SEATS


def _require_places(
    state: Tournament, coming: Round, draw: Draw, earlier: tuple[Draw, ...] = ()
) -> None:
    """Refuse a table that is too large, and a place gained or lost, but to go back to `earlier`."""
    if state.format.lays_down(coming.stage):
        raise refused(
            "Who meets whom follows from the seeds here: change the seeds of the entries, "
            "then draw again."
        )
    was, now = set(coming.draw.entrants), set(draw.entrants)
    late = set(unseated(state, coming.draw))
    back = draw in earlier and now <= set(state.numbers)
    if not back and (was - now - state.away or now - was - late):
        raise refused("Everybody in the draw keeps one place in it: swap or move them.")
    for table in draw.tables:
        if len(table.seats) > most_seats(state):
            raise refused("Table {table} is full: swap two players instead.", table=table.number)


def _require_playable(state: Tournament, draw: Draw) -> None:
    """Refuse a table at which a player sits alone."""
    for table in draw.tables:
        if len(table.seats) == 1:
            raise refused(
                "{name} sits alone at table {table}: seat somebody there, or give a bye.",
                name=state.named(table.seats[0]),
                table=table.number,
            )


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """A table of a draw, BYE or OUT, with its problems; `fixed` once it has a result."""

    number: int
    seats: tuple[int, ...]
    problems: tuple[Message, ...] = ()
    fixed: bool = False


def marked_tables(state: Tournament, coming: Round) -> tuple[MarkedTable, ...]:
    """Every table of a round, judged by the rounds before it; then byes, and who is left out."""
    met: dict[tuple[int, int], list[int]] = {}
    earlier, draw = state.rounds[: coming.number - 1], coming.draw
    for played in earlier:
        for pair in played.draw.meetings():
            met.setdefault(pair, []).append(played.number)
    tables = [
        MarkedTable(each.number, each.seats, tuple(problems), coming.has_result(each.number))
        for each in draw.tables
        for problems in [_problems(state, each, met)]
    ]
    again = (each for each in draw.byes if any(each in other.draw.byes for other in earlier))
    problems = (message("{name} had a bye before.", name=state.named(each)) for each in again)
    gone = (_gone(state, each) for each in draw.byes if each in state.away)
    byes = MarkedTable(BYE, draw.byes, (*problems, *gone))
    return (*tables, byes, MarkedTable(OUT, unseated(state, draw)))


def unseated(state: Tournament, draw: Draw) -> tuple[int, ...]:
    """Present entrants who came after the draw; none after a cut or in a knockout."""
    if state.stage or state.format.system in KNOCKOUTS:
        return ()
    there = set(draw.entrants)
    return tuple(each for each in state.present if each not in there)


def before_round(state: Tournament, coming: int) -> Mapping[int, list[Message]]:
    """By entrant, seed, points, byes and floats before a round."""
    state = replace(state, rounds=state.rounds[: coming - 1])
    found = {
        each.number: [message("seed {seed}", seed=each.seed_rank)] if each.seed_rank else []
        for each in state.entrants
    }
    results = qualifying_results(state)
    if state.rounds and state.format.system not in KNOCKOUTS:
        for number, points in results.totals.items():
            found[number].append(message("points: {points}", points=shown_points(points)))
    floats = results.floats if state.format.system == "swiss" else {}
    for at, played in enumerate(state.rounds, start=1):
        for number in state.numbers:
            if number in played.draw.byes:
                found[number].append(message("bye in {round}", round=at))
            elif floated := floats.get(number, {}).get(at):
                down, up = message("down in {round}", round=at), message("up in {round}", round=at)
                found[number].append(down if floated > 0 else up)
    return found


def _problems(
    state: Tournament, table: TableSeats, met: Mapping[tuple[int, int], list[int]]
) -> Iterator[Message]:
    entrants = {each.number: each for each in state.entrants}
    for one, other in combinations(table.seats, 2):
        rounds = met.get((min(one, other), max(one, other)), [])
        yield from _of_a_pair(entrants[one], entrants[other], rounds)
    for each in table.seats:
        own = entrants[each]
        if own.needs_accessible_table and table.number not in state.format.accessible_tables:
            yield message("{name} needs a table with step-free access.", name=own.name)
        if own.table not in {None, table.number}:
            yield message("{name} always sits at table {table}.", name=own.name, table=own.table)
        if each in state.away:
            yield _gone(state, each)
    form = state.stage_format
    if len(table.seats) == 1:
        yield message("Nobody plays here with {name}.", name=state.named(table.seats[0]))
    elif not form.smallest_table <= len(table.seats) <= form.table_size:
        yield message("Players at this table: {players}.", players=len(table.seats))


def _of_a_pair(one: Entrant, other: Entrant, met: list[int]) -> Iterator[Message]:
    names = f"{one.name}, {other.name}"
    if met:
        rounds = ", ".join(map(str, met))
        yield message("{names} met before: round {rounds}.", names=names, rounds=rounds)
    if one.club and one.club == other.club:
        yield message("{names} are of one club: {club}.", names=names, club=one.club)
    if one.team and spelling_key(one.team) == spelling_key(other.team):
        yield message("{names} are of one team: {team}.", names=names, team=one.team)


def _gone(state: Tournament, entrant: int) -> Message:
    return message("{name} has dropped out.", name=state.named(entrant))
