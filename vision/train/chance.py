"""Seeded chance, with the words that the augmentation needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


class Chance:
    """A seeded source of chance; the same seed gives the same training set."""

    def __init__(self, seed: int | Sequence[int]) -> None:
        self.numbers = np.random.default_rng(seed)

    def happens(self, probability: float) -> bool:
        """Whether something of that probability happens now."""
        return bool(self.numbers.random() < probability)

    def between(self, low: float, high: float) -> float:
        """A number from a range, evenly."""
        return float(self.numbers.uniform(low, high))

    def scale(self, low: float, high: float) -> float:
        """A factor from a range, evenly in its logarithm."""
        return math.exp(self.between(math.log(low), math.log(high)))

    def near(self, middle: float, spread: float) -> float:
        """A number around a middle, normally distributed."""
        return float(self.numbers.normal(middle, spread))

    def below(self, count: int) -> int:
        """A whole number from 0 to below `count`."""
        return int(self.numbers.integers(count))

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, each as likely."""
        return items[self.below(len(items))]

    def turn(self, upright: float) -> float:
        """An angle in degrees: near upright with that probability, else any at all."""
        return self.near(0.0, 12.0) if self.happens(upright) else self.between(0.0, 360.0)
