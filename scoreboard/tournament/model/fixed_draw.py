"""Who meets whom where it is laid down at the start: round robins and knockouts."""

from __future__ import annotations

from collections.abc import Mapping

from scoreboard.message import message
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.pairing.bracket import Bracket, Meeting, next_matches
from scoreboard.tournament.model.pairing.elimination import double_elimination, single_elimination
from scoreboard.tournament.model.pairing.round_robin import round_robin, without
from scoreboard.tournament.model.random_order import random_order
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.scoring import winners
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_round import Round


def draw_fixed(state: Tournament, seed: int) -> Draw:
    """The next round of a schedule or a bracket that the first draw laid down.

    Raises:
        RefusedOrderError: all matches are played.
        DrawError: a bracket needs two entrants.
    """
    if state.format.system == "round-robin":
        return _scheduled(state, seed)
    return _bracketed(state, seed)


def seeding(state: Tournament, seed: int) -> tuple[int, ...]:
    """Those who began, by rank: the seeded in their order, the others by the first draw's lot."""
    first = state.rounds[0] if state.rounds else None
    there = state.present if first is None else first.draw.entrants
    drawn = random_order(there, seed if first is None else first.seed or 0)
    ranks = {each.number: each.seed_rank for each in state.entrants}
    ranked = sorted((each for each in drawn if ranks[each]), key=lambda each: ranks[each] or 0)
    return (*ranked, *(each for each in drawn if not ranks[each]))


def schedule(state: Tournament, seed: int = 0) -> tuple[Draw, ...]:
    """All rounds of a round robin, of everyone who began; `seed` counts before the first draw."""
    return round_robin(seeding(state, seed), state.format.meetings)


def _scheduled(state: Tournament, seed: int) -> Draw:
    planned = schedule(state, seed)
    if len(state.rounds) >= len(planned):
        raise RefusedOrderError(
            message("Everyone has met everyone: make the cut, or finish the tournament.")
        )
    return without(planned[len(state.rounds)], state.away)


def _bracketed(state: Tournament, seed: int) -> Draw:
    seeded = seeding(state, seed)
    bracket = bracket_of(state, len(seeded))
    ready = next_matches(bracket, seeded, bracket_winners(state, bracket, seeded))
    if not ready:
        raise RefusedOrderError(message("The last match is played: finish the tournament."))
    pairs = [_pair(each) for each in ready]
    tables = tuple(TableSeats(number, pair) for number, pair in enumerate(pairs, start=1))
    playing = {each for pair in pairs for each in pair}
    byes = () if state.rounds else tuple(each for each in seeded if each not in playing)
    return Draw(tables, byes)


def bracket_of(state: Tournament, entrants: int) -> Bracket:
    """The bracket of a knockout. Raises DrawError for fewer than two entrants."""
    if state.format.system == "knockout":
        return single_elimination(entrants)
    return double_elimination(entrants, second_final=state.format.grand_final_twice)


def bracket_winners(
    state: Tournament, bracket: Bracket, seeded: tuple[int, ...]
) -> Mapping[int, int]:
    """Who won each match, by its number, as the closed rounds tell.

    A match that is none any more, since an earlier result was corrected, is passed over: its
    round is marked, and the bracket has the right ones meet next.
    """
    won: dict[int, int] = {}
    for played in state.rounds:
        ready = {
            frozenset(_pair(each)): each.match.number for each in next_matches(bracket, seeded, won)
        }
        for pair, winner in _decided(played).items():
            if pair in ready:
                won[ready[pair]] = winner
    return won


def _decided(played: Round) -> Mapping[frozenset[int], int]:
    found: dict[frozenset[int], int] = {}
    of_table = played.games_by_table
    for table in played.draw.tables:
        games = of_table.get(table.number, ())
        if games and len(best := winners(games)) == 1:
            found[frozenset(table.seats)] = best[0]
    return found


def _pair(meeting: Meeting) -> tuple[int, int]:
    one, other = meeting.pair
    if one is None or other is None:
        raise ValueError("A match that is ready knows its two.")
    return one, other
