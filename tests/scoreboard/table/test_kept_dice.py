"""Which dice were kept, and whether what is seen is a roll."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from scoreboard.dice import Roll
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


# What lies there; after which roll: none, one of which no more is known, one whose dice were tapped
# by their places (`tap01`) or kept by a choice (`say55`); the roll that it is, or why it is none.
CASES = """\
3 1 5 3 6             | first        | 13356 | a first roll
3 1 5 3               | first        | I see 4 of 5 dice | a first roll of four
3 1 5 3 6 6           | first        | remove the others | a first roll of six
3 1 ? 3 6             | first        | tap it and enter | an unreadable die
5@0 5@1 5@2 3 6       | rolled       | 35556 kept 555 | three stayed where they lay
5 5 5 3 6             | rolled       | 35556 | all were pushed about
5@0 5@1 3@2 3 6       | rolled       | 33556 kept 55 asked | a die changed in its place
5@0 5@1 5@2 2@3 1@4   | rolled       | 12555 | all stayed, and a person insists
3 6                   | rolled       | I see 2 of 5 dice: tap | three left the picture
3 6 1 1 1 1           | rolled       | 6 dice instead | six dice
3 6                   | tap012       | 35556 kept 555 | marked, on the holder
3 6                   | say555       | 35556 kept 555 | announced, on the holder
3 6 6                 | tap01 say555 | 35566 kept 55 | marks speak before words
5 5 5 3 6             | tap012       | 35556 kept 555 | marked, pushed aside
5@0 3 6               | tap012       | 35556 kept 555 | marked, one seen, two on the holder
5 3 6                 | tap012       | 35556 kept 555 | marked, one pushed aside
5 2 6 6               | tap03        | Kept: 2 5, so 3 | one of two aside, who knows which
5 5 3 6               | tap0123      | Kept: 2 5 5 5, so 1 | some on the holder, or one too few
5 5 3 6               | tap01        | 35556 kept 55 asked | one aside and one away, or both aside
5@0 5 3 6             | tap01        | 35556 kept 55 asked | one in place and one away, or aside
5 6 6 6               | tap03        | 25666 kept 25 | marked, four seen, one kept found
5 5 4 3 6             | tap012       | The kept 5 is not in 3 4 5 5 6 | a marked die is missing
3                     | tap012       | I see 1 of the 2 rolled dice | one die too few was rolled
5 5 5 3 6 6           | tap012       | Dice seen: 6 | six dice with marks
5 5 5 2 1             | tap01234     | All dice are marked | all are marked
5 5 5 2 1             | tap          | 12555 kept none | none is kept
5 5 5 2               | tap          | I see 4 of the 5 rolled dice | none is kept, one is missing
5@0 6                 | tap012       | I see 1 of the 2 rolled dice | a kept die was not rolled
5@0.2 6               | tap012       | 55556 kept 555 asked | a rolled die beside a kept one's place
5@0 5@1 5@2.3 3 6     | rolled       | 35556 kept 555 | nudged among its neighbours
5@0.2 4 6 3 6         | rolled       | 34566 | nudged without company, or rolled
5@0 5@1 5@3.5 3 6     | rolled       | 35556 kept 55 | pushed too far to be known
5@2 5@3 5@4 3@7 6@8   | rolled       | 35556 kept 555 | the tray was pushed
5@0 5@1 5@2 2@3 1@4.3 | rolled       | 12555 | nudged, and a person insists
4@0 5@1 5@2 3 6       | tap012       | A kept 5 now shows 4 | a kept die was turned over
4@0 5@1 5@2 5 6       | tap012       | 45556 kept 555 asked | turned over, or moved aside
? 6                   | tap012       | tap it | an unreadable die with marks
"""


@pytest.mark.parametrize("case", CASES.splitlines(), ids=lambda case: case.rpartition("| ")[2])
def test_position_proposes_values_check_and_taps_decide(case: str) -> None:
    seen, before, outcome, _ = case.split(" | ")
    tapped, said = re.search(r"tap(\d*)", before), re.search(r"say(\d+)", before)
    taps = frozenset(map(int, tapped[1])) if tapped else None
    known = LastRoll() if "first" in before else last(marks=taps, announced=said and said[1])
    rolled = judged(dice(seen), 5, known)
    kept = "" if rolled.kept is None else f" kept {rolled.kept or 'none'}"
    found = f"{rolled.roll}{kept}{' asked' * len(rolled.doubts)}"
    assert outcome in str(rolled.obstacle) if rolled.obstacle else outcome == found
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
