"""`tablescore check`."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from web.__main__ import tablescore

SIMULATED = '[buttons]\npins = "simulated"\n'


def check(folder: Path, *arguments: str) -> Result:
    """Call the command on a machine without pins."""
    settings = folder / "table.toml"
    settings.write_text(SIMULATED)
    return CliRunner().invoke(tablescore, ["check", "--settings", str(settings), *arguments])


def test_each_part_is_tried_and_told(tmp_path: Path) -> None:
    """Camera, three buttons, three lamps; what is simulated is told as such."""
    result = check(tmp_path)
    assert result.exit_code == 0
    camera, *others = result.stdout.splitlines()
    assert camera.startswith("camera demo: simulated.")
    assert [line.split()[0] for line in others] == ["button"] * 3 + ["lamp"] * 3
    assert all("simulated" in line for line in others)


def test_a_part_that_fails_makes_the_status_1(tmp_path: Path) -> None:
    """The others are tried all the same."""
    result = check(tmp_path, "--camera", f"folder:{tmp_path}/none")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"camera folder:{tmp_path}/none: FAILS.")
    assert len(result.stdout.splitlines()) == 7


def test_a_camera_of_no_kind_is_told(tmp_path: Path) -> None:
    """One sentence, exit status 1."""
    result = check(tmp_path, "--camera", "eye")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "There is no camera 'eye'" in result.stderr
