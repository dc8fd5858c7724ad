"""How well the table can be seen: a traffic light with reasons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from scoreboard.message import Message


class Light(Enum):
    """The traffic light of the table's health."""

    GREEN = "green"  # all is well
    AMBER = "amber"  # reading goes on, with something to mend
    RED = "red"  # nothing is proposed until it is mended


@dataclass(frozen=True, slots=True)
class Health:
    """How well the table can be seen, and for each fault what to do; green has no reasons."""

    light: Light
    reasons: tuple[Message, ...] = ()


HEALTHY: Final = Health(Light.GREEN)
