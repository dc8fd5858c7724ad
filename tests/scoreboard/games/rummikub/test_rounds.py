"""Rounds of Rummikub: turns, how they end, what they score, and how the game ends."""

from __future__ import annotations

import pytest

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.rummikub import acts
from scoreboard.games.rummikub.game import GAME, pieces_on_table
from scoreboard.games.rummikub.state import State
from scoreboard.games.rummikub.tiles import Tiles
from tests.scoreboard.games.rummikub.playing import (
    NAMES,
    RACKS,
    begun,
    events,
    evolved,
    played,
    rows,
)

OUT = "begin Ann / count Ann, 3 / lay K10 R10 B10"  # and Ann's rack is empty
STAGES = {  # who plays by which house rules, and what has been played
    "drawing": ("Ann Ben", ""),
    "playing": ("Ann Ben", "begin Ann"),
    "restoring": ("Ann Ben", "begin Ann / fail"),
    "counting": ("Ann Ben", "begin Ann / count Ann, ? / rummikub Ann / count Ben, 1"),
    "no turns": ("Ann Ben turns=scores", ""),
    "over": ("Ann Ben turns=scores", "round 1 -1 / end"),
    "agreed": ("Ann Ben turns=scores rounds=2", "round 1 -1"),
    "target": ("Ann Ben turns=scores target=1", "stop Ann / round 0 0"),
    "three": ("A B C", ""),
    "three scores": ("A B C turns=scores", ""),
    "five": ("A B C D E", ""),
    "out": ("Ann Ben Cem", f"{OUT} / count Ben, 3 / points Cem, 4"),
}


def refusal(state: State, line: str) -> tuple[str, str]:
    """The rule that refuses a line, and its sentence."""
    with pytest.raises(RuleViolationError) as caught:
        events(state, line)
    return caught.value.rule, str(caught.value)


def position(state: State) -> str:
    """Whose turn it is and what for, the tiles on the racks and in the pool, and the table."""
    seat, racks = GAME.turn(state).player, " ".join(str(rack.count) for rack in state.round.racks)
    whose = "nobody" if seat is None else state.players[seat]
    return f"{whose} {state.round.stage}, {racks}, {state.pool}, {state.round.table}"


@pytest.mark.parametrize(("players", "pool"), [(2, 78), (3, 64), (4, 50), (5, 90), (6, 76)])
def test_the_pool_after_dealing(players: int, pool: int) -> None:
    """RK-1, RK-2: 106 tiles or 160, less 14 a player."""
    state = played(" ".join(NAMES[:players]), "begin North")
    assert [state.pool, *(rack.count.tiles for rack in state.round.racks)] == [
        pool,
        *[14] * players,
    ]


STARTS = """
A B       | tile A, R4 / tile B, B9                                     | B playing
A B       | tile A, R9 / tile B, B9                                     | A drawing
A B       | tile A, R9 / tile B, B9 / tile A, K1 / tile B, O1           | A drawing
A B       | tile A, R9 / tile B, B9 / tile A, K1 / tile B, K2           | B playing
A B C     | tile A, R8 / tile B, B8 / tile C, K9                        | C playing
A B C     | tile A, R8 / tile B, B9 / tile C, K9 / tile B, K1           | C drawing
A B C     | tile A, R8 / tile B, B9 / tile C, K9 / tile B, K1 / tile C, O2 | C playing
A B C D E | tile A, K9 / tile B, K9 / tile C, K9                        | D drawing
A B       | tile A, R13 / begin B                                       | B playing
"""


@pytest.mark.parametrize(("setup", "lines", "then"), rows(STARTS))
def test_who_begins(setup: str, lines: str, then: str) -> None:
    """RK-2: the highest number begins; those tied for it draw again among themselves."""
    assert position(played(setup, lines)).startswith(f"{then},")


TURNS = """
draw                                        | Ben playing, 15 14, 77, -
lay K10 R10 B10                             | Ben playing, 11 14, 78, K10 R10 B10
fail / restore -                            | Ben playing, 17 14, 75, -
fail / untouched                            | Ben playing, 15 14, 77, -
lay K10 R10 B10 / fail / untouched          | Ann playing, 11 15, 77, K10 R10 B10
lay K10 R10 B10 / fail / restore K10 R10 B10 | Ann playing, 11 17, 75, K10 R10 B10
lay K10 R10 B10 J / fail / restore K10 R10 B10 | Ann playing, 10 17, 76, K10 R10 B10
lay K10 R10 B10 / fail / restore -          | Ann playing, 11 17, 78, -
count Ben, 92 / lay K10 R10 B10             | Ben playing, 11 92, 0, K10 R10 B10
count Ben, 91 / draw                        | Ben playing, 15 91, 0, -
count Ben, 90 / fail / restore -            | Ben playing, 16 90, 0, -
count Ben, 90 / fail / untouched            | Ben playing, 15 90, 1, -
count Ben, 89 / fail                        | Ann restoring, 17 89, 0, -
count Ben, ? / draw                         | Ben playing, 15 ?, None, -
count Ann, ? / fail / untouched             | Ben playing, ? 14, None, -
count Ann, ? / count Ben, 92 / rack Ann, KNOWN | Ann playing, 14 92, 0, -
"""


@pytest.mark.parametrize(("lines", "then"), rows(TURNS))
def test_a_turn(lines: str, then: str) -> None:
    """RK-2, RK-6, RK-7, RK-12, RK-18: what comes to a rack or the pool, and whose turn it is."""
    assert position(played("Ann Ben", f"begin Ann / {lines}")) == then


def test_sets_are_shown_in_order() -> None:
    """Whatever order they were entered in, with what a joker stands for."""
    state = played("Ann Ben", "begin Ann / lay R10 J R11 R9, B9 K9 O9")
    shown = [" ".join(group.pieces) for group in pieces_on_table(state)]
    assert shown == ["R9 R10 R11 J=R12", "K9 B9 O9"]


STALEMATES = """
first  | count C, 78 / pass                                           | A
first  | count C, 78 / fail / restore -                               | A
first  | lay R9 R10 R11 / draw / lay R9 R10 R11, O9 O10 O11 / count B, 78 / pass | A
first  | draw / draw / count A, 77 / pass                             | C
first  | count C, 78 / lay K10 R10 B10 / fail / restore -             | B
nobody | count C, 78 / pass / fail / restore - / fail / untouched     | C
nobody | count C, 78 / pass / lay K10 R10 B10 / pass / pass / pass    | B
nobody | count C, 78 / pass / count C, 77 / draw / pass / pass / pass | B
"""


@pytest.mark.parametrize(("option", "lines", "last"), rows(STALEMATES))
def test_an_empty_pool_ends_the_round(option: str, lines: str, last: str) -> None:
    """RK-12: the first who lays nothing ends it; by the house rule, only all in a row."""
    before, line = f"begin A / {lines}".rsplit(" / ", 1)
    state = played(f"A B C empty_pool={option}", before)
    assert state.round.stage != "counting"
    assert events(state, line)[1:] == (acts.RoundStopped(last, told=False),)
    assert position(played(state, line)).startswith("nobody counting,")


# What is played, and what answers it in the first six stages.
MOMENTS = """
tile Ann, R1         | ok    | RK-2  | RK-2  | RK-2  | RK-2  | RK-15
begin Ann            | ok    | RK-2  | RK-2  | RK-2  | RK-2  | RK-15
lay K10 R10 B10      | RK-8  | ok    | RK-8  | RK-8  | RK-8  | RK-15
overrule K10 R10 B10 | RK-8  | ok    | RK-8  | RK-8  | RK-8  | RK-15
draw                 | RK-6  | ok    | RK-6  | RK-6  | RK-6  | RK-15
draw K1              | RK-6  | RK-6  | RK-6  | RK-6  | RK-6  | RK-15
pass                 | RK-12 | RK-6  | RK-12 | RK-12 | RK-12 | RK-15
fail                 | RK-7  | ok    | RK-7  | RK-7  | RK-7  | RK-15
restore -            | RK-7  | RK-7  | ok    | RK-7  | RK-7  | RK-15
next                 | CS-1 | CS-1 | CS-1 | CS-1 | CS-1 | RK-15
untouched            | RK-18 | RK-18 | ok    | RK-18 | RK-18 | RK-15
count Ben, 9         | RK-2  | ok    | RK-2  | ok    | RK-2  | RK-15
rack Ben, K1         | RK-11 | RK-11 | RK-11 | ok    | RK-11 | RK-15
points Ben, 1        | RK-11 | RK-11 | RK-11 | ok    | RK-11 | RK-15
rummikub Ben         | RK-11 | RK-11 | RK-11 | RK-11 | ok    | RK-15
stop Ben             | RK-12 | RK-12 | RK-12 | RK-12 | ok    | RK-15
round 1 -1           | RK-11 | RK-11 | RK-11 | ok    | ok    | RK-15
end                  | RK-15 | RK-15 | RK-15 | RK-15 | RK-15 | RK-15
"""


@pytest.mark.parametrize(("line", "rules"), [(line, rules) for line, *rules in rows(MOMENTS)])
def test_what_the_state_allows(line: str, rules: list[str]) -> None:
    """RK-2, RK-6 to RK-8, RK-11, RK-12, RK-15, RK-18, CS-1: each stage has its own acts."""
    for (setup, lines), rule in zip(STAGES.values(), rules, strict=False):
        state = played(setup, lines)
        assert events(state, line) if rule == "ok" else refusal(state, line)[0] == rule, lines


# The stage, what is played there, the line refused, its rule, and a part of the sentence.
REFUSED = """
three | | tile A, J | RK-2 | A joker is put back: draw again.
three | | tile A, R1 R2 | RK-2 | Enter the one tile that was drawn
three | | tile A, - | RK-2 | Enter the one tile that was drawn
three | tile A, R9 | tile A, R1 | RK-2 | It is B who draws now.
three | | begin Zoe | RK-2 | Zoe does not play here.
three | tile A, K9 / tile B, K9 | tile C, K9 | RK-2 | more of black 9 than the box holds.
five | tile A, K9 / tile B, K9 / tile C, K9 | tile D, K9 | RK-2 | more of black 9 than
drawing | | lay K1 K2 K3 | RK-8 | First it must be known who begins the round.
playing | | untouched | RK-18 | The round is still being played.
restoring | | lay K1 K2 K3 | RK-8 | First the table must be put back as it stood.
counting | | lay K1 K2 K3 | RK-8 | The round is over: enter what is left on the racks.
no turns | | lay K1 K2 K3 | RK-8 | Turns are not entered in this game: say how the round ended.
over | | lay K1 K2 K3 | RK-15 | The game is over.
agreed | | end | RK-15 | The game ends between two rounds, as the table agreed.
target | | end | RK-15 | The game ends between two rounds, as the table agreed.
no turns | round 1 -1 / rummikub Ann | end | RK-15 | The game ends between two rounds
counting | points Ben, 5 / tile Ann, K1 | end | RK-15 | The game ends between two rounds
playing | count Ben, 91 | pass | RK-6 | There are tiles in the pool: draw one.
playing | count Ben, ? | pass | RK-6 | There are tiles in the pool: draw one.
playing | count Ben, 92 | draw | RK-12 | The pool is empty: nothing can be drawn.
playing | | draw K1 | RK-6 | This rack was never entered, so the tile drawn stays secret, too.
playing | rack Ann, KNOWN | draw K2 K4 | RK-6 | One tile is drawn, not 2.
playing | rack Ann, KNOWN / count Ben, 1 / rack Ben, R1 | draw R1 | RK-6 | more of red 1 than
playing | lay K1 R1 B1 O1, K10 R10 B10 / rack Ben, KNOWN | draw K1 | RK-6 | more of black 1 than
playing | lay K10 R10 B10 / fail | restore K10 R10 O10 | RK-7 | orange 10 did not lie there
playing | lay K10 R10 B10 / fail | restore K10 R10 B10 J | RK-7 | joker did not lie there
playing | lay K10 R10 B10 / fail | restore K10 R10 | RK-7 | red 10 are no set: what has no place
playing | count Ben, ? | rummikub Ann | RK-11 | Ann still has tiles on the rack.
playing | | rummikub Zoe | RK-11 | Zoe does not play here.
playing | | stop Ann | RK-12 | The round ends by the tiles that are counted.
playing | count Ann, ? | stop Ben | RK-12 | The round ends by the tiles that are counted.
playing | count Ann, ? | stop Zoe | RK-12 | Zoe does not play here.
playing | | count Ann, 0 | RK-2 | A rack has 1 tile at least, this one 92 at most.
playing | lay K10 R10 B10 | count Ben, 93 | RK-2 | 1 tile at least, this one 92 at most.
playing | count Ben, 90 | count Ann, 17 | RK-2 | 1 tile at least, this one 16 at most.
playing | | count Zoe, 9 | RK-2 | Zoe does not play here.
playing | rack Ann, KNOWN | rack Ann, KNOWN | RK-11 | This rack cannot be entered now.
playing | | rack Ann, K1 K2 | RK-11 | You entered 2 of 14 tiles: enter them all
playing | | rack Zoe, K1 | RK-11 | Zoe does not play here.
playing | rack Ben, PAIRS / count Ann, 1 | rack Ann, K10 | RK-11 | more of black 10 than
playing | lay K9 K10 K11, K10 R10 O10 / count Ben, 1 | rack Ben, K10 | RK-11 | more of black 10
playing | count Ann, ? / count Ben, 104 | rack Ann, K1 K2 K3 | RK-11 | this one 2 at most.
playing | rack Ann, KNOWN | lay K11 R11 B11 | RK-8 | blue 11 did not come from the rack.
playing | rack Ben, PAIRS | lay K10 R10 B10 | RK-1 | RK-1: There are more of black 10 than
playing | count Ann, 2 | lay K10 R10 B10 | RK-8 | 3 new tiles lie there, but the rack held 2.
playing | lay K10 R10 B10 | lay K10 R10 B10 O10 | RK-5 | in your first meld. RK-5: 0 of 30
playing | lay B4 J B6, K9 R9 O9 / draw | lay B4 B5 B6, K9 R9 O9 J | RK-9 | goes into a new set
playing | | overrule - | RK-8 | RK-8: No tile came from the rack: lay at least one.
playing | lay K10 R10 B10 O10 / draw | overrule K10 R10 B10 | RK-8 | No tile came from the rack
playing | count Ann, 1 | overrule K1 K1 K1 | RK-1 | than the box holds. RK-8: 3 new tiles lie
playing | rack Ben, PAIRS | overrule K10 | RK-1 | RK-1: There are more of black 10 than
out | | round 10 -4 -5 | RK-11 | add up to 0, these to 1: look for the mistake.
out | | round 9 -4 -5 0 | RK-11 | Enter 3 numbers
out | | round -9 4 5 | RK-11 | Who did not empty the rack loses points in this round.
out | | round 5 -5 0 | RK-11 | Who did not empty the rack loses points in this round.
no turns | | round 0 0 | RK-11 | One player wins a round
three scores | | round 10 10 -20 | RK-11 | Then say first who laid nothing.
three scores | | round 30 0 -30 | RK-11 | One player wins a round
three scores | rummikub A | round 5 5 -10 | RK-11 | Who did not empty the rack loses points
three scores | stop A | round 6 4 -10 | RK-11 | 5 each, and the odd points (0) go to who would
three scores | stop A | round 7 4 -11 | RK-11 | 5 each, and the odd points (1) go to who would
out | | points Ann, 5 | RK-11 | This rack cannot be entered now.
out | | points Ben, 0 | RK-11 | A rack costs 1 to 788 points, not 0.
out | | points Ben, 789 | RK-11 | A rack costs 1 to 788 points, not 789.
out | | count Cem, 1 | RK-2 | This rack cannot be counted now.
out | | points Zoe, 5 | RK-11 | Zoe does not play here.
out | | rack Ben, K1 K2 | RK-11 | You entered 2 of 3 tiles: enter them all
out | | rack Ben, K10 K10 K1 | RK-11 | There are more of black 10 than the box holds.
"""


@pytest.mark.parametrize(("stage", "lines", "line", "rule", "why"), rows(REFUSED))
def test_an_act_is_refused(stage: str, lines: str, line: str, rule: str, why: str) -> None:
    """RK-1, RK-2, RK-5 to RK-9, RK-11, RK-12, RK-15, RK-18: and told what would be right."""
    entered, sentence = refusal(played(played(*STAGES[stage]), lines), line)
    assert entered == rule
    assert why in sentence


def test_a_refused_table_names_every_fault_and_may_be_mended() -> None:
    """RK-3, RK-8, RK-18: each fault with its rule; then another table may be shown."""
    state = played("Ann Ben", "begin Ann / lay B4 B5 B6 B7, K10 R10 B10, K1 K2 K3 / draw")
    rule, sentence = refusal(state, "lay B5 B6 B7, B4, K10 R10 B10, K1 K2, R9 R9 O9")
    assert (rule, *sentence.split(". ")) == (
        "RK-8",
        "RK-8: blue 4 is left alone: a set has three tiles or more",
        "RK-8: black 1, black 2 are too few: a set has three tiles or more",
        "RK-3: red 9 twice: a group has each colour once",
        "RK-8: black 3 lay on the table: put back what is gone.",
    )
    mended = played(state, "lay B4 B5 B6 B7, K10 R10 B10, K1 K2 K3, R9 B9 O9")
    assert position(mended).startswith("Ben playing, 1 15, 77,")


# After Ann began: the table that players insist on; then what was laid, and the racks.
OVERRULED = """
                               | K9 R9 B9               | K9 R9 B9    | 11 14
lay K10 R10 B10 O10 / draw     | K10 R10 B10, K1 K2 K3  | K1 K2 K3    | 8 15
lay B4 J B6, O9 O10 O11 / draw | B4 B5 B6, O9 O10 O11 J | B5          | 7 15
rack Ann, KNOWN                | O11 O12 O13            | O11 O12 O13 | 11 14
"""


@pytest.mark.parametrize(("lines", "table", "laid", "racks"), rows(OVERRULED))
def test_the_players_overrule_the_referee(lines: str, table: str, laid: str, racks: str) -> None:
    """RK-5, RK-8, RK-9: what the referee refuses is taken as it is, and recorded as such."""
    state = played(played("Ann Ben", "begin Ann"), lines)
    assert refusal(state, f"lay {table}")
    (event,) = events(state, f"overrule {table}")
    assert isinstance(event, acts.TilesLaid)
    assert (event.player, event.overruled, str(event.laid)) == ("Ann", True, laid)
    after = evolved(state, (event,))
    assert position(after) == f"Ben playing, {racks}, {after.pool}, {table}"


def test_an_overruled_turn_counts_like_any_other() -> None:
    """RK-5, RK-8, RK-11: who insisted has melded, what lies there stays, an empty rack is out."""
    state = played("Ann Ben", "begin Ann / overrule K1 R2 / draw")
    (event,) = events(state, "lay K1 R2, O1 O2 O3")
    assert isinstance(event, acts.TilesLaid)
    assert not event.overruled
    last = played("Ann Ben", "begin Ann / count Ann, 2")
    assert events(last, "overrule K1 R2")[1:] == (acts.RummikubCalled("Ann", told=False),)


# Ann told her rack in play; `?` where it is not known any more.
KNOWN_RACKS = """
draw K13                         | KNOWN K13
lay K10 R10 B10 / draw           | LEFT
overrule K10 R10 B10             | LEFT
overrule K10 R10 B10 O12         | ?
draw                             | ?
fail                             | ?
count Ben, 92 / fail             | KNOWN
count Ann, 14                    | ?
count Ann, 3 / rack Ann, K1 K2 J | K1 K2 J
"""


@pytest.mark.parametrize(("lines", "rack"), rows(KNOWN_RACKS))
def test_a_rack_entered_in_play(lines: str, rack: str) -> None:
    """RK-6, RK-8: it is followed as long as every tile of it is told."""
    held = played("Ann Ben", f"begin Ann / rack Ann, {RACKS['KNOWN']} / {lines}").round.racks[0]
    assert (held.tiles and held.tiles.counts) == (Tiles.parse(rack).counts if rack != "?" else None)
    assert held.tiles is None or held.count.tiles == len(held.tiles)


# Ann is out already; A, B and C tell only how the round ended. Then its scores.
SCORED = """
Ann Ben          | points Ben, -24                        | 24 -24
Ann Ben          | points Ben, 788                        | 788 -788
Ann Ben          | count Ben, 3 / rack Ben, K7 R12 J      | 49 -49
Ann Ben joker=50 | count Ben, 3 / rack Ben, K7 J J        | 107 -107
Ann Ben Cem      | points Cem, 5 / points Ben, 4          | 9 -4 -5
Ann Ben Cem      | round 9 -4 -5                          | 9 -4 -5
A B C            | stop C / points A, 5 / points B, 5 / points C, 12 | 4 3 -7
A B C            | stop A / points A, 5 / points B, 5 / points C, 12 | 3 4 -7
A B C            | stop B / points A, 12 / points B, 5 / points C, 5 | -7 3 4
A B C D          | stop A / points A, 5 / points B, 5 / points C, 5 / points D, 7 | 0 2 0 -2
A B C D          | stop D / points A, 4 / points B, 10 / points C, 17 / points D, 9 | 24 -6 -13 -5
A B C joker=50   | stop A / rack A, J / rack B, K1 / points C, 2 | -49 50 -1
A B C            | rummikub B / points A, 3 / rack C, K4  | -3 7 -4
A B C            | round -3 -4 7                          | -3 -4 7
A B C            | stop A / round 5 6 -11                 | 5 6 -11
A B C            | stop A / round 6 5 -11                 | 6 5 -11
A B C            | stop A / round 0 0 0                   | 0 0 0
A B C            | stop A / round 0 1 -1                  | 0 1 -1
A B C            | stop A / round -3 -4 7                 | -3 -4 7
A B C            | round 9 -4 -5 / fix 1, 10 -5 -5        | 10 -5 -5
A B C bonus=50   | rummikub B / points A, 3 / points C, 4 | -3 57 -4
A B C bonus=50   | round -3 57 -4 / fix 1, -4 58 -4       | -4 58 -4
A B C bonus=50   | stop A / points A, 5 / points B, 9 / points C, 12 | 11 -4 -7
A B C most_lost=10 | rummikub B / points A, 3 / points C, 44 | -3 13 -10
A B C most_lost=10 | stop A / points A, 5 / points B, 9 / points C, 44 | 14 -4 -10
Ann Ben unmelded=100 | points Ben, 7                      | 107 -107
Ann Ben unmelded=100 most_lost=60 bonus=5 | points Ben, 7 | 65 -60
"""


@pytest.mark.parametrize(("setup", "lines", "scores"), rows(SCORED))
def test_the_scores_of_a_round(setup: str, lines: str, scores: str) -> None:
    """RK-10, RK-11, RK-13: minus the racks, or what they have above the lowest; zero together.

    A league's bonus for going out comes on top.
    """
    opened = played(setup, OUT) if setup.startswith("Ann") else begun(f"{setup} turns=scores")
    state = played(opened, lines)
    assert [str(Scores(each)) for each in state.scores] == [scores]
    assert sum(state.totals) == (0 if "stop" in lines else state.house.bonus)


@pytest.mark.parametrize(
    ("scores", "rule"), [("5 6 -11", "RK-13"), ("0 0 0", "RK-13"), ("12 -1 -11", "RK-11")]
)
def test_a_shared_round_answers_why_by_the_rule_that_shares(scores: str, rule: str) -> None:
    """RK-13: the odd point of equal racks is no mistake, and its rule says where it goes."""
    row = GAME.scoresheet(played("A B C turns=scores", f"stop A / round {scores}")).rows[0]
    assert (row.rule, {cell.rule for cell in row.cells}) == (rule, {rule})


@pytest.mark.parametrize(
    ("start", "first"), [("winner", "begin:1"), ("loser", "begin:2"), ("next", "begin:0")]
)
def test_keep_begins_the_next_round_as_agreed(start: str, first: str) -> None:
    """RK-15: by the last round's scores, or in turn; another may still be named."""
    opened = begun(f"A B C turns=clock begins={start}")
    assert GAME.turn(opened).awaited == GAME.turn(begun("A B C turns=clock")).awaited
    over = played(opened, "begin C / round -2 9 -7")
    awaited = GAME.turn(over).awaited
    assert awaited is not None
    assert awaited.first == first
    assert played(over, "begin C").round.seat == 2


def test_what_follows_by_itself_is_recorded_as_such() -> None:
    """RK-2, RK-7, RK-11, RK-12, RK-15, RK-18: by the rulebook, or told by the players."""
    drawn, out = played("Ann Ben", "tile Ann, R9"), played("Ann Ben", f"{OUT} / count Ben, 1")
    assert events(drawn, "tile Ben, B4")[1:] == (acts.BeginnerNamed("Ann", told=False),)
    assert events(drawn, "begin Ben") == (acts.BeginnerNamed("Ben", told=True),)
    failed = played("Ann Ben", "begin Ann / fail")
    assert events(played("Ann Ben", "begin Ann"), "fail") == (acts.TurnFailed("Ann", 3),)
    assert events(failed, "untouched") == (acts.PenaltyReduced("Ann", 1),)
    assert events(out, "rack Ben, J") == (
        acts.RackSummed("Ben", Tiles.parse("J"), 30, told=True),
        acts.RoundScored(Scores((30, -30)), told=False),
    )
    assert events(out, "round 7 -7") == (acts.RoundScored(Scores((7, -7)), told=True),)
    unknown = played("Ann Ben Cem", "begin Ann / count Ben, ?")
    assert events(unknown, "rummikub Ben") == (acts.RummikubCalled("Ben", told=True),)
    assert events(unknown, "stop Ann") == (acts.RoundStopped("Ann", told=True),)
    assert events(played("A B turns=scores", "round 1 -1"), "end") == (acts.GameEnded(told=True),)
    agreed = begun("A B turns=scores rounds=1")
    assert events(agreed, "round 1 -1")[1:] == (acts.GameEnded(told=False),)


def test_a_known_rack_is_summed_by_itself() -> None:
    """RK-5, RK-11, RK-13, RK-15: whether somebody is out or nobody; then all begins anew."""
    entered, line = f"rack Ann, {RACKS['KNOWN']}", "lay K12 R12 B12"
    summed = acts.RackSummed("Ann", Tiles.parse(RACKS["KNOWN"]), 78, told=False)
    state = played("Ann Ben", f"begin Ben / {entered} / count Ben, 3")
    scored = acts.RoundScored(Scores((-78, 78)), told=False)
    assert events(state, line)[1:] == (acts.RummikubCalled("Ben", told=False), summed, scored)
    assert position(played(state, line)) == "Ann drawing, 14 14, 78, -"
    assert refusal(played(state, f"{line} / begin Ben"), "lay K1 K2 K3")[0] == "RK-5"
    dry = played("Ann Ben", f"begin Ann / {entered} / count Ben, 92")
    assert events(dry, "pass")[1:] == (acts.RoundStopped("Ann", told=False), summed)
    assert played(dry, "fail / restore - / points Ben, 80").scores == ((2, -2),)


RANKINGS = """
                  | stop A / round 5 5 -10 / end               | 1 A 5, 1 B 5, 3 C -10
                  | stop A / round -9 4 5 / stop A / round 1 1 -2 / end | 1 B 5, 2 C 3, 3 A -8
clock=30          | round -9 -4 13                      |
rounds=1          | round -9 -4 13                      | 1 C 13, 2 B -4, 3 A -9
rounds=2          | stop A / round -9 4 5 / round 9 -4 -5      | 1 A 0, 1 B 0, 1 C 0
target=20         | round 19 -9 -10                   |
target=20         | round 20 -9 -11                   | 1 A 20, 2 B -9, 3 C -11
target=20         | round 12 -6 -6 / round -4 12 -8   |
target=20         | round -6 12 -6 / round -6 12 -6   | 1 B 24, 2 A -12, 2 C -12
rounds=2 target=9 | round 9 -4 -5                     | 1 A 9, 2 B -4, 3 C -5
"""


@pytest.mark.parametrize(("options", "lines", "places"), rows(RANKINGS))
def test_the_end_of_the_game(options: str, lines: str, places: str) -> None:
    """RK-14, RK-15: by the players, the rounds or the target; equal totals share the place."""
    state = played(f"A B C turns=scores {options}", lines)
    outcome = GAME.outcome(state)
    ranking = () if outcome is None else outcome.ranking
    assert ", ".join(f"{each.place} {each.player} {each.points}" for each in ranking) == places
    assert state.ended == bool(places)


SETUPS_REFUSED = """
Ann             | A B C D E F G   |                    |               | RK-1
A B clock=29    | A B clock=301   | A B clock=on       | A B clock=    | RK-7
A B rounds=0    | A B rounds=100  | A B rounds=9999999999 | A B rounds=-1 | RK-15
A B target=0    | A B target=10000 | A B target=1.5    | A B target=²  | RK-15
A B turns=both  | A B turns=      |                    |               | CS-1
A B building=maybe | A B building= |                   |               | RK-5
A B empty_pool=last | A B empty_pool= |                |               | RK-12
A B bridging=maybe | A B bridging= |                   |               | RK-17
A B joker=40    | A B joker=      |                    |               | RK-10
A B rounds=0000000019999 |        |                    |               | RK-15
A B colour=red  |                 |                    |               | options
"""


@pytest.mark.parametrize(
    ("setup", "rule"),
    [(setup, rule) for *setups, rule in rows(SETUPS_REFUSED) for setup in setups if setup],
)
def test_a_game_cannot_be_set_up_so(setup: str, rule: str) -> None:
    """RK-1, RK-5, RK-7, RK-10, RK-12, RK-15, RK-17, CS-1: by the rule it is about."""
    with pytest.raises(RuleViolationError) as caught:
        begun(setup)
    assert caught.value.rule == rule
