"""The demo's deck: long strips of cream paper, a cord of pennants between two coloured ends."""

from __future__ import annotations

from math import pi, sin
from typing import Final

from vision.train.rendering.decks.design import Design, Sheet
from vision.train.rendering.material import Colour, Picture

_CREAM: Final[Colour] = (246, 238, 218)
_CORD: Final[Colour] = (96, 84, 74)
_INKS: Final[dict[str, Colour]] = {
    "R": (202, 46, 40), "B": (34, 92, 180), "G": (34, 128, 74), "P": (122, 60, 148),
    "Y": (234, 172, 24),
}  # fmt: skip
_LENGTH: Final = 3.8
_END: Final = 0.92  # widths of a strip: so long is each coloured end
_FIRST: Final = 1.08
_APART: Final = 0.21
_NUMERAL: Final = "DejaVuSerif-Bold.ttf"


def _bunting(face: str) -> Picture:
    """A numeral in each coloured end, and between them as many pennants as it says."""
    ink, sheet = _INKS[face[0]], Sheet(_LENGTH, _CREAM)
    sheet.box((0.06, 0.06, 0.94, _END), ink, 0.07)
    sheet.text(face[1], (0.5, 0.49, 0.66), _CREAM, _NUMERAL)
    sheet.mirrored()
    cord = [(_swing(at / 40), _END + (_LENGTH - 2 * _END) * at / 40) for at in range(41)]
    sheet.line(cord, _CORD, 0.025)
    for place in range(int(face[1])):
        _pennant(sheet, _FIRST + _APART * place, 1 if place % 2 else -1, ink)
    return sheet.picture()


def _swing(share: float) -> float:
    """Where the cord hangs, across the strip, at a share of its length."""
    return 0.5 + 0.05 * sin(3 * pi * share)


def _pennant(sheet: Sheet, down: float, side: int, ink: Colour) -> None:
    """A triangle that hangs from the cord to one side."""
    at = _swing((down - _END) / (_LENGTH - 2 * _END))
    sheet.shape([(at, down - 0.12), (at, down + 0.12), (at + 0.36 * side, down)], ink)


BUNTING: Final = Design("bunting", _LENGTH, 0.09, _bunting, (_CREAM,))
