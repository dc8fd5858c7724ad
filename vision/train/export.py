"""From trained networks to the files in `models/<name>/`."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from vision.train.networks import FACE_CLASSES, READER_SIDE

OPSET: Final = 17


class _FinderOnPixels(nn.Module):
    """The finder on B x H x W x 3 bytes, its first map as a score of 0 to 1."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, pixels: Tensor) -> Tensor:
        maps = self.network(from_pixels(pixels))
        return torch.cat([torch.sigmoid(maps[:, :1]), maps[:, 1:]], dim=1)


class _ReaderOnPixels(nn.Module):
    """The reader on B x 48 x 48 x 3 bytes: probabilities, angle, leaning, presence."""

    def __init__(self, network: nn.Module, temperature: float) -> None:
        super().__init__()
        self.network = network
        self.temperature = temperature

    def forward(self, pixels: Tensor) -> Tensor:
        figures = self.network(from_pixels(pixels))
        faces = torch.softmax(figures[:, :FACE_CLASSES] / self.temperature, dim=1)
        told = torch.sigmoid(figures[:, -2:])
        return torch.cat([faces, figures[:, FACE_CLASSES:-2], told], dim=1)


def from_pixels(pixels: Tensor) -> Tensor:
    """Turn B x H x W x 3 bytes into what the networks take."""
    return pixels.permute(0, 3, 1, 2).to(torch.float32) / 255


def export_finder(network: nn.Module, file: Path) -> None:
    """Write the finder for pictures of any height and width that are multiples of 32."""
    example = torch.zeros(1, 64, 96, 3, dtype=torch.uint8)
    write_onnx(_FinderOnPixels(network), example, {0: "count", 1: "height", 2: "width"}, file)


def export_reader(network: nn.Module, file: Path, temperature: float = 1.0) -> None:
    """Write the reader for any number of crops."""
    example = torch.zeros(2, READER_SIDE, READER_SIDE, 3, dtype=torch.uint8)
    write_onnx(_ReaderOnPixels(network, temperature), example, {0: "count"}, file)


def write_onnx(network: nn.Module, example: Tensor, free: dict[int, str], file: Path) -> None:
    """Write a network from pixels to its result; the sides named in `free` may have any length."""
    network.eval().to(memory_format=torch.contiguous_format)
    file.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        # The exporter by tracing is announced to go; torch is pinned, and it needs no onnxscript.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network,
            (example,),
            str(file),
            dynamo=False,
            opset_version=OPSET,
            input_names=["pixels"],
            output_names=["result"],
            dynamic_axes={"pixels": free},
        )
