"""The finder and the reader of dice and of tiles, and how they become files of a model.

A finder is a small fully convolutional network after CenterNet (Zhou, Wang and
Krähenbühl, "Objects as Points", 2019); a reader a small residual network (He et
al., 2015) whose last map is weighed by place, as the face is in the crop's middle.
"""

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
from torch.nn import functional

from vision.capture.frame import Image
from vision.read.detection import DIE_SIDE, TILE_HEIGHT, TILE_WIDTH

FACE_CLASSES: Final = 7


def convolution(inputs: int, outputs: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    """A convolution, normalised, and what of it is positive."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = convolution(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


def stage(inputs: int, outputs: int) -> nn.Sequential:
    """Half the size: a convolution and a residual block."""
    return nn.Sequential(convolution(inputs, outputs, 2), _Residual(outputs))


def doubled(x: Tensor) -> Tensor:
    """Twice the size."""
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class MapsFinder(nn.Module):
    """Looks over a whole picture: B x 3 x H x W, values 0 to 1, to B x maps x H/4 x W/4.

    H and W are multiples of 32; the first map is the logit of "a piece's middle is here".
    Shallow where maps are large, as it is run on every picture.
    """

    def __init__(self, maps: int, down16: nn.Module) -> None:
        super().__init__()
        self.stem = nn.Sequential(convolution(3, 16, 2), convolution(16, 24, 2))
        self.down8, self.down16, self.down32 = stage(24, 48), down16, stage(96, 96)
        self.side32, self.side16 = nn.Conv2d(96, 48, 1), nn.Conv2d(96, 48, 1)
        self.side8, self.side4 = nn.Conv2d(48, 48, 1), nn.Conv2d(24, 32, 1)
        self.merge8, self.merge4 = convolution(48, 32), convolution(32, 32)
        self.head = nn.Conv2d(32, maps, 1)
        with torch.no_grad():
            bias = self.head.bias
            assert bias is not None  # noqa: S101 - the layer above was made with one
            bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        at4 = self.stem(x - 0.5)
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        wide = self.side16(at16) + doubled(self.side32(self.down32(at16)))
        middle = self.merge8(self.side8(at8) + doubled(wide))
        maps: Tensor = self.head(self.merge4(self.side4(at4) + doubled(middle)))
        return maps


class DiceFinder(MapsFinder):
    """Finds dice, in five maps.

    The logit of "a die's centre is here", the centre's place in cells right and down of this
    cell's middle, and the logarithms of width and height in units of 16 pixels.
    """

    def __init__(self) -> None:
        super().__init__(5, nn.Sequential(stage(48, 96), _Residual(96)))


class DieReader(nn.Module):
    """Reads a die's top face: B x 3 x 48 x 48, values 0 to 1, to B x 11.

    Seven logits (nothing readable, then 1 to 6), the cosine and the sine of four times the
    top face's angle, clockwise, and the logits of "this die leans" and of "this is a die",
    readable or not. Each crop's own light is taken out first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(convolution(3, 24, 2, 5), _Residual(24))
        self.maps = nn.Sequential(stage(24, 64), _Residual(64), stage(64, 128), _Residual(128))
        self.pool = nn.Conv2d(128, 128, DIE_SIDE // 8, groups=128, bias=False)
        self.head = nn.Sequential(nn.Flatten(), nn.BatchNorm1d(128), nn.Dropout(0.1))
        self.last = nn.Linear(128, FACE_CLASSES + 4)

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean((1, 2, 3), keepdim=True)
        spread = centred.square().mean((1, 2, 3), keepdim=True).sqrt()
        seen = self.maps(self.stem(centred / (spread + 0.03)))
        figures: Tensor = self.last(self.head(self.pool(seen)))
        return figures


KINDS: Final = 15  # nothing readable, 1 to 13, joker
COLOUR_CLASSES: Final = 4
MAPS: Final = 8


class TileFinder(MapsFinder):
    """Finds tiles, in eight maps.

    The logit of "a tile's middle is here", the middle's place in cells right and down of this
    cell's middle, the logarithms of width and height in units of 16 pixels, the cosine and sine of
    twice the angle of its upper edge, and its shear: how far its foot is to the right of its top
    for its height.
    """

    def __init__(self) -> None:
        super().__init__(MAPS, stage(48, 96))


class TileReader(nn.Module):
    """Reads an upright crop: B x 3 x 56 x 40, values 0 to 1, to B x 21.

    Fifteen logits of kinds (nothing readable, 1 to 13, joker), four of colours, that of "upside
    down", and that of "this is a tile". The colours are first divided by the tile's own face:
    the brightest of the crop's parts, each the mean of some pixels.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(convolution(3, 24, 2, 5), stage(24, 64))
        self.maps = nn.Sequential(stage(64, 96), stage(96, 128))
        high, wide = TILE_HEIGHT // 8, TILE_WIDTH // 8
        half = ((high + 1) // 2, (wide + 1) // 2)
        self.pool = nn.Conv2d(128, 160, half, groups=32, bias=False)
        self.head = nn.Sequential(nn.Flatten(), nn.BatchNorm1d(160), nn.ReLU(), nn.Dropout(0.1))
        self.last = nn.Linear(160, KINDS + COLOUR_CLASSES + 2)

    def forward(self, x: Tensor) -> Tensor:
        parts = functional.avg_pool2d(x, 4)
        face = parts.amax((2, 3), keepdim=True)
        seen = self.maps(self.stem(x / (face + 0.02) - 0.5))
        figures: Tensor = self.last(self.head(self.pool(seen)))
        return figures


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
    two too, each alone; what is between stays as it is.
    """

    def __init__(
        self, network: nn.Module, parts: Sequence[int], temperatures: Sequence[float]
    ) -> None:
        super().__init__()
        self.network = network
        self.parts = tuple(zip(parts, temperatures, strict=True))
        self.has_more = int(network.last.out_features) > sum(parts) + 2

    def forward(self, pixels: Tensor) -> Tensor:
        figures = self.network(from_pixels(pixels))
        parts, start = [], 0
        for size, temperature in self.parts:
            parts.append(torch.softmax(figures[:, start : start + size] / temperature, dim=1))
            start += size
        if self.has_more:
            parts.append(figures[:, start:-2])
        return torch.cat([*parts, torch.sigmoid(figures[:, -2:])], dim=1)


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
