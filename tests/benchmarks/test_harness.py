"""The tools of measuring: fair times, the page of figures, what owners send in, the scale."""

from __future__ import annotations

import importlib
import json
import re
import socket
import subprocess
import sys
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path

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
    Work,
    at_least,
    at_most,
    for_a_while,
    put,
    ratios,
    section,
    spread,
    take_turns,
)
from tests.benchmarks.measure import (
    ALL_CORES,
    MANY_DICE,
    MANY_TILES,
    Findings,
    kernel_number,
    page,
    works,
)
from tests.benchmarks.scale import Size, measured
from tests.benchmarks.scale_boards import States
from tests.benchmarks.scale_tables import NAMES, OPTIONS, Sitting, parcel, presses_of, scripts
from tests.benchmarks.tiles_picture import tiles_picture, whole_box
from tests.benchmarks.watching import READING, STILL, TRAY_GREY, WatchingCost
from tests.benchmarks.yolo_shape import (
    PUBLISHED_GIGAFLOPS,
    PUBLISHED_PARAMETERS,
    build,
    load_yolo_shape,
)
from tests.postgres import find_programs

pytestmark = pytest.mark.slow  # no table needs the measuring tools

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


ROOT = Path(__file__).parents[2]
ONLY_WITHOUT = """
import sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refused())
import tests.benchmarks.measure
"""
PACKAGES = {
    "argon2-cffi": "argon2",
    "import-linter": "importlinter",
    "pytest-cov": "pytest_cov",
}


def test_it_needs_what_the_table_needs_and_no_more() -> None:
    """`make run` sets up no test's or training's library, and it measures all the same."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = project["optional-dependencies"].values()
    named = {re.split(r"[^\w-]", text)[0] for group in groups for text in group}
    names = {PACKAGES.get(name, name.replace("-", "_")) for name in named}
    assert {"pytest", "playwright", "torch", "onnx", "argon2"} <= names
    script = ONLY_WITHOUT.format(names=names)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def work() -> dict[str, Work]:
    """All that is timed."""
    return works()


def test_all_that_it_times_can_be_run(work: dict[str, Work]) -> None:
    """Five dice, thirty-two, twenty-eight tiles, and each stage of watching."""
    assert list(work)[:4] == [READING, MANY_DICE, ALL_CORES, MANY_TILES]
    for each in work.values():
        each()


def test_the_text_has_every_figure_and_nobodys_name(work: dict[str, Work]) -> None:
    """The machine and its software are named; its owner, its name and its addresses are not."""
    stages = {name: [float(at), at + 1.0, at + 2.0] for at, name in enumerate(work)}
    text = page(Findings(stages, [12.0, 14.0, 99.0], (41.2, None)))
    for name in work:
        assert f"| {name} |" in text
    assert "14.00 (" in text
    assert "41 °C and unknown" in text
    for secret in (socket.gethostname(), str(Path.home()), str(ROOT)):
        assert secret not in text
    assert kernel_number("6.12.25+rpt-Ann") == "6.12.25"


def test_rest_is_five_small_frames_a_second(work: dict[str, Work]) -> None:
    """And the health once."""
    figures = {name: spread([1.0]) for name in work}
    figures |= {TRAY_GREY: spread([0.5]), STILL: spread([0.5])}
    assert WatchingCost(figures).second_at_rest == 5 * (0.5 + 0.5) + 1


TINY = Size(2, rounds=3, viewers=2, pressed=20, press_seconds=0.02)
PROGRAMS = find_programs()


@pytest.mark.skipif(PROGRAMS is None, reason="PostgreSQL's programs are missing")
def test_a_tiny_event_is_kept_whole() -> None:
    """The hub keeps every event, and every board shows every result of the last round."""
    assert PROGRAMS is not None
    games = scripts(2)
    figures = measured(TINY, PROGRAMS, games)
    assert figures.items == 3 * sum(script.events + 5 for script in games)
    assert figures.watched.missed == 0
    assert len(figures.watched.to_boards) == TINY.viewers * TINY.tables
    lines = {each.what: each for each in figures.lines(TINY, promised=True)}
    assert lines["2 tables: events a second, one by one"].promised == "at least 300"
    assert lines["2 tables: results that a board never showed"].kept


def test_a_game_is_delivered_in_parts_or_whole() -> None:
    """Both give the same items in order; the press before the signatures ends the game."""
    script = scripts(1)[0]
    players = ("Kim", "Söderberg", 'O"Neill', "Ito")
    sitting = Sitting(2, 7, (4, 3, 2, 1), players, OPTIONS)
    presses = presses_of(script, sitting)
    whole = json.loads(parcel(sitting, presses).body)
    parts = [json.loads(parcel(sitting, [press]).body) for press in presses]
    assert whole["game_id"] == sitting.game_id
    assert [item for part in parts for item in part["items"]] == whole["items"]
    assert [item["sequence"] for item in whole["items"]] == list(range(1, script.events + 6))
    assert not any(name in str(whole) for name in NAMES)
    assert [parcel(sitting, [press]).ends for press in presses].index(True) == len(presses) - 5


def test_a_board_shows_which_results_are_in() -> None:
    """Results are read from the hub's state; the same state has the same number."""
    states = States()
    part = (
        '<li id="round-3-table-12" class="board-table phase-done"></li>'
        '<li id="round-3-table-13" class="board-table phase-waiting"></li>'
    )
    event = f"event: state\ndata: {json.dumps(part)}\n\n".encode()
    assert states.number(event) == states.number(event) == 0
    assert states.shown[0] == {(3, 12)}
