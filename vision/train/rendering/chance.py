"""Chance, drawn from a seeded generator: what happens, what is picked, how much of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

Random = np.random.Generator
Picked = TypeVar("Picked")


def happens(random: Random, share: float) -> bool:
    """Whether something happens that happens in that share of all cases, 0 to 1."""
    return bool(random.random() < share)


def pick(random: Random, choices: Sequence[tuple[float, Picked]]) -> Picked:
    """One of several things, each with the probability of its weight."""
    weights = np.array([weight for weight, _ in choices])
    return choices[int(random.choice(len(choices), p=weights / weights.sum()))][1]


def pick_name(random: Random, table: Mapping[str, Sequence[Any]]) -> str:
    """One of a table's names, each as likely as the weight that its entry begins with."""
    return pick(random, [(entry[0], name) for name, entry in table.items()])


def between(random: Random, low: float, high: float) -> float:
    """A number between two others, all equally likely."""
    return float(random.uniform(low, high))


def by_scale(random: Random, low: float, high: float) -> float:
    """A number between two others, each doubling equally likely."""
    return float(np.exp(random.uniform(np.log(low), np.log(high))))
