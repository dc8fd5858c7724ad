"""Turns of Yahtzee: who starts, what may be rolled and kept, who follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.dice import Roll
from scoreboard.errors import RuleViolationError
from scoreboard.games.dice.acts import (
    CategoryScored,
    Command,
    CorrectRoll,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    KeepDice,
    LeaveGame,
    PlayerLeft,
    RecordRoll,
    RecordStart,
    RerollFoulDie,
    RollCorrected,
    ScoreCategory,
    StartRolled,
)
from scoreboard.games.dice.state import State
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.game import Place, Setup, Turn
from tests.scoreboard.games.dice.playing import after, begun, card


def start(player: str, roll: str) -> Command:
    """A roll for the start."""
    return RecordStart(player, Roll.parse(roll))


def roll(text: str) -> Command:
    """A roll of the open turn."""
    return RecordRoll(Roll.parse(text))


def keep(text: str) -> Command:
    """Dice to keep."""
    return KeepDice(Roll.parse(text))


def correct(text: str) -> Command:
    """Another reading of the last roll."""
    return CorrectRoll(Roll.parse(text))


def player(state: State) -> str | None:
    """The name of whose turn it is."""
    seat = GAME.turn(state).player
    return None if seat is None else state.players[seat]


def rule_refusing(state: State, command: Command) -> str:
    """The identifier of the rule that refuses the command."""
    with pytest.raises(RuleViolationError) as refusal:
        GAME.decide(state, command)
    assert str(refusal.value)
    return refusal.value.rule


KEYS = card({}).form.keys
THREE = ("North", "South", "East")


def test_the_first_named_starts_without_rolls_for_the_start() -> None:
    """A counted roll right away means that the table agreed on the first named."""
    assert player(after(begun(*THREE), roll("55521"))) == "North"


def test_the_highest_roll_starts_and_seats_rotate() -> None:
    """YZ-2, YZ-3: East rolls most, starts, and play goes on clockwise: North, then South."""
    state = after(
        begun(*THREE), start("North", "11112"), start("South", "11111"), start("East", "66666")
    )
    order = []
    for _ in range(4):
        order.append(player(state))
        state = after(state, roll("55521"), ScoreCategory(KEYS[len(order) - 1]))
    assert order == ["East", "North", "South", "East"]
    assert GAME.scoresheet(state).players == THREE


def test_the_tied_for_the_highest_roll_again_among_themselves() -> None:
    """YZ-2: North and East tie, and tie again; South, who rolled less, rolls no more."""
    state = after(
        begun(*THREE), start("North", "66666"), start("South", "11111"), start("East", "66666")
    )
    assert GAME.turn(state) == Turn(3, "starting", 0, 0, 1, None, None)
    state = after(state, start("North", "22222"))
    assert rule_refusing(state, start("South", "66666")) == "YZ-2"
    state = after(state, start("East", "22222"), start("North", "12345"), start("East", "12346"))
    assert (GAME.turn(state).phase, player(state)) == ("rolling", "East")


@pytest.mark.parametrize(
    "command",
    [start("South", "55521"), start("North", "5552"), start("Nobody", "55521"), keep("5")],
)
def test_the_first_roll_for_the_start_is_the_first_named_players(command: Command) -> None:
    """YZ-2: every player rolls all five dice, in seat order."""
    assert rule_refusing(begun(*THREE), command) == ("YZ-4" if command == keep("5") else "YZ-2")


def test_no_counted_roll_comes_amid_the_rolls_for_the_start() -> None:
    """YZ-2: once one has rolled for the start, all do."""
    assert rule_refusing(after(begun(), start("North", "55521")), roll("55521")) == "YZ-2"


def test_no_roll_for_the_start_comes_after_it() -> None:
    """YZ-2: who starts is settled once."""
    state = after(begun(), start("North", "55521"), start("South", "11111"))
    assert rule_refusing(state, start("North", "55521")) == "YZ-2"
    assert rule_refusing(after(begun(), roll("55521")), start("South", "11111")) == "YZ-2"


def test_a_table_may_agree_that_the_first_named_starts() -> None:
    """With the option `start` at `first` no roll for the start is awaited or taken."""
    state = begun("North", "South", start="first")
    assert (GAME.turn(state).phase, player(state)) == ("rolling", "North")
    assert rule_refusing(state, start("North", "55521")) == "YZ-2"
    assert [offer.key for offer in GAME.offers(state)] == ["roll", "leave:0", "leave:1"]


def test_a_lone_player_need_not_roll_for_the_start() -> None:
    """YZ-20: solo play begins with the first roll; a roll for the start does no harm."""
    state = begun("Solo")
    assert (GAME.turn(state).phase, player(state)) == ("rolling", "Solo")
    assert player(after(state, start("Solo", "11111"), roll("55521"))) == "Solo"


def test_the_last_roll_for_the_start_can_be_mended() -> None:
    """YZ-2, YZ-5: a foul die and a wrong reading, until the first counted roll."""
    state = after(begun(), start("North", "55521"), start("South", "55521"))
    assert GAME.turn(state).phase == "starting"
    assert player(after(state, correct("11111"))) == "North"
    assert player(after(state, RerollFoulDie(1, 6))) == "South"
    assert rule_refusing(begun(), RerollFoulDie(1, 6)) == "YZ-5"
    assert rule_refusing(begun(), correct("11111")) == "YZ-4"


def test_a_turn_has_three_rolls() -> None:
    """YZ-4: a fourth roll, and keeping after the third, are refused."""
    state = after(begun(), roll("55521"), roll("12345"), roll("66666"))
    assert GAME.turn(state) == Turn(0, "choosing", 0, 3, 3, Roll.parse("66666"), None)
    assert rule_refusing(state, roll("11111")) == "YZ-4"
    assert rule_refusing(state, keep("6")) == "YZ-4"


def test_a_box_may_be_filled_after_any_roll() -> None:
    """YZ-4: after the first and second roll the player may stop."""
    state = after(begun(), roll("55521"), ScoreCategory("fives"))
    assert (state.cards[0]["fives"], player(state), GAME.turn(state).number) == (15, "South", 1)


def test_keeping_every_die_ends_the_rolling() -> None:
    """YZ-4: who keeps all five stands."""
    state = after(begun(), roll("55521"), keep("12555"))
    assert GAME.turn(state).phase == "choosing"
    assert rule_refusing(state, roll("55555")) == "YZ-4"
    assert rule_refusing(state, keep("5")) == "YZ-4"


def test_keeping_none_announces_another_roll_of_all() -> None:
    """YZ-4: all five dice may be rolled again."""
    state = after(begun(), roll("55521"), keep(""))
    assert GAME.turn(state) == Turn(0, "rolling", 0, 1, 3, Roll.parse("55521"), Roll(()))
    assert GAME.turn(after(state, roll("11111"))).rolls_made == 2


def test_a_roll_contains_what_was_kept() -> None:
    """YZ-4: the refusal names the die that is missing."""
    state = after(begun(), roll("55521"), keep("552"))
    with pytest.raises(RuleViolationError, match="A kept 2 is missing") as refusal:
        GAME.decide(state, roll("55566"))
    assert refusal.value.rule == "YZ-4"
    assert GAME.turn(after(state, roll("25566"))).kept is None


def test_plans_may_change() -> None:
    """YZ-4: dice kept earlier may be rolled again, and a later announcement replaces the first."""
    state = after(begun(), roll("55521"), keep("555"), keep("21"), roll("21666"), keep("66"))
    assert GAME.turn(after(state, roll("66111"))).rolls_made == 3


@pytest.mark.parametrize(
    ("rule", "commands", "refused"),
    [
        ("YZ-4", [], keep("5")),
        ("YZ-4", [roll("55521")], keep("55554")),
        ("YZ-4", [roll("55521")], keep("555211")),
        ("YZ-4", [], roll("5552")),
        ("YZ-4", [roll("55521")], roll("555211")),
        ("YZ-6", [], ScoreCategory("chance")),
        ("YZ-6", [roll("55521"), ScoreCategory("chance")], ScoreCategory("fives")),
        ("YZ-1", [], LeaveGame("Nobody")),
        ("YZ-1", [LeaveGame("North")], LeaveGame("North")),
        ("YZ-19", [LeaveGame("North"), LeaveGame("South")], roll("55521")),
    ],
)
def test_a_refusal_names_its_rule(rule: str, commands: list[Command], refused: Command) -> None:
    """What the rules refuse is refused with the identifier of the rule."""
    assert rule_refusing(after(begun(), *commands), refused) == rule


def test_a_foul_die_is_rolled_again_outside_the_count() -> None:
    """YZ-5: one die changes, the number of rolls does not."""
    state = after(begun(), roll("55521"), RerollFoulDie(2, 6))
    assert GAME.turn(state) == Turn(0, "rolling", 0, 1, 3, Roll.parse("55561"), None)


@pytest.mark.parametrize("command", [RerollFoulDie(4, 6), RerollFoulDie(1, 7), RerollFoulDie(5, 6)])
def test_only_a_die_just_rolled_can_be_foul(command: Command) -> None:
    """YZ-5: a face that no die shows, a face that no die has, and a die that was kept."""
    state = after(begun(), roll("55521"), keep("555"), roll("55521"))
    assert rule_refusing(state, command) == "YZ-5"


def test_a_correction_still_has_what_was_kept_before() -> None:
    """A roll is read again, but what had been kept lies there still (YZ-4)."""
    state = after(begun(), roll("55521"), keep("555"), roll("55536"))
    assert GAME.turn(after(state, correct("55546"))).roll == Roll.parse("55546")
    assert rule_refusing(state, correct("55446")) == "YZ-4"
    assert rule_refusing(state, correct("5554")) == "YZ-4"


def test_a_correction_drops_only_an_announcement_that_no_longer_fits() -> None:
    """Keeping 21 of 55521 has no sense once the roll reads 55526; keeping 555 still has."""
    rolled = after(begun(), roll("55521"))
    assert GAME.turn(after(rolled, keep("21"), correct("55526"))).kept is None
    assert GAME.turn(after(rolled, keep("555"), correct("55526"))).kept == Roll.parse("555")
    stood = after(rolled, keep("55521"), correct("55526"))
    assert GAME.turn(stood).phase == "rolling"


def test_a_correction_ends_with_the_turn() -> None:
    """Only the last roll of the open turn can be corrected."""
    state = after(begun(), roll("55521"), ScoreCategory("fives"))
    assert rule_refusing(state, correct("55555")) == "YZ-4"


def test_a_turn_passes_when_its_player_leaves() -> None:
    """The ruling on leaving: the roll is forgotten, the next player follows."""
    state = after(begun(*THREE), roll("55521"), LeaveGame("North"))
    assert GAME.turn(state) == Turn(1, "rolling", 1, 0, 3, None, None)
    state = after(state, roll("55521"), ScoreCategory("aces"), roll("55521"), ScoreCategory("aces"))
    assert player(state) == "South"


def test_a_player_may_leave_during_anothers_turn() -> None:
    """The ruling on leaving: the open turn goes on as it was."""
    state = after(begun(*THREE), roll("55521"), LeaveGame("East"))
    assert GAME.turn(state) == Turn(0, "rolling", 0, 1, 3, Roll.parse("55521"), None)


def test_leaving_amid_the_rolls_for_the_start() -> None:
    """YZ-2 among those who stay: the tie that the leaver was part of is off."""
    rolled = after(
        begun(*THREE), start("North", "66666"), start("South", "11111"), start("East", "66666")
    )
    assert player(after(rolled, LeaveGame("North"))) == "East"
    early = after(begun(*THREE), start("North", "66666"), LeaveGame("North"))
    assert rule_refusing(early, correct("66665")) == "YZ-4"
    assert player(after(early, roll("55521"))) == "South"


def test_leaving_before_the_first_roll_is_no_turn() -> None:
    """Turns are counted from the first counted roll on."""
    state = after(begun(*THREE), LeaveGame("North"), roll("55521"))
    assert (player(state), GAME.turn(state).number) == ("South", 0)


def test_who_stays_plays_to_the_end_and_ranks_first() -> None:
    """The ruling on leaving: leavers are ranked last, whatever their points."""
    state = replace(
        begun(*THREE), cards=(card(dict.fromkeys(KEYS, 50)), card(dict.fromkeys(KEYS, 1)), card({}))
    )
    state = after(state, LeaveGame("North"), LeaveGame("East"))
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
        state = after(state, roll("12345"), ScoreCategory(key))
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
    assert GAME.scoresheet(after(begun(), roll("55521"))).current == 0


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
        (StartRolled("North", Roll.parse("55521")), "start roll 55521 of North"),
        (DiceRolled(Roll.parse("33516")), "roll 33516"),
        (DiceKept(Roll.parse("555")), "keeping 555"),
        (DiceKept(Roll(())), "keeping none"),
        (DiceKept(Roll.parse("55521")), "KEEP (5 5 5 2 1)"),
        (FoulDieRerolled(3, 6), "foul die 3 now 6"),
        (RollCorrected(Roll.parse("55526")), "correction to 55526"),
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
    labels = {offer.key: str(offer.label) for offer in GAME.offers(after(state, roll("44444")))}
    assert labels == {
        "roll": "Roll 2 of 3",
        "keep": "Keep dice",
        "stand": "Stop rolling",
        "score:fours": "Fours: 20 and a bonus of 100",
        "correct": "Correct the last roll",
        "foul:4": "The 4 fell off or was cocked",
        "leave:0": "Solo leaves the game",
    }
