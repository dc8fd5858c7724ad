"""The errors of the hardware; each is also an error of the standard library."""

from __future__ import annotations

from scoreboard.errors import MessageError


class HardwareError(Exception):
    """A device does not answer as it should."""


class CameraError(MessageError, HardwareError, OSError):
    """A camera cannot be opened or gives no picture; `message` names it and a cure."""


class PinError(HardwareError, OSError):
    """A pin cannot be used; the message names it and a cure."""
