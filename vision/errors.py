"""The errors of reading: one small family, each also a kind of the standard library."""

from __future__ import annotations

from scoreboard.message import Message


class VisionError(Exception):
    """Something that stops pictures from being read; its text is one plain sentence with a cure."""


class _TranslatedError(VisionError):
    """An error whose `message` tells the player what is wrong and what to do, translated."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class WeightsError(_TranslatedError, OSError):
    """A model's folder is incomplete, or its weights are not those that its card describes."""


class LabelError(VisionError, ValueError):
    """A folder of labelled photographs that is not in the format of the data."""


class PhotoError(_TranslatedError, ValueError):
    """A file that is no whole photograph."""


class ClipError(VisionError, ValueError):
    """A file that is no video of at least two frames."""


class TrayError(_TranslatedError, ValueError):
    """No tray was found, or the tapped corners make none."""


class CalibrationError(VisionError, ValueError):
    """A stored calibration of the tray that cannot be understood."""


class LessonError(_TranslatedError, ValueError):
    """Photographs that a set cannot be learned from."""


class TaughtSetError(_TranslatedError, LookupError):
    """A taught set that is not there or cannot be read."""
