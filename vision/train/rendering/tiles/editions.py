"""Editions unlike the classic one: extra-large, mini and wooden tiles, and Okey."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from vision.train.rendering.chance import Random, between, pick
from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.edition import (
    MOULDED,
    Edition,
    Tint,
    any_edition,
    any_shape,
    faces,
    joker_ink,
)

_WOODS: Final[tuple[Tint, ...]] = (
    (0.86, 0.73, 0.54), (0.80, 0.64, 0.44), (0.90, 0.79, 0.62), (0.74, 0.56, 0.37),
)  # fmt: skip
_OKEY_YELLOWS: Final[tuple[Tint, ...]] = ((0.98, 0.72, 0.16), (0.97, 0.62, 0.10), (0.95, 0.68, 0.2))


def _xl(random: Random) -> Edition:
    """Heavy moulded numerals over most of the tile: closed 4, flagged 1, small eyes."""
    return replace(
        any_edition(random),
        face=MOULDED,
        bold=int(random.integers(0, 4)),
        digit=between(random, 0.5, 0.6),
        digit_top=between(random, 0.08, 0.11),
        digit_bottom=between(random, 0.60, 0.66),
        dish=0.0,
        engraved=between(random, 0.004, 0.016),
        joker=joker_ink("smile", random),
        joker_width=between(random, 0.75, 0.88),
    )


def grotesque_xl(random: Random) -> Edition:
    """An extra-large edition in a printer's heavy face instead of moulded numerals."""
    return replace(_xl(random), face=pick(random, faces()), bold=int(random.integers(4, 13)))


def _mini(random: Random) -> Edition:
    """A travel set: thick for its size, plain, its numerals large for the tile."""
    top = between(random, 0.12, 0.17)
    return replace(
        any_edition(random),
        shape=replace(
            any_shape(random),
            length=between(random, 1.28, 1.42),
            thickness=between(random, 0.3, 0.5),
        ),
        digit=between(random, 0.34, 0.42),
        digit_top=top,
        digit_bottom=top + between(random, 0.36, 0.42),
        dish=0.0,
        word="",
    )


def _wooden(random: Random) -> Edition:
    """Wood with its grain, matt, burnt or printed numerals."""
    wood = pick(random, [(1.0, each) for each in _WOODS])
    edition = any_edition(random)
    return replace(
        edition,
        shape=Slab(1.0, between(random, 1.38, 1.5), between(random, 0.3, 0.5), 0.03, 0.05),
        plastic=wood,
        backs=wood,
        roughness=between(random, 0.5, 0.8),
        grain=between(random, 0.06, 0.16),
        dish=0.0,
        word="",
        engraved=between(random, 0.005, 0.02),
        face=pick(random, faces()),
    )


def _okey(random: Random) -> Edition:
    """A number in the upper half, a dish with a heart below it; the false joker has a sign."""
    edition = any_edition(random)
    top = between(random, 0.08, 0.14)
    black, red, blue, _ = edition.inks
    return replace(
        edition,
        inks=(black, red, blue, pick(random, [(1.0, each) for each in _OKEY_YELLOWS])),
        digit=between(random, 0.32, 0.42),
        digit_top=top,
        digit_bottom=top + between(random, 0.36, 0.42),
        dish=0.0,
        word="",
        heart=between(random, 0.2, 0.3),
        joker=joker_ink(pick(random, ((0.5, "star"), (0.3, "sun"), (0.2, "cards"))), random),
        joker_width=between(random, 0.55, 0.75),
    )


EDITIONS: Final[Mapping[str, Callable[[Random], Edition]]] = {
    "xl": _xl,
    "mini": _mini,
    "wooden": _wooden,
    "okey": _okey,
}
_CLASSIC: Final = 0.4  # of the sets on the training's tables


def some_edition(random: Random) -> Edition:
    """A classic set, or one of the others."""
    others = (*EDITIONS.values(), grotesque_xl)
    share = (1 - _CLASSIC) / len(others)
    drawn = pick(random, [(_CLASSIC, any_edition), *((share, each) for each in others)])
    return drawn(random)
