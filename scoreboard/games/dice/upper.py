"""The upper section, which nearly all games of the family share."""

from __future__ import annotations

from typing import Final

from scoreboard.games.dice.form import Box
from scoreboard.games.dice.hands import sum_of_face
from scoreboard.message import Message, message

_FACES: Final = (
    ("aces", message("Aces"), message("Sum of the aces")),
    ("twos", message("Twos"), message("Sum of the twos")),
    ("threes", message("Threes"), message("Sum of the threes")),
    ("fours", message("Fours"), message("Sum of the fours")),
    ("fives", message("Fives"), message("Sum of the fives")),
    ("sixes", message("Sixes"), message("Sum of the sixes")),
)
UPPER_KEYS: Final = tuple(key for key, _, _ in _FACES)


def upper_boxes(rule: str, labels: tuple[Message, ...] = ()) -> tuple[Box, ...]:
    """Aces to Sixes, decided by `rule`; `labels` where the game calls them otherwise."""
    names = labels or tuple(label for _, label, _ in _FACES)
    return tuple(
        Box(key, names[face - 1], hint, "upper", rule, sum_of_face(face), face)
        for face, (key, _, hint) in enumerate(_FACES, start=1)
    )
