"""A camera for houses: H.264 by RTSP, served by GStreamer; run by the system's own Python.

`python3 h264_server.py` writes its address once it can be opened. A password is not asked for.
"""

from __future__ import annotations

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402 -- gi wants their versions before

PICTURES = (
    "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=480,framerate=15/1 "
    "! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=15 ! rtph264pay name=pay0 )"
)


def main() -> None:
    """Serve until somebody ends it."""
    Gst.init(None)
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(PICTURES)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service("0")
    server.get_mount_points().add_factory("/stream2", factory)
    server.attach(None)
    sys.stdout.write(f"rtsp://127.0.0.1:{server.get_bound_port()}/stream2\n")
    sys.stdout.flush()
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
