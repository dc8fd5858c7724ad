"""Styles of drawn dice: what colours, shape and pips the dice of one maker have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.train.chance import Chance
from vision.train.colours import Colour, any_colour

# How far pips differ from the body: in lightness, or in one of the colours.
_TELLING: Final = (20.0, 55.0)
_DIM: Final = 0.1  # of all styles: pips that a dark body hides in all but their hue
_CLOSEST: Final = 0.46  # of the pips' distance: a larger radius would let them touch


@dataclass(frozen=True, slots=True)
class Style:
    """One maker's dice; lengths are shares of a die's side, `marbling` and `coverage` from 0 to 1.

    `graded` dice have the larger pips the fewer a face has, `rows` those whose two and three lie in
    a row; `big_one` has a large red one, `ornate_one` a picture in its stead.
    """

    body: Colour
    pips: Colour
    second: Colour
    marbling: float
    rounding: float
    face_rounding: float
    pip_radius: float
    pip_spread: float
    big_one: bool
    graded: bool
    rows: bool
    ornate_one: bool
    drilled: bool
    coverage: float


def any_style(chance: Chance) -> Style:
    """Some style, by chance."""
    body = any_colour(chance)
    if chance.happens(_DIM):
        return _dim(chance)
    if chance.happens(0.3):
        body = (chance.between(200, 255), chance.between(215, 255), chance.between(220, 255))
    return _style_of(body, _pip_colour(body, chance), chance)


def _style_of(body: Colour, pips: Colour, chance: Chance) -> Style:
    rounding, spread = chance.between(0.03, 0.2), chance.between(0.2, 0.28)
    return Style(
        body=body,
        pips=pips,
        second=any_colour(chance),
        marbling=chance.between(0.1, 1.0) if chance.happens(0.45) else 0.0,
        rounding=rounding,
        face_rounding=chance.between(rounding, 0.5) if chance.happens(0.4) else rounding,
        pip_radius=min(chance.between(0.06, 0.13), _CLOSEST * spread),
        pip_spread=spread,
        big_one=chance.happens(0.15),
        graded=chance.happens(0.15),
        rows=chance.happens(0.06),
        ornate_one=chance.happens(0.12),
        drilled=chance.happens(0.5),
        coverage=chance.between(0.7, 0.95) if chance.happens(0.15) else 1.0,
    )


def _dim(chance: Chance) -> Style:
    """Dark marbled dice with pips of one strong colour that is hardly lighter."""
    dark = chance.between(15, 90)
    body: Colour = (dark, dark * chance.between(0.8, 1.1), dark * chance.between(0.8, 1.1))
    strong = [dark * 0.6] * 3
    strong[chance.pick((0, 2, 2))] = dark + chance.between(60, 140)
    return replace(
        _style_of(body, (strong[0], strong[1], strong[2]), chance),
        marbling=chance.between(0.1, 0.6) if chance.happens(0.6) else 0.0,
        second=(dark * 1.6, dark * 1.6, dark * 1.6),
    )


def _pip_colour(body: Colour, chance: Chance) -> Colour:
    """A colour that can be told from the body: black, white, gold, or anything far enough."""
    for _ in range(20):
        plain: tuple[Colour, ...] = ((15, 15, 15), (245, 245, 245), (60, 160, 200), (30, 30, 200))
        colour = chance.pick(plain) if chance.happens(0.75) else any_colour(chance)
        weights = np.array([0.15, 0.55, 0.3])
        apart = np.array(colour) - np.array(body)
        if abs(float(apart @ weights)) > _TELLING[0] or np.abs(apart).max() > _TELLING[1]:
            return colour
    return (15, 15, 15) if sum(body) > 380 else (245, 245, 245)  # noqa: PLR2004
