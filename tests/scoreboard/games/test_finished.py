"""What is remembered of a game, against a walk through its events, and the records that fall."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games import GAMES
from scoreboard.games.dice.acts import (
    CategoryScored,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    RollCorrected,
    StartRolled,
)
from scoreboard.games.engine.transcript import GameHeader, RecordedEvent
from scoreboard.games.finished import (
    FinishedGame,
    PlayerRecord,
    beginner,
    end_records,
    finished_games,
    five_alike_record,
    just_scored_five_alike,
    race,
    rules_key,
)
from scoreboard.games.notation import replay_text
from scoreboard.message import message
from tests.playthroughs import test_playthroughs as golden
from tests.scoreboard.games.dice.playing import random_events, seeds, setup_of

EVENING = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
TOTALS = golden.TOTALS


def of_text(text: str) -> tuple[FinishedGame, ...]:
    """Each player's part of a game written as text."""
    played = replay_text(text)
    return finished_games(played.game, played.header, played.records)


def of_file(name: str) -> tuple[FinishedGame, ...]:
    """Each player's part of a golden game."""
    return of_text((Path(golden.__file__).parent / f"{name}.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(TOTALS))
def test_totals_are_those_added_by_hand(name: str) -> None:
    """Of every golden game; who left has none."""
    left = {"West"} if name == "leaving" else set()
    assert {part.name: part.total for part in of_file(name)} == {
        player: None if player in left else totals[-1] for player, totals in TOTALS[name].items()
    }


def test_places_boxes_bonus_and_yahtzees_are_remembered() -> None:
    """South reached 64 above and scored 0 in the Yahtzee box; North had two Yahtzees."""
    north, south = of_file("duel")
    assert (north.place, south.place, north.yahtzees, south.yahtzees) == (1, 2, 2, 0)
    assert (north.bonus, south.bonus) == (True, True)
    assert (south.boxes["sixes"], south.boxes["yahtzee"], len(south.boxes)) == (18, 0, 13)


def test_who_left_keeps_a_place_and_nothing_to_compare() -> None:
    """Third, without a total and a bonus."""
    west = of_file("leaving")[2]
    assert (west.place, west.total, west.bonus, west.boxes) == (3, None, None, {"chance": 22})


def test_a_game_that_goes_on_has_no_places() -> None:
    """Its figures are there as far as it has come."""
    ann, ben = of_text("game yahtzee\nplayers Ann, Ben\nroll 66666\nscore yahtzee\nroll 11234\n")
    assert (ann.place, ann.total, ann.yahtzees) == (None, 50, 1)
    assert (ben.total, sum(ben.rolled)) == (0, 5)


@pytest.mark.parametrize(
    ("acts", "rolled"),
    [
        ("roll 11234\nscore chance", [2, 1, 1, 1, 0, 0]),
        ("roll 11234\nkeep 11\nroll 11566\nscore chance", [2, 1, 1, 1, 1, 2]),
        ("roll 11234\nkeep -\nroll 22222\nscore chance", [2, 6, 1, 1, 0, 0]),
        ("roll 11234\nroll 11566\nscore chance", [2, 1, 1, 1, 0, 0]),
        ("roll 11234\nkeep 11\nroll 11566\nreroll-one 5 -> 4\nscore chance", [2, 1, 1, 2, 0, 2]),
        ("roll 11234\ncorrect roll 11235\nscore chance", [2, 1, 1, 0, 1, 0]),
        ("roll 11234\nundo\nroll 66666\nscore yahtzee", [0, 0, 0, 0, 0, 5]),
        ("start Solo 55555\nroll 11234\nscore chance", [2, 1, 1, 1, 5, 0]),
    ],
    ids=["one", "kept", "none-kept", "not-announced", "foul", "corrected", "undone", "start"],
)
def test_only_dice_that_were_rolled_count(acts: str, rolled: list[int]) -> None:
    """By face: kept dice, misread ones and rolls of which nobody knows what was kept do not."""
    (solo,) = of_text(f"game yahtzee\nplayers Solo\n{acts}\n")
    assert list(solo.rolled) == rolled


@settings(max_examples=40)
@given(seeds)
def test_dice_and_yahtzees_are_those_of_the_events(seed: int) -> None:
    """Of a random game of dice, against a walk through its events that knows no states."""
    game, setup = setup_of(seed)
    events = random_events(game.start(setup), seed, may_leave=False)
    header = GameHeader("g", game.name, setup.players, EVENING, dict(setup.options))
    found = finished_games(game, header, recorded(events))
    rolled, yahtzees = walked(events)
    for part in found:
        assert list(part.rolled) == [rolled[part.name, face] for face in range(1, 7)]
        assert part.yahtzees == yahtzees[part.name]
        assert part.finished_at == EVENING + timedelta(seconds=len(events))


def recorded(events: tuple[Event, ...]) -> list[RecordedEvent]:
    """The events, a second and a step each."""
    return [
        RecordedEvent("g", at, EVENING + timedelta(seconds=at), "button", at, event)
        for at, event in enumerate(events, start=1)
    ]


def walked(events: tuple[Event, ...]) -> tuple[Counter[tuple[str, int]], Counter[str]]:
    """What each player rolled, by face, and the five alike; a turn's end says whose it was."""
    rolled, yahtzees = Counter[tuple[str, int]](), Counter[str]()
    starts: list[tuple[str, Roll]] = []
    turn: list[Roll | None] = []  # the dice of each roll that were rolled, None where unknown
    roll, held, kept = NO_DICE, NO_DICE, None
    for event in events:
        match event:
            case StartRolled(player, dice):
                starts.append((player, dice))
            case DiceRolled(dice):
                unknown = bool(turn) and kept is None
                roll, held, kept = dice, kept or NO_DICE, None
                turn.append(None if unknown else roll.missing_from(held))
            case DiceKept(dice):
                kept = dice
            case RollCorrected() | FoulDieRerolled() if not turn:
                player, dice = starts[-1]
                starts[-1] = (player, changed(dice, event))
            case RollCorrected() | FoulDieRerolled():
                roll = changed(roll, event)
                turn[-1] = None if turn[-1] is None else roll.missing_from(held)
                if kept is not None and kept.missing_from(roll).faces:
                    kept = None
            case CategoryScored(player):
                yahtzees[player] += len(set(roll.faces)) == 1
                rolled.update((player, face) for dice in turn if dice for face in dice.faces)
                turn, held, kept = [], NO_DICE, None
    rolled.update((player, face) for player, dice in starts for face in dice.faces)
    return rolled, yahtzees


def changed(roll: Roll, event: RollCorrected | FoulDieRerolled) -> Roll:
    """The roll as it counts after the event."""
    if isinstance(event, RollCorrected):
        return event.roll
    return Roll((*(roll.counts - Counter([event.was])).elements(), event.now))


def test_the_race_ends_with_the_totals() -> None:
    """Each round has everybody's total once all have played it: 13 rounds of Yahtzee."""
    played = replay_text((Path(golden.__file__).parent / "duel.txt").read_text(encoding="utf-8"))
    rounds = race(played.game, played.header, played.records)
    assert (len(rounds), rounds[-1]) == (13, (383, 259))
    for before, after in pairwise(rounds):
        assert all(one <= two for one, two in zip(before, after, strict=True))


def test_the_race_of_a_game_in_rounds_has_them_all() -> None:
    """Rummikub's sums after each round."""
    text = (Path(golden.__file__).parent / "rummikub-xp-six.txt").read_text(encoding="utf-8")
    played = replay_text(text)
    rounds = race(played.game, played.header, played.records)
    assert rounds[-1] == tuple(totals[-1] for totals in TOTALS["rummikub-xp-six"].values())


@pytest.mark.parametrize(
    ("acts", "who"),
    [
        ("roll 66666\nscore yahtzee", "Ann"),
        ("roll 66666\nscore chance", "Ann"),
        ("roll 66665\nscore chance", None),
        ("roll 66666", None),
        ("roll 66666\nscore yahtzee\nroll 11234", None),
        ("", None),
    ],
)
def test_five_alike_are_told_as_they_are_scored(acts: str, who: str | None) -> None:
    """By the last event alone, in any box."""
    played = replay_text(f"game yahtzee\nplayers Ann, Ben\n{acts}\n")
    assert just_scored_five_alike(played.game, played.header, played.records) == who


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("duel", "South"),
        ("leaving", "East"),
        ("rummikub-duel", "Ben"),
        ("rummikub-clock", "Cem"),
        ("rummikub-four-sheet", "A"),  # nobody entered it
        ("tongtong-three", "Cem"),
        ("tongtong-quick", "Ann"),  # nor here
        ("free-sheet-three", "Ann"),
    ],
)
def test_the_events_say_who_began(name: str, who: str) -> None:
    """By the roll-off, the tiles drawn, red 8, or the first points; else it is the first seat."""
    text = (Path(golden.__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    played = replay_text(text)
    assert played.header.players[beginner(played.game, played.header, played.records)] == who


def test_house_rules_keep_results_apart() -> None:
    """Those that are not at their default; who starts makes no difference."""
    bga = GAMES["yahtzee-bga"]
    assert rules_key(bga, {"start": "first"}) == rules_key(bga, {"full_house": "30"}) == ""
    assert rules_key(bga, {"full_house": "25", "start": "roll-off"}) == "full_house=25"


YAHTZEE = message("Yahtzee")
ANN = FinishedGame("g", "yahtzee", "", EVENING, 0, "Ann", 2, 312, 1, yahtzees=1)
BEN = replace(ANN, seat=1, name="Ben", total=198, place=2)


@pytest.mark.parametrize(
    ("count", "line"),
    [
        (1, "Ann’s first Yahtzee of the year"),
        (3, "Ann’s third Yahtzee of the year"),
        (5, "Ann’s fifth Yahtzee of the year"),
        (6, "Ann’s Yahtzee number 6 this year"),
    ],
)
def test_yahtzees_of_the_year_are_counted(count: int, line: str) -> None:
    """In words as far as the fifth."""
    assert str(five_alike_record("Ann", YAHTZEE, count)) == line


@pytest.mark.parametrize(
    ("best_of_all", "before", "lines"),
    [
        (None, {}, []),
        (400, {}, []),
        (400, {"Ann": PlayerRecord(best=311)}, ["Ann’s personal record in Yahtzee: 312"]),
        (400, {"Ann": PlayerRecord(best=312)}, []),
        (311, {"Ann": PlayerRecord(best=300)}, ["New record in Yahtzee: Ann, 312"]),
        (312, {"Ann": PlayerRecord(best=300)}, ["Ann’s personal record in Yahtzee: 312"]),
        (400, {"Ben": PlayerRecord(best=150)}, ["Ben’s personal record in Yahtzee: 198"]),
        (
            190,
            {"Ben": PlayerRecord(best=150)},
            ["New record in Yahtzee: Ann, 312", "Ben’s personal record in Yahtzee: 198"],
        ),
        (400, {"Ann": PlayerRecord(best=400, running=1, streak=1)}, []),
        (
            400,
            {"Ann": PlayerRecord(best=400, running=2, streak=2)},
            ["Ann’s longest streak: 3 wins in a row"],
        ),
        (
            400,
            {"Ann": PlayerRecord(best=400, running=3, streak=7)},
            ["Ann has won 4 in a row."],
        ),
        (400, {"Ben": PlayerRecord(best=400, running=5, streak=5)}, []),
    ],
)
def test_records_are_told_at_the_end(
    best_of_all: int | None, before: dict[str, PlayerRecord], lines: list[str]
) -> None:
    """The best of all, one's own best, wins in a row; nothing in somebody's first game."""
    told = end_records(YAHTZEE, best_of_all, before, [ANN, BEN])
    assert [str(line) for line in told] == lines


def test_a_lone_player_wins_against_nobody() -> None:
    """Nor does one who left have a total."""
    alone = replace(ANN, players=1, total=None)
    before = {"Ann": PlayerRecord(best=100, running=5, streak=5)}
    assert list(end_records(YAHTZEE, 100, before, [alone])) == []


def test_rummikub_has_habits() -> None:
    """Rounds won, what a lost round cost, how long a turn took, and penalties, seat by seat."""
    text = "game rummikub\nplayers Ann, Ben\noption turns clock\n\nbegin Ann\nnext\nnext\nfail\n"
    text += "restore -\nrummikub Ben\npoints Ann, 9\nbegin Ben\nround 4 -4\nend\n"
    replayed = replay_text(text)
    start = datetime(2026, 11, 28, tzinfo=UTC)
    timed = [
        replace(record, recorded_at=start + timedelta(seconds=10 * at))
        for at, record in enumerate(replayed.records)
    ]
    parts = finished_games(replayed.game, replayed.header, timed)
    habits = [{name: part.boxes.get(name) for name in replayed.game.habit_names} for part in parts]
    assert habits == [
        {"rounds-won": 1, "rack-left": 9, "seconds": 10, "penalties": 3},
        {"rounds-won": 1, "rack-left": 4, "seconds": 10, "penalties": 0},
    ]
