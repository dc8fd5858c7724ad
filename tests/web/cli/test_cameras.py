"""`tablescore cameras`."""

from __future__ import annotations

from hardware.cameras.webcam import FoundWebcam
from tests.web.cli.calling import call
from web.cli.cameras import lines


def test_each_camera_is_listed_as_it_is_named() -> None:
    """What to type comes first; a webcam's path is told where it has one."""
    path = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0"
    webcams = FoundWebcam(0, "HD Pro Webcam C920", path), FoundWebcam(20, "OBS Virtual Camera")
    assert list(lines(("imx708", "imx219"), webcams)) == [
        "picamera    imx708",
        "picamera:1  imx219",
        f"webcam:0    HD Pro Webcam C920; always: webcam:{path}",
        "webcam:20   OBS Virtual Camera",
    ]


def test_a_machine_without_cameras_names_other_ways() -> None:
    """And the command works on a machine of any kind."""
    assert "--camera stream:URL" in next(lines((), ()))
    result = call("cameras")
    assert (result.exit_code, bool(result.stdout)) == (0, True)
