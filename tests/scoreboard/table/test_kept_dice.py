"""Which dice were kept, and whether what is seen is a roll."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest

from scoreboard.dice import Roll
from scoreboard.message import Message
from scoreboard.table.dice_tracking import distance_in_sides, none_rolled, track_dice
from scoreboard.table.kept_dice import LastRoll, RollReading, judged
from scoreboard.table.proposal import TableDie
from tests.scoreboard.table.fakes import SIDE, box

LAST = "55521"


def dice(text: str) -> list[TableDie]:
    """Dice seen, as in `5@0 3@7 ?`: a face and where it lies, far from all without a place."""
    seen = []
    for index, word in enumerate(text.split()):
        face, _, place = word.partition("@")
        spot = box(float(place) if place else 50 + index)
        seen.append(TableDie(None if face == "?" else int(face), spot, confidence=0.99))
    return seen


def last(
    faces: str = LAST, marks: frozenset[int] | None = None, announced: str | None = None
) -> LastRoll:
    """The roll before, its dice at the places 0, 1, 2 and so on."""
    lying = tuple(TableDie(int(face), box(place)) for place, face in enumerate(faces))
    return LastRoll(lying, marks, None if announced is None else Roll.parse(announced))


def marks(*indices: int) -> frozenset[int]:
    return frozenset(indices)


@dataclass(frozen=True)
class Case:
    """What lies there and what it should be taken for."""

    name: str
    seen: str
    before: LastRoll
    roll: str | None
    kept: str | None = None
    says: str = ""
    doubts: int = 0


CASES = [
    Case("a first throw", "3 1 5 3 6", LastRoll(), "13356"),
    Case("a first throw of four", "3 1 5 3", LastRoll(), None, says="Only 4 of 5 dice"),
    Case("a first throw of six", "3 1 5 3 6 6", LastRoll(), None, says="remove the others"),
    Case("an unreadable die", "3 1 ? 3 6", LastRoll(), None, says="tap it and enter"),
    Case("three stayed where they lay", "5@0 5@1 5@2 3 6", last(), "35556", "555"),
    Case("all were pushed about", "5 5 5 3 6", last(), "35556"),
    Case("a die changed in its place", "5@0 5@1 3@2 3 6", last(), "33556", "55", doubts=1),
    Case("all stayed, and a person insists", "5@0 5@1 5@2 2@3 1@4", last(), "12555"),
    Case("three left the picture", "3 6", last(), None, says="Only 2 of 5 dice so far. Tap"),
    Case("six dice", "3 6 1 1 1 1", last(), None, says="6 dice instead"),
    Case("marked, on the holder", "3 6", last(marks=marks(0, 1, 2)), "35556", "555"),
    Case("announced, on the holder", "3 6", last(announced="555"), "35556", "555"),
    Case(
        "marks speak before words", "3 6 6", last(marks=marks(0, 1), announced="555"), "35566", "55"
    ),
    Case("marked, pushed aside", "5 5 5 3 6", last(marks=marks(0, 1, 2)), "35556", "555"),
    Case(
        "marked, one seen, two on the holder", "5@0 3 6", last(marks=marks(0, 1, 2)), "35556", "555"
    ),
    Case("marked, one pushed aside", "5 3 6", last(marks=marks(0, 1, 2)), "35556", "555"),
    Case(
        "marked, one of two pushed aside, who knows which",
        "5 2 6 6",
        last(marks=marks(0, 3)),
        None,
        says="Dice seen: 4. Kept: 25, so 3",
    ),
    Case(
        "some on the holder, or one too few",
        "5 5 3 6",
        last(marks=marks(0, 1, 2, 3)),
        None,
        says="Dice seen: 4. Kept: 2555, so 1",
    ),
    Case(
        "one aside and one away, or both aside",
        "5 5 3 6",
        last(marks=marks(0, 1)),
        "35556",
        "55",
        doubts=1,
    ),
    Case(
        "one in place and one away, or aside",
        "5@0 5 3 6",
        last(marks=marks(0, 1)),
        "35556",
        "55",
        doubts=1,
    ),
    Case("marked, four seen, one kept found", "5 6 6 6", last(marks=marks(0, 3)), "25666", "25"),
    Case(
        "a marked die is missing",
        "5 5 4 3 6",
        last(marks=marks(0, 1, 2)),
        None,
        says="The kept 5 is not in 34556",
    ),
    Case(
        "one die too few was thrown",
        "3",
        last(marks=marks(0, 1, 2)),
        None,
        says="Only 1 of the 2 rolled dice",
    ),
    Case(
        "six dice with marks", "5 5 5 3 6 6", last(marks=marks(0, 1, 2)), None, says="Dice seen: 6"
    ),
    Case(
        "all are marked",
        "5 5 5 2 1",
        last(marks=marks(0, 1, 2, 3, 4)),
        None,
        says="All dice are marked",
    ),
    Case("none is kept", "5 5 5 2 1", last(marks=marks()), "12555", ""),
    Case(
        "none is kept, and one is missing",
        "5 5 5 2",
        last(marks=marks()),
        None,
        says="Only 4 of the 5 rolled dice",
    ),
    Case(
        "a kept die in its place is no thrown one",
        "5@0 6",
        last(marks=marks(0, 1, 2)),
        None,
        says="Only 1 of the 2 rolled dice",
    ),
    Case(
        "a thrown die beside a kept one's place",
        "5@0.2 6",
        last(marks=marks(0, 1, 2)),
        "55556",
        "555",
        doubts=1,
    ),
    Case("nudged among its neighbours", "5@0 5@1 5@2.3 3 6", last(), "35556", "555"),
    Case("nudged without company, or thrown", "5@0.2 4 6 3 6", last(), "34566"),
    Case("pushed too far to be known", "5@0 5@1 5@3.5 3 6", last(), "35556", "55"),
    Case("the tray was pushed", "5@2 5@3 5@4 3@7 6@8", last(), "35556", "555"),
    Case("nudged, and a person insists", "5@0 5@1 5@2 2@3 1@4.3", last(), "12555"),
    Case(
        "a kept die was turned over",
        "4@0 5@1 5@2 3 6",
        last(marks=marks(0, 1, 2)),
        None,
        says="A kept 5 now shows 4",
    ),
    Case(
        "a kept die was turned over, or moved aside",
        "4@0 5@1 5@2 5 6",
        last(marks=marks(0, 1, 2)),
        "45556",
        "555",
        doubts=1,
    ),
    Case("an unreadable die with marks", "? 6", last(marks=marks(0, 1, 2)), None, says="tap it"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_position_proposes_values_check_and_taps_decide(case: Case) -> None:
    rolled = judged(dice(case.seen), 5, case.before)
    assert str(rolled.roll or "") == (case.roll or "")
    assert (None if rolled.kept is None else str(rolled.kept)) == case.kept
    assert case.says in str(rolled.obstacle or "")
    assert (rolled.obstacle is None) == (not case.says)
    assert len(rolled.doubts) == case.doubts
    assert all(isinstance(doubt, Message) for doubt in rolled.doubts)
    assert Roll(tuple(die.value for die in rolled.on_table)) == (rolled.roll or Roll(()))


ROLLS_TRIED = 1000
TRAY = (12.0, 9.0)  # in sides of a die


def scattered(chance: Random, taken: list[TableDie], dice: int) -> list[TableDie]:
    fallen: list[TableDie] = []
    while len(fallen) < dice:
        across, down = (chance.uniform(0.6, side - 0.6) for side in TRAY)
        corner = (across * SIDE, down * SIDE, (across + 1) * SIDE, (down + 1) * SIDE)
        one = TableDie(chance.randint(1, 6), corner, chance.uniform(-45, 44))
        if all(distance_in_sides(other, one) > 1.3 for other in (*taken, *fallen)):
            fallen.append(one)
    return fallen


@pytest.mark.parametrize(
    ("marked", "on_holder", "unproposed", "asked", "mistaken"),
    [(False, False, 2, 20, 25), (True, False, 1, 2, 0), (True, True, 1, 2, 0)],
    ids=["nothing marked", "tapped", "tapped, on the holder"],
)
def test_chance_seldom_looks_like_a_nudge(
    *, marked: bool, on_holder: bool, unproposed: int, asked: int, mistaken: int
) -> None:
    chance, outcomes = Random(5), Counter[str]()
    for _ in range(ROLLS_TRIED):
        lying = scattered(chance, [], 5)
        kept = frozenset(range(chance.randint(0, 4)))
        here = lying[: len(kept)]
        again = scattered(chance, here, 5 - len(kept))
        seen = again if on_holder else here + again
        free = frozenset(range(5)) - kept if marked else frozenset[int]()
        before = LastRoll(tuple(lying), kept if marked else None)
        outcomes["unproposed"] += none_rolled(track_dice(lying, seen), len(seen), free)
        rolled = judged([TableDie(d.face, d.box, d.angle) for d in seen], 5, before)
        outcomes["asked"] += bool(rolled.doubts or rolled.obstacle)
        outcomes["mistaken"] += rolled.kept_before != kept
    assert outcomes["unproposed"] <= unproposed
    assert outcomes["asked"] <= asked
    assert outcomes["mistaken"] <= mistaken


def shown(rolled: RollReading) -> tuple[list[int], list[int]]:
    return sorted(rolled.kept_seen), sorted(rolled.kept_before)


def test_kept_dice_are_shown_where_they_lie() -> None:
    by_place = judged(dice("5 5@1 5@0 3 6"), 5, last(marks=marks(0, 1)))
    assert shown(by_place) == ([1, 2], [0, 1])
    by_value = judged(dice("3 5 6 5 1"), 5, last(marks=marks(0, 1)))
    assert shown(by_value) == ([1, 3], [0, 1])


def test_kept_dice_away_from_the_picture_lie_nowhere() -> None:
    rolled = judged(dice("3 6@8"), 5, last(marks=marks(0, 1, 2)))
    assert [die.box is None for die in rolled.on_table] == [False, True, True, True, False]
    assert rolled.on_table[-1] == TableDie(6, box(8))


def test_an_announcement_that_does_not_fit_finds_what_it_can() -> None:
    assert last(announced="554").chosen == marks(0, 1)


def test_a_corrected_die_is_not_doubted() -> None:
    seen = dice("5@0 5@1 3@2 3 6")
    seen[2] = TableDie(3, box(2), confidence=0.99, corrected=True)
    assert judged(seen, 5, last()).doubts == ()
