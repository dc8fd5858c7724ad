"""Events under way at a hub, for its tests."""

from __future__ import annotations

from scoreboard.hub.desk import HubDesk
from scoreboard.logbook import Actor
from scoreboard.tournament.entrant import Entrant
from scoreboard.tournament.orders import DrawByHand, Enter, StartRound
from scoreboard.tournament.record_signature import SigningKey
from scoreboard.tournament.tournament_format import TournamentFormat
from tests.scoreboard.tournament.directing import KIM
from tests.scoreboard.tournament.eights import EVENING, TWO_TABLES

DIRECTOR = Actor("director", "Seo-yeon")
REFEREE = Actor("referee", "Kim")
KEY = SigningKey(bytes(32))


def entered_event(desk: HubDesk, form: TournamentFormat = EVENING, entrants: int = 8) -> str:
    """An event with its entries; answers its id."""
    tournament_id = desk.open("Winter Open", form, DIRECTOR)
    entries = [
        Enter(Entrant(number, f"Player {number}", seed_rank=number))
        for number in range(1, entrants + 1)
    ]
    desk.give_all(tournament_id, entries, DIRECTOR)
    return tournament_id


def begun_event(desk: HubDesk, form: TournamentFormat = EVENING) -> str:
    """Eight players at two tables, round 1 under way."""
    tournament_id = entered_event(desk, form)
    desk.give_all(tournament_id, (DrawByHand(TWO_TABLES, **KIM), StartRound()), DIRECTOR)
    return tournament_id
