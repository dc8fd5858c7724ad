"""From where a roll of dice is accepted: fitted, chosen, and written into card and page."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import cv2
import pytest

from tests.vision.read.test_dice import table
from vision.read.confidence import logit, probability
from vision.read.networks import load_model
from vision.train.dice.piece import DiceKind, ReadRoll, fitted
from vision.train.piece import TrainingPaths
from vision.train.publication import publish_rolls

MODELS = Path(__file__).parents[3] / "models"


def rolls(
    group: str, product: float, right: int, of: int, *, counted: bool = False
) -> list[ReadRoll]:
    """So many exact ones of rolls with that product."""
    return [ReadRoll(group, counted, product, at < right, asked=False) for at in range(of)]


def test_the_product_is_brought_to_how_often_it_was_right() -> None:
    """Products that promise too much: 0.9 was right half the time, 0.99 nine times in ten."""
    found = fitted([*rolls("a", 0.9, 50, 100), *rolls("a", 0.99, 90, 100)])
    for product, right in ((0.9, 0.5), (0.99, 0.9)):
        brought = probability(found.offset + found.slope * logit(product))
        assert brought == pytest.approx(right, abs=0.03)


def test_from_where_rolls_are_mostly_right_none_is_asked_about() -> None:
    """The doubtful ones are asked about, as a silent error costs more than a question."""
    found = fitted([*rolls("a", 0.6, 5, 30), *rolls("b", 0.97, 195, 200)])
    doubtful, sure = (
        probability(found.offset + found.slope * logit(product)) for product in (0.6, 0.97)
    )
    assert doubtful < found.accepted <= sure


def test_what_is_asked_anyway_does_not_move_the_threshold() -> None:
    """A cocked die is no reason to ask about more."""
    seen = [*rolls("a", 0.6, 5, 30), *rolls("a", 0.97, 195, 200)]
    cocked = [ReadRoll("a", counted=False, product=0.97, exact=True, asked=True)] * 3
    assert fitted([*seen, *cocked]).accepted == fitted(seen).accepted


def test_rolls_of_a_known_number_have_a_limit_of_their_own() -> None:
    """What is doubtful without the number may be right with it."""
    plain = [*rolls("a", 0.6, 5, 30), *rolls("b", 0.97, 195, 200)]
    counted = rolls("a", 0.6, 30, 30, counted=True)
    found = fitted([*plain, *counted])
    assert found.counted < found.accepted


def test_card_and_page_tell_the_new_figures_and_keep_the_rest(tmp_path: Path) -> None:
    """Networks, thresholds, sources left out, gate and log stand as they were."""
    shutil.copytree(MODELS / "dice", tmp_path / "models" / "dice")
    images = tmp_path / "data" / "drawn" / "images"
    images.mkdir(parents=True)
    labels = []
    for split, values in (("dev", (2, 3, 4, 5, 6)), ("train", (6, 6, 4, 4, 3))):
        assert cv2.imwrite(str(images / f"{split}.png"), table(values))
        labels.append(json.dumps({"file": f"{split}.png", "split": split, "dice": []}))
    (images.parent / "labels.jsonl").write_text("\n".join(labels), encoding="utf-8")
    before = load_model("dice", folder=MODELS).card
    page = (tmp_path / "models" / "dice" / "evaluation.md").read_text(encoding="utf-8")
    told = publish_rolls(
        DiceKind(), TrainingPaths(tmp_path / "data", tmp_path), tmp_path / "models"
    )
    assert "| drawn | 1 | 0 |" in told
    card = load_model("dice", folder=tmp_path / "models").card
    assert card["roll"].keys() == asdict(fitted(rolls("a", 0.9, 1, 2))).keys()
    assert card["measured_error"]["drawn"] == 0.0
    kept = {name: value for name, value in before.items() if name not in {"roll", "measured_error"}}
    assert {name: card[name] for name in kept} == kept
    left_out = "Epanemu__GameDiceRecognition left out"
    assert card["measured_error"][left_out] == before["measured_error"][left_out]
    new = (tmp_path / "models" / "dice" / "evaluation.md").read_text(encoding="utf-8")
    assert "| drawn | 1 |" in new
    for heading, end in (("## Sources left out", "## Confusion"), ("<!-- the gate", "")):
        assert page[page.index(heading) : page.index(end) if end else None] in new
