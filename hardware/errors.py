"""The errors of the hardware, each also a kind of the standard library."""


class HardwareError(Exception):
    """Something that can be touched does not answer as it should."""


class CameraError(HardwareError, OSError):
    """A camera that cannot be opened or gives no picture; the message names it and a cure."""


class PinError(HardwareError, OSError):
    """A pin that cannot be used; the message names it and a cure."""
