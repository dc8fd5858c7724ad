"""`tablescore advise` and `tablescore analyse`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.dice_values import file_name, model_of
from tests.web.cli.calling import call

OPENING = "game yahtzee\nplayers Anna, Ben\noption start first\nroll 44421\n"
PLAYTHROUGHS = Path(__file__).parents[2] / "playthroughs"


def run(command: str, text: str, home: Path | None = None) -> Result:
    """Run the command with that text on its standard input."""
    return call(command, "-", typed=text, data=home)


def test_advice_is_json_with_the_promised_members() -> None:
    """Other programs rely on these names."""
    result = run("advise", OPENING)
    told = json.loads(result.stdout)
    assert list(told) == ["game", "players", "turn"]
    assert told["players"][1] == {"name": "Ben", "points": 0, "to_come": 254.588}
    turn = told["turn"]
    assert (turn["player"], turn["roll"], turn["best"]) == ("Anna", "44421", ["keep 444"])
    assert turn["advice"] == "Keep 4 4 4: 261.5"
    assert turn["options"][0] == {
        "do": "keep 444",
        "words": "Keep 4 4 4",
        "worth": 261.453,
        "cost": 0.0,
    }
    costs = [option["cost"] for option in turn["options"]]
    assert costs == sorted(costs)


def test_without_a_roll_only_the_cards_are_valued() -> None:
    """Nobody has rolled: there is nothing to advise."""
    told = json.loads(run("advise", "game chaser\nplayers Anna\n").stdout)
    assert (told["turn"], told["players"][0]["to_come"]) == (None, 175.994)


RUMMIKUB = "game rummikub\nplayers Ann, Ben\noption clock off\nbegin Ann\n"


@pytest.mark.parametrize(
    ("rack", "best"),
    [
        (
            "K10 R10 B10 K1 K3 K5 K7 R1 R3 R5 R7 B2 B4 O6",
            {
                "lay": "K10 R10 B10",
                "left": "K1 K3 K5 K7 R1 R3 R5 R7 B2 B4 O6",
                "table": "K10 R10 B10",
                "moves": ["K10 rack>1", "R10 rack>1", "B10 rack>1"],
            },
        ),
        ("K1 K3 K5 K7 K9 R1 R3 R5 R7 R9 B2 B4 B6 O8", None),
    ],
)
def test_a_rack_gets_its_best_turn(rack: str, best: dict[str, Any] | None) -> None:
    """In the notation of the table and of the moves; nothing where nothing can be laid."""
    told = json.loads(run("advise", f"{RUMMIKUB}rack Ann, {rack}\n").stdout)
    assert told["turn"] == {"player": "Ann", "rack": rack, "best": best}


def test_without_a_rack_there_is_no_best_turn() -> None:
    """Its tiles were not told."""
    assert json.loads(run("advise", RUMMIKUB).stdout) == {"game": "rummikub", "turn": None}


def test_an_analysis_adds_up_to_the_score() -> None:
    """Average, luck and costs of each player; what cost a point or more is listed."""
    text = (PLAYTHROUGHS / "duel.txt").read_text(encoding="utf-8")
    lines = run("analyse", text).stdout.splitlines()
    assert lines[:2] == [
        "North: average 254.6, dice +259.7, decisions -131.3, score 383",
        (
            "  turn 2, roll 1: 13456, score small-straight: mistake. Keep 3 4 5 6: 241.6; "
            "your box costs 4.4"
        ),
    ]
    told = [line for line in lines if not line.startswith(" ") and line]
    for line in told:
        average, dice, decisions, score = (float(part) for part in re.findall(r"[-+]?[\d.]+", line))
        assert average + dice + decisions == pytest.approx(score, abs=0.2)
    listed = [line for line in lines if line.startswith("  turn ")]
    assert len(told) == 2
    assert all(re.search(r": (slip|mistake|blunder)\. .* costs \d", line) for line in listed)


def test_an_unfinished_game_is_analysed_as_it_stands() -> None:
    """What is still to come belongs to the sum."""
    line = run("analyse", OPENING).stdout.splitlines()[0]
    assert line == "Anna: average 254.6, dice +6.9, decisions +0.0, on the way to 261.5"


@pytest.mark.parametrize("command", ["advise", "analyse"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OPENING + "keep 66\n", "Line 5, “keep 66”: No 6 is left to keep in 44421. (YZ-4)"),
        ("game free-sheet\nplayers A, B\n", "There is no advice on dice in this game."),
        ("", "Line 1, “”: A game begins with the lines “game …” and “players …”. (notation)"),
        ("game yahtzee\nplayers \xff\n", None),
    ],
)
def test_what_cannot_be_used_ends_in_one_sentence(
    command: str, text: str, sentence: str | None
) -> None:
    """Nothing is printed, and the sentence says why."""
    given = text.encode("latin-1" if sentence is None else "utf-8")
    result = call(command, "-", typed=given)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert sentence is None or result.stderr == f"{sentence}\n"


def test_the_table_of_yams_is_taken_from_the_data_folder(tmp_path: Path) -> None:
    """Once made, it is found again: nothing is worked out a second time."""
    game, folder = DICE_GAMES["yams"], tmp_path / "tablescore" / "advice"
    model = model_of(game, {})
    assert model is not None
    folder.mkdir(parents=True)
    np.save(folder / file_name(game, model), np.full(model.positions, 12_300, np.uint16))
    result = run("advise", "game yams\nplayers Anna\n", home=tmp_path)
    assert json.loads(result.stdout)["players"][0]["to_come"] == 123.0
    assert result.stderr == ""
