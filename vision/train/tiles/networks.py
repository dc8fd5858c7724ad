"""The two networks of the tile reader: where tiles lie, and what is printed on one."""

from __future__ import annotations

from typing import Final

from torch import Tensor, nn
from torch.nn import functional

from vision.read.detection import TILE_HEIGHT, TILE_WIDTH
from vision.train.networks import MapsFinder, convolution, stage

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
