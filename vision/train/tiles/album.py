"""The pictures that tiles are learned from: photographs, and rendered ones beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.train.chance import Chance
from vision.train.tiles.labels import TiledPicture

_RENDERED: Final = 0.55  # of the pictures taken: they show more editions than the photographs do


@dataclass(frozen=True, slots=True)
class Album:
    """Photographs and rendered pictures; at least one of them."""

    photographs: Sequence[TiledPicture]
    rendered: Sequence[TiledPicture]

    def pick(self, chance: Chance) -> TiledPicture:
        """One of them by chance; both kinds are taken about as often, however many there are."""
        if not self.photographs or (self.rendered and chance.happens(_RENDERED)):
            return chance.pick(self.rendered)
        return chance.pick(self.photographs)
