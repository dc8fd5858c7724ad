"""A game on the table: its acts and its offers."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from scoreboard.dice import Roll
from scoreboard.errors import NotOfferedError
from scoreboard.games import GAMES
from scoreboard.games.dice.acts import DiceKept, DiceRolled
from scoreboard.games.engine.transcript import Abandoned, GameHeader, RecordedEvent, Resumed
from scoreboard.games.notation import replay_text
from scoreboard.table.game_session import GameSession, PlannedAct
from scoreboard.table.proposal import Proposal
from tests.scoreboard.table.fakes import EVENING, reading

SESSION = GameSession.of(
    GameHeader("evening", "yahtzee", ("North", "South"), EVENING, {"start": "first"}),
    GAMES["yahtzee"],
)


def test_acts_follow_one_another() -> None:
    acts = [
        PlannedAct("roll", Roll.parse("55521")),
        PlannedAct("keep", Roll.parse("555")),
        PlannedAct("stand"),
    ]
    events = SESSION.outcome_of(acts)
    assert events == (
        DiceRolled(Roll.parse("55521")),
        DiceKept(Roll.parse("555")),
        DiceKept(Roll.parse("55521")),
    )


@pytest.mark.parametrize("act", [PlannedAct("stand"), PlannedAct("roll"), PlannedAct("nonsense")])
def test_an_act_that_is_not_offered_is_refused(act: PlannedAct) -> None:
    with pytest.raises(NotOfferedError):
        SESSION.outcome_of([act])


def test_a_proposal_has_the_dice_that_could_be_read() -> None:
    seen: Proposal = reading("6?13")
    assert seen.roll == Roll.parse("136")


PLAYED = sorted((Path(__file__).parents[2] / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_step_by_step_a_game_stands_where_replaying_it_leads(path: Path) -> None:
    """Also where steps were taken back, and where the game was put away in between."""
    replayed = replay_text(path.read_text(encoding="utf-8"))
    session = GameSession.of(replayed.header, replayed.game)
    for _, step in groupby(replayed.records, key=lambda record: record.step):
        session = session.followed_by(tuple(step))
        whole = GameSession.of(session.header, session.game, session.records)
        assert session == whole
        assert session.last_step == whole.last_step


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_whatever_changes_a_total_of_dice_is_the_last_score(path: Path) -> None:
    """A game that forgot to declare which of its events gives points would tell of none."""
    replayed = replay_text(path.read_text(encoding="utf-8"))
    if not replayed.game.has_dice:
        return  # its rounds give points to all at once
    session = GameSession.of(replayed.header, replayed.game)
    for _, step in groupby(replayed.records, key=lambda record: record.step):
        before, session = session, session.followed_by(tuple(step))
        if grand_totals(session) != grand_totals(before) and session.last_step != before.last_step:
            assert session.last_score != before.last_score


def grand_totals(session: GameSession) -> list[int | None]:
    row = session.game.scoresheet(session.state).row("grand")
    return [cell.points for cell in row.cells]


def test_putting_away_changes_no_state() -> None:
    session = SESSION
    for event, away in ((Abandoned(), True), (Resumed(), False), (Abandoned(), True)):
        number = len(session.records) + 1
        record = RecordedEvent("evening", number, EVENING, "page", number, event)
        session = session.followed_by((record,))
        assert session == GameSession.of(session.header, session.game, session.records)
        assert session.is_abandoned == away
        assert not session.last_step
