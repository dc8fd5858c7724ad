"""Dice followed by place and value: nudged ones told from rolled ones, whatever their order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.table.dice_tracking import (
    MOST_FOLLOWED,
    NO_SHIFT,
    Fate,
    Shift,
    TrackedDice,
    common_shift,
    distance_in_sides,
    none_rolled,
    paired,
    relabelled,
    shift_between,
    track_dice,
)
from scoreboard.table.proposal import Box, TableDie
from tests.scoreboard.table.fakes import SIDE, box

NO_ANGLE = 0.0
FAR = 4.0  # sides between the dice of a truth: farther than a nudge goes


def square(across: float, down: float) -> Box:
    """The box of a die whose middle lies so many sides from the picture's corner."""
    return ((across - 0.5) * SIDE, (down - 0.5) * SIDE, (across + 0.5) * SIDE, (down + 0.5) * SIDE)


def die(face: int, across: float, down: float = 0.0, angle: float = NO_ANGLE) -> TableDie:
    return TableDie(face, square(across, down), angle)


def fate(was: TableDie, now: TableDie) -> Fate | None:
    found = track_dice([was], [now])
    return found[0].fate if found else None


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (die(5, 0), "untouched"),
        (die(5, 0.24, angle=40), "untouched"),
        (die(5, 0.3), "nudged"),
        (die(5, 1.2, angle=14), "nudged"),
        (die(5, 0.8, 0.8), "nudged"),
        (die(5, 0.45, angle=30), "turned"),
        (die(5, 0.55, angle=30), None),
        (die(5, 1.3), None),
        (die(3, 0.2), "changed"),
        (die(3, 0.3), None),
        (TableDie(5), None),
    ],
)
def test_place_value_and_turn_show_what_became_of_a_die(
    now: TableDie, expected: Fate | None
) -> None:
    assert fate(die(5, 0), now) == expected


def test_a_quarter_turn_is_no_turn() -> None:
    """A face looks the same from four sides: -44 degrees and 44 are two apart."""
    assert fate(die(5, 0, angle=-44), die(5, 0.5, angle=44)) == "nudged"


def test_a_die_that_turned_among_untouched_ones_was_nudged() -> None:
    """A rolled die rarely comes to lie just there."""
    before = [die(5, 0), die(2, 1.5)]
    found = track_dice(before, [die(5, 0.3, 0.3, 30), die(2, 1.5)])
    assert [each.fate for each in found] == ["nudged", "untouched"]


def test_dice_are_paired_all_at_once() -> None:
    """The nearest pair first would leave the other two dice without partners."""
    before = [die(5, 0), die(5, 1.3)]
    found = track_dice(before, [die(5, 0.7), die(5, 1.9)])
    assert {(each.before, each.now) for each in found} == {(0, 0), (1, 1)}


def test_a_die_that_stayed_comes_before_one_that_was_pushed() -> None:
    """The one that lies in the place lay there; the other came from elsewhere."""
    assert track_dice([die(5, 0)], [die(5, 0.4), die(5, 0.1)]) == (TrackedDice(0, 1, "untouched"),)


def test_the_pairing_that_gains_most_is_found() -> None:
    assert paired([{0: 3.0, 1: 2.5}, {0: 2.9}, {}]) == ((1, 0), (0, 1))
    assert paired([]) == ()


def test_more_dice_than_any_game_rolls_are_not_followed() -> None:
    """Nobody waits for the pairing of forty dice."""
    heap = [die(5, place * FAR) for place in range(MOST_FOLLOWED + 1)]
    assert track_dice(heap, heap) == ()


@pytest.mark.parametrize(
    ("shifted", "way"), [(3, (2 * SIDE, SIDE)), (2, NO_SHIFT), (0, NO_SHIFT), (5, (2 * SIDE, SIDE))]
)
def test_three_dice_that_agree_show_how_far_the_tray_was_pushed(shifted: int, way: Shift) -> None:
    """Two may be rolled so by chance."""
    before = [die(face, face * FAR) for face in range(1, 6)]
    pushed = [die(face, face * FAR + 2, 1) for face in range(1, 1 + shifted)]
    others = [die(6, face * FAR, 3) for face in range(1 + shifted, 6)]
    assert common_shift(before, pushed + others) == way


NONE_ROLLED = [
    ([], 0, [], False),
    (["untouched"], 1, [], True),
    (["nudged"], 1, [], False),
    (["untouched", "nudged"], 2, [], True),
    (["untouched", "nudged"], 2, [1], False),
    (["untouched", "nudged"], 2, [0], True),
    (["nudged", "nudged", "nudged"], 3, [], True),
    (["untouched", "untouched", "turned"], 3, [], False),
    (["untouched", "changed"], 2, [], False),
    (["untouched"], 2, [], False),
]


@pytest.mark.parametrize(("fates", "seen", "free", "expected"), NONE_ROLLED)
def test_dice_that_all_stayed_were_not_rolled(
    fates: list[Fate], seen: int, free: list[int], *, expected: bool
) -> None:
    """A lone nudged die may be a rolled one, and so may one that is to be rolled."""
    followed = [TrackedDice(index, index, each) for index, each in enumerate(fates)]
    assert none_rolled(followed, seen, free) == expected


@dataclass(frozen=True)
class Truth:
    """A roll, what became of each die of it, and what is seen then (in the roll's order)."""

    before: tuple[TableDie, ...]
    rolled: tuple[bool, ...]
    now: tuple[TableDie, ...]


def truth(seed: int, jitter: float = 0.08) -> Truth:
    """Five dice: each nudged (or left alone) or rolled elsewhere, and seen by a shaky camera.

    Rolled dice never land in rank and file: all pushed alike they would look like a pushed tray.
    """
    chance = Random(seed)
    cells = chance.sample([(column, row) for column in range(6) for row in range(3)], 10)
    before, rolled, now = [], [], []
    for (column, row), (far_column, far_row) in zip(cells[:5], cells[5:], strict=True):
        was = die(chance.randint(1, 6), column * FAR, row * FAR, chance.uniform(-45, 44))
        again = chance.random() < 0.5
        if again:
            x, y = (FAR * (at + chance.uniform(-0.25, 0.25)) for at in (far_column, far_row))
            seen = die(chance.randint(1, 6), x, y, 0)
        else:
            nudge = chance.choice([0.0, 0.0, chance.uniform(0.3, 0.8)])
            seen = moved(was, nudge * chance.choice([-1, 1]), nudge * chance.random())
        before.append(was)
        rolled.append(again)
        now.append(moved(seen, chance.uniform(-jitter, jitter), chance.uniform(-jitter, jitter)))
    return Truth(tuple(before), tuple(rolled), tuple(now))


def moved(lying: TableDie, across: float, down: float) -> TableDie:
    assert lying.box is not None
    left, top, right, bottom = lying.box
    away = (left + across * SIDE, top + down * SIDE, right + across * SIDE, bottom + down * SIDE)
    return replace(lying, box=away)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_nudged_dice_are_distinguished_from_rolled_ones(seed: int) -> None:
    case = truth(seed)
    kept = {(index, index) for index, again in enumerate(case.rolled) if not again}
    found = {(each.before, each.now) for each in track_dice(case.before, case.now)}
    assert found == kept


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_order_of_the_dice_does_not_matter(seed: int, chance: Random) -> None:
    case = truth(seed)
    order = list(range(5))
    chance.shuffle(order)
    shuffled = track_dice(case.before, [case.now[index] for index in order])
    assert {(each.before, order[each.now], each.fate) for each in shuffled} == {
        (each.before, each.now, each.fate) for each in track_dice(case.before, case.now)
    }


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.floats(-3.5, 3.5), st.floats(-3.5, 3.5), st.floats(0, 0.08))
def test_a_shaking_camera_or_a_pushed_tray_rolls_nothing(
    seed: int, across: float, down: float, jitter: float
) -> None:
    """However far all dice went together, each is known again, and none was rolled."""
    case = truth(seed)
    chance = Random(seed)
    now = [
        moved(
            each, across + chance.uniform(-jitter, jitter), down + chance.uniform(-jitter, jitter)
        )
        for each in case.before
    ]
    followed = track_dice(case.before, now)
    assert [(each.before, each.now) for each in followed] == [(i, i) for i in range(5)]
    assert none_rolled(followed, len(now))


def test_distance_is_in_sides_of_the_die() -> None:
    was, seen = TableDie(5, box(0)), TableDie(3, box(1.5))
    assert distance_in_sides(was, seen) == 3.0
    assert distance_in_sides(was, seen, shift_between(was, seen)) == 0.0


@pytest.mark.parametrize("nowhere", [None, (1.0, 1.0, 1.0, 1.0)])
def test_a_die_that_nobody_saw_lies_nowhere(nowhere: Box | None) -> None:
    assert distance_in_sides(TableDie(5, nowhere), TableDie(5, box(0))) == float("inf")


LAST_DICE = [TableDie(5, box(0)), TableDie(5, box(1)), TableDie(2, box(2))]


@pytest.mark.parametrize(
    ("roll", "places"),
    [
        ("552", [0, 1, 2]),
        ("255", [2, 0, 1]),
        ("553", [0, 1, 2]),
        ("333", [None, None, None]),
        ("533", [0, None, None]),
        ("55", [0, 1]),
        ("552 1", [0, 1, 2, None]),
    ],
)
def test_dice_keep_their_place_when_a_value_is_corrected(
    roll: str, places: list[float | None]
) -> None:
    """One changed value lies where the die left over lay; more are anybody's guess."""
    dice = relabelled(LAST_DICE, Roll.parse(roll.replace(" ", "")))
    assert [die.face for die in dice] == [int(face) for face in roll.replace(" ", "")]
    assert [die.box for die in dice] == [None if place is None else box(place) for place in places]
