"""What holds for all topics: stored names, roles, and a finished tournament."""

from __future__ import annotations

from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules

from scoreboard.tournament import model
from scoreboard.tournament.model.disputes import Settle
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound
from scoreboard.tournament.model.stages import Finish, Reopen
from scoreboard.tournament.model.tournament import Event, may_command
from scoreboard.tournament.model.tournament_transcript import KINDS
from tests.scoreboard.tournament.model.directing import FIRST, KIM, SECOND, begun, refusal, scores


def test_every_event_has_a_stored_name() -> None:
    """One that the table lacked could be decided, and then not be kept."""
    names = (each.name for each in iter_modules(model.__path__, f"{model.__name__}."))
    defined = {
        each
        for topic in map(import_module, names)
        for each in vars(topic).values()
        if isinstance(each, type) and issubclass(each, Event) and not isabstract(each)
    }
    assert defined == set(KINDS.values())


def test_roles_may_give_what_is_theirs() -> None:
    """Tables report and sign; the referee settles; the director leads."""
    report, settle = ReportResult(1, 1, 1, scores(FIRST)), Settle(1, 1, 1, scores(FIRST), **KIM)
    assert [may_command(role, report) for role in ("table", "referee", "director")] == [True] * 3
    assert [may_command(role, settle) for role in ("table", "referee")] == [False, True]
    assert not may_command("referee", DrawRound(1))


def test_what_is_finished_stands_until_it_is_reopened() -> None:
    """A protest after the end reopens, corrects and finishes again."""
    directing = begun()
    assert "is not closed" in refusal(directing.state, Finish())
    assert "is not finished" in refusal(directing.state, Reopen(**KIM))
    directing.report(1, FIRST).report(2, SECOND).give(CloseRound(), Finish())
    correct = CorrectResult(1, 1, 1, scores("1 0, 2 0, 3 0, 4 0"), **KIM)
    assert "reopen it first" in refusal(directing.state, correct)
    directing.give(Reopen(**KIM), correct, Finish())
    assert directing.state.finished
    assert directing.places[0] == (1, 5)
