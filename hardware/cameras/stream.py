"""A camera in the network: MJPEG or stills over http, or RTSP and the like by OpenCV's FFmpeg.

What it sends is believed as little as a stranger's photo.
"""

from __future__ import annotations

import os
from threading import Condition, Thread
from typing import Any, Final, Self
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import CameraParts, Capture, public_name
from hardware.cameras.webcam import MJPG, open_video
from hardware.errors import CameraError
from hardware.http_pictures import HttpPictures, pixels_of

SCHEMES: Final = ("http", "https", "rtsp", "rtsps")
TIMEOUT_MILLISECONDS: Final = 3_000  # without a frame for so long the stream is lost
MOST_PIXELS: Final = 24_000_000
_WAIT_SECONDS: Final = 1.0
# No playlist and no redirect: they would have the table ask other machines.
_OPTIONS: Final = (
    "rtsp_transport;tcp|max_redirects;0"
    "|protocol_whitelist;http,https,tcp,tls,rtsp,rtsps,udp,rtp"
    "|format_whitelist;mpjpeg,mjpeg,rtsp,sdp,rtp,mpegts,mov,matroska,flv,h264,hevc"
)
_PACKET_AXES: Final = 2  # a row of bytes; a decoded picture has three
_PACKETS: Final = -1  # of CAP_PROP_FORMAT: as they come, not decoded


def open_stream(address: str) -> cv2.VideoCapture:
    """Open an address; JPEGs are given as bytes, H.264 and the like decoded.

    What FFmpeg would print of the address may hold a password, so it prints nothing.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # read when FFmpeg is first used
    opening = cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, TIMEOUT_MILLISECONDS
    reading = cv2.CAP_PROP_READ_TIMEOUT_MSEC, TIMEOUT_MILLISECONDS
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = _OPTIONS  # read at each opening, also of files
    try:
        video = open_video(address, cv2.CAP_FFMPEG, (*opening, *reading))
    finally:
        del os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"]
    if int(video.get(cv2.CAP_PROP_FOURCC)) == MJPG:
        video.set(cv2.CAP_PROP_FORMAT, _PACKETS)
    return video


class NewestFrame(Thread):
    """Takes every frame of a video as it comes and keeps the newest, so that none waits in a queue.

    A JPEG is kept as it came: only one that somebody asks for is decoded.

    It ends, and releases the video, when that gives no more frames or is `unwanted`.
    """

    def __init__(self, video: Any) -> None:
        super().__init__(name="stream", daemon=True)
        self.unwanted = False
        self._video = video
        self._changed = Condition()
        self._newest: NDArray[np.uint8] | bytes | None = None

    def next(self) -> NDArray[np.uint8] | bytes | None:
        """The newest frame as soon as one comes that arrived after the call; None without one."""
        with self._changed:
            self._newest = None
            self._changed.wait_for(lambda: self._newest is not None, _WAIT_SECONDS)
            return self._newest

    def run(self) -> None:
        while not self.unwanted:
            good, image = self._video.read()
            if not good:
                break
            with self._changed:
                self._newest = image
                self._changed.notify_all()
        self._video.release()


class StreamCamera:
    """The video at an address, as phone apps, ESP32-CAMs and go2rtc serve it.

    The name of `stream:http://192.168.1.20:8080/video` lacks user, password and parameters.
    """

    simulated = False

    def __init__(self, address: str, parts: CameraParts) -> None:
        self._address = address
        self.name = public_name(f"stream:{address}")
        self._parts = parts
        self._frames: NewestFrame | None = None

    def __enter__(self) -> Self:
        video: HttpPictures | cv2.VideoCapture | None
        video = HttpPictures.open(self._address, TIMEOUT_MILLISECONDS / 1000)
        if video is not None:
            answers, first = video.read()
            pixels: float = pixels_of(first)
        else:  # RTSP, https, a password that is asked for in another way, H.264
            video = open_stream(self._address)
            answers = video.isOpened()
            pixels = video.get(cv2.CAP_PROP_FRAME_WIDTH) * video.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if not answers:
            video.release()
            raise CameraError.worded(
                "{name} does not answer; open its address in a browser, and check its user "
                "name and password.",
                name=self.name,
            )
        if pixels > MOST_PIXELS:
            video.release()
            raise CameraError.worded(
                "{name} sends pictures of more than {most} megapixels; choose a smaller size in "
                "its own settings.",
                name=self.name,
                most=MOST_PIXELS // 10**6,
            )
        self._frames = NewestFrame(video)
        self._frames.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._frames is not None:
            self._frames.unwanted = True
            self._frames.join(_WAIT_SECONDS)  # one that still waits for a frame ends later
            self._frames = None

    def capture(self) -> Capture | None:
        """The newest frame, which arrived after the call; None when none came within a second.

        Raises CameraError: none has come for three seconds, or the camera was not entered.
        """
        frame, parts = self._next(), self._parts
        try:
            if not isinstance(frame, bytes):
                return None if frame is None else parts.live(frame)
            small = parts.decode_small and parts.decode_small(frame)
            return parts.live(parts.decode(frame), small)
        except ValueError:  # the next one may be whole
            return None

    def glance(self) -> Capture | None:
        """A small copy of the newest frame, as `capture` brings it along; None without one.

        Raises CameraError: as `capture`.
        """
        frame, decode_small = self._next(), self._parts.decode_small
        if decode_small is None or not isinstance(frame, bytes):
            return None
        try:
            return self._parts.live(decode_small(frame))
        except ValueError:  # as above
            return None

    def _next(self) -> NDArray[np.uint8] | bytes | None:
        if self._frames is None:
            raise CameraError.worded("The camera {name} is not open.", name=self.name)
        frame = self._frames.next()
        if frame is None and not self._frames.is_alive():
            raise CameraError.worded(
                "{name} sends no picture any more; check that it is on, and its network.",
                name=self.name,
            )
        if isinstance(frame, np.ndarray) and frame.ndim == _PACKET_AXES:
            return frame.tobytes()
        return frame


def stream_camera(argument: str, parts: CameraParts) -> StreamCamera:
    """The camera of `--camera stream:URL`. Raises CameraError: it is no address of a stream."""
    named = public_name(f"stream:{argument}") != "stream:…"
    if not named or urlsplit(argument).scheme not in SCHEMES:
        raise CameraError.worded(
            "Name the stream by its address, as in stream:http://192.168.1.20:8080/video or "
            "stream:rtsp://…; in a password write @ as %40, / as %2F, ? as %3F and # as %23."
        )
    return StreamCamera(argument, parts)
