"""The matches of a knockout that may be called: both players are free, and a table is.

Every match has the round that it would have if whole rounds were played: the one after those of
the matches it takes its players from. So several rounds may be open at once, and the standings
come out as they would have round by round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from scoreboard.message import Message
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.pairing.elimination import (
    NOBODY,
    Bracket,
    Meeting,
    Seed,
    match_name,
    meetings,
)
from scoreboard.tournament.model.round_draw import (
    bracket_of,
    match_winner,
    matches_played,
    seeding,
)
from scoreboard.tournament.model.tournament import Round, Tournament

NO_TABLE: Final = 0


@dataclass(frozen=True, slots=True)
class DueMatch:
    """A match whose two are free: what it is called, its seats in order and its round.

    `table` is one that is free for it, NO_TABLE while there is none.
    """

    name: Message
    seats: tuple[int, int]
    round: int
    table: int


def due_matches(state: Tournament) -> tuple[DueMatch, ...]:
    """The matches that may be called, in the order of the bracket, each at a table of its own."""
    if not state.format.calls_matches or not state.rounds or state.finished:
        return ()
    if state.current_rounds[0].phase == "drawn":
        return ()
    bracket, begun, found = _walked(state)
    undecided = [table for each in state.current_rounds for table in undecided_tables(state, each)]
    busy = {seat for table in undecided for seat in table.seats}
    playing = {table.number for table in undecided}
    taken = set(playing)
    left = _left(found)
    number_of, due = dict(begun), list[DueMatch]()
    for each in found:
        fed_by = (number_of[at.match] for at in each.match.sources if not isinstance(at, Seed))
        match, after = each.match.number, max(fed_by, default=0)
        number_of.setdefault(match, after if NOBODY in each.pair else after + 1)
        one, other = each.pair
        if not each.ready or not one or not other or match in begun or busy & {one, other}:
            continue
        number = _open_round(state, number_of[match], (one, other))
        coming = DueMatch(match_name(bracket, each.match), (one, other), number, NO_TABLE)
        due.append(replace(coming, table=_free_table(state, coming, playing, taken, left)))
        taken.add(due[-1].table)
    return tuple(due)


def still_in(state: Tournament) -> set[int]:
    """Who has a match of the knockout to play, known or not; of an event that has begun."""
    return _left(_walked(state)[2])


def _walked(state: Tournament) -> tuple[Bracket, dict[int, int], tuple[Meeting, ...]]:
    """The bracket, the round of each match that has begun, and all matches as they stand."""
    seeded, won, begun = seeding(state, 0), dict[int, int](), dict[int, int]()
    bracket = bracket_of(state, len(seeded))
    for played in state.rounds:
        here = matches_played(state.format, played, bracket, seeded, won)
        begun |= dict.fromkeys(here.values(), played.number)
    return bracket, begun, meetings(bracket, seeded, won)


def _left(found: tuple[Meeting, ...]) -> set[int]:
    return {seat for each in found if each.winner is None for seat in each.pair if seat}


def undecided_tables(state: Tournament, played: Round) -> tuple[TableSeats, ...]:
    """The tables of a round of a knockout whose match is still open; none of a closed round."""
    if played.phase == "closed":
        return ()
    games = played.games_by_table
    return tuple(
        table
        for table in played.draw.tables
        if match_winner(state.format, played, table, games.get(table.number, ())) is None
    )


def _open_round(state: Tournament, number: int, seats: tuple[int, int]) -> int:
    """The round of a match; a later one where its own is over, after a correction say."""
    fits = (
        each.number
        for each in state.rounds[number - 1 :]
        if each.phase == "running" and not set(seats) & set(each.draw.entrants)
    )
    return next(fits, len(state.rounds) + 1)


def _free_table(
    state: Tournament, coming: DueMatch, playing: set[int], taken: set[int], left: set[int]
) -> int:
    """A table that is free for a match of a round, a new one where none that is played at fits.

    Accessible ones are kept for who needs them, while they are in the event.
    """
    needing = {each.number for each in state.entrants if each.needs_accessible_table}
    accessible = set(state.format.accessible_tables)
    used = {table.number for played in state.rounds for table in played.draw.tables}
    there = [each.draw for each in state.rounds if each.number == coming.round]
    had = {table.number for draw in there for table in draw.tables}
    free = sorted((used | accessible) - taken - had)
    step_free = [each for each in free if each in accessible]
    if needing & set(coming.seats):
        return next(iter(step_free), NO_TABLE)
    later = (needing & left).difference(*(draw.entrants for draw in there))
    kept = accessible if len(step_free) <= len(later) else accessible - used
    others = [each for each in free if each not in kept]
    if others:
        return min(others, key=lambda each: (each in accessible, each))
    if playing - had - kept:
        return NO_TABLE  # one of these is free soon
    return next(each for each in count(1) if each not in taken | had | kept)
