"""A phone as a live camera: the newest frame that its page sent."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from threading import Condition, Lock
from typing import ClassVar, Final, Self

from hardware.camera import CameraParts, Capture
from hardware.errors import CameraError
from scoreboard.message import message

_OLDEST_SECONDS: Final = 1.0  # an older frame shows a table that may have changed
_GONE_SECONDS: Final = 3.0
_HELD_SECONDS: Final = 5.0  # a phone whose network was cut is back before another is the camera
_SHORTEST_SECONDS: Final = 0.05  # between two frames that are decoded

NO_PHONE: Final = message("Waiting for a phone camera.")
GONE: Final = message(
    "No more pictures come from the phone: unlock it and open its page “Camera” again."
)
LATE: Final = message("The phone’s pictures come too late: bring it nearer to the Wi-Fi.")
ANOTHER: Final = message("Another phone is the camera at the moment.")


@dataclass(eq=False)
class PhoneCamera:
    """Gives the newest frame that a phone sent, once, as long as it is at most a second old.

    For example, with `put` called for every frame that arrives::

        phone = PhoneCamera(parts)
        phone.put(jpeg, sender="a page's own name", exposed_at=phone.now() - 0.1)
        with phone as camera:
            capture = camera.capture()

    One page is the camera at a time. Another one may replace it once the first was silent for five
    seconds, or when a person there takes over. Frames go through the normal stillness pipeline.
    """

    parts: CameraParts
    now: Callable[[], float] = time.monotonic
    wait_seconds: float = 1.0
    name: ClassVar = "phone"
    simulated: ClassVar = False
    _decoding: Lock = field(default_factory=Lock, init=False)
    _decoded_at: float = field(default=-math.inf, init=False)
    _changed: Condition = field(default_factory=Condition, init=False)
    _newest: Capture | None = field(default=None, init=False)
    _exposed_at: float = field(default=-math.inf, init=False)  # of the newest frame, given or not
    _sender: str = field(default="", init=False)
    _heard_at: float = field(default=-math.inf, init=False)

    def __enter__(self) -> Self:
        """Keep a frame for `capture`. Raises CameraError: none came within a second."""
        with self._changed:
            if not self._changed.wait_for(self._is_fresh, self.wait_seconds):
                raise self._lost()
        return self

    def __exit__(self, *_: object) -> None:
        """Frames sent meanwhile are kept for the next time the camera is entered."""

    @property
    def in_use(self) -> bool:
        return self.now() - self._heard_at < _HELD_SECONDS

    def put(self, photo: bytes, sender: str, exposed_at: float, *, take_over: bool = False) -> None:
        """Take a frame, exposed at that time of the clock `now`; thread-safe.

        A frame that is too old, or comes while another one is decoded, is dropped. Raises
        CameraError: another page is the camera; ValueError: it is no whole picture.
        """
        with self._changed:
            if sender != self._sender and self.in_use and not take_over:
                raise CameraError(ANOTHER)
            self._sender, self._heard_at = sender, self.now()
        is_old = self.now() - exposed_at > _OLDEST_SECONDS
        is_early = self.now() - self._decoded_at < _SHORTEST_SECONDS
        if is_old or is_early or not self._decoding.acquire(blocking=False):
            return
        try:
            self._decoded_at = self.now()
            image = self.parts.decode(photo)
        finally:
            self._decoding.release()
        with self._changed:
            if sender == self._sender:
                age, live = max(0.0, self.now() - exposed_at), self.parts.live(image)
                exposed = live.captured_at - timedelta(seconds=age)
                self._newest = replace(live, captured_at=exposed)
                self._exposed_at = self.now() - age
                self._changed.notify_all()

    def capture(self) -> Capture | None:
        """The newest frame not given yet. Raises CameraError: there was none for three seconds."""
        with self._changed:
            if self._changed.wait_for(self._is_fresh, self.wait_seconds):
                newest, self._newest = self._newest, None
                return newest
            if self.now() - self._exposed_at > _GONE_SECONDS:
                raise self._lost()
        return None

    def _is_fresh(self) -> bool:
        return self._newest is not None and self.now() - self._exposed_at <= _OLDEST_SECONDS

    def _lost(self) -> CameraError:
        if not self._sender:
            return CameraError(NO_PHONE)
        return CameraError(LATE if self.now() - self._heard_at < _GONE_SECONDS else GONE)
