"""The arithmetic of fair times."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.timing import Times, for_a_while, ratios, spread, take_turns, together

FIGURES = st.lists(st.floats(0.1, 1e3), min_size=1, max_size=40)


@given(FIGURES)
def test_a_spread_lies_within_its_figures(figures: list[float]) -> None:
    """The median lies between the tenths, and both between the extremes."""
    told = spread(figures)
    around = (min(figures), told.low, told.median, told.high, max(figures))
    assert all(one <= other + 1e-9 for one, other in pairwise(around))


def test_a_spread_leaves_a_tenth_on_either_side() -> None:
    """Of 0 to 100 the tenths are 10 and 90."""
    told = spread([float(figure) for figure in range(101)])
    assert (told.low, told.median, told.high) == (10, 50, 90)


@given(FIGURES)
def test_a_ratio_is_taken_repeat_by_repeat(figures: list[float]) -> None:
    """If one always takes three times as long, the ratio is three, whatever the load."""
    slow, fast = (Times(tuple(by * each for each in figures), ()) for by in (3, 1))
    told = ratios(slow, fast)
    assert all(abs(each - 3) < 1e-6 for each in (told.low, told.median, told.high))


def test_contestants_take_turns_and_each_begins_as_often() -> None:
    """After one untimed run, every repeat runs all, each beginning with another one."""
    ran: list[str] = []
    times = take_turns({name: lambda name=name: ran.append(name) for name in "abc"}, 3)  # type: ignore[misc]
    assert "".join(ran) == "abc" + "abc" + "bca" + "cab"
    assert {name: len(each.cpu) for name, each in times.items()} == {"a": 3, "b": 3, "c": 3}
    assert all(len(each.wall) == 3 for each in times.values())


def test_work_that_takes_long_is_still_repeated() -> None:
    """However little time there is: once untimed, and as often as is asked at least."""
    ran: list[int] = []
    times = for_a_while(lambda: ran.append(0), seconds=0.0, fewest=4)
    assert (len(ran), len(times.wall), len(times.cpu)) == (5, 4, 4)


def test_times_on_several_pictures_are_put_together() -> None:
    """No repeat of a picture is lost, and the order stays."""
    one, other = Times((1.0, 2.0), (3.0, 4.0)), Times((5.0,), (6.0,))
    both = together([{"a": one}, {"a": other}])
    assert both == {"a": Times((1.0, 2.0, 5.0), (3.0, 4.0, 6.0))}
