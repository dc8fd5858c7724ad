"""A camera in the network, over a real MJPEG server on this machine."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from hardware.camera import CameraControls, CameraParts, Capture
from hardware.cameras.stream import StreamCamera
from hardware.errors import CameraError
from hardware.http_pictures import MOST_BYTES, HttpPictures
from tests.hardware.cameras.mjpeg_server import (
    BITS,
    PASSWORD,
    USER,
    Reply,
    mjpeg_server,
    stamp_of,
    stamped,
)
from tests.hardware.cameras.rtsp_server import rtsp_server
from tests.patience import PATIENCE_SECONDS
from tests.vision.capture.jpegs import many_scans
from vision.capture.photo import encode_jpeg, open_photo, open_to_watch

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
PARTS = CameraParts(open_photo, lambda: NOON)
STAMPS = 1 << BITS


def first(camera: StreamCamera) -> Capture:
    """The next picture, however long it takes within reason."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        capture = camera.capture()
        if capture is not None:
            return capture
    raise AssertionError("no picture came")


def fault_of(act: Callable[[], object]) -> str:
    """The sentence of the camera's error that comes sooner or later."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            act()
        except CameraError as error:
            return str(error)
    raise AssertionError("no error came")


def test_a_slow_reader_gets_the_newest_picture() -> None:
    """After two seconds it is not fifty pictures behind: FFmpeg alone would queue them all."""
    with mjpeg_server() as server, StreamCamera(server.address, PARTS) as camera:
        first(camera)
        time.sleep(2)
        now = server.now
        ages = ((now - stamp_of(first(camera).image)) % STAMPS for _ in range(10))
        assert any(age == 0 or age > STAMPS / 2 for age in ages), "none was made after the pause"


def test_a_picture_is_turned_as_is_set() -> None:
    """As with every live camera."""
    parts = CameraParts(PARTS.decode, PARTS.clock, lambda: CameraControls(rotation=90))
    with mjpeg_server() as server, StreamCamera(server.address, parts) as camera:
        capture = first(camera)
    assert capture.image.shape == (128, 120, 3)
    assert (capture.captured_at, capture.single) == (NOON, False)


def test_a_stream_that_falls_silent_is_lost_and_found_again() -> None:
    """Its connection may stay: without a picture for three seconds it is lost."""
    with mjpeg_server() as server:
        camera = StreamCamera(server.address, PARTS)
        with camera:
            first(camera)
            server.muted.set()
            assert "sends no picture any more" in fault_of(camera.capture)
        server.muted.clear()
        with camera:
            first(camera)


def test_a_camera_that_was_switched_off_is_found_again() -> None:
    """Its address does not answer meanwhile."""
    with mjpeg_server() as server:
        camera = StreamCamera(server.address, PARTS)
        with camera:
            first(camera)
            server.close()
            assert "sends no picture any more" in fault_of(camera.capture)
        assert "does not answer" in fault_of(camera.__enter__)
    with mjpeg_server(server.port), camera:
        first(camera)


def test_no_password_leaves_the_camera(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither in its name nor in an error, nor in what OpenCV and FFmpeg print."""
    with mjpeg_server() as server:
        wrong = StreamCamera(server.address.replace(PASSWORD, "wrong"), PARTS)
        right = StreamCamera(server.address, PARTS)
        shown = [wrong.name, right.name, fault_of(wrong.__enter__)]
        with right:
            first(right)
            server.close()
            shown.append(fault_of(right.capture))
        shown.append(fault_of(right.__enter__))
    captured = capfd.readouterr()
    shown += [captured.out, captured.err, repr(right)]
    assert right.name == f"stream:http://127.0.0.1:{server.port}/video"
    for secret in (USER, PASSWORD, "wrong", "quality"):
        assert not [text for text in shown if secret in text]


def test_a_camera_must_be_entered() -> None:
    """Capturing outside of the context is refused, and leaving twice does no harm."""
    camera = StreamCamera("http://127.0.0.1:9/", PARTS)
    camera.__exit__(None, None, None)
    with pytest.raises(CameraError, match="not open"):
        camera.capture()


def test_a_camera_leads_to_no_other_machine() -> None:
    """Neither by a redirect nor by a playlist: the table would ask where the camera says."""
    with mjpeg_server() as other:
        playlist = (
            f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{other.address}\n#EXT-X-ENDLIST\n"
        )
        for reply in (
            Reply(302, {"Location": other.address}),
            Reply(200, {"Content-Type": "application/vnd.apple.mpegurl"}, playlist.encode()),
        ):
            with mjpeg_server() as server:
                server.reply = reply
                assert "does not answer" in fault_of(StreamCamera(server.address, PARTS).__enter__)
                assert server.viewers > 0
        assert other.viewers == 0


def test_giant_pictures_are_refused_before_they_are_decoded() -> None:
    """By the size in the first one's head."""
    with mjpeg_server() as server:
        server.picture = encode_jpeg(np.zeros((4001, 6000, 3), np.uint8))
        assert "more than 24 megapixels" in fault_of(StreamCamera(server.address, PARTS).__enter__)


@pytest.mark.parametrize("bad", ["giant", "scans", "cut"])
def test_a_picture_that_no_camera_sends_is_passed_over(bad: str) -> None:
    """Whatever comes once the stream is open, it is read as carefully as a stranger's photo."""
    pictures = {
        "giant": giant(16_000, 16_000),
        "scans": many_scans(Pillow.new("L", (128, 120)), 100),
        "cut": stamped(1)[:300],
    }
    with mjpeg_server() as server, StreamCamera(server.address, PARTS) as camera:
        first(camera)
        server.picture = pictures[bad]
        captured = [camera.capture() for _ in range(10)]
        assert captured[5:] == [None] * 5
        server.picture = None
        first(camera)


def giant(width: int, height: int) -> bytes:
    """A small JPEG whose head says that it is that large."""
    jpeg = stamped(0)
    at = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:at] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + jpeg[at + 4 :]


JPEGS = [stamped(number) for number in (7, 77, 777)]
PART_FORMS = {
    "plain": ("boundary=frame", b"--frame", b"Content-Length: %d\r\n", b"\r\n"),
    "dashes in its name": ("boundary=--frame", b"--frame", b"Content-Length: %d\r\n", b"\r\n"),
    "dashes before those": ("boundary=--frame", b"----frame", b"", b"\r\n"),
    "no dashes in the body": ("boundary=frame", b"frame", b"Content-Length: %d\r\n", b"\r\n"),
    "quoted": ('boundary="my frame"', b"--my frame", b"", b"\r\n"),
    "no length": ("boundary=frame", b"--frame", b"", b"\r\n"),
    "bare line feeds": ("boundary=frame", b"--frame", b"content-length:%d\n", b"\n"),
}


@pytest.mark.parametrize("form", PART_FORMS)
def test_the_parts_of_mjpeg_are_told_apart(form: str) -> None:
    """As cameras write them, an empty line before the first one as an ESP32's."""
    kind, line, length, end = PART_FORMS[form]
    parts = [
        line
        + end
        + b"Content-Type: image/jpeg"
        + end
        + (length and length % len(jpeg))
        + end
        + jpeg
        for jpeg in JPEGS
    ]
    body = end + end.join(parts) + end + line + b"--" + end
    with mjpeg_server() as server:
        server.reply = Reply(200, {"Content-Type": f"multipart/x-mixed-replace; {kind}"}, body)
        pictures = HttpPictures.open(server.address, PATIENCE_SECONDS)
        assert pictures is not None
        assert [pictures.read() for _ in range(4)] == [(True, jpeg) for jpeg in JPEGS] + [
            (False, b"")
        ]
        pictures.release()


def test_a_part_without_an_end_takes_no_memory() -> None:
    """A server that means harm sends on and on."""
    head = b"--frame\r\nContent-Length: 99999999999\r\n\r\n"
    for body in (head + JPEGS[0], b"--frame\r\n\r\n" + bytes(MOST_BYTES + 1)):
        with mjpeg_server() as server:
            server.reply = Reply(200, {"Content-Type": "multipart/mixed; boundary=frame"}, body)
            pictures = HttpPictures.open(server.address, PATIENCE_SECONDS)
            assert pictures is not None
            assert pictures.read() == (False, b"")
            pictures.release()


def test_a_snapshot_address_is_asked_again_and_again() -> None:
    """As IP Webcam's `/shot.jpg` and an ESP32's `/capture`; it is lost as a stream is."""
    with mjpeg_server() as server, StreamCamera(server.address, PARTS) as camera:
        first(camera)  # as long as it is a stream
        server.reply = Reply(200, {"Content-Type": "image/jpeg"}, JPEGS[1])
        with StreamCamera(server.address, PARTS) as still:
            assert stamp_of(first(still).image) == 77
            server.reply = Reply(200, {"Content-Type": "image/jpeg"}, JPEGS[2])
            assert 777 in [stamp_of(first(still).image) for _ in range(3)]
            server.reply = Reply(503, {}, b"busy")
            assert "sends no picture any more" in fault_of(still.capture)


def test_a_glance_is_a_small_picture_turned_as_the_whole_one() -> None:
    """Of a JPEG; what moves on the table is looked for in it."""
    whole = np.full((960, 1280, 3), 90, np.uint8)
    parts = replace(PARTS, controls=lambda: CameraControls(rotation=90), decode_small=open_to_watch)
    with mjpeg_server() as server:
        server.picture = encode_jpeg(whole)
        with StreamCamera(server.address, parts) as camera:
            capture, glance = first(camera), camera.glance()
    assert capture.small is not None
    assert glance is not None
    assert capture.image.shape == (1280, 960, 3)
    assert glance.image.shape == capture.small.shape == (320, 240, 3)


def test_rtsp_is_taken_too() -> None:
    """As cameras for houses and go2rtc send it: the password counts, and the newest picture."""
    with rtsp_server() as server:
        wrong = StreamCamera(server.address.replace(PASSWORD, "wrong"), PARTS)
        assert "check its user name and password" in fault_of(wrong.__enter__)
        with StreamCamera(server.address, PARTS) as camera:
            before = stamp_of(first(camera).image)
            time.sleep(1)
            stamps = [stamp_of(first(camera).image) for _ in range(5)]
            assert stamps == sorted(stamps)
            assert before + 10 < stamps[-1]
            server.closed.set()
            assert "sends no picture any more" in fault_of(camera.capture)


@pytest.mark.slow
def test_h264_of_a_real_server_is_taken() -> None:
    """By RTSP, with interframes: each picture is whole and another one, until the camera ends."""
    system = "/usr/bin/python3"
    wanted = "import gi; gi.require_version('GstRtspServer', '1.0')"
    if subprocess.run([system, "-c", wanted], capture_output=True, check=False).returncode:
        pytest.skip("no python3-gi, gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-ugly here")
    script = Path(__file__).with_name("h264_server.py")
    server = subprocess.Popen([system, script], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        with StreamCamera(server.stdout.readline().strip(), PARTS) as camera:
            seen = [first(camera).image for _ in range(5)]
            assert {image.shape for image in seen} == {(480, 640, 3)}
            assert all(np.any(one != other) for one, other in pairwise(seen))
            server.kill()
            assert "sends no picture any more" in fault_of(camera.capture)
    finally:
        server.kill()
        server.communicate()
