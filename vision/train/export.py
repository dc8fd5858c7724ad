"""From trained networks to the files in `models/<name>/`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import onnx
import torch
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from vision.capture.frame import Image

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
    """The reader on B x H x W x 3 bytes.

    Its first logits become probabilities, part by part of those sizes and temperatures; its last
    two too, each by itself; what lies between stays as it is.
    """

    def __init__(
        self, network: nn.Module, parts: Sequence[int], temperatures: Sequence[float]
    ) -> None:
        super().__init__()
        self.network = network
        self.parts = tuple(zip(parts, temperatures, strict=True))

    def forward(self, pixels: Tensor) -> Tensor:
        figures = self.network(from_pixels(pixels))
        told, start = [], 0
        for size, temperature in self.parts:
            told.append(torch.softmax(figures[:, start : start + size] / temperature, dim=1))
            start += size
        if figures.shape[1] > start + 2:
            told.append(figures[:, start:-2])
        return torch.cat([*told, torch.sigmoid(figures[:, -2:])], dim=1)


def from_pixels(pixels: Tensor) -> Tensor:
    """Turn B x H x W x 3 bytes into what the networks take."""
    return pixels.permute(0, 3, 1, 2).to(torch.float32) / 255


def export_finder(network: nn.Module, file: Path) -> None:
    """Write the finder for pictures of any height and width that are multiples of 32."""
    example = torch.zeros(1, 64, 96, 3, dtype=torch.uint8)
    write_onnx(_FinderOnPixels(network), example, {0: "count", 1: "height", 2: "width"}, file)


def export_reader(
    network: nn.Module,
    file: Path,
    crop: tuple[int, int],
    parts: Sequence[int],
    temperatures: Sequence[float],
) -> None:
    """Write the reader for any number of crops of that height and width.

    `parts` are the sizes of its groups of classes, each with the temperature that its logits are
    divided by.
    """
    example = torch.zeros(2, *crop, 3, dtype=torch.uint8)
    write_onnx(_ReaderOnPixels(network, parts, temperatures), example, {0: "count"}, file)


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


# Networks in 8-bit integers are twice as fast and half as large, and read as well: static
# quantisation after Jacob et al., "Quantization and Training of Neural Networks for Efficient
# Integer-Arithmetic-Only Inference" (2018), by onnxruntime: unsigned activations, weights of seven
# bits per channel, as some processors' sums of two products of eight bits overflow.

_WEIGHING: Final = ("Conv", "Gemm", "MatMul")
_MADE_OF_INTEGERS: Final = ("Conv", "Add", "Resize")


class _Examples(CalibrationDataReader):
    def __init__(self, examples: Iterable[Image]) -> None:
        self._rest = iter(examples)

    def get_next(self) -> dict[str, Image] | None:
        pixels = next(self._rest, None)
        return None if pixels is None else {"pixels": pixels}


def quantise(file: Path, examples: Iterable[Image]) -> None:
    """Turn a network in place; ranges are those that its maps take on the examples.

    The last layer and what follows stay as they are: small, and weighed finely.
    """
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(file, plain, skip_symbolic_shape=True)
        quantize_static(
            plain,
            file,
            _Examples(examples),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
            op_types_to_quantize=list(_MADE_OF_INTEGERS),
            nodes_to_exclude=_from_the_last_layer_on(plain),
        )


def _from_the_last_layer_on(file: Path) -> list[str]:
    nodes = onnx.load(file).graph.node
    last = max(place for place, node in enumerate(nodes) if node.op_type in _WEIGHING)
    return [node.name for node in nodes[last:]]
