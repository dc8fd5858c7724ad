"""The two networks of the dice reader: where dice lie, and what a die shows.

The finder is a small fully convolutional network after CenterNet (Zhou, Wang and
Krähenbühl, "Objects as Points", 2019); the reader a small residual network (He et
al., 2015) whose last map is weighed by place, as the face lies in the crop's middle.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

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

    H and W are multiples of 32; the first map is the logit of "a piece's middle lies here".
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
        """Give the maps."""
        at4 = self.stem(x - 0.5)
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        wide = self.side16(at16) + doubled(self.side32(self.down32(at16)))
        middle = self.merge8(self.side8(at8) + doubled(wide))
        maps: Tensor = self.head(self.merge4(self.side4(at4) + doubled(middle)))
        return maps


class DiceFinder(MapsFinder):
    """Finds dice, in five maps.

    The logit of "a die's centre lies here", the centre's place in cells right and down of this
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
        """Give the eleven figures."""
        centred = x - x.mean((1, 2, 3), keepdim=True)
        spread = centred.square().mean((1, 2, 3), keepdim=True).sqrt()
        seen = self.maps(self.stem(centred / (spread + 0.03)))
        figures: Tensor = self.last(self.head(self.pool(seen)))
        return figures


KINDS: Final = 15  # nothing readable, 1 to 13, joker
COLOUR_CLASSES: Final = 4
MAPS: Final = 7


class TileFinder(MapsFinder):
    """Finds tiles, in seven maps.

    The logit of "a tile's middle lies here", the middle's place in cells right and down of this
    cell's middle, the logarithms of width and length in units of 16 pixels, and the cosine and
    sine of twice the angle of its longer side.
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
        self.pool = nn.Conv2d(128, 160, (_half(high), _half(wide)), groups=32, bias=False)
        self.head = nn.Sequential(nn.Flatten(), nn.BatchNorm1d(160), nn.ReLU(), nn.Dropout(0.1))
        self.last = nn.Linear(160, KINDS + COLOUR_CLASSES + 2)

    def forward(self, x: Tensor) -> Tensor:
        """Give the twenty-one figures."""
        parts = functional.avg_pool2d(x, 4)
        face = parts.amax((2, 3), keepdim=True)
        seen = self.maps(self.stem(x / (face + 0.02) - 0.5))
        figures: Tensor = self.last(self.head(self.pool(seen)))
        return figures


def _half(side: int) -> int:
    return (side + 1) // 2
