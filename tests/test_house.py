"""The project itself: names, lists, pinned versions and the contents of the wheel."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from hardware.cameras import CAMERAS
from scoreboard.games import GAMES
from vision.read.readers import RECOGNISERS

ROOT = Path(__file__).parent.parent
PACKAGES = ("scoreboard", "vision", "hardware", "web", "models")
PYTHON_FILES = sorted(
    path for folder in (*PACKAGES, "tests") for path in (ROOT / folder).rglob("*.py")
)
LONGEST_MODULE_LINES = 600
MOST_LINES_OF_MAP = 150
IMPORTING = re.compile(r"^(?:import|from) onnxruntime\b", re.MULTILINE)


def project() -> dict[str, object]:
    """The `project` table of pyproject.toml."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(table, dict)
    return table


def requirement_name(line: str) -> str:
    """The normalised name in front of a requirement's version."""
    return re.split(r"[<>=!~;\[ ]", line, maxsplit=1)[0].lower().replace("_", "-")


@pytest.mark.parametrize("name", PACKAGES)
def test_each_package_is_ours(name: str) -> None:
    """No installed package with the same generic name hides one of ours."""
    module = importlib.import_module(name)
    assert module.__file__ is not None
    assert Path(module.__file__).parent == ROOT / name


def modules_defining(package: Path, word: str) -> list[Path]:
    """The modules in a folder tree that define `word` at top level."""
    found = []
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        if word in names:
            found.append(path)
    return found


def test_every_game_is_listed() -> None:
    """A rulebook that is not listed could never be played."""
    assert len(modules_defining(ROOT / "scoreboard" / "games", "GAME")) == len(GAMES)


def test_every_camera_and_reader_is_listed() -> None:
    """A camera or a reader that is not listed could never be chosen."""
    cameras = {path.stem for path in (ROOT / "hardware" / "cameras").glob("[a-z]*.py")}
    assert cameras == set(CAMERAS)
    readers = {path.stem for path in modules_defining(ROOT / "vision" / "read", "NAME")}
    assert readers == set(RECOGNISERS)


def test_every_folder_of_tests_is_a_package() -> None:
    """Without an __init__.py a folder of tests would hide the package it tests."""
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_every_dependency_is_pinned_without_an_address() -> None:
    """The constraints pin every dependency to a version, without an address."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)
    pinned = {requirement_name(line) for line in lines}
    table = project()
    extras = table["optional-dependencies"]
    assert isinstance(extras, dict)
    wanted = [table["dependencies"], *extras.values()]
    assert {requirement_name(line) for group in wanted for line in group} <= pinned


def test_each_module_is_short_and_speaks_python_3_11() -> None:
    """Debian 12 has Python 3.11, and a module has at most 600 lines."""
    faults = {}
    for path in PYTHON_FILES:
        text = path.read_text(encoding="utf-8")
        if len(text.splitlines()) > LONGEST_MODULE_LINES:
            faults[str(path)] = "too long"
        try:
            ast.parse(text, feature_version=(3, 11))
        except SyntaxError as error:
            faults[str(path)] = str(error)
    assert faults == {}


def test_rules_come_without_pixels_pins_and_pages() -> None:
    """Importing every rulebook loads neither camera, pin, network nor page."""
    code = "import scoreboard.games, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"cv2", "flask", "gpiozero", "onnxruntime", "numpy", "sqlalchemy"}.isdisjoint(loaded)


SPYING = """
import importlib, os, sys

class Spy:
    def find_spec(self, name, *_):
        if name == "onnxruntime" and os.environ.get("ORT_DISABLE_TELEMETRY") != "1":
            sys.exit("onnxruntime is imported while it may still tell its maker")

sys.meta_path.insert(0, Spy())
importlib.import_module(sys.argv[1])
assert "onnxruntime" in sys.modules
"""


@pytest.mark.parametrize(
    "path",
    [path for path in PYTHON_FILES if IMPORTING.search(path.read_text(encoding="utf-8"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_network_is_run_before_its_library_is_silent(path: Path) -> None:
    """Whichever module imports onnxruntime first, its telemetry is switched off before."""
    if path.is_relative_to(ROOT / "vision" / "train") and find_spec("torch") is None:
        pytest.skip("training is not set up here: no torch")
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    loud = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"}
    loaded = subprocess.run(
        [sys.executable, "-c", SPYING, module],
        cwd=ROOT,
        env=loud,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (loaded.returncode, loaded.stderr) == (0, "")


def test_the_wheel_holds_weights_pictures_and_words(tmp_path: Path) -> None:
    """Everything needed at run time is inside the packages."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("tablescore-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for part in (
        "models/dice/card.toml",
        "web/table/templates/",
        "web/table/static/",
        "web/locale/",
        "hardware/appliance/install.sh",
        "hardware/appliance/constraints.txt",
        "hardware/appliance/tablescore.service",
    ):
        assert any(name.startswith(part) for name in names), part
    assert any(name.startswith("models/dice/") and name.endswith(".onnx") for name in names)
    assert sum(name.startswith("models/advice/") and name.endswith(".npy") for name in names) == 4
    assert sum(name.startswith("hardware/cameras/demo_evening/") for name in names) > 40 * 7
    assert sum(name.startswith("hardware/cameras/demo_rummikub/") for name in names) > 13 * 2
    assert sum(name.startswith("hardware/cameras/demo_tongtong/play-") for name in names) == 61
    assert "hardware/cameras/demo_tongtong/bunting/prototypes.npz" in names
    assert "scoreboard/storage/migrations.py" in names
    assert not any(name.startswith(("tests/", "vision/train/")) for name in names)


def test_the_changelog_knows_the_version() -> None:
    """A version bumped in only one place fails here, before it is tagged."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, *older = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert newest == "Unreleased"
    assert re.fullmatch(rf"{re.escape(str(project()['version']))} \(\d{{4}}-\d\d-\d\d\)", older[0])


def test_the_map_names_what_exists() -> None:
    """Each path in ARCHITECTURE.md is there, and the page stays one that is read to its end."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    written = re.findall(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:toml|md))`", text)
    linked = re.findall(r"\]\(([^)#:]+)", text)
    assert len(written) > MOST_LINES_OF_MAP // 3
    assert [path for path in written + linked if not (ROOT / path).exists()] == []
    assert len(text.splitlines()) <= MOST_LINES_OF_MAP


def test_rulebooks_log_nothing() -> None:
    """Rulebooks are pure; the caller logs the outcome of a request."""
    games = (ROOT / "scoreboard" / "games").rglob("*.py")
    assert [path for path in games if "logging" in path.read_text(encoding="utf-8")] == []


# The default of a format and a style of tiles are written with the names of games.
NAMING_GAMES = ("model/tournament_format.py", "cli/options.py")


def test_pages_and_tournaments_name_no_game() -> None:
    """What one game has and another lacks is a field of `Game`."""
    for path in [*(ROOT / "web").rglob("*.py"), *(ROOT / "scoreboard/tournament").rglob("*.py")]:
        if path.as_posix().endswith(NAMING_GAMES):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Constant) and node.value in GAMES), (
                path,
                ast.dump(node),
            )
            words = set((node.module or "").split(".")) if isinstance(node, ast.ImportFrom) else ()
            assert not GAMES.keys() & words, (path, ast.dump(node))
