"""Colours of drawn things."""

from __future__ import annotations

import cv2
import numpy as np

from vision.train.chance import Chance

Colour = tuple[float, float, float]


def any_colour(chance: Chance) -> Colour:
    """A colour, blue-green-red, whose hue, strength and lightness are evenly spread."""
    hsv = np.array(
        [[[chance.below(180), int(255 * chance.between(0, 1) ** 1.3), 25 + chance.below(230)]]],
        np.uint8,
    )
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)
