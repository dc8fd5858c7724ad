"""Who meets whom by the Swiss system, from the standings as they are."""

from __future__ import annotations

from collections.abc import Mapping

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.fixed_draw import seeding
from scoreboard.tournament.model.pairing.swiss import draw_swiss
from scoreboard.tournament.model.pairing.swiss_constraints import SwissConstraints
from scoreboard.tournament.model.points import Points
from scoreboard.tournament.model.result_table import ResultTable
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_standings import qualifying_ledger, standings_of


def paired(state: Tournament, entrants: tuple[int, ...], seed: int) -> Draw:
    """The pairing of the next round among those present.

    Of those who are level the seeded stand first, then the others by the first draw's lot.

    Raises:
        DrawError: more need an accessible table than such tables seat.
    """
    ranks = {each: rank for rank, each in enumerate(seeding(state, seed))}
    places = {row.entrant: row.place for row in standings_of(state).rows}
    command = sorted(entrants, key=lambda each: (places[each], ranks.get(each, len(ranks)), each))
    kept = qualifying_ledger(state)
    return draw_swiss(
        SwissConstraints(
            entrants=tuple(command),
            scores={each: kept.totals[each] for each in entrants},
            past=state.draws,
            floated=_floats(kept),
            clubs=_clubs(state),
            accessible=_needing(state) & set(entrants),
            accessible_tables=frozenset(state.format.accessible_tables),
            seed=seed,
        )
    )


def _needing(state: Tournament) -> frozenset[int]:
    return frozenset(each.number for each in state.entrants if each.needs_accessible_table)


def _clubs(state: Tournament) -> Mapping[int, str]:
    if not state.format.mates_apart:
        return {}
    return {each.number: each.club for each in state.entrants if each.club}


def _floats(kept: ResultTable) -> Mapping[int, int]:
    """How often everyone met somebody who had other points than they before the round."""
    floated: dict[int, int] = {}
    for entrant in kept.sittings:
        floated[entrant] = sum(
            _before(kept, entrant, own.round) != _before(kept, opponent, own.round)
            for own, _, opponent in kept.met(entrant)
        )
    return floated


def _before(kept: ResultTable, entrant: int, number: int) -> Points:
    sittings = kept.sittings[entrant].values()
    return sum(sitting.points for sitting in sittings if sitting.round < number)
