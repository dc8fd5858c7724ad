"""The errors of reading: one small family, each also a kind of the standard library."""

from __future__ import annotations

from scoreboard.message import Message


class VisionError(Exception):
    """Something that stops pictures from being read; its text is one plain sentence with a cure."""


class WeightsError(VisionError, OSError):
    """A model's folder is incomplete, or its weights are not those that its card describes.

    `message` tells the player which file it is and what cures it.
    """

    def __init__(self, phrase: Message) -> None:
        super().__init__(str(phrase))
        self.message = phrase


class LabelError(VisionError, ValueError):
    """A folder of labelled photographs that is not in the format of the data."""


class PhotoError(VisionError, ValueError):
    """A file that is no whole photograph; `message` tells the player why and what cures it."""

    def __init__(self, phrase: Message) -> None:
        super().__init__(str(phrase))
        self.message = phrase


class ClipError(VisionError, ValueError):
    """A file that is no video of at least two frames."""


class TrayError(VisionError, ValueError):
    """No tray is where one was said or looked for; `message` tells the player what to do."""

    def __init__(self, phrase: Message) -> None:
        super().__init__(str(phrase))
        self.message = phrase


class CalibrationError(VisionError, ValueError):
    """A stored calibration of the tray that cannot be understood."""


class LessonError(VisionError, ValueError):
    """Photographs that a set cannot be learned from; `message` tells what to do."""

    def __init__(self, phrase: Message) -> None:
        super().__init__(str(phrase))
        self.message = phrase


class TaughtSetError(VisionError, LookupError):
    """A taught set that is not there or cannot be read; `message` tells what to do."""

    def __init__(self, phrase: Message) -> None:
        super().__init__(str(phrase))
        self.message = phrase
