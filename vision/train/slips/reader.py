"""The reader of a slip's boxes: the network, its training, and `models/slips/`."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.capture.frame import Image
from vision.read.networks import CARD, READER
from vision.read.slips import CROP_HEIGHT, CROP_WIDTH, LABELS, MODEL
from vision.train.networks import convolution, write_onnx
from vision.train.publication import checksums
from vision.train.slips.crops import BoxCrops
from vision.train.slips.hands import Hands

_BATCH: Final = 256
_WORKERS: Final = 2
_SMOOTHING: Final = 0.01


class BoxReader(nn.Module):
    """Reads a box: B x 1 x 42 x 34, values 0 to 1, to B x 13 logits, as LABELS has them.

    Each crop's own light is taken out first; the last map is weighed by place.
    """

    def __init__(self) -> None:
        super().__init__()
        self.maps = nn.Sequential(
            convolution(1, 24, 2, 5),
            convolution(24, 40, 2),
            convolution(40, 64),
            convolution(64, 96, 2),
        )
        self.pool = nn.Conv2d(96, 192, (6, 5), groups=96, bias=False)
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.BatchNorm1d(192),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(192, len(LABELS)),
        )

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean((1, 2, 3), keepdim=True)
        spread = centred.square().mean((1, 2, 3), keepdim=True).sqrt()
        logits: Tensor = self.head(self.pool(self.maps(centred / (spread + 0.02))))
        return logits


class _OnBytes(nn.Module):
    """The reader on B x 42 x 34 x 1 bytes, to calibrated probabilities (Guo et al., 2017)."""

    def __init__(self, reader: nn.Module, temperature: float) -> None:
        super().__init__()
        self.reader, self.temperature = reader, temperature

    def forward(self, pixels: Tensor) -> Tensor:
        logits = self.reader(pixels.permute(0, 3, 1, 2).float() / 255)
        return torch.softmax(logits / self.temperature, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Crops as B x 42 x 34 x 1 bytes, and where in LABELS each one's label is."""

    pixels: NDArray[np.uint8]
    labels: NDArray[np.int64]


def drawn_crops(data: Path, count: int, seed: int, *, checked: bool = False) -> Crops:
    """Draw crops on both cores; the same seed draws the same ones."""
    part = partial(_part, data, count // _WORKERS, checked=checked)
    with multiprocessing.get_context("spawn").Pool(_WORKERS) as pool:
        drawn = pool.map(part, [(seed, number) for number in range(_WORKERS)])
    pixels, labels = zip(*drawn, strict=True)
    return Crops(np.concatenate(pixels), np.concatenate(labels))


def kept(cache: Path, data: Path, count: int, seed: int, *, checked: bool = False) -> Crops:
    """The crops drawn by an earlier call, or new ones, which are kept in the cache."""
    file = cache / f"{'checked' if checked else 'crops'}-{count}-{seed}.npz"
    if file.is_file():
        with np.load(file) as found:
            return Crops(found["pixels"], found["labels"])
    crops = drawn_crops(data, count, seed, checked=checked)
    cache.mkdir(parents=True, exist_ok=True)
    np.savez(file, pixels=crops.pixels, labels=crops.labels)
    return crops


def _part(
    data: Path, count: int, seed: tuple[int, int], *, checked: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    crops = BoxCrops(Hands(data, checked=checked), seed)
    drawn: Sequence[tuple[Image, int]] = [crops.draw() for _ in range(count)]
    return np.stack([crop for crop, _ in drawn]), np.array([label for _, label in drawn])


def trained(crops: Crops, epochs: int, seed: int, kept_in: Path) -> BoxReader:
    """Train a reader on these crops; goes on after the last epoch that is `kept_in` a file."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # two wait for each other wherever others work too
    reader = BoxReader()
    reader.to(memory_format=torch.channels_last)  # half as fast again on these cores
    descent = torch.optim.AdamW(reader.parameters(), lr=3e-3, weight_decay=0.02)
    steps = epochs * (len(crops.labels) // _BATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(descent, 6e-3, total_steps=steps)
    pixels, labels = torch.from_numpy(crops.pixels), torch.from_numpy(crops.labels)
    states = {"reader": reader, "descent": descent, "pace": pace}
    done = 0
    if kept_in.is_file():
        found = torch.load(kept_in, weights_only=True)
        for name, each in states.items():
            each.load_state_dict(found[name])
        done = found["done"]
        torch.set_rng_state(found["chance"])
    for epoch in range(done, epochs):
        reader.train()
        order, losses = torch.randperm(len(labels)), []
        for start in range(0, len(labels) - _BATCH + 1, _BATCH):
            batch = order[start : start + _BATCH]
            shown = _shifted(pixels[batch].permute(0, 3, 1, 2).float() / 255)
            loss = functional.cross_entropy(
                reader(shown), labels[batch], label_smoothing=_SMOOTHING
            )
            descent.zero_grad()
            loss.backward()
            descent.step()
            pace.step()
            losses.append(float(loss.detach()))
        click.echo(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}")
        stood = {name: each.state_dict() for name, each in states.items()}
        torch.save({**stood, "done": epoch + 1, "chance": torch.get_rng_state()}, kept_in)
    reader.eval()
    return reader


def _shifted(shown: Tensor) -> Tensor:
    """The crops moved by up to a pixel, all of a batch together."""
    by = (int(torch.randint(-1, 2, ())), int(torch.randint(-1, 2, ())))
    return torch.roll(shown, by, (2, 3))


def logits_of(reader: nn.Module, crops: Crops) -> Tensor:
    """What the reader makes of the crops."""
    parts = []
    with torch.no_grad():
        for start in range(0, len(crops.labels), 1024):
            pixels = torch.from_numpy(crops.pixels[start : start + 1024])
            parts.append(reader(pixels.permute(0, 3, 1, 2).float() / 255))
    return torch.cat(parts)


def calibrated(logits: Tensor, labels: Tensor) -> float:
    """The temperature with the least cross entropy."""
    tried = [0.3 + 0.02 * step for step in range(100)]
    return min(tried, key=lambda each: float(functional.cross_entropy(logits / each, labels)))


def publish(reader: BoxReader, checked: Crops, models: Path, command: str) -> str:
    """Write the network and its card into `models`/slips; returns the measurements.

    Every reading with it is asked about until the threshold is fitted on photographs.
    """
    folder = models / MODEL
    logits, labels = logits_of(reader, checked), torch.from_numpy(checked.labels)
    temperature = calibrated(logits, labels)
    wrong = float((logits.argmax(1) != labels).float().mean())
    example = torch.zeros((1, CROP_HEIGHT, CROP_WIDTH, 1), dtype=torch.uint8)
    write_onnx(_OnBytes(reader, temperature), example, {0: "crops"}, folder / READER)
    sums = checksums(folder, (READER,))
    card = f"""# The slip reader's model card; written by the training command.
name = "{MODEL}"
made = {datetime.now(UTC).date()}
command = "{command}"
input = "a photograph with one or more printed result slips"
reader = "N x {CROP_HEIGHT} x {CROP_WIDTH} x 1 bytes, a box -> {len(LABELS)} probabilities"
labels = {json.dumps(LABELS)}

[checksums]
"{READER}" = "{sums[READER]}"

[calibration]
"temperature" = {temperature:.3f}

[thresholds]
"sure" = 1.0

[measured_error]
"drawn boxes of hands not trained on" = {wrong:.4f}

[sources]
"own strokes" = "drawn by `python -m vision.train slips`"
"fonts made from handwriting" = "SIL OFL 1.1 and Apache 2.0, from @fontsource packages"
"UCI's handwritten digits" = "CC BY 4.0 (Alpaydin and Kaynak, 1998), in scikit-learn's wheel"
"""
    (folder / CARD).write_text(card, encoding="utf-8")
    return f"wrong {wrong:.4f}"


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".cache/slips"))
@click.option("--crops", default=160_000, show_default=True)
@click.option("--epochs", default=8, show_default=True)
@click.option("--seed", default=1, show_default=True)
def slips(  # noqa: PLR0913, PLR0917 -- click hands over one argument an option
    data: Path, models: Path, cache: Path, crops: int, epochs: int, seed: int
) -> None:
    """Train the reader of result slips' boxes, and write models/slips (half an hour).

    DATA holds scikit-learn's wheel and the fonts of fonts.txt, as in docs/recipes/train.md.
    """
    checked = kept(cache, data, crops // 10, seed + 1, checked=True)
    checkpoint = cache / f"reader-{crops}-{epochs}-{seed}.pt"
    reader = trained(kept(cache, data, crops, seed), epochs, seed, checkpoint)
    command = f"python -m vision.train slips --crops {crops} --epochs {epochs} --seed {seed}"
    click.echo(publish(reader, checked, models, command))
