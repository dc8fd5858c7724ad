"""A stand-in for libcamera and its sensor, under the real picamera2.

Only what picamera2 asks of libcamera is here. What picamera2 imports beside (encoders, previews,
DNG files) needs packages that this project has no use for, and is left empty.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from threading import Event, Lock, Thread
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np

FRAME_SECONDS = 1 / 60
EXPOSURE_MICROSECONDS = 5_000
LEFT_EMPTY = (
    "kms",
    "pidng",
    "pidng.camdefs",
    "pidng.core",
    "piexif",
    "picamera2.encoders",
    "picamera2.outputs",
    "simplejpeg",
    "videodev2",
)


class Value:
    """A value of libcamera's with the members that it is made of."""

    def __init__(self, *given: Any, **members: Any) -> None:
        first = given[0] if given and isinstance(given[0], Value) else None
        names = ("x", "y", "width", "height") if len(given) > 2 else ("width", "height")
        self.__dict__.update(first.__dict__ if first else dict(zip(names, given, strict=False)))
        self.__dict__.update(members)

    def __str__(self) -> str:  # picamera2 has it stand for __repr__, too
        return str(self.__dict__)


class Transform(Value):
    """How a picture is turned."""

    def __init__(self, *given: Any, hflip: int = 0, vflip: int = 0, transpose: int = 0) -> None:
        super().__init__(*given, **({} if given else {"hflip": hflip, "vflip": vflip}))
        self.__dict__.setdefault("transpose", transpose)

    __hash__ = object.__hash__


class ColorSpace(Value):
    """What the numbers of a picture mean."""

    YcbcrEncoding = SimpleNamespace(Null="null")
    Range = SimpleNamespace(Full="full")

    def __init__(self, *given: Any, primaries: str = "", **members: Any) -> None:
        members = members if given else {"primaries": primaries, "transferFunction": primaries}
        super().__init__(*given, **members)
        self.__dict__.setdefault("ycbcrEncoding", "null")
        self.__dict__.setdefault("range", "full")

    __hash__ = object.__hash__

    @classmethod
    def named(cls, name: str) -> Any:
        return lambda: cls(primaries=name)


class Size(Value):
    """Width and height."""


class Rectangle(Value):
    """A part of a picture."""


@dataclass(frozen=True)
class ControlId:
    """A control's or a property's name."""

    name: str
    type: Any = None


@dataclass(eq=False)
class Buffer:
    """Memory of one picture."""

    memory: Any
    metadata: Any = field(default_factory=lambda: SimpleNamespace(status="success"))


@dataclass(eq=False)
class StreamConfig:
    """One stream as it is asked for; the format and size that come are those asked for."""

    size: Any = field(default_factory=lambda: Size(1640, 1232))
    pixel_format: str = "SRGGB10"
    stride: int = 0
    buffer_count: int = 1
    color_space: Any = None
    formats: Any = field(
        default_factory=lambda: SimpleNamespace(
            pixel_formats=["SRGGB10"], sizes=lambda _: [Size(1640, 1232)]
        )
    )

    def __post_init__(self) -> None:
        self.stream = self

    @property
    def frame_size(self) -> int:
        return int(self.stride * self.size.height)


class Configuration(list[StreamConfig]):
    """The streams of a camera."""

    Status = Enum("Status", ["Valid", "Adjusted", "Invalid"])
    orientation: Any = None
    sensor_config: Any = None

    def at(self, index: int) -> StreamConfig:
        return self[index]

    def validate(self) -> Any:
        """Take the configuration as it is, with lines without padding."""
        for one in self:
            one.stride = 3 * one.size.width
        return self.Status.Valid


@dataclass(eq=False)
class Request:
    """A picture that is asked for, and once taken what is known of it."""

    cookie: int
    Status = SimpleNamespace(Complete="complete")
    buffers: dict[Any, Buffer] = field(default_factory=dict)
    metadata: dict[ControlId, Any] = field(default_factory=dict)
    controls: dict[str, Any] = field(default_factory=dict)
    status: str = "pending"

    def add_buffer(self, stream: Any, buffer: Buffer) -> None:
        self.buffers[stream] = buffer

    def reuse(self) -> None:
        self.status = "pending"

    def set_control(self, control: ControlId, value: Any) -> None:
        self.controls[control.name] = value


class Sensor:
    """A camera of libcamera's: a thread takes a picture for each request that is queued.

    Every pixel of the picture number n is (n, n + 1, n + 2). `metadata` may leave out the
    exposure, as USB cameras do; `controls` are what the camera can be told, with their least and
    their largest value; `in_use` stands for another program that has it, `dislodged` for a cable
    from which no picture comes. `set_to` is what it was told last while it ran.
    """

    def __init__(
        self,
        camera_id: str = "/base/i2c/imx708@1a",
        controls: Sequence[str] = (),
        limits: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    ) -> None:
        self.id = camera_id
        names = ("ExposureTime", "FrameDurationLimits", "NoiseReductionMode", *controls, *limits)
        self.controls = {
            ControlId(name): SimpleNamespace(min=low, max=high, default=low)
            for name in names
            for low, high in (limits.get(name, (0, 1)),)
        }
        self.properties: dict[ControlId, Any] = {ControlId("Model"): "imx708"}
        if "/usb" not in camera_id:
            self.properties[ControlId("ColorFilterArrangement")] = 0
        self.in_use = self.dislodged = False
        self.started_with: dict[str, Any] = {}
        self.set_to: dict[str, Any] = {}
        self.configuration = Configuration()
        self.taken = 0
        self._queue: list[Request] = []
        self._ready: list[Request] = []
        self._lock, self._stopping = Lock(), Event()
        self.event_fd, self._told = os.pipe2(os.O_NONBLOCK)

    def acquire(self) -> None:
        if self.in_use:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")

    def release(self) -> None:
        """Let others have it."""

    def generate_configuration(self, roles: Sequence[Any]) -> Configuration:
        return Configuration(StreamConfig() for _ in roles)

    def configure(self, configuration: Configuration) -> int:
        self.configuration = configuration
        return 0

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def queue_request(self, request: Request) -> None:
        with self._lock:
            self._queue.append(request)

    def start(self, controls: dict[ControlId, Any]) -> None:
        self.started_with = {control.name: value for control, value in controls.items()}
        self._stopping.clear()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()
        self._queue.clear()

    def ready(self) -> list[Request]:
        """The requests that have their picture since this was asked last."""
        with suppress(BlockingIOError):
            os.read(self.event_fd, 4096)
        with self._lock:
            done, self._ready = self._ready, []
        return done

    def _run(self) -> None:
        while not self._stopping.wait(FRAME_SECONDS):
            with self._lock:
                if self._queue and not self.dislodged:
                    self._take(self._queue.pop(0))

    def _take(self, request: Request) -> None:
        self.taken += 1
        self.set_to |= request.controls
        request.controls = {}
        pixel = [(self.taken + channel) % 256 for channel in range(3)]
        for stream, buffer in request.buffers.items():
            if stream.frame_size == 3 * stream.size.width * stream.size.height:
                buffer.memory.reshape(-1, 3)[:] = pixel
        request.metadata = {ControlId("SensorTimestamp"): time.monotonic_ns()}
        if "/usb" not in self.id:
            request.metadata[ControlId("ExposureTime")] = EXPOSURE_MICROSECONDS
        request.status = "complete"
        self._ready.append(request)
        os.write(self._told, b"\0")


def libcamera(sensors: Sequence[Sensor]) -> ModuleType:
    """A module `libcamera` that knows these sensors."""
    named = ModuleType("libcamera")
    fd = sensors[0].event_fd if sensors else os.pipe()[0]
    manager = SimpleNamespace(
        cameras=list(sensors),
        event_fd=fd,
        get_ready_requests=lambda: [done for one in sensors for done in one.ready()],
    )
    for name in ("Sycc", "Smpte170m", "Rec709", "Raw"):
        setattr(ColorSpace, name, staticmethod(ColorSpace.named(name)))
    turns = [f"Rotate{degrees}{flip}" for degrees in (0, 90, 180, 270) for flip in ("", "Mirror")]
    named.__dict__.update(
        _libcamera=named,
        CameraConfiguration=Configuration,
        CameraManager=SimpleNamespace(singleton=lambda: manager),
        Camera=Sensor,
        ColorSpace=ColorSpace,
        ControlType=Enum("ControlType", ["Rectangle", "Size"]),
        FrameMetadata=SimpleNamespace(Status=SimpleNamespace(Success="success")),
        Orientation=Enum("Orientation", {turn: auto() for turn in turns}),
        PixelFormat=str,
        Rectangle=Rectangle,
        Request=Request,
        SensorConfiguration=SimpleNamespace,
        Size=Size,
        StreamRole=Enum("StreamRole", ["StillCapture", "Raw", "VideoRecording", "Viewfinder"]),
        Transform=Transform,
        controls=MagicMock(),
    )
    return named


@contextmanager
def picamera2_over(*sensors: Sensor) -> Iterator[Any]:
    """The real module picamera2 over these sensors; what was imported for it goes at the end."""
    before = set(sys.modules)
    sys.modules["libcamera"] = libcamera(sensors)
    sys.modules.update({name: MagicMock() for name in LEFT_EMPTY})
    try:
        yield _with_own_memory(importlib.import_module("picamera2"))
    finally:
        for name in set(sys.modules) - before:
            if name.partition(".")[0] in {"picamera2", "libcamera", "kms", "pidng"}:
                del sys.modules[name]
        for name in LEFT_EMPTY:
            sys.modules.pop(name, None)


def _with_own_memory(module: Any) -> Any:
    """Pictures in the program's own memory: the kernel's heaps for cameras are a Pi's."""
    allocators = importlib.import_module("picamera2.allocators.allocator")

    class Sync:
        def __init__(self, _allocator: Any, buffer: Buffer, _write: Any) -> None:
            self._memory = buffer.memory

        def __enter__(self) -> Any:
            return self._memory

        def __exit__(self, *_: object) -> None:
            pass

    class Memory(allocators.Allocator):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.sync = Sync
            self._buffers: dict[Any, list[Buffer]] = {}

        def allocate(self, configuration: Configuration, _use: str) -> None:
            self._buffers = {
                one: [Buffer(np.zeros(one.frame_size, np.uint8)) for _ in range(one.buffer_count)]
                for one in configuration
            }

        def buffers(self, stream: Any) -> list[Buffer]:
            return self._buffers[stream]

    importlib.import_module("picamera2.picamera2").DmaAllocator = Memory  # type: ignore[attr-defined]
    return module
