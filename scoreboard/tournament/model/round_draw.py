"""The draw of the next round: which round it is, its players, and their tables.

By the format: tables by `seating`, duels by `pairing`, a schedule or a bracket from the first draw.
The Swiss system is loaded only when needed: its numbers take a second on a small machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import CommandRefusedError, refused
from scoreboard.tournament.model.draw import (
    Draw,
    DrawError,
    TableSeats,
    random_order,
    table_numbers,
)
from scoreboard.tournament.model.entrant import HIGHEST_NUMBER, spelling_key
from scoreboard.tournament.model.pairing.elimination import (
    BYE,
    Bracket,
    Meeting,
    Seed,
    double_elimination,
    match_name,
    meetings,
    single_elimination,
)
from scoreboard.tournament.model.scores import GameResult
from scoreboard.tournament.model.scoring import as_played, is_complete, winners
from scoreboard.tournament.model.seating.constraints import Constraints, table_sizes
from scoreboard.tournament.model.seating.designs import round_robin, without
from scoreboard.tournament.model.seating.table_draw import (
    TableConstraints,
    draw_by_standing,
    draw_tables,
    renumbered,
)
from scoreboard.tournament.model.standings import qualifying_results, standings_of
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, LAID_DOWN, TournamentFormat

NO_TABLE: Final = 0


def with_access(state: Tournament, draw: Draw) -> Draw:
    """The draw with accessible tables for those who need them. Raises CommandRefusedError."""
    needing = {each.number for each in state.entrants if each.needs_accessible_table}
    bound = [not needing.isdisjoint(table.seats) for table in draw.tables]
    if not any(bound):
        return draw
    accessible = state.format.accessible_tables
    if sum(bound) > len(accessible):
        raise refused(
            "Accessible tables needed: {needed}, marked: {marked}; mark more of them.",
            needed=sum(bound),
            marked=len(accessible),
        )
    numbers = table_numbers(bound, accessible, [table.number for table in draw.tables])
    tables = map(TableSeats, numbers, (table.seats for table in draw.tables))
    return replace(draw, tables=tuple(sorted(tables, key=lambda table: table.number)))


def draw_fixed(state: Tournament, seed: int) -> Draw:
    """The next round of a schedule or a bracket. Raises CommandRefusedError, DrawError."""
    if not state.stage and state.format.system == "round-robin":
        planned = schedule(state, seed)
        if len(state.rounds) >= len(planned):
            raise refused("Everyone has met everyone: make the cut, or finish the tournament.")
        return without(planned[len(state.rounds)], state.away)
    _, _, found = bracket_so_far(state, state.stage, seed)
    ready = [tuple(filter(None, each.pair)) for each in found if each.ready]
    if not ready:
        raise refused("The last match is played: finish the tournament.")
    tables = tuple(TableSeats(number, pair) for number, pair in enumerate(ready, start=1))
    playing = {each for pair in ready for each in pair}
    seeded = () if state.stage_rounds else seeding(state, seed, state.stage)
    return Draw(tables, tuple(each for each in seeded if each not in playing))


def seeding(state: Tournament, seed: int, stage: int = 0) -> tuple[int, ...]:
    """The starting entrants by rank: the seeded in order, then by rating, then by the first lot.

    After a cut they are in the order in which they reached the `stage`.
    """
    first = next((each for each in state.rounds if each.stage == stage), None)
    there = state.present if first is None else first.draw.entrants
    if stage:
        return tuple(each for each in state.cuts[stage - 1].entrants if each in there)
    of = {each.number: each for each in state.entrants}

    def rank(number: int) -> tuple[int, int]:
        seed_rank = of[number].seed_rank
        return (seed_rank, 0) if seed_rank else (HIGHEST_NUMBER + 1, -(of[number].rating or 0))

    return tuple(sorted(random_order(there, seed if first is None else first.seed or 0), key=rank))


def schedule(state: Tournament, seed: int = 0) -> tuple[Draw, ...]:
    """All rounds of a round robin, of everyone who began; `seed` counts before the first draw."""
    return round_robin(seeding(state, seed), state.format.meetings)


def bracket_so_far(
    state: Tournament, stage: int, seed: int = 0
) -> tuple[Bracket, Mapping[tuple[int, int], int], tuple[Meeting, ...]]:
    """The bracket of a stage, the match by round and table of its draw, and all matches.

    A match that no longer exists, since an earlier result was corrected, is skipped: its round is
    marked, and the bracket has the right ones meet next. `seed` counts before the first draw.
    """
    seeded, form = seeding(state, seed, stage), state.format.in_stage(stage)
    if form.system == "knockout":
        bracket = single_elimination(len(seeded), third_place=form.third_place)
    else:
        bracket = double_elimination(len(seeded), second_final=form.grand_final_twice)
    won = dict[int, int]()
    drawn: dict[tuple[int, int], int] = {}
    found = meetings(bracket, seeded, won)
    for played in state.rounds:
        if played.stage != stage:
            continue
        ready = {frozenset(each.pair): each.match.number for each in found if each.ready}
        games = played.games_by_table
        for table in played.draw.tables:
            if number := ready.get(frozenset(table.seats)):
                drawn[played.number, table.number] = number
                winner = _winner(form, played, table, games.get(table.number, ()))
                if winner is not None:
                    won[number] = winner
        found = meetings(bracket, seeded, won)
    return bracket, drawn, found


def matches_of(state: Tournament, played: Round) -> Mapping[int, Message]:
    """The names of the matches at the tables of a knockout's round; empty in other tournaments."""
    if state.format.in_stage(played.stage).system not in KNOCKOUTS:
        return {}
    bracket, drawn, _ = bracket_so_far(state, played.stage)
    names = {each.number: match_name(bracket, each) for each in bracket}
    return {table: names[each] for (at, table), each in drawn.items() if at == played.number}


def _winner(
    form: TournamentFormat, played: Round, table: TableSeats, games: tuple[GameResult, ...]
) -> int | None:
    """The winner of the match at a table; before the round is closed, only once all agree."""
    if not games or len(best := winners(form, games)) > 1:
        return None
    places = ((table.number, game) for game in range(1, len(games) + 2))  # a disputed one too
    phases = {played.results[at].phase for at in places if at in played.results}
    complete = is_complete(form, len(table.seats), played.games, games)
    agreed = complete and phases <= {"signed", "settled"}
    return best[0] if agreed or played.phase == "closed" else None


@dataclass(frozen=True, slots=True)
class DueMatch:
    """A match whose two players are free, and a free table for it, NO_TABLE while there is none."""

    name: Message
    seats: tuple[int, int]
    round: int
    table: int


def due_matches(state: Tournament) -> tuple[DueMatch, ...]:
    """The matches that may be called, in the order of the bracket, each at a table of its own."""
    begun_in = state.stage_rounds
    running = begun_in and state.current_rounds[0].phase != "drawn"
    if not running or not state.stage_format.calls_matches or state.finished:
        return ()
    bracket, drawn, found = bracket_so_far(state, state.stage)
    undecided = [table for each in state.current_rounds for table in undecided_tables(state, each)]
    busy = {seat for table in undecided for seat in table.seats}
    playing = {table.number for table in undecided}
    taken = set(playing)
    begun, due = set(drawn.values()), list[DueMatch]()
    number_of = {each: number for (number, _), each in drawn.items()}
    for each in found:
        fed_by = (number_of[at.match] for at in each.match.sources if not isinstance(at, Seed))
        match, after = each.match.number, max(fed_by, default=begun_in[0].number - 1)
        number_of.setdefault(match, after if BYE in each.pair else after + 1)
        one, other = each.pair
        if not each.ready or not one or not other or match in begun or busy & {one, other}:
            continue
        number = _open_round(state, number_of[match], (one, other))
        coming = DueMatch(match_name(bracket, each.match), (one, other), number, NO_TABLE)
        due.append(replace(coming, table=_free_table(state, coming, playing, taken, _left(found))))
        taken.add(due[-1].table)
    return tuple(due)


def still_in(state: Tournament) -> set[int]:
    """Entrants with a knockout match to play, known or not; of a tournament that has begun."""
    return _left(bracket_so_far(state, state.stage)[2])


def _left(found: tuple[Meeting, ...]) -> set[int]:
    return {seat for each in found if each.winner is None for seat in each.pair if seat}


def undecided_tables(state: Tournament, played: Round) -> tuple[TableSeats, ...]:
    """The tables of a knockout's round with an open match; none of a closed round."""
    if played.phase == "closed":
        return ()
    games, form = played.games_by_table, state.format.in_stage(played.stage)
    return tuple(
        table
        for table in played.draw.tables
        if _winner(form, played, table, games.get(table.number, ())) is None
    )


def _open_round(state: Tournament, number: int, seats: tuple[int, int]) -> int:
    """The round of a match; a later one if its own is over, for instance after a correction."""
    fits = (
        each.number
        for each in state.rounds[number - 1 :]
        if each.phase == "running" and not set(seats) & set(each.draw.entrants)
    )
    return next(fits, len(state.rounds) + 1)


def _free_table(
    state: Tournament, coming: DueMatch, playing: set[int], taken: set[int], left: set[int]
) -> int:
    """A free table for a match of a round, a new one if none in use fits.

    A table always plays for its newest round: one that was in a later round is skipped. Accessible
    ones are kept for entrants who need them, while they are in the tournament.
    """
    needing = {each.number for each in state.entrants if each.needs_accessible_table}
    accessible = set(state.format.accessible_tables)
    used = {table.number for played in state.rounds for table in played.draw.tables}
    there = [each.draw for each in state.rounds if each.number >= coming.round]
    had = {table.number for draw in there for table in draw.tables}
    fixed = [each.table for each in state.entrants if each.number in coming.seats and each.table]
    for table in fixed:
        if table not in taken | had:
            return table
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


def rounds_of_meeting(state: Tournament) -> int:
    """The number of rounds drawn in the current meeting."""
    rounds = state.rounds
    return sum(each.meeting == rounds[-1].meeting and not each.stage for each in rounds)


def rounds_left(state: Tournament) -> int:
    """The number of rounds still to be drawn before a cut, over all meetings."""
    later = state.format.meetings - (state.last_round.meeting if state.last_round else 1)
    return later * state.format.rounds + max(state.format.rounds - rounds_of_meeting(state), 0)


def paired(state: Tournament, entrants: tuple[int, ...], seed: int) -> Draw:
    """The pairing of the next round: of level entrants by seed, then by the first draw's lot."""
    ranks = {each: rank for rank, each in enumerate(seeding(state, seed))}
    places = {row.entrant: row.place for row in standings_of(state).rows}
    order = sorted(entrants, key=lambda each: (places[each], ranks.get(each, len(ranks)), each))
    kept = qualifying_results(state)
    floats = kept.floats
    floated = {  # the meetings with somebody who had other points before the round
        entrant: sum(bool(kept.results[entrant][number].opponents) for number in own)
        for entrant, own in floats.items()
    }
    scores = {each: kept.totals[each] for each in entrants}
    known = _known(state, entrants, seed)
    from scoreboard.tournament.model.pairing import dutch, swiss  # noqa: PLC0415 -- see above

    if state.format.dutch:
        order.sort(key=lambda each: (-scores[each], ranks.get(each, len(ranks)), each))
        known["past"] = tuple(map(as_played, state.rounds))
    constraints = swiss.SwissConstraints(
        entrants=tuple(order), scores=scores, floated=floated, **known
    )
    if not state.format.dutch:
        return swiss.draw_swiss(constraints)
    recent: dict[int, list[int]] = {each: [] for each in entrants}
    for number in range(len(state.rounds), 0, -1)[:2]:
        met = {seat for table in known["past"][number - 1].tables for seat in table.seats}
        for each, own in recent.items():  # who did not play floats down
            own.append(floats[each].get(number, 0) if each in met else 1)
    return dutch.draw_dutch(constraints, recent, max(state.format.win, 1))


@dataclass(frozen=True, slots=True)
class NextRound:
    """The due round and its players, in entry order, in a later stage in the order of standing."""

    number: int
    stage: int
    meeting: int
    games: int
    entrants: tuple[int, ...]

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Number, stage, meeting and games, as the events of a draw begin."""
        return self.number, self.stage, self.meeting, self.games


def next_round(state: Tournament) -> NextRound:
    """The round that is due. Raises CommandRefusedError."""
    form, last = state.format, state.last_round
    if form.system == "blind":
        raise refused("A blind event has no rounds: hand the scores in.")
    if last is not None and last.phase != "closed":
        raise refused("Round {round} is not closed: close it, or undo it.", round=last.number)
    number = len(state.rounds) + 1
    if state.stage:
        if last is not None and last.stage == state.stage and not form.lays_down(state.stage):
            raise CommandRefusedError(_all_played(form, after=state.stage))
        there = tuple(each for each in state.cuts[-1].entrants if each not in state.away)
        return NextRound(number, state.stage, 1, form.stages[state.stage - 1].games, there)
    meeting = 1
    if form.system not in LAID_DOWN and last is not None:
        meeting = last.meeting + (rounds_of_meeting(state) >= form.rounds)
    if meeting > form.meetings:
        raise CommandRefusedError(_all_played(form))
    return NextRound(number, 0, meeting, form.games, state.present)


def drawn(state: Tournament, coming: NextRound, seed: int) -> Draw:
    """The draw of the due round by a seed. Raises CommandRefusedError, DrawError."""
    return _at_tables(state, _drawn(state, coming, seed), seed)


def _at_tables(state: Tournament, draw: Draw, seed: int) -> Draw:
    how, known = state.format.table_numbers, _known(state, draw.entrants, seed)
    fixed = {each.number: each.table for each in state.entrants if each.table is not None}
    if how == "as-drawn" and fixed.keys().isdisjoint(draw.entrants):
        return draw
    wishes = TableConstraints(
        fixed=fixed,
        accessible=known["accessible"],
        accessible_tables=known["accessible_tables"],
        how=how,
        order=standings_of(state).order if state.rounds else seeding(state, seed),
        past=state.draws,
    )
    return renumbered(draw, wishes)


def _drawn(state: Tournament, coming: NextRound, seed: int) -> Draw:
    if len(coming.entrants) < state.format.in_stage(coming.stage).smallest_table:
        raise refused(
            "Only {there} are there to play: enter more, or allow smaller tables.",
            there=len(coming.entrants),
        )
    if state.format.lays_down(coming.stage):
        return with_access(state, draw_fixed(state, seed))
    if coming.stage:
        seating = state.format.stages[coming.stage - 1].seating
        return draw_by_standing(_constraints(state, coming, coming.entrants, seed), seating)
    if state.format.system == "swiss":
        return paired(state, coming.entrants, seed)
    form = state.format
    if not form.by_standing_from or coming.number < form.by_standing_from:
        return draw_tables(_constraints(state, coming, coming.entrants, seed))
    playing = set(coming.entrants)
    order = tuple(each for each in standings_of(state).order if each in playing)
    return draw_by_standing(
        _constraints(state, coming, order, seed), "snake" if form.seating == "snake" else "blocks"
    )


def seats_for(form: TournamentFormat, entrants: int) -> tuple[int, ...]:
    """Table sizes for that many, with as few byes as possible. Raises DrawError."""
    for seated in range(entrants, form.smallest_table - 1, -1):
        with suppress(DrawError):
            return table_sizes(seated, form.table_size, form.smallest_table)
    return table_sizes(entrants, form.table_size, form.smallest_table)


def _all_played(form: TournamentFormat, after: int = 0) -> Message:
    if len(form.stages) > after:
        return message(
            "All rounds before {stage} are played: make the cut.", stage=form.stages[after].name
        )
    return message("All rounds are played: finish the tournament, or plan more rounds.")


def _constraints(
    state: Tournament, coming: NextRound, order: tuple[int, ...], seed: int
) -> Constraints:
    sizes = seats_for(state.format, len(order))
    planned = len(state.rounds) + (1 if coming.stage else rounds_left(state))
    known = _known(state, order, seed)
    return Constraints(entrants=order, sizes=sizes, rounds_planned=planned, **known)


def _known(state: Tournament, entrants: tuple[int, ...], seed: int) -> dict[str, Any]:
    form = state.format
    mates = form.mates_apart
    return {
        "past": state.draws,
        "clubs": {each.number: each.club for each in state.entrants if mates and each.club},
        "teams": {each: spelling_key(team) for each, team in state.teams.items()},
        "accessible": frozenset(
            each.number
            for each in state.entrants
            if each.needs_accessible_table and each.number in entrants
        ),
        "accessible_tables": frozenset(form.accessible_tables),
        "seed": seed,
    }
