"""Chance that is the same everywhere: only `Random.random` keeps its numbers between Pythons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def shuffled(items: Iterable[Item], chance: Random) -> list[Item]:
    """The items in an order drawn by chance."""
    return sorted(items, key=lambda _: chance.random())


def chosen(items: Sequence[Item], chance: Random) -> Item:
    """One of the items, each as likely."""
    return items[int(chance.random() * len(items))]
