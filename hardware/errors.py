"""The errors of the hardware, each also a kind of the standard library."""

from __future__ import annotations

from scoreboard.message import Message


class HardwareError(Exception):
    """Something that can be touched does not answer as it should."""


class CameraError(HardwareError, OSError):
    """A camera that cannot be opened or gives no picture; `message` names it and a cure."""

    def __init__(self, phrase: Message) -> None:
        super().__init__(str(phrase))
        self.message = phrase


class PinError(HardwareError, OSError):
    """A pin that cannot be used; the message names it and a cure."""
