"""Rolls and their notation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.dice import NO_DICE, Roll
from scoreboard.errors import NotationError, ScoreboardError

rolls = st.lists(st.integers(1, 6), max_size=8).map(lambda faces: Roll(tuple(faces)))


@given(rolls)
def test_a_roll_is_read_back_as_it_was_written(roll: Roll) -> None:
    """The notation loses neither a die nor the order."""
    assert Roll.parse(str(roll)) == roll


@given(rolls, rolls)
def test_what_is_missing_makes_the_other_contain_the_roll(roll: Roll, other: Roll) -> None:
    """Adding what is missing leaves nothing missing, and no die too many is called missing."""
    missing = roll.missing_from(other)
    assert roll.missing_from(Roll(other.faces + missing.faces)) == NO_DICE
    assert missing == missing.ascending
    assert len(missing) >= len(roll) - len(other)


def test_dice_are_counted_one_by_one() -> None:
    """Two fives are missing where three were kept and one lies."""
    assert Roll.parse("5553").missing_from(Roll.parse("53261")) == Roll.parse("55")


def test_dice_are_typed_in_the_digits_of_any_script() -> None:
    """As a Japanese keyboard has them, or an Arabic one."""
    assert Roll.parse("\uff11\uff12\u0663\u0664\uff15") == Roll.parse("12345")


@pytest.mark.parametrize("text", ["33517", "0", "1 2", "-1", "a", "\uff17", "\u00b2", "1\n"])
def test_what_is_no_roll_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refusal:
        Roll.parse(text)
    assert isinstance(refusal.value, ValueError)
    assert isinstance(refusal.value, ScoreboardError)
    assert text in str(refusal.value) or "1 to 6" in str(refusal.value)


def test_a_roll_has_its_figures() -> None:
    roll = Roll.parse("33516")
    assert (roll.total, len(roll), str(roll.ascending)) == (18, 5, "13356")
    assert roll.counts == {3: 2, 5: 1, 1: 1, 6: 1}
