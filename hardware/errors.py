"""The errors of the hardware; each is also an error of the standard library."""

from __future__ import annotations

from scoreboard.message import Message


class HardwareError(Exception):
    """A device does not answer as it should."""


class CameraError(HardwareError, OSError):
    """A camera cannot be opened or gives no picture; `message` names it and a cure."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class PinError(HardwareError, OSError):
    """A pin cannot be used; the message names it and a cure."""
