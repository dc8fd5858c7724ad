"""The recipes in the documentation work as they are printed."""

from __future__ import annotations

import doctest
import importlib.util
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.pofile import read_po, write_po

from scoreboard.games.dice.acts import DiceRolled, ScoreCategory
from scoreboard.games.engine.game import Offer, Setup

ROOT = Path(__file__).parent.parent
RECIPES = ROOT / "docs" / "recipes"
LONGEST = 90


def loaded(path: Path) -> ModuleType:
    """The recipe as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.py")), ids=lambda path: path.stem)
def test_a_recipe_in_python_proves_itself(path: Path) -> None:
    """It has examples, all of which hold."""
    results = doctest.testmod(loaded(path))
    assert results.attempted > 0
    assert results.failed == 0


def test_a_game_of_one_file_is_played_to_its_end() -> None:
    """Scandinavian Yatzy: a short file, and a whole game by its offers."""
    path = RECIPES / "scandinavian_yatzy.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
    recipe = loaded(path)
    state = recipe.GAME.start(Setup(("Ann",), {"start": "first"}))
    while recipe.GAME.outcome(state) is None:
        for event in recipe.GAME.decide(state, DiceRolled(recipe.Roll.parse("33355"))):
            state = recipe.GAME.evolve(state, event)
        boxes = [each for each in recipe.GAME.offers(state) if isinstance(each, Offer)]
        box = next(each for each in boxes if isinstance(each.command, ScoreCategory))
        for event in recipe.GAME.decide(state, box.command):
            state = recipe.GAME.evolve(state, event)
    (place,) = recipe.GAME.outcome(state).ranking
    # threes 9, fives 10; pair 10, two pairs 16, three alike 9, full house 19, chance 19
    assert place.points == 92


COPIED = (
    *("pyproject.toml", "Makefile", "docs", "scoreboard", "vision", "hardware", "web"),
    *("README.md", ".ci/packages.toml"),  # which docs/write_reference.py writes and reads
    *("tests/__init__.py", "tests/conftest.py", "tests/patience.py", "tests/test_reference.py"),
    *("tests/playthroughs", "tests/scoreboard/__init__.py", "tests/scoreboard/games"),
    *("tests/web/__init__.py", "tests/web/owner.py", "tests/web/shared/test_words.py"),
)
BULKY = shutil.ignore_patterns("__pycache__", "*.jpg", "*.png", "*.webp", "*.npz", "*.onnx")
TRANSLATED = {
    "ko": {
        "Scandinavian Yatzy": "스칸디나비아 야치",
        "One pair": "원 페어",
        "Two pairs": "투 페어",
        "Yatzy": "야치",
        "Six upper boxes of 63 or more together earn 50.": (
            "상단 여섯 칸의 합이 63 이상이면 50점입니다."
        ),
        "The dice that are alike are added, the highest where there is a choice.": (
            "같은 눈의 주사위를 더합니다. 고를 수 있으면 가장 높은 것을 더합니다."
        ),
        "1 2 3 4 5 earns 15, and 2 3 4 5 6 earns 20.": (
            "1 2 3 4 5는 15점, 2 3 4 5 6은 20점입니다."
        ),
        "All dice are added.": "모든 주사위를 더합니다.",
        "Five dice alike earn 50.": "다섯 주사위가 모두 같으면 50점입니다.",
        "All boxes and the bonus are added; the highest total wins.": (
            "모든 칸과 보너스를 더하며, 합계가 가장 높은 사람이 이깁니다."
        ),
    },
    "ja": {
        "Scandinavian Yatzy": "スカンジナビア・ヤッツィー",
        "One pair": "ワンペア",
        "Two pairs": "ツーペア",
        "Yatzy": "ヤッツィー",
        "Six upper boxes of 63 or more together earn 50.": "上半分の合計が63以上なら50点です。",
        "The dice that are alike are added, the highest where there is a choice.": (
            "同じ目のさいころを足します。選べるときは最も高い目を足します。"
        ),
        "1 2 3 4 5 earns 15, and 2 3 4 5 6 earns 20.": "1 2 3 4 5は15点、2 3 4 5 6は20点です。",
        "All dice are added.": "すべてのさいころを足します。",
        "Five dice alike earn 50.": "5個とも同じ目なら50点です。",
        "All boxes and the bonus are added; the highest total wins.": (
            "すべてのマスとボーナスを足し、合計が最も高い人の勝ちです。"
        ),
    },
    "de": {
        "Scandinavian Yatzy": "Skandinavisches Yatzy",
        "One pair": "Ein Paar",
        "Two pairs": "Zwei Paare",
        "Yatzy": "Fünf gleiche",
        "Six upper boxes of 63 or more together earn 50.": (
            "Sechs obere Felder mit zusammen 63 oder mehr bringen 50."
        ),
        "The dice that are alike are added, the highest where there is a choice.": (
            "Die gleichen Würfel werden addiert, die höchsten, wo es eine Wahl gibt."
        ),
        "1 2 3 4 5 earns 15, and 2 3 4 5 6 earns 20.": (
            "1 2 3 4 5 bringt 15, und 2 3 4 5 6 bringt 20."
        ),
        "All dice are added.": "Alle Würfel werden addiert.",
        "Five dice alike earn 50.": "Fünf gleiche Würfel bringen 50.",
        "All boxes and the bonus are added; the highest total wins.": (
            "Alle Felder und der Bonus werden addiert; die höchste Summe gewinnt."
        ),
    },
    "fr": {
        "Scandinavian Yatzy": "Yatzy scandinave",
        "One pair": "Une paire",
        "Two pairs": "Deux paires",
        "Yatzy": "Cinq identiques",
        "Six upper boxes of 63 or more together earn 50.": (
            "Six cases du haut qui font ensemble 63 ou plus rapportent 50."
        ),
        "The dice that are alike are added, the highest where there is a choice.": (
            "On additionne les dés identiques, les plus forts s’il y a le choix."
        ),
        "1 2 3 4 5 earns 15, and 2 3 4 5 6 earns 20.": (
            "1 2 3 4 5 rapporte 15, et 2 3 4 5 6 rapporte 20."
        ),
        "All dice are added.": "On additionne tous les dés.",
        "Five dice alike earn 50.": "Cinq dés identiques rapportent 50.",
        "All boxes and the bonus are added; the highest total wins.": (
            "On additionne les cases et le bonus\N{NO-BREAK SPACE}; le plus grand total gagne."
        ),
    },
}


def copied_to(house: Path) -> None:
    """Copy what the steps of the recipe, and the tests that prove them, need."""
    for name in COPIED:
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, house / name, ignore=BULKY)
        else:
            shutil.copy(ROOT / name, house / name)


def contents(house: Path) -> dict[str, str]:
    """A digest of each file by its path."""
    files = (path for path in house.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path.relative_to(house)): sha256(path.read_bytes()).hexdigest() for path in files}


def run(house: Path, *arguments: str) -> None:
    """Run Python in the copy."""
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=house,
        env={**os.environ, "PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def collect_words(house: Path) -> None:
    """`make words`, in the environment of these tests."""
    words = ["make", "-o", "with-tests", "words", f"BIN={Path(sys.executable).parent}"]
    subprocess.run(words, cwd=house, check=True)


def translate(house: Path) -> None:
    """Fill in the sentences that the collected catalogues leave empty."""
    for name, words in TRANSLATED.items():
        page = house / "web" / "locale" / name / "LC_MESSAGES" / "messages.po"
        with page.open("rb") as file:
            catalogue = read_po(file)
        for each in catalogue:
            if each.id and not each.string:
                each.string = words[str(each.id)]
        with page.open("wb") as file:
            write_po(file, catalogue)


@pytest.mark.slow
def test_a_game_is_added_by_one_file_one_line_and_its_words(tmp_path: Path) -> None:
    """The recipe step by step, in a copy; the laws then hold the new game to its own card."""
    copied_to(tmp_path)
    before = contents(tmp_path)
    games = tmp_path / "scoreboard" / "games"
    shutil.copy(RECIPES / "scandinavian_yatzy.py", games / "dice")
    listed = (games / "__init__.py").read_text(encoding="utf-8")
    listed = listed.replace("import chaser,", "import chaser, scandinavian_yatzy,")
    line = '    "scandinavian-yatzy": scandinavian_yatzy.GAME,\n'
    listed = listed.replace('    "rummikub":', line + '    "rummikub":')
    (games / "__init__.py").write_text(listed, encoding="utf-8")
    collect_words(tmp_path)
    translate(tmp_path)
    collect_words(tmp_path)
    run(tmp_path, "docs/write_reference.py")
    after = contents(tmp_path)
    touched = {path for path in after if after[path] != before.get(path)}
    generated = {path for path in touched if path.startswith("docs/reference/")}
    catalogues = {path for path in touched if path.startswith("web/locale/")}
    assert touched - generated - catalogues == {
        "scoreboard/games/__init__.py",
        "scoreboard/games/dice/scandinavian_yatzy.py",
    }
    run(tmp_path, "-m", "pytest", "-q", "-k", "scandinavian or test_words or test_reference")
