"""The camera's pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.table.camera.camera_page import calibrate_views, camera_views, ways_views

if TYPE_CHECKING:  # what makes these has loaded them
    from flask import Flask

    from hardware.cameras.phone import PhoneCamera
    from web.table.camera.camera_page import CameraDesk
    from web.table.camera.tray import FixedTray
    from web.table.camera.uploads import Uploads
    from web.table.parts import Parts


@dataclass(frozen=True, slots=True)
class CameraWing:
    """The camera as the pages have it.

    `desk` sets it up, `tray` is where it looks. `phone` is None unless a phone is the live camera,
    `uploads` unless the camera waits for players' photos.
    """

    desk: CameraDesk
    tray: FixedTray
    phone: PhoneCamera | None = None
    uploads: Uploads | None = None

    def add_to(self, app: Flask, parts: Parts) -> None:
        app.jinja_env.globals["has_phone"] = self.phone is not None
        app.register_blueprint(calibrate_views(self.tray, parts.live.run))
        app.register_blueprint(camera_views(self.desk, parts, self.tray))
        app.register_blueprint(ways_views(self.desk, parts))
