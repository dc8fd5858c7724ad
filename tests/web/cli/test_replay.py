"""`tablescore replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

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
