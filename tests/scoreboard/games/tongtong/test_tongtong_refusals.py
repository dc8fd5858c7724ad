"""What the rulebook of Tong Tong refuses, and by which rule."""

from __future__ import annotations

import re

import pytest

from scoreboard.games.tongtong.game import GAME
from tests.scoreboard.games.tongtong.playing import begun, entered, keys, quick_game, read, refusal

ANN = "hand Ann, R8 R7 B8 B2 G1 G2 G3 G4"
BEN = "hand Ben, R1 R2 B1 B3 B4 G5 G6 G7"
LOW = "mission low-5"
LED = (LOW, "leader Ann")
SHORT = {"ANN": ANN, "BEN": BEN, "LOW": LOW, "LED": " / ".join(LED), "TRICK": "LED / play R5 R1 R2"}

# The rule, what was entered before, the line, and what the refusal says (… for its end).
TRICKS = """
TT-10 |  | mission high-13 | No mission is called “high-13”.
TT-2 | LOW | mission high-9 | A mission holds until its game is over.
TT-14 |  | mission sum-10 | This is no basic card: advanced play has all five.
TT-2 |  | leader Ann | Turn up a mission card first.
TT-1 | LOW | leader Nobody | Nobody does not play here.
TT-3 | LED | leader Ben | Ann holds red 8 and leads: undo that first.
TT-3 | LOW / ANN | leader Cem | Ann holds red 8 and leads: undo that first.
TT-3 | LOW / BEN | leader Ben | No red 8 is in Ben’s hand: who has it leads.
TT-2 |  | play R1 | Turn up a mission card first.
TT-3 | LOW | play R8 | Who holds red 8 leads: say first who that is.
TT-1 | LED | play Y1 | No yellow 1 is in play: its colour stays in the box.
TT-1 | LED / play R1 | play R1 | Each card is there once, and red 1 was played already.
TT-1 | TRICK | play R2 | Each card is there once, and red 2 was played already.
TT-3 | LED / play R1 | play R8 | Check the card, or undo the wrong entry: red 8 is another player’s.
TT-2 | LED / BEN | play G7 | Check the card, or undo the wrong entry: green 7 is another player’s.
TT-2 | LOW / ANN | play G7 | No green 7 is in Ann’s hand.
TT-1 | LOW / ANN / play R8 R1 R2 | play R8 |
TT-4 | LOW / ANN / BEN / play B8 | play R1 | Ben must follow blue 8: the hand has its colour.
TT-2 |  | ANN | Turn up a mission card first.
TT-1 | LOW | hand Nobody, R1 | Nobody does not play here.
TT-2 | LED / play R1 | BEN | Hands are entered before the first card: undo the cards first.
TT-2 | LOW | hand Ann, R8 R7 B8 B2 G1 G2 G3 | A hand has eight different cards: check R8 R7 B8 B2 …
TT-2 | LOW | ANN G5 |
TT-2 | LOW | hand Ann, R8 R7 B8 B2 G1 G2 G3 G3 |
TT-2 | LOW | hand Ann, - |
TT-1 | LOW | hand Ann, R8 R7 B8 B2 G1 G2 G3 P4 | No purple 4 is in play: its colour stays in the …
TT-2 | LOW / ANN | hand Ben, R1 R2 B1 B3 B4 G5 G6 G4 | Check the card, or undo the wrong entry: …
TT-3 | LOW / ANN | hand Ben, R8 R2 B1 B3 B4 G5 G6 G7 | Check the card, or undo the wrong entry: …
TT-3 | LED | hand Ben, R8 R2 B1 B3 B4 G5 G6 G7 |
TT-3 | LED | hand Ann, R1 R7 B8 B2 G1 G2 G3 G4 | The leader must hold red 8. Add it, …
TT-2 |  | piles Ann, R1 | Turn up a mission card first.
TT-1 | TRICK | piles Nobody, R1 | Nobody does not play here.
TT-7 | LED / play R1 R2 | piles Ann, R1 | Nothing is won before the first trick is full.
TT-7 | TRICK | piles Ann, R1 B2 R2 | A colour has one pile and so one top: enter each colour once.
TT-1 | TRICK | piles Ann, R1 P2 |
TT-9 | TRICK | piles Ann, R6 B2 | 6s in these piles: at least 1, at most 2, not 0. Count again.
TT-9 | TRICK | piles Ann, R6 B2 +3 |
TT-9 | TRICK | piles Ann, +1 |
"""
QUICK = """
TT-8 | LOW | leader Ann | At this table only the piles at the end of a game are entered.
TT-8 | LOW | ANN |
TT-8 | LOW | play R8 |
TT-2 |  | piles Ann, R1 |
TT-7 | LOW / piles Ann, R1 | piles Ann, R2 | The piles of Ann are entered already: undo to change …
TT-7 | LOW / piles Ann, R8 | piles Ben, R8 | Check the card, or undo the wrong entry: red 8 is …
TT-9 | LOW / piles Ann, R1 B1 +2 | piles Ben, R2 B2 +2 | Together that is more 6s than the 3 in …
TT-1 | LOW | piles Nobody, R1 |
"""


def rows(table: str) -> list[list[str]]:
    """The vectors of a table."""
    for name in ("TRICK", "LED", "LOW", "ANN", "BEN"):
        table = re.sub(rf"\b{name}\b", SHORT[name], table)
    return [[*map(str.strip, row.split("|")), ""][:4] for row in table.strip().splitlines()]


@pytest.mark.parametrize(
    ("mode", "rule", "before", "line", "why"),
    [
        *(("tricks", *row) for row in rows(TRICKS)),
        *(("quick", *row) for row in rows(QUICK)),
    ],
)
def test_an_act_is_refused(mode: str, rule: str, before: str, line: str, why: str) -> None:
    """Each refusal names its rule, and says what is wrong or what cures it."""
    refused = refusal(entered(begun(mode=mode), *filter(None, before.split(" / "))), line)
    assert refused.rule == rule
    if why.endswith("…"):
        assert str(refused).startswith(why.removesuffix(" …"))
    else:
        assert why in {"", str(refused)}


def test_a_mission_comes_once_in_a_match() -> None:
    """TT-2: three different cards; and TT-13: three games are a match."""
    nothing = ("-", "-", "-")
    state = quick_game(begun(mode="quick"), "low-5", *nothing)
    refused = refusal(state, "mission low-5")
    assert (refused.rule, str(refused)) == (
        "TT-2",
        "This mission was used already: turn up another card.",
    )
    state = quick_game(quick_game(state, "high-9", *nothing), "high-12", *nothing)
    assert keys(state, "mission:") == []
    for line in ("mission sum-10", "piles Ann, R1"):
        refused = refusal(state, line)
        assert (refused.rule, str(refused)) == ("TT-13", "The match is over.")


def test_all_sixes_may_be_entered() -> None:
    """TT-9: as many as colours, however they are shared."""
    state = entered(begun(mode="quick"), LOW, "piles Ann, R1 B1 +2", "piles Ben, G6 +1")
    assert refusal(state, "piles Cem, R2 +1").rule == "TT-9"
    assert len(entered(state, "piles Cem, R2").games) == 1


# What was played, the card, and what it shows of a colour that was not followed.
REVOKES = [
    (("play R8 B1 R7 R1",), "play R2", "Ben held red 2 when red 8 was led in trick 1"),
    (("play R8 B1 R7 R1",), "play B2", None),
    (("play R8 R1 R7 G1",), "play R2", None),
    (("play B5 G1 B6 R6",), "play B2", "Ann holds red 8, so blue 2 does not follow"),
    (("play B5 G1 B6 R6",), "play R8", None),
    (("play B5 B1 B6 R6 R8 R1 R2",), "play R3", None),
]


@pytest.mark.parametrize(("lines", "line", "warning"), REVOKES)
def test_a_card_that_proves_a_revoke_is_warned_of_and_can_be_played(
    lines: tuple[str, ...], line: str, warning: str | None
) -> None:
    """TT-4: with hands not told nobody knew; how it is settled is for the players to say."""
    state = entered(begun(), *LED, *lines)
    described = GAME.warn(state, read(line))
    assert (described is None) == (warning is None), described
    assert (warning or "") in str(described)
    assert entered(state, line).deal.played > state.deal.played
