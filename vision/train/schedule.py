"""How long to train, as an option of every training command."""

from __future__ import annotations

from collections.abc import Callable

import click

Command = Callable[..., None]


def steps_of(steps: tuple[int, int]) -> Callable[[Command], Command]:
    """Add the option of how long to train."""
    return click.option(
        "--steps", type=(int, int), default=steps, show_default=True, help="Of finder and reader."
    )
