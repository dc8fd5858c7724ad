"""Models are loaded only as their cards describe them."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from vision.errors import WeightsError
from vision.read.networks import load_model

DICE = Path(__file__).parents[3] / "models" / "dice"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder of models of its own, with a copy of the dice model."""
    shutil.copytree(DICE, tmp_path / "dice")
    return tmp_path


def test_the_shipped_dice_model_runs() -> None:
    """Both networks are those of the card, and turn pixels into figures."""
    model = load_model("dice")
    maps = model.networks["finder.onnx"](np.zeros((1, 64, 96, 3), np.uint8))
    figures = model.networks["reader.onnx"](np.zeros((3, 48, 48, 3), np.uint8))
    assert (maps.shape, figures.shape) == ((1, 5, 16, 24), (3, 11))
    assert figures[:, :7].sum(axis=1) == pytest.approx(1)


def test_a_network_runs_on_as_many_threads_as_it_is_given() -> None:
    """One unless told: the table has other things to do."""
    for model, threads in (load_model("dice"), 1), (load_model("dice", threads=3), 3):
        for network in model.networks.values():
            assert network.session.get_session_options().intra_op_num_threads == threads


def test_the_dice_models_stay_small() -> None:
    """All dice models together take at most 2 MB."""
    assert sum(file.stat().st_size for file in DICE.glob("*.onnx")) <= 2_000_000


def test_weights_that_are_not_the_cards_are_refused(models: Path) -> None:
    """One changed byte is enough."""
    file = models / "dice" / "reader.onnx"
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(WeightsError, match=r"reader\.onnx of the model “dice” is not what"):
        load_model("dice", folder=models)


@pytest.mark.parametrize(
    ("card", "complaint"),
    [("name =", "card .* is damaged"), ('name = "dice"', "lists no checksums")],
)
def test_a_damaged_card_is_refused(models: Path, card: str, complaint: str) -> None:
    """The sentence says what is wrong with it."""
    (models / "dice" / "card.toml").write_text(card, encoding="utf-8")
    with pytest.raises(WeightsError, match=complaint):
        load_model("dice", folder=models)


@pytest.mark.parametrize("missing", ["card.toml", "finder.onnx"])
def test_a_missing_file_is_named(models: Path, missing: str) -> None:
    """So that a broken installation explains itself."""
    (models / "dice" / missing).unlink()
    with pytest.raises(WeightsError, match=f"{missing} of the model “dice” cannot be read"):
        load_model("dice", folder=models)


def test_a_file_that_is_no_network_is_refused(models: Path) -> None:
    """Even if the card agrees with it."""
    content = b"no network at all"
    (models / "dice" / "finder.onnx").write_bytes(content)
    checksum = hashlib.sha256(content).hexdigest()
    card = f'[checksums]\n"finder.onnx" = "{checksum}"\n'
    (models / "dice" / "card.toml").write_text(card, encoding="utf-8")
    with pytest.raises(WeightsError, match="is no network"):
        load_model("dice", folder=models)
