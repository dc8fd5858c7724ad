"""The arithmetic of fair times, and the page of figures."""

from __future__ import annotations

import importlib
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games.rummikub.sets import is_set
from scoreboard.games.rummikub.tiles import CLASSIC
from tests.benchmarks.__main__ import BENCHMARKS, main
from tests.benchmarks.composing import compose
from tests.benchmarks.harness import (
    PAGE,
    Line,
    Times,
    at_least,
    at_most,
    for_a_while,
    put,
    ratios,
    section,
    spread,
    take_turns,
)
from tests.benchmarks.tiles_picture import tiles_picture, whole_box
from tests.benchmarks.yolo_shape import (
    PUBLISHED_GIGAFLOPS,
    PUBLISHED_PARAMETERS,
    build,
    load_yolo_shape,
)

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


def test_a_promise_is_kept_up_to_its_limit() -> None:
    """A figure that is exactly what was promised keeps the promise."""
    assert [at_most("", 5, each).kept for each in (5.0, 5.1)] == [True, False]
    assert [at_least("", 5, each).kept for each in (5.0, 4.9)] == [True, False]


def test_a_section_takes_the_place_of_the_one_before() -> None:
    """A new one comes last; the others stay as they are."""
    page = put(section("one", "About.", [Line("a", "1 ms")]), "# Figures\n\nWords.\n")
    page = put(section("two", "About.", [at_most("b", 1, 2)]), page)
    again = put(section("one", "About.", [Line("a", "3 ms")]), page)
    assert [line for line in again.splitlines() if line.startswith(("#", "| a", "| b"))] == [
        *(
            "# Figures",
            "## one",
            "| a |  | 3 ms |",
            "## two",
            "| b | at most 1 ms | 2.0 ms **no** |",
        )
    ]
    assert put(section("one", "About.", [Line("a", "1 ms")]), again) == page


def test_every_benchmark_is_there_and_has_its_section() -> None:
    """Its function is found, and the page has figures of it; help and slips measure nothing."""
    headings = PAGE.read_text(encoding="utf-8").splitlines()
    for name, each in BENCHMARKS.items():
        module, _, function = each.function.partition(":")
        assert callable(getattr(importlib.import_module(f"tests.benchmarks.{module}"), function))
        assert f"## {name}" in headings
    assert CliRunner().invoke(main, ["--help"]).exit_code == 0
    assert CliRunner().invoke(main, ["steps", "pages"]).exit_code == 2


def test_the_yardstick_is_as_large_as_the_published_one() -> None:
    """Weights within 3 % and work within 5 %, both counted; larger pictures take more work."""
    content, graph = build()
    assert graph.parameters == pytest.approx(PUBLISHED_PARAMETERS, rel=0.03)
    assert graph.operations == pytest.approx(PUBLISHED_GIGAFLOPS * 1e9, rel=0.05)
    assert len(content) == pytest.approx(4 * graph.parameters, rel=0.05)
    assert load_yolo_shape(160)(np.zeros((300, 900, 3), np.uint8))[0].shape == (1, 64, 20, 20)


def test_the_same_seed_gives_the_same_picture() -> None:
    """Figures of today and of next year belong to the same picture of dice, and of tiles."""
    one, same, other = (compose([90.0, 120.0], seed) for seed in (1, 1, 2))
    assert np.array_equal(one.image, same.image)
    assert not np.array_equal(one.image, other.image)
    assert len(compose([70.0] * 40, 40).values) == 40
    laid, again, differing = (tiles_picture(10, seed) for seed in (1, 1, 2))
    assert np.array_equal(laid.image, again.image)
    assert laid.rows == again.rows != differing.rows


def test_drawn_tiles_are_legal_sets_of_one_box() -> None:
    """Each tile of the box once (RK-1); no more than a box holds, nor than there is room for."""
    rows = whole_box()
    assert all(is_set(row) for row in rows)
    assert Counter(piece for row in rows for piece in row.pieces) == Counter(CLASSIC.tiles.pieces)
    assert len(tiles_picture(106, 1).pieces) == 106
    with pytest.raises(ValueError, match="A box has no 107"):
        tiles_picture(107, 1)
