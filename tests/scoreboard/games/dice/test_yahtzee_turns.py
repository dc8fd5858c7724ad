"""Turns of Yahtzee: who starts, what may be rolled and kept, who follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.dice import Roll
from scoreboard.errors import RuleViolationError
from scoreboard.games.dice.acts import (
    CategoryScored,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    PlayerLeft,
    RollCorrected,
    StartRolled,
)
from scoreboard.games.dice.state import State
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.game import Place, Setup
from tests.scoreboard.games.dice.playing import after, begun, card, command

THREE = ("North", "South", "East")
KEYS = card({}).form.keys


def played(players: str, lines: str, **options: str) -> State:
    """The game of these players after these lines."""
    return entered(begun(*players.split(), **options), lines)


def entered(state: State, lines: str) -> State:
    """The state after these lines."""
    return after(state, *(command(state, line) for line in lines.split(" / ") if line))


def rows(table: str) -> list[list[str]]:
    """The vectors of a table."""
    return [[cell.strip() for cell in row.split("|")] for row in table.strip("\n").splitlines()]


def awaited(state: State) -> str:
    """The turn, its phase and player, its rolls, the dice and those announced as kept."""
    turn = GAME.turn(state)
    player = None if turn.player is None else state.players[turn.player]
    rolls = f"{turn.rolls_made}/{turn.rolls_allowed} {turn.roll} {turn.kept}"
    return f"{turn.number} {turn.phase} {player}, {rolls}"


TIED = "start North 66666 / start South 11111 / start East 66666"
EQUAL = "start North 55521 / start South 55521"
STARTS = f"""
North South East | | 0 starting North, 0/1 None None
North South East | roll 55521 | 0 rolling North, 1/3 55521 None
North South East | {TIED} | 3 starting North, 0/1 None None
North South East | {TIED} / start North 22222 / start East 22222 | 5 starting North, 0/1 None None
North South East | {TIED} / start North 12345 / start East 12346 | 0 rolling East, 0/3 None None
North South East | {TIED} / leave North | 0 rolling East, 0/3 None None
North South East | start North 66666 / leave North / roll 55521 | 0 rolling South, 1/3 55521 None
North South East | leave North / roll 55521 | 0 rolling South, 1/3 55521 None
Solo | | 0 rolling Solo, 0/3 None None
Solo | start Solo 11111 / roll 55521 | 0 rolling Solo, 1/3 55521 None
North South | {EQUAL} | 2 starting North, 0/1 None None
North South | {EQUAL} / correct roll 11111 | 0 rolling North, 0/3 None None
North South | {EQUAL} / reroll-one 1 -> 6 | 0 rolling South, 0/3 None None
"""


@pytest.mark.parametrize(("players", "lines", "then"), rows(STARTS))
def test_who_starts(players: str, lines: str, then: str) -> None:
    """YZ-2, YZ-5, YZ-20: the highest roll; those tied roll again, and a lone player need not.

    A counted roll right away means that the table agreed on the first named. The last roll for the
    start can be corrected, and counts no more when its player leaves.
    """
    assert awaited(played(players, lines)) == then


def test_the_highest_roll_starts_and_seats_rotate() -> None:
    """YZ-2, YZ-3: East rolls most, starts, and play goes on clockwise: North, then South."""
    state = played(" ".join(THREE), "start North 11112 / start South 11111 / start East 66666")
    order = []
    for _ in range(4):
        order.append(awaited(state).split()[2])
        state = entered(state, f"roll 55521 / score {KEYS[len(order) - 1]}")
    assert order == ["East,", "North,", "South,", "East,"]
    assert GAME.scoresheet(state).players == THREE


def test_a_table_may_agree_that_the_first_named_starts() -> None:
    """With the option `start` at `first` no roll for the start is awaited or taken."""
    state = played("North South", "", start="first")
    assert awaited(state) == "0 rolling North, 0/3 None None"
    assert rule_refusing(state, "start North 55521") == "YZ-2"
    assert [offer.key for offer in GAME.offers(state)] == ["roll", "leave:0", "leave:1"]


TURNS = """
roll 12345 / roll 66666                         | 0 choosing North, 3/3 66666 None
score fives                                     | 1 rolling South, 0/3 None None
keep 12555                                      | 0 choosing North, 1/3 55521 12555
keep -                                          | 0 rolling North, 1/3 55521
keep - / roll 11111                             | 0 rolling North, 2/3 11111 None
keep 552 / roll 25566                           | 0 rolling North, 2/3 25566 None
keep 555 / keep 21 / roll 21666 / keep 66 / roll 66111 | 0 choosing North, 3/3 66111 None
reroll-one 2 -> 6                               | 0 rolling North, 1/3 55561 None
keep 555 / roll 55536 / correct roll 55546      | 0 rolling North, 2/3 55546 None
keep 21 / correct roll 55526                    | 0 rolling North, 1/3 55526 None
keep 555 / correct roll 55526                   | 0 rolling North, 1/3 55526 555
keep 55521 / correct roll 55526                 | 0 rolling North, 1/3 55526 None
leave North                                     | 1 rolling South, 0/3 None None
leave North / roll 55521 / score aces / roll 55521 / score aces | 3 rolling South, 0/3 None None
leave East                                      | 0 rolling North, 1/3 55521 None
"""


@pytest.mark.parametrize(("lines", "then"), rows(TURNS))
def test_a_turn(lines: str, then: str) -> None:
    """YZ-4, YZ-5: three rolls of any dice; a foul die does not count, a reading can be corrected.

    Our ruling on leaving: the leaver's own turn passes, another's goes on as it was.
    """
    assert awaited(played(" ".join(THREE), f"roll 55521 / {lines}")).rstrip() == then


REFUSED = f"""
                                        | start South 55521 | YZ-2
                                        | start North 5552  | YZ-2
                                        | start Nobody 55521 | YZ-2
{TIED} / start North 22222              | start South 66666 | YZ-2
start North 55521                       | roll 55521        | YZ-2
start North 55521 / start South 11111 / start East 11111 | start North 55521 | YZ-2
roll 55521                              | start South 11111 | YZ-2
                                        | reroll-one 1 -> 6 | YZ-5
                                        | correct roll 11111 | YZ-4
start North 66666 / leave North         | correct roll 66665 | YZ-4
                                        | keep 5            | YZ-4
                                        | roll 5552         | YZ-4
roll 55521                              | roll 555211       | YZ-4
roll 55521                              | keep 55554        | YZ-4
roll 55521                              | keep 555211       | YZ-4
roll 55521 / roll 12345 / roll 66666    | roll 11111        | YZ-4
roll 55521 / roll 12345 / roll 66666    | keep 6            | YZ-4
roll 55521 / keep 12555                 | roll 55555        | YZ-4
roll 55521 / keep 12555                 | keep 5            | YZ-4
roll 55521 / keep 552                   | roll 55566        | YZ-4
roll 55521 / keep 555 / roll 55521      | reroll-one 4 -> 6 | YZ-5
roll 55521 / keep 555 / roll 55521      | reroll-one 5 -> 6 | YZ-5
roll 55521 / keep 555 / roll 55536      | correct roll 55446 | YZ-4
roll 55521 / keep 555 / roll 55536      | correct roll 5554 | YZ-4
roll 55521 / score fives                | correct roll 55555 | YZ-4
                                        | score chance      | YZ-6
roll 55521 / score chance               | score fives       | YZ-6
                                        | leave Nobody      | YZ-1
leave North                             | leave North       | YZ-1
leave North / leave South / leave East  | roll 55521        | YZ-19
"""


def rule_refusing(state: State, line: str) -> str:
    """The identifier of the rule that refuses the line."""
    with pytest.raises(RuleViolationError) as refusal:
        entered(state, line)
    assert str(refusal.value)
    return refusal.value.rule


@pytest.mark.parametrize(("lines", "line", "rule"), rows(REFUSED))
def test_a_refusal_names_its_rule(lines: str, line: str, rule: str) -> None:
    """YZ-1, YZ-2, YZ-4 to YZ-6, YZ-19: what the rules refuse has the identifier of the rule."""
    assert rule_refusing(played(" ".join(THREE), lines), line) == rule


def test_no_die_shows_a_seven() -> None:
    """YZ-5."""
    with pytest.raises(RuleViolationError, match="1 to 6, not 7") as refusal:
        GAME.decide(played("Solo", "roll 55521"), FoulDieRerolled(1, 7))
    assert refusal.value.rule == "YZ-5"


def test_who_stays_plays_to_the_end_and_ranks_first() -> None:
    """The ruling on leaving: leavers are ranked last, whatever their points."""
    state = replace(
        begun(*THREE), cards=(card(dict.fromkeys(KEYS, 50)), card(dict.fromkeys(KEYS, 1)), card({}))
    )
    state = entered(state, "leave North / leave East")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert [(place.place, place.player) for place in outcome.ranking] == [
        (1, "South"),
        (2, "North"),
        (3, "East"),
    ]


def test_equal_totals_share_the_place() -> None:
    """YZ-19: two first places, and the next is the third."""
    full = card(dict.fromkeys(KEYS, 1))
    low = card(dict.fromkeys(KEYS, 0))
    outcome = GAME.outcome(replace(begun(*THREE), cards=(full, low, full)))
    assert outcome is not None
    assert outcome.ranking == (Place(1, "North", 13), Place(1, "East", 13), Place(3, "South", 0))


def test_a_game_goes_on_until_every_card_is_full() -> None:
    """YZ-19: there is no outcome before that."""
    state = begun("Solo")
    for key in KEYS:
        assert GAME.outcome(state) is None
        state = entered(state, f"roll 12345 / score {key}")
    outcome = GAME.outcome(state)
    assert outcome is not None
    # 1+2+3+4+5+0, no bonus; 0, 0, 0, 30, 40, 0, 15
    assert outcome.ranking == (Place(1, "Solo", 100),)


def test_the_sheet_has_the_papers_rows() -> None:
    """YZ-19: boxes and totals in the order of the card."""
    rows = GAME.scoresheet(begun()).rows
    totals = [row.key for row in rows if row.kind == "total"]
    assert [row.key for row in rows if row.kind == "box"] == list(KEYS)
    assert totals == ["upper", "bonus", "upper-total", "lower", "yahtzee-bonus", "grand"]
    assert [row.key for row in rows][5:9] == ["sixes", "upper", "bonus", "upper-total"]


def test_nobody_is_current_before_the_first_roll() -> None:
    """The sheet marks a column only while its player's turn is open."""
    assert GAME.scoresheet(begun()).current is None
    assert GAME.scoresheet(entered(begun(), "roll 55521")).current == 0


@pytest.mark.parametrize(
    ("rule", "setup"),
    [
        ("YZ-1", Setup(())),
        ("YZ-1", Setup(tuple(f"Player {seat}" for seat in range(21)))),
        ("YZ-2", Setup(("North",), {"start": "last"})),
        ("options", Setup(("North",), {"dice": "six"})),
    ],
)
def test_a_game_that_cannot_be_is_not_opened(rule: str, setup: Setup) -> None:
    """YZ-1, and options that the rulebook does not have."""
    with pytest.raises(RuleViolationError) as refusal:
        GAME.start(setup)
    assert refusal.value.rule == rule


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (StartRolled("North", Roll.parse("55521")), "start roll 5 5 5 2 1 of North"),
        (DiceRolled(Roll.parse("33516")), "roll 3 3 5 1 6"),
        (DiceKept(Roll.parse("555")), "keeping 5 5 5"),
        (DiceKept(Roll(())), "keeping none"),
        (DiceKept(Roll.parse("55521")), "KEEP (5 5 5 2 1)"),
        (FoulDieRerolled(3, 6), "foul die 3 now 6"),
        (RollCorrected(Roll.parse("55526")), "correction to 5 5 5 2 6"),
        (CategoryScored("North", "yahtzee", 50, "YZ-15", 0), "50 in Yahtzee for North"),
        (
            CategoryScored("North", "fours", 20, "YZ-18", 100),
            "20 in Fours and a bonus of 100 for North",
        ),
        (PlayerLeft("North"), "North left"),
    ],
)
def test_an_event_is_reported_in_words(event: Event, words: str) -> None:
    """Undo says what it would take back."""
    assert str(GAME.describe(begun(), event)) == words


def test_offers_say_what_they_do() -> None:
    """Every offer has a label, and a further Yahtzee's names its bonus (YZ-17)."""
    state = replace(begun("Solo"), cards=(card({"yahtzee": 50}),))
    labels = {offer.key: str(offer.label) for offer in GAME.offers(entered(state, "roll 44444"))}
    assert labels == {
        "roll": "Roll 2 of 3",
        "keep": "Keep dice",
        "stand": "Stop rolling",
        "score:fours": "Fours: 20 and a bonus of 100",
        "correct": "Correct the last roll",
        "foul:4": "The 4 fell off or was cocked",
        "leave:0": "Solo leaves the game",
    }
