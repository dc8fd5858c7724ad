"""How far confidence may be believed: laws of the calibration error, the ranking, the tables."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.evaluate.scoring import (
    BARS,
    BINS,
    Judged,
    auroc,
    calibration_error,
    equal_mass_bins,
    histogram,
    reliability,
)

# Few different confidences, so that ties are as common as they are among real readings.
confidences = st.one_of(
    st.floats(0, 1, allow_nan=False), st.sampled_from([0.0, 0.25, 0.5, 0.9999, 1.0])
)
readings = st.lists(st.tuples(confidences, st.booleans()), max_size=80)
some_readings = st.lists(st.tuples(confidences, st.booleans()), min_size=1, max_size=80)


def chance_of_order(judged: list[Judged]) -> float | None:
    """AUROC pair by pair."""
    right = [confidence for confidence, is_right in judged if is_right]
    wrong = [confidence for confidence, is_right in judged if not is_right]
    wins = [1.0 if one > other else 0.5 * (one == other) for one, other in product(right, wrong)]
    return sum(wins) / len(wins) if wins else None


@given(readings)
def test_auroc_is_the_share_of_pairs_in_order(judged: list[Judged]) -> None:
    """Counting all pairs of a right and a wrong reading gives the same; ties count half."""
    expected = chance_of_order(judged)
    assert auroc(judged) == (None if expected is None else pytest.approx(expected))


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 12)), min_size=1, max_size=20))
def test_confidence_that_keeps_its_word_has_no_error(groups: list[tuple[int, int]]) -> None:
    """Of n readings with confidence k/n exactly k are right; however the bins cut them."""
    judged = [
        (min(right, size) / size, each < right) for size, right in groups for each in range(size)
    ]
    assert calibration_error(equal_mass_bins(judged)) == pytest.approx(0, abs=1e-9)


@given(readings, st.integers())
def test_order_is_of_no_matter(judged: list[Judged], seed: int) -> None:
    """Shuffled readings are summed up to the same, ties included."""
    shuffled = list(judged)
    Random(seed).shuffle(shuffled)
    assert reliability(shuffled) == reliability(judged)


@given(readings)
def test_every_figure_is_a_share(judged: list[Judged]) -> None:
    """Error, ranking, confidences and shares lie in 0 to 1, up to a rounding in the last digit."""
    summed = reliability(judged)
    figures = [summed.calibration_error, summed.auroc or 0.0]
    figures += [figure for each in summed.bins for figure in (each.confidence, each.right)]
    assert all(-1e-9 <= figure <= 1 + 1e-9 for figure in figures)


@given(some_readings)
def test_bins_are_as_equal_as_can_be(judged: list[Judged]) -> None:
    """All readings are in a bin, in ascending order, and no two bins differ by more than one."""
    bins = equal_mass_bins(judged)
    sizes = [each.readings for each in bins]
    assert sum(sizes) == len(judged)
    assert len(bins) == min(BINS, len(judged))
    assert max(sizes) - min(sizes) <= 1
    edges = [edge for each in bins for edge in (each.least, each.most)]
    assert edges == sorted(edges)
    right = sum(each.right * each.readings for each in bins)
    assert right == pytest.approx(sum(is_right for _, is_right in judged))


@given(readings)
def test_the_bars_hold_every_reading_once(judged: list[Judged]) -> None:
    """Right and wrong ones, and each bar only what lies in it."""
    bars = histogram(judged)
    assert len(bars) == BARS
    assert sum(bar.right for bar in bars) == sum(is_right for _, is_right in judged)
    assert sum(bar.right + bar.wrong for bar in bars) == len(judged)


@pytest.mark.parametrize(
    ("confidence", "place"), [(0.0, 0), (0.0499, 0), (0.05, 1), (0.999, 19), (1.0, 19)], ids=str
)
def test_a_bar_begins_with_its_least(confidence: float, place: int) -> None:
    """A confidence at an edge belongs to the bar above it, and 1 to the last."""
    bars = histogram([(confidence, True)])
    assert [bar.right for bar in bars].index(1) == place


def test_a_boast_is_measured() -> None:
    """Ten readings of confidence 0.9 with half of them right are 0.4 off."""
    summed = reliability([(0.9, each < 5) for each in range(10)])
    assert summed.calibration_error == pytest.approx(0.4)
    assert summed.auroc == 0.5


def test_nothing_read_is_no_error() -> None:
    """No readings: no error, no ranking, no bins, empty bars."""
    summed = reliability([])
    assert (summed.calibration_error, summed.auroc, summed.bins) == (0.0, None, ())
