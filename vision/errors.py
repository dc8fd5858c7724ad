"""The errors of reading: one small family, each also a kind of the standard library."""

from __future__ import annotations

from scoreboard.message import Message


class VisionError(Exception):
    """Pictures cannot be read; the text is one plain sentence with a cure."""


class _TranslatedError(VisionError):
    """An error whose `message` tells the player the fault and the cure, translated."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class WeightsError(_TranslatedError, OSError):
    """A model's folder is incomplete, or its weights do not match its card."""


class LabelError(VisionError, ValueError):
    """A folder of labelled photographs has another format than the data's."""


class PhotoError(_TranslatedError, ValueError):
    """A file is not a whole photograph."""


class ClipError(VisionError, ValueError):
    """A file is not a video of at least two frames."""


class TrayError(_TranslatedError, ValueError):
    """No tray was found, or the tapped corners make none."""


class CalibrationError(VisionError, ValueError):
    """A stored tray calibration cannot be parsed."""


class LessonError(_TranslatedError, ValueError):
    """A set cannot be learned from these photographs."""


class TaughtSetError(_TranslatedError, LookupError):
    """A taught set is missing or cannot be read."""
