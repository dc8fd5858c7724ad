"""The interface of every camera, and its settings."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, Protocol, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Rotation = Literal[0, 90, 180, 270]
Setting = float | Literal["auto"]

# What may be shown of a stream's address; an @ elsewhere may be part of a password
_ADDRESS: Final = re.compile(r"(\w+://)(?:[^/?#@]*@)?([^/?#@]+(?:/[^?#@]*)?)(?:[?#][^@]*)?")


def public_name(source: str) -> str:
    """The camera's name for pages and logs: an address without password and parameters."""
    kind, _, address = source.partition(":")
    if kind != "stream":
        return source
    found = _ADDRESS.fullmatch(address)
    return "stream:…" if found is None else f"stream:{found[1]}{found[2]}"


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """One picture and its time.

    `image` is H x W x 3 uint8, blue-green-red, upright; `captured_at` is aware UTC. `single` marks
    a lone photo, which is read at once, without waiting for stillness. `known` marks one from
    before the start; it is offered only if a person asks. `small` is a copy for looking whether
    anything moves, where the camera makes one more cheaply than others could.
    """

    image: NDArray[np.uint8]
    captured_at: datetime
    single: bool = False
    known: bool = False
    small: NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraControls:
    """A live camera's settings.

    `size` is the requested width and height, empty for its usual ones. `focus` counts in dioptres
    (the Pi's camera) or in the camera's own steps (a webcam), `exposure` in milliseconds,
    `white_balance` in kelvin; "auto" is automatic until locked. The picture is turned clockwise by
    `rotation` degrees, then cut to `crop`: its left, top, right and bottom edge as shares of the
    turned picture, empty for all of it.
    """

    size: tuple[int, ...] = ()
    focus: Setting = "auto"
    exposure: Setting = "auto"
    white_balance: Setting = "auto"
    rotation: Rotation = 0
    crop: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ControlRange:
    """The values that a camera takes for one of its controls."""

    low: float
    high: float
    step: float


@dataclass(frozen=True, slots=True)
class CameraParts:
    """A camera's dependencies.

    `decode` turns a file's bytes into an upright picture and raises ValueError for anything but a
    complete picture, `decode_small` likewise into a small copy; `clock` gives the time as aware
    UTC; `controls` the current settings.
    """

    decode: Callable[[bytes], NDArray[np.uint8]]
    clock: Callable[[], datetime]
    controls: Callable[[], CameraControls] = CameraControls
    decode_small: Callable[[bytes], NDArray[np.uint8]] | None = None

    def live(self, image: NDArray[np.uint8], small: NDArray[np.uint8] | None = None) -> Capture:
        """The live camera's picture, turned and cropped by the settings, and so its small copy."""
        controls = self.controls()
        cut = None if small is None else self._cut(small, controls)
        return Capture(self._cut(image, controls), self.clock(), small=cut)

    @staticmethod
    def _cut(image: NDArray[np.uint8], controls: CameraControls) -> NDArray[np.uint8]:
        import numpy as np  # noqa: PLC0415 -- the settings know CameraControls without it

        turned = np.rot90(image, -controls.rotation // 90)
        if controls.crop:
            height, width = turned.shape[:2]
            left, top, right, bottom = controls.crop
            turned = turned[
                round(top * height) : round(bottom * height),
                round(left * width) : round(right * width),
            ]
        return np.ascontiguousarray(turned)


class Camera(Protocol):
    """A source of pictures, used as a context manager by one thread.

    For example::

        with open_camera("webcam:0", parts) as camera:
            capture = camera.capture()

    Entering opens the device and raises CameraError if that fails; leaving frees it.
    A camera that failed may be left and entered again.
    """

    @property
    def name(self) -> str:
        """Its name in CAMERAS, with its argument: `webcam:0`."""

    @property
    def simulated(self) -> bool:
        """Whether the pictures show no real table (the demo evening)."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def capture(self) -> Capture | None:
        """The next picture, exposed after the call; None if there is none yet.

        It waits about a second at most. Raises CameraError, with a cure: the camera is gone.
        """


class AdjustableCamera(ABC):
    """A camera whose focus, exposure or white balance can be set.

    While entered, it follows every change of `CameraParts.controls` at its next picture. `ranges`
    are its possible settings, by the field of CameraControls, and are empty until it is entered;
    any thread may read them.
    """

    def __init__(self, parts: CameraParts) -> None:
        self.ranges: Mapping[str, ControlRange] = {}
        self.held = False
        self._parts = parts
        self._controls = parts.controls()

    @abstractmethod
    def __enter__(self) -> Self: ...

    @abstractmethod
    def __exit__(self, *_: object) -> None: ...

    def hold(self, *, on: bool) -> None:
        """Lock the "auto" controls at their values, until the controls change; or unlock."""
        self.held = on
        self._adjust()

    @abstractmethod
    def _adjust(self) -> None:
        """Send `_controls` and `held` to the device."""

    def _follow_controls(self) -> None:
        controls, before = self._parts.controls(), self._controls
        self._controls = controls
        if controls.size != before.size:  # a stream that runs cannot change it
            self.__exit__(None, None, None)
            self.__enter__()
        elif controls != before:
            self.hold(on=False)
