"""`tablescore replay`, `advise` and `analyse`."""

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

OPENING = """\
game yahtzee
players North, South
roll 55521   # three of them
keep 555
roll 55536
"""


def replay(folder: Path, text: str | bytes, *options: str) -> Result:
    """Run the command on a file with that text."""
    file = folder / "evening.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return call("replay", str(file), *options)


def test_an_unfinished_game_is_printed_as_it_stands(tmp_path: Path) -> None:
    """A game that breaks off is no fault."""
    result = replay(tmp_path, OPENING + "score fives 15\n")
    assert result.exit_code == 0
    assert "North  South" in result.stdout
    assert "Fives              15      ." in result.stdout


def test_json_has_the_promised_members(tmp_path: Path) -> None:
    """Other programs rely on these names, and on null for an empty box."""
    result = replay(tmp_path, OPENING + "score fives\n", "--json")
    game = json.loads(result.stdout)
    assert list(game) == ["game", "players", "turn", "finished", "ranking"]
    assert (game["game"], game["finished"], game["ranking"]) == ("yahtzee", False, [])
    assert list(game["players"][0]) == ["name", "boxes", "totals"]
    assert game["players"][0]["boxes"]["fives"] == 15
    assert game["players"][0]["boxes"]["aces"] is None
    assert game["players"][0]["totals"]["grand"] == 15


@pytest.mark.parametrize(
    ("last_line", "rule"),
    [("score fives 20", "YZ-"), ("keep 11", "YZ-"), ("dance", "notation")],
)
def test_a_refused_line_is_named_with_its_rule(tmp_path: Path, last_line: str, rule: str) -> None:
    """The player finds the line by its number and text, and the reason in the rulebook."""
    result = replay(tmp_path, OPENING + last_line + "\n")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"Line 6, “{last_line}”: ")
    assert rule in result.stderr


def test_a_revoke_that_its_player_proves_is_reported_beside_the_sheet(tmp_path: Path) -> None:
    """TT-4: the table played on, so the text is no fault, and what happened is named."""
    played = "".join(f"play {card}\n" for card in ("R8", "B1", "R7", "R1", "R2"))
    head = "game tongtong\nplayers A, B, C\nmission high-12\nleader A\n"
    result = replay(tmp_path, head + played)
    assert (result.exit_code, "Grand total" in result.stdout) == (0, True)
    assert result.stderr == (
        "Line 9: B held red 2 when red 8 was led in trick 1, and did not follow (TT-4).\n"
    )


@pytest.mark.parametrize("text", [b"\xff\xfe", b""])
def test_a_file_that_is_no_game_ends_in_one_sentence(tmp_path: Path, text: bytes) -> None:
    """Neither wrong bytes nor an empty file ends in a traceback."""
    result = replay(tmp_path, text)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("letters", [850, 3_000_000])
def test_of_a_long_line_only_its_beginning_is_quoted(tmp_path: Path, letters: int) -> None:
    """An export of another kind is one line; a fault is read on a screen."""
    result = replay(tmp_path, '{"game":"' + "x" * letters + '"}')
    assert result.exit_code == 1
    assert result.stderr.startswith('Line 1, “{"game":"xxx')
    assert len(result.stderr) < 250


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_game_as_editors_and_shells_save_it_is_read(tmp_path: Path, encoding: str) -> None:
    """PowerShell's redirection writes UTF-16."""
    assert replay(tmp_path, OPENING.encode(encoding)).exit_code == 0


TURN = "game yahtzee\nplayers Anna, Ben\noption start first\nroll 44421\n"
PLAYTHROUGHS = Path(__file__).parents[2] / "playthroughs"


def run(command: str, text: str, home: Path | None = None) -> Result:
    """Run the command with that text on its standard input."""
    return call(command, "-", typed=text, data=home)


def test_advice_is_json_with_the_promised_members() -> None:
    """Other programs rely on these names."""
    result = run("advise", TURN)
    shown = json.loads(result.stdout)
    assert list(shown) == ["game", "players", "turn"]
    assert shown["players"][1] == {"name": "Ben", "points": 0, "to_come": 254.588}
    turn = shown["turn"]
    assert (turn["player"], turn["roll"], turn["best"]) == ("Anna", "44421", ["keep 444"])
    assert turn["advice"] == "keep 4 4 4"
    assert turn["options"][0] == {
        "do": "keep 444",
        "words": "keep 4 4 4",
        "worth": 261.453,
        "cost": 0.0,
    }
    costs = [option["cost"] for option in turn["options"]]
    assert costs == sorted(costs)


def test_without_a_roll_only_the_cards_are_valued() -> None:
    """Nobody has rolled: there is nothing to advise."""
    shown = json.loads(run("advise", "game chaser\nplayers Anna\n").stdout)
    assert (shown["turn"], shown["players"][0]["to_come"]) == (None, 175.994)


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
    shown = json.loads(run("advise", f"{RUMMIKUB}rack Ann, {rack}\n").stdout)
    assert shown["turn"] == {"player": "Ann", "rack": rack, "best": best}


def test_without_a_rack_there_is_no_best_turn() -> None:
    """Its tiles were not shown."""
    assert json.loads(run("advise", RUMMIKUB).stdout) == {"game": "rummikub", "turn": None}


def test_an_analysis_adds_up_to_the_score() -> None:
    """Average, luck and costs of each player; what cost a point or more is listed."""
    text = (PLAYTHROUGHS / "duel.txt").read_text(encoding="utf-8")
    lines = run("analyse", text).stdout.splitlines()
    assert lines[:2] == [
        "North: average 254.6, dice +259.7, decisions -131.3, score 383",
        (
            "  turn 2, roll 1: 13456, score small-straight: costly. "
            "Best: keep 3 4 5 6 (you scored 30 in Small straight). Cost about 4 points."
        ),
    ]
    shown = [line for line in lines if not line.startswith(" ") and line]
    for line in shown:
        average, dice, decisions, score = (float(part) for part in re.findall(r"[-+]?[\d.]+", line))
        assert average + dice + decisions == pytest.approx(score, abs=0.2)
    listed = [line for line in lines if line.startswith("  turn ")]
    assert len(shown) == 2
    assert all(re.search(r": (okay|costly)\. Best: .* Cost about ", line) for line in listed)


def test_an_unfinished_game_is_analysed_as_it_stands() -> None:
    """What is still to come belongs to the sum."""
    line = run("analyse", TURN).stdout.splitlines()[0]
    assert line == "Anna: average 254.6, dice +6.9, decisions +0.0, on the way to 261.5"


@pytest.mark.parametrize("command", ["advise", "analyse"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (TURN + "keep 66\n", "Line 5, “keep 66”: No 6 is left to keep in 4 4 4 2 1. (YZ-4)"),
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
