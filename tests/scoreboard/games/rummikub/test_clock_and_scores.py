"""Rummikub by clock and scores: nobody enters what is laid (CS-1)."""

from __future__ import annotations

import pytest

from scoreboard.errors import RuleViolationError
from scoreboard.games.rummikub.game import GAME
from scoreboard.games.rummikub.state import State
from tests.scoreboard.games.rummikub.playing import events, played, rows

SETUP = "Ann Ben Cem turns=clock"


def after(lines: str, options: str = "") -> State:
    """The game of three after these lines."""
    return played(f"{SETUP} {options}", lines)


def counted(state: State) -> str:
    """Whose turn it is and what for, the tiles drawn, and those of them for failed turns."""
    here, seat = state.round, GAME.turn(state).player
    whose = "nobody" if seat is None else state.players[seat]
    return f"{whose} {here.stage}, {here.taken}, {here.penalties}"


TURNS = """
next                          | Ben playing, (0, 0, 0), (0, 0, 0)
next / next / next            | Ann playing, (0, 0, 0), (0, 0, 0)
draw                          | Ben playing, (1, 0, 0), (0, 0, 0)
next / draw / next / draw     | Ben playing, (1, 1, 0), (0, 0, 0)
fail                          | Ann restoring, (3, 0, 0), (3, 0, 0)
fail / restore -              | Ben playing, (3, 0, 0), (3, 0, 0)
fail / untouched              | Ben playing, (1, 0, 0), (0, 0, 0)
draw / fail / untouched / next / fail / restore - | Ben playing, (4, 1, 0), (3, 0, 0)
rummikub Ann                  | nobody counting, (0, 0, 0), (0, 0, 0)
next / rummikub Ann           | nobody counting, (0, 0, 0), (0, 0, 0)
draw / round 9 -4 -5          | Ann drawing, (0, 0, 0), (0, 0, 0)
"""


@pytest.mark.parametrize(("lines", "then"), rows(TURNS))
def test_a_turn(lines: str, then: str) -> None:
    """RK-6, RK-7, RK-18, CS-1: who is next, and what was drawn; a new round counts anew."""
    assert counted(after(f"begin Ann / {lines}")) == then


REFUSED = """
                     | next             | CS-1 | First it must be known who begins the round.
                     | draw             | RK-6  | First it must be known who begins the round.
                     | round 9 -4 -5    | RK-11 | First it must be known who begins the round.
begin Ann            | lay K10 R10 B10  | RK-8  | Nobody enters what is laid in this game
begin Ann            | overrule K10     | RK-8  | Nobody enters what is laid in this game
begin Ann            | pass             | RK-12 | Nobody enters what is laid in this game
begin Ann            | draw K1          | RK-6  | so the tile drawn stays secret
begin Ann            | count Ann, 9     | RK-2  | This rack cannot be counted now.
begin Ann            | rack Ben, K1     | RK-11 | This rack cannot be entered now.
begin Ann            | stop Ben         | RK-12 | The round ends by the tiles that are counted.
begin Ann / fail     | next             | CS-1 | First the table must be put back as it stood.
begin Ann / fail     | round 9 -4 -5    | RK-11 | First the table must be put back as it stood.
begin Ann / fail     | restore K1 K2 K3 | RK-7  | did not lie there before
"""


@pytest.mark.parametrize(("lines", "line", "rule", "why"), rows(REFUSED))
def test_what_is_not_entered_is_refused(lines: str, line: str, rule: str, why: str) -> None:
    """RK-2, RK-6 to RK-8, RK-11, RK-12, CS-1: with what would be right instead."""
    with pytest.raises(RuleViolationError) as caught:
        events(after(lines), line)
    assert caught.value.rule == rule
    assert why in str(caught.value)


SCORES = """
            | next / rummikub Ben / rack Ann, K7 R12 J / points Cem, 5 | -49 54 -5
joker=50    | rummikub Cem / rack Ann, K7 R12 J / points Ben, 5        | -69 -5 74
            | stop Ann / points Ann, 5 / points Ben, 5 / rack Cem, O12 | 3 4 -7
            | round -3 -4 7                                            | -3 -4 7
"""


@pytest.mark.parametrize(("options", "lines", "scores"), rows(SCORES))
def test_the_scores_of_a_round(options: str, lines: str, scores: str) -> None:
    """RK-10, RK-11, RK-13: racks as tiles or as points; then the next round is drawn for."""
    state = after(f"begin Ann / {lines}", options)
    assert state.totals == tuple(map(int, scores.split()))
    assert sum(state.totals) == 0
    assert counted(state) == "Ann drawing, (0, 0, 0), (0, 0, 0)"


def test_the_sheet_counts_the_tiles_of_the_open_round() -> None:
    """RK-6, RK-7: what everyone drew, and whose turn it is; a finished game counts no more."""
    sheet = GAME.scoresheet(after("begin Ann / draw / fail / restore -"))
    assert [cell.points for cell in sheet.row("drawn").cells] == [1, 3, 0]
    assert [cell.points for cell in sheet.row("penalties").cells] == [0, 3, 0]
    assert sheet.current == 2
    assert [str(option) for option in sheet.options] == ["clock and scores, turns are not judged"]
    over = GAME.scoresheet(after("begin Ann / round 9 -4 -5", "rounds=1"))
    assert [row.key for row in over.rows] == ["round-1", "grand"]


@pytest.mark.parametrize(("clock", "seconds"), [("60", 60), ("45", 45), ("off", None)])
def test_a_turn_lasts_as_agreed(clock: str, seconds: int | None) -> None:
    """RK-7: KEEP passes on, REROLL draws, and out of time is a failed turn."""
    state = after("begin Ann", f"clock={clock}")
    awaited = GAME.turn(state).awaited
    assert awaited is not None
    assert (awaited.seconds, awaited.first, awaited.second) == (seconds, "next", "draw")
    assert awaited.expected is None  # no camera looks at the table


@pytest.mark.parametrize("turns", ["judged", "clock"])
def test_a_time_bank_is_used_before_a_turn_fails(turns: str) -> None:
    """RK-7: 30 seconds at once, of each player's own, until nothing is left of it."""
    state = played(f"Ann Ben turns={turns} bank=1", "begin Ann / extend / fail / untouched")
    assert _clock(state) == (60, "extend")
    assert _clock(played(state, "draw / extend")) == (90, "fail")
    sheet = GAME.scoresheet(played(state, "extend"))
    assert [cell.points for cell in sheet.row("bank").cells] == [30, 30]
    with pytest.raises(RuleViolationError, match="no more time"):
        played(state, "draw / extend / extend")
    untimed = played(f"Ann Ben turns={turns} bank=1 clock=off", "begin Ann")
    assert "extend" not in [offer.key for offer in GAME.offers(untimed)]


def _clock(state: State) -> tuple[int | None, str | None]:
    awaited = GAME.turn(state).awaited
    assert awaited is not None
    return awaited.seconds, awaited.time_up


def test_who_calls_late_is_found_apart() -> None:
    """RK-11: the player at turn goes out; who called it after passing on stands apart."""
    offers = GAME.offers(after("begin Ann / next"))
    aside = {offer.key: offer.aside for offer in offers if offer.key.startswith("rummikub")}
    assert aside == {"rummikub:0": True, "rummikub:1": False, "rummikub:2": True}
