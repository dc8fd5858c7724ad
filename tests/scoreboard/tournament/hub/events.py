"""Events under way at a hub, for its tests."""

from __future__ import annotations

from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.hash_chain import SigningKey
from scoreboard.tournament.model.rounds import DrawByHand, StartRound
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.audit_log import Actor
from tests.scoreboard.tournament.model.directing import KIM
from tests.scoreboard.tournament.model.eights import EVENING, TWO_TABLES

DIRECTOR = Actor("director", "Seo-yeon")
REFEREE = Actor("referee", "Kim")
KEY = SigningKey(bytes(32))


def entered_event(
    service: TournamentService, form: TournamentFormat = EVENING, entrants: int = 8
) -> str:
    """An event with its entries; answers its id."""
    tournament_id = service.open("Winter Open", form, DIRECTOR)
    entries = [
        Enter(Entrant(number, f"Player {number}", seed_rank=number))
        for number in range(1, entrants + 1)
    ]
    service.give_all(tournament_id, entries, DIRECTOR)
    return tournament_id


def begun_event(service: TournamentService, form: TournamentFormat = EVENING) -> str:
    """Eight players at two tables, round 1 under way."""
    tournament_id = entered_event(service, form)
    service.give_all(tournament_id, (DrawByHand(TWO_TABLES, **KIM), StartRound()), DIRECTOR)
    return tournament_id
