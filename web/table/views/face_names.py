"""The faces of a set as players tell them: a known set, or names of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.dice import FACES
from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from scoreboard.message import Message, message
from vision.learn.school import STRANGERS
from vision.read.observation import UNREADABLE

LONGEST_FACE: Final = 16
FACE_COUNT: Final = range(2, 61)
PRESETS: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": tuple(map(str, deck(CARD_COLOURS))),
    "die": tuple(map(str, FACES)),
}
RESERVED: Final = frozenset({STRANGERS, UNREADABLE})


def told_faces(text: str) -> tuple[str, ...]:
    """The names in a field, with blanks or commas between them."""
    return tuple(text.replace(",", " ").split())


def faces_of(form: Mapping[str, str]) -> tuple[str, ...] | Message:
    """The faces that the form for a new set names, or what is wrong with them."""
    preset = PRESETS.get(form.get("preset", ""))
    if preset is not None:
        return preset
    faces = tuple(dict.fromkeys(told_faces(form.get("faces", ""))))
    return _fault(faces) or faces


def are_dice(form: Mapping[str, str]) -> bool:
    """Whether the pieces of the new set are dice."""
    return form.get("preset") == "die" or bool(form.get("dice"))


def _fault(faces: tuple[str, ...]) -> Message | None:
    if len(faces) not in FACE_COUNT:
        return message(
            "A set has {least} to {most} faces: write their names with blanks between them.",
            least=FACE_COUNT[0],
            most=FACE_COUNT[-1],
        )
    for face in faces:
        if face in RESERVED or len(face) > LONGEST_FACE or not face.isprintable():
            return message(
                "“{face}” cannot name a face: {most} characters at most, and not “?” or “unknown”.",
                face=face,
                most=LONGEST_FACE,
            )
    return None
