"""What cards are worth: known averages, an independent solver, and the slow way."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES, GAMES
from scoreboard.games.advice.dice_values import (
    DiceValues,
    file_name,
    is_made_here,
    load,
    model_of,
    solve,
    why_off,
)
from scoreboard.games.advice.table_build import TableBuild, write_table
from scoreboard.games.dice import yahtzee
from scoreboard.games.dice.family import Agreed, yacht_game
from scoreboard.games.dice.form import Form, Points, Total
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.games.advice.tables import agreed, vectors
from tests.scoreboard.games.dice import brute_force
from tests.scoreboard.games.dice.brute_force import Dice
from tests.scoreboard.games.dice.playing import card

AVERAGES = {  # published for Yahtzee; all by independent_solver.c, too
    ("yahtzee", ""): 254.58772873449567,
    ("yahtzee-bga", "full_house=30"): 259.17647023,
    ("chaser", "strict_full_house=no"): 175.99355282,
    ("chaser", "strict_full_house=yes"): 174.55862399,
}
shipped = pytest.mark.parametrize(("name", "option"), AVERAGES)


def loaded(name: str, option: str) -> DiceValues:
    """The values that come along."""
    values = load(DICE_GAMES[name], agreed(option))
    assert values is not None
    return values


@pytest.mark.parametrize(
    ("name", "option"),
    [
        pytest.param(*each, marks=pytest.mark.slow if each[0].startswith("yahtzee") else ())
        for each in AVERAGES
    ],
)
def test_worked_out_anew_the_values_are_known_ones(name: str, option: str) -> None:
    """The rulebooks as they are give the known average, the vectors, and the shipped table."""
    values = loaded(name, option)
    table = solve(values.model)
    average = 1e-9 if name == "yahtzee" else 1e-8  # the digits that are known
    assert table[0] == pytest.approx(AVERAGES[name, option], abs=average)
    exact = DiceValues(values.model, table)
    for vector in vectors()[name, option]:
        got = float(table[values.model.number(vector.card)])
        assert got == pytest.approx(vector.worth, abs=1e-6), vector.card
        assert exact.of(vector.card) == got
    assert np.array_equal(values.table, table.astype(np.float32))


@shipped
def test_shipped_values_are_right_to_a_thousandth(name: str, option: str) -> None:
    """What players are told was checked by a program that shares no code."""
    values = loaded(name, option)
    for vector in vectors()[name, option]:
        assert values.of(vector.card) == pytest.approx(vector.worth, abs=1e-3), vector.card


def test_the_vectors_cover_every_game() -> None:
    """Some hundreds of cards are compared, of each game and at every stage."""
    assert {name for name, _ in vectors()} <= DICE_GAMES.keys()
    assert sum(map(len, vectors().values())) >= 600
    for each in vectors().values():
        left = {vector.card.points.count(None) for vector in each}
        assert left == set(range(1, len(each[0].card.points) + 1))


RULES = {
    ("yahtzee", ""): brute_force.yahtzee(),
    ("yahtzee-bga", "full_house=30"): brute_force.yahtzee(30),
    ("chaser", "strict_full_house=no"): brute_force.chaser(strict=False),
    ("chaser", "strict_full_house=yes"): brute_force.chaser(strict=True),
}
JOKERS = {"small-straight": 30, "large-straight": 40}


def slow_worth(points: Callable[[Dice], int]) -> float:
    """A last turn the slow way: every keep of every roll, every way in which the others fall."""

    @cache
    def worth(roll: Dice, left: int) -> float:
        keeps = {keep for size in range(6) for keep in combinations(roll, size)} if left else ()
        return max([float(points(roll)), *(kept(keep, left - 1) for keep in keeps)])

    @cache
    def kept(keep: Dice, left: int) -> float:
        falls = product((1, 2, 3, 4, 5, 6), repeat=5 - len(keep))
        each = [worth(tuple(sorted((*keep, *fall))), left) for fall in falls]
        return sum(each) / len(each)

    return kept((), 2)


@pytest.mark.parametrize(("name", "option"), RULES)
def test_every_last_box_is_worth_what_the_slow_way_finds(name: str, option: str) -> None:
    """Jokers and the upper bonus included; the other boxes hold 0, or what the bonus needs."""
    values, rules = loaded(name, option), RULES[name, option]
    for last in values.model.form.keys:
        others = {key: 0 for key in values.model.form.keys if key != last}
        bonus = 0
        if last in brute_force.UPPER and name.startswith("yahtzee"):
            others["aces" if last != "aces" else "twos"] = 63 - 3 * (
                brute_force.UPPER.index(last) + 1
            )
            bonus = 35

        def points(roll: Dice, box: str = last, bonus: int = bonus) -> int:
            own = brute_force.worth(roll, box, rules)
            if roll[0] == roll[-1] and name.startswith("yahtzee"):
                own = {**JOKERS, "full-house": int(option[-2:] or 25)}.get(box, own)
            least = 3 * (brute_force.UPPER.index(box) + 1) if bonus else 0
            return own + (bonus if own >= least else 0)

        held = card(others, 0, name, **agreed(option))
        assert values.of(held) == pytest.approx(slow_worth(points), abs=1e-4), last


def test_the_same_numbers_under_another_name_share_a_table() -> None:
    """BGA with a full house of 25 is official Yahtzee."""
    bga = load(DICE_GAMES["yahtzee-bga"], {"full_house": "25"})
    assert bga is not None
    assert bga.of(card({}, game="yahtzee-bga", full_house="25")) == pytest.approx(
        254.5877, abs=1e-3
    )


def test_who_starts_changes_no_value() -> None:
    """A house rule that moves no points keeps the table."""
    assert load(DICE_GAMES["chaser"], {"start": "first"}) is not None


def other_form(_agreed: Agreed) -> Form:
    """Yahtzee with a full house of 28."""
    return replace(
        yahtzee.form({}),
        rows=yahtzee.yahtzee_rows(yahtzee.full_house_box(28, "YZ-12"), "YZ-9"),
    )


def squared(points: Points) -> int:
    """A total that is no sum."""
    return sum(points[key] or 0 for key in yahtzee.LOWER_KEYS) ** 2


def unknown_form(_agreed: Agreed) -> Form:
    """Yahtzee whose total squares the lower section."""
    rows = yahtzee.form({}).rows[:-1]
    grand = Total("grand", yahtzee.TITLE, "totals", "YZ-19", squared)
    return replace(yahtzee.form({}), rows=(*rows, grand))


@pytest.mark.parametrize("form", [other_form, unknown_form])
def test_other_points_switch_advice_off_and_say_so(form: Callable[[Agreed], Form]) -> None:
    """No table of other rules is ever used: rather none."""
    game = yacht_game("yahtzee", yahtzee.TITLE, form, yahtzee.RULE_TEXTS)
    assert load(game, {}) is None
    assert str(why_off(game, {})) == "There is no advice for Yahtzee under these house rules."


def test_why_there_is_no_advice_is_said(tmp_path: Path) -> None:
    """A game without dice has none, Yams has none yet, Chaser has it."""
    assert str(why_off(GAMES["rummikub"], {})) == "There is no advice on dice in this game."
    waiting = "The advice for Yams is still being worked out."
    assert is_made_here(DICE_GAMES["yams"], {})
    assert str(why_off(DICE_GAMES["yams"], {}, tmp_path)) == waiting
    assert why_off(DICE_GAMES["chaser"], {}) is None


def test_a_table_that_is_not_whole_counts_as_missing(tmp_path: Path) -> None:
    """Whatever happened to the disk: no advice, and the table is made again."""
    game = DICE_GAMES["yams"]
    model = model_of(game, {})
    assert model is not None
    file = tmp_path / file_name(game, model)
    for table in (np.zeros(model.positions, np.uint16), np.zeros(5, np.uint16)):
        np.save(file, table)
        assert (load(game, {}, tmp_path) is None) == (len(table) == 5)
    file.write_bytes(file.read_bytes()[:-3])
    assert load(game, {}, tmp_path) is None
    file.write_bytes(b"")
    assert load(game, {}, tmp_path) is None


def test_rolls_and_keeps_of_a_turn_hang_together() -> None:
    """A card is worth the average of its first rolls, and keeping all dice is to score them."""
    values, held = loaded("chaser", "strict_full_house=no"), card({"straight": 0}, game="chaser")
    turn = values.turn(held)
    chance = turn.model.lattice.chance
    assert chance.sum() == pytest.approx(1)
    assert values.of(held) == pytest.approx(float(chance @ turn.rolls[2][:, 0]), abs=1e-3)
    assert turn.of_keep(Roll.parse("55321"), 2) == turn.of_roll(Roll.parse("12355"), 0)


CHASER = DICE_GAMES["chaser"]
YAMS = DICE_GAMES["yams"]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the processes")


def descendants(process: int) -> list[int]:
    """A process's children and theirs."""
    file = Path(f"/proc/{process}/task/{process}/children")
    children = [int(child) for child in file.read_text().split()] if file.exists() else []
    return [*children, *(each for child in children for each in descendants(child))]


def is_alive(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def wait_until(holds: Callable[[], bool]) -> None:
    """Look on until it holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_table_is_made_as_it_comes_along(tmp_path: Path) -> None:
    """Two processes give what one gives, and the progress ends at 1."""
    model = model_of(CHASER, {})
    assert model is not None
    build = TableBuild(CHASER, {}, tmp_path / "advice")
    assert build.wait()
    assert (build.progress, build.is_running) == (1, False)
    build.close()
    (file,) = (tmp_path / "advice").iterdir()
    assert file.name == file_name(CHASER, model)
    shipped = load(CHASER, {})
    assert shipped is not None
    assert np.load(file) == pytest.approx(shipped.table, abs=1e-3)


def test_a_build_that_fails_says_so(tmp_path: Path) -> None:
    """Nothing can be written into a file: it ends, and the progress stays below 1."""
    (tmp_path / "advice").write_text("in the way")
    build = TableBuild(CHASER, {}, tmp_path / "advice")
    assert not build.wait()
    assert (build.progress < 1, build.is_running) == (True, False)


@on_linux
@pytest.mark.parametrize("how", ["closed", "killed"])
def test_what_is_stopped_leaves_nothing(tmp_path: Path, how: str) -> None:
    """Neither a broken file nor a process is left, also when it is killed in the midst of it."""
    build = TableBuild(YAMS, {}, tmp_path)
    wait_until(lambda: build.progress > 0)
    processes = [build._process.pid, *descendants(build._process.pid)]
    assert len(processes) > 2
    if how == "closed":
        build.close()
    else:
        os.kill(build._process.pid, signal.SIGKILL)
    assert not build.wait()
    wait_until(lambda: not any(map(is_alive, processes)))
    assert list(tmp_path.iterdir()) == []
    assert load(YAMS, {}, tmp_path) is None


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path) -> None:
    """A part of a file from an hour ago is nobody's; a fresh one may be another process's."""
    model = model_of(CHASER, {})
    assert model is not None
    old, fresh = tmp_path / "old.1.part", tmp_path / "fresh.2.part"
    for part in (old, fresh):
        part.write_bytes(b"half a table")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    write_table(CHASER, model, np.zeros(model.positions), tmp_path)
    assert {each.name for each in tmp_path.iterdir()} == {fresh.name, file_name(CHASER, model)}


@pytest.mark.slow
def test_yams_is_worth_what_the_independent_solver_says(tmp_path: Path) -> None:
    """The whole table, to the hundredth in which it is kept; half a minute of two processors."""
    assert TableBuild(YAMS, {}, tmp_path).wait()
    values = load(YAMS, {}, tmp_path)
    assert values is not None
    assert why_off(YAMS, {}, tmp_path) is None
    for vector in vectors()["yams", "small_straight=40"]:
        assert values.of(vector.card) == pytest.approx(vector.worth, abs=0.01), vector.card
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 19_000_000
