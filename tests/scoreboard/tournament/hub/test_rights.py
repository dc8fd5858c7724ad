"""Who may give which order."""

from __future__ import annotations

import pytest

from scoreboard.tournament.hub.tournament_service import (
    NotAllowedError,
    TournamentService,
    player_actor,
    table_actor,
)
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.rounds import CloseRound
from scoreboard.tournament.model.tournament import Command
from scoreboard.tournament.protocol.audit_log import Actor
from tests.scoreboard.tournament.hub.events import DIRECTOR, REFEREE, begun_event
from tests.scoreboard.tournament.model.directing import KIM
from tests.scoreboard.tournament.model.eights import EVENING, FIRST, scores

REPORT = ReportResult(1, 1, 1, scores(FIRST))
SIGN = Sign(1, 1, 1, 2)
DISPUTE = Dispute(1, 1, 1, 2, "miscounted")
CORRECT = CorrectResult(1, 1, 1, scores("1 30, 2 -10, 3 -10, 4 -10"), **KIM)


@pytest.mark.parametrize(
    ("actor", "commands"),
    [
        (DIRECTOR, (REPORT, SIGN, CORRECT)),
        (REFEREE, (REPORT, SIGN, CORRECT)),
        (table_actor(1), (REPORT, SIGN, DISPUTE)),
        (player_actor(2), (REPORT, SIGN, DISPUTE)),
    ],
)
def test_each_role_has_its_orders(
    service: TournamentService, actor: Actor, commands: tuple[Command, ...]
) -> None:
    """Officials correct; a table and a player report, sign and dispute what is theirs."""
    tournament_id = begun_event(service)
    assert service.give_all(tournament_id, commands, actor).version == 10 + len(commands)


@pytest.mark.parametrize(
    ("actor", "command"),
    [
        (REFEREE, CloseRound()),
        (table_actor(1), CORRECT),
        (table_actor(2), REPORT),
        (player_actor(2), CORRECT),
        (player_actor(5), REPORT),
        (player_actor(3), SIGN),
        (player_actor(3), DISPUTE),
        (Actor("hub", "nightly"), REPORT),
    ],
)
def test_nobody_gives_the_orders_of_others(
    service: TournamentService, actor: Actor, command: Command
) -> None:
    """Neither of another role nor for another table or player; it is refused, not decided."""
    tournament_id = begun_event(service)
    with pytest.raises(NotAllowedError):
        service.give(tournament_id, command, actor)
    assert service.snapshot(tournament_id).version == 10


@pytest.mark.parametrize("actor", [REFEREE, table_actor(1), Actor("hub", "nightly")])
def test_the_director_alone_opens_an_event(service: TournamentService, actor: Actor) -> None:
    """Everyone else is told whose it is to do."""
    with pytest.raises(PermissionError, match="director"):
        service.open("Cup", EVENING, actor)
