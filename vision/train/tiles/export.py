"""From the trained tile reader to its file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from vision.read.detection import TILE_HEIGHT, TILE_WIDTH
from vision.train.export import from_pixels, write_onnx
from vision.train.tiles.networks import COLOUR_CLASSES, KINDS


@dataclass(frozen=True, slots=True)
class Temperatures:
    """What the logits of kinds and of inks are divided by."""

    kinds: float = 1.0
    inks: float = 1.0


class _ReaderOnPixels(nn.Module):
    """The reader on B x 56 x 40 x 3 bytes: probabilities of kinds, inks, upside down, presence."""

    def __init__(self, network: nn.Module, temperatures: Temperatures) -> None:
        super().__init__()
        self.network = network
        self.temperatures = temperatures

    def forward(self, pixels: Tensor) -> Tensor:
        figures = self.network(from_pixels(pixels))
        kinds = torch.softmax(figures[:, :KINDS] / self.temperatures.kinds, dim=1)
        inks = figures[:, KINDS : KINDS + COLOUR_CLASSES]
        told = torch.sigmoid(figures[:, -2:])
        return torch.cat([kinds, torch.softmax(inks / self.temperatures.inks, dim=1), told], dim=1)


def export_tile_reader(network: nn.Module, file: Path, temperatures: Temperatures) -> None:
    """Write the reader for any number of crops."""
    example = torch.zeros(2, TILE_HEIGHT, TILE_WIDTH, 3, dtype=torch.uint8)
    write_onnx(_ReaderOnPixels(network, temperatures), example, {0: "count"}, file)
