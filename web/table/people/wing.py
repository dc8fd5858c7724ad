"""Who may use the table: players, devices, https."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Flask

from scoreboard.message import Message
from web.shared.security import behind_ingress, guard
from web.table.parts import Parts
from web.table.people.access import Access, admit
from web.table.people.device_pages import device_views, explain_refusals, show_asked_codes
from web.table.people.https import https_views, install_views, require_https
from web.table.people.players import player_views

if TYPE_CHECKING:
    from hardware.cameras.phone import PhoneCamera
    from web.shared.certificates import TableCertificate


@dataclass(frozen=True, slots=True)
class PeopleWing:
    """The people at the table and their devices.

    `access` decides who may do what, `allowed_hosts` are the names by which the pages may be
    called: lower case, without port and brackets. `certificate` is None where the page is not
    served over https, `phone` unless a phone is to be the camera; `machine_faults` are what an
    owner should mend; `ingress` is the address of Home Assistant's Supervisor, if there is one.
    """

    access: Access
    allowed_hosts: frozenset[str]
    certificate: TableCertificate | None = None
    phone: PhoneCamera | None = None
    machine_faults: Callable[[], tuple[Message, ...]] = tuple
    ingress: str = ""

    def add_to(self, app: Flask, parts: Parts) -> None:
        """Check who asks from now on, and add `/devices`, `/players` and what https takes."""
        app.wsgi_app = behind_ingress(app.wsgi_app, self.ingress)  # type: ignore[assignment,method-assign]
        guard(app, self.allowed_hosts)
        app.jinja_env.globals.update(
            has_certificate=self.certificate is not None, machine_faults=self.machine_faults
        )
        if self.certificate is not None:
            require_https(app)  # before anything asks who somebody is
            app.register_blueprint(https_views(self.certificate))
        admit(app, self.access, lambda: parts.session.view.game_id)
        explain_refusals(app, parts, self.access)
        show_asked_codes(app, parts, self.access)
        app.register_blueprint(device_views(parts, self.access, self.phone))
        app.register_blueprint(install_views())
        app.register_blueprint(player_views(parts))
