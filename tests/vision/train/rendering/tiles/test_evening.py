"""The planned round of Rummikub: what the rules say to it, where its sets lie, what is filmed."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scoreboard.games.rummikub.sets import Laid
from tests.vision.train.rendering.staging import GreyStudio
from vision.train.rendering.evening import read_picture
from vision.train.rendering.tiles.evening import (
    PlanError,
    PlayedTable,
    TileDarkroom,
    TileTake,
    film,
    laid_anew,
    outcome_of,
    planned_text,
    steps_of,
    the_set_up,
    write_round,
    write_truth,
)
from vision.train.rendering.tiles.tile_poses import TakenArea, rectangle

HEAD = "game rummikub\nplayers Ann, Ben\noption rounds 1\ntile Ann, R11\ntile Ben, B4\n"
MELD = "K10 B10 O10"


def tables(*texts: str) -> list[PlayedTable]:
    """Tables as they come to lie one after the other."""
    laid: list[PlayedTable] = [()]
    random = np.random.default_rng(1)
    for text in texts:
        laid.append(laid_anew(laid[-1], Laid.parse(text), random))
    return laid[1:]


def takes() -> list[tuple[str, TileTake]]:
    """Every picture of the evening, with the folder it goes to."""
    filmed = film(steps_of(planned_text()), the_set_up().edition.shape)
    return [(shown.folder, take) for shown in filmed for take in shown.takes]


def corners(take: TileTake, *, shrunk: float = 1.0) -> list[NDArray[np.float64]]:
    """The tops of the tiles as seen from above."""
    length = the_set_up().edition.shape.length
    return [
        rectangle(
            tile.place[:2],
            float(np.arctan2(tile.turn[1, 0], tile.turn[0, 0])),
            shrunk,
            shrunk * length,
        )
        for tile in take.tiles
    ]


def test_the_round_is_short_and_rich() -> None:
    """One table is refused and mended, one put back; somebody is out, and the other pays 68."""
    steps = steps_of(planned_text())
    assert outcome_of(planned_text()) == (68, -68)
    assert [len(step.seen) for step in steps].count(2) == 1
    assert [step.name.split("-")[0] for step in steps] == [
        *["tile"] * 2, *["lay"] * 5, "restored", *["lay"] * 4, "rack",
    ]  # fmt: skip
    assert len({step.name for step in steps}) == len(steps)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("lay K9 B9 O9", "27 of 30"),
        (f"see {MELD}", "would accept"),
        ("tile Ann, R1", "is still being played"),
    ],
)
def test_a_plan_against_the_rules_is_refused(lines: str, why: str) -> None:
    """A turn that the referee refuses, a fault that is none, an act out of place."""
    with pytest.raises(PlanError, match=why):
        steps_of(HEAD + lines)


def test_a_turn_without_a_picture_is_no_step() -> None:
    """Who draws a tile shows nothing to the camera."""
    assert [step.name for step in steps_of(f"{HEAD}draw\nlay {MELD}")][2:] == ["lay-1-00"]


def test_what_nobody_touched_stays_where_it_lies() -> None:
    """A set that grows keeps its tiles' places; one that is broken up and mended its own."""
    first, grown, broken, mended = tables(
        "R3 R4 R5", "R3 R4 R5 R6, B1 B2 B3", "R4 R5 R6, B1 B2 B3, R3", "R3 R4 R5 R6, B1 B2 B3"
    )
    assert grown[0].row[:3] == first[0].row
    assert broken[0].row == grown[0].row[1:]
    assert broken[1] == grown[1]
    assert (mended[0].spot, mended[0].middle) == (first[0].spot, first[0].middle)
    assert mended[0].row[1:] == grown[0].row[1:]
    assert mended[0].row[0].uneven != first[0].row[0].uneven


def test_a_tile_before_a_run_lies_to_its_left() -> None:
    """The others stay."""
    first, longer = tables("R3 R4 R5", "R2 R3 R4 R5")
    assert longer[0].row[1:] == first[0].row
    assert longer[0].row[0].along == first[0].row[0].along - 1


def test_all_tiles_are_in_sight_and_none_lies_through_another() -> None:
    """At rest every top is wholly in the picture; single sets are well apart."""
    for folder, take in takes():
        if take.hand or take.rack is not None:
            continue
        floor = TakenArea(lambda _place: True)
        for corner in corners(take, shrunk=0.96):
            assert floor.takes([corner]), folder
            spots = take.lens.pixels(np.column_stack([corner, np.full(4, 0.3)]))
            assert (spots > 8).all(), folder
            assert (spots < (take.lens.width - 8, take.lens.height - 8)).all(), folder


def test_sets_lie_apart() -> None:
    """Between two sets is more than half a tile's width."""
    for folder, take in takes():
        for one, other in combinations(take.sets, 2) if take.rack is None else ():
            apart = min(np.hypot(*(a.place - b.place)[:2]) for a in one for b in other)
            assert apart > 1.6, folder


def test_something_moves_between_two_tables() -> None:
    """Each table is announced by a hand, and nothing but tiles is there at rest."""
    filmed = list(film(steps_of(planned_text()), the_set_up().edition.shape))
    for shown in filmed:
        *moving, rest = shown.takes
        assert moving
        assert all(take.hand for take in moving)
        assert not rest.hand
    for one, other in pairwise(filmed):
        assert one.laid != other.laid


def test_a_broken_off_run_takes_no_picture_twice(tmp_path: Path) -> None:
    """A second run makes the same files of what is there; the truth tells of every table."""
    studio = GreyStudio()
    darkroom = TileDarkroom(tmp_path / "cache", studio)
    steps = steps_of(f"game rummikub\nplayers Ann, Ben\nbegin Ann\nlay {MELD}")
    shown = list(write_round(darkroom, tmp_path / "one", steps))
    list(write_round(darkroom, tmp_path / "two", steps))
    assert set(studio.traced.values()) == {1}
    one, two = (sorted((tmp_path / name).rglob("*.webp")) for name in ("one", "two"))
    assert len(one) == 1 + sum(len(each.takes) for each in shown)
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    assert read_picture(one[0]).shape == (960, 1280, 3)
    write_truth(tmp_path / "truth.json", shown)
    truth = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert list(truth) == [each.folder for each in shown]
    assert truth["lay-0-00/throw0"]["sets"] == [MELD]
    assert len(truth["lay-0-00/throw0"]["centres"]) == 3
