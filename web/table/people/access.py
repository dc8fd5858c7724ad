"""Who asks, and what they may do at a table; an address in no list is the owner's alone.

No address proves who somebody is: a proxy or a tunnel on this machine comes from loopback, too.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from flask import Flask, current_app, g, request
from werkzeug.wrappers import Response

from scoreboard.errors import StoreError
from scoreboard.message import message
from web.shared.addresses import is_loopback
from web.shared.clocks import utc_now
from web.shared.security import READING_METHODS, host_name
from web.shared.settings import Watching
from web.table.people.devices import Devices, Pairing
from web.table.people.own_program import is_own_program
from web.table.rights import Asker, NotAllowedError, Role

# Every address of the table, by method: who may ask for it. What strangers may ask for changes
# nothing, or checks a code, a link or a key itself.
_WHO_MAY: Final[Mapping[Role, str]] = {
    "stranger": """
        GET /static/<path:filename>
        GET /manifest.webmanifest
        GET /service-worker.js
        GET /not-reached
        GET /certificate
        GET /certificate/tablescore.crt
        POST /language
        GET /display
        POST /display
        GET /pair
        POST /pair
        POST /pair/ask
        GET /here/<key>/
        GET /here/<key>/<path:page>
        GET /w
        POST /w
        GET /w/<secret>
        GET /healthz
        GET /diagnostics
        GET /diagnostics/frame.jpg
    """,
    "watcher": """
        GET /
        GET /live
        GET /picture/<run>/<int:frame>.jpg
        GET /picture/latest.jpg
        GET /about
        GET /compare
        GET /event/
        GET /tv
        GET /tv/live
        GET /tv/join
        GET /tv/chances
    """,
    "guest": """
        GET /games
        GET /games/<game_id>/game.<form>
        GET /games/<game_id>/log
        GET /games/<game_id>/photos.zip
        GET /games/<game_id>/boxes/<row>/<int:seat>
        GET /games/<game_id>/steps/<int:number>
        GET /games/<game_id>/steps/<int:number>.jpg
        GET /players
        GET /players/<profile_id>
        GET /players/<profile_id>/photo.jpg
        GET /statistics
        GET /statistics/player
        GET /statistics/dice
        GET /games/<game_id>/race
        GET /games/<game_id>/bg-stats
        GET /evening
        GET /evening/<key>
        GET /evening/<key>/evening.png
    """,
    "player": """
        POST /press
        POST /choose
        POST /draw
        GET /sets
        POST /roll
        POST /die
        POST /piece
        POST /again
        POST /keep
        POST /photo
        GET /camera
        POST /camera/frame
        GET /setup
        POST /setup
        POST /rematch
        POST /games/<game_id>/resume
        GET /games/all.<form>
        GET /games/<game_id>/best
        GET /games/<game_id>/best/<int:number>
        POST /games/<game_id>/steps/<int:number>/back
        GET /abandon
        POST /abandon
        GET /leave
        POST /leave
        GET /coach
        POST /coach
        POST /event/begin
        POST /event/sign
        GET /event/dispute
        POST /event/dispute
        GET /event/result
        POST /event/result
        POST /event/message/away
    """,
    "owner": """
        GET /games/<game_id>/delete
        POST /games/<game_id>/delete
        POST /games/<game_id>/take-back
        GET /games/<game_id>/erase
        POST /games/<game_id>/erase
        GET /games/archive.zip
        POST /games/archive
        POST /players
        POST /players/match
        POST /players/merge
        POST /players/<profile_id>
        POST /players/<profile_id>/delete
        POST /event/join
        GET /event/leave
        POST /event/leave
        GET /calibrate
        POST /calibrate
        POST /calibrate/find
        POST /calibrate/proposed
        POST /calibrate/forget
        GET /calibrate/<run>/<int:number>.jpg
        GET /calibrate/<run>/<int:number>/preview.jpg
        GET /calibrate/fault
        GET /camera-setup
        POST /camera-setup
        POST /camera-setup/choose
        POST /camera-setup/test
        GET /camera-setup/view
        GET /camera-setup/now.jpg
        GET /camera-setup/<run>/<int:frame>.jpg
        GET /teach
        POST /teach
        GET /teach/<name>/delete
        POST /teach/<name>/delete
        GET /teach/<name>/<any(photos, test):stage>
        POST /teach/<name>/<any(photos, test):stage>
        POST /teach/<name>/<any(photos, test):stage>/accept
        POST /teach/<name>/<any(photos, test):stage>/drop
        GET /teach/<name>/learn
        POST /teach/<name>/learn
        GET /teach/<name>/progress
        POST /teach/<name>/try
        GET /teach/<name>/trial.jpg
        POST /teach/<name>/play
        GET /teach/<name>/photo-<int:number>.jpg
        GET /teach/<name>/photo-<int:number>-<int:at>.jpg
        GET /teach/<name>/face-<int:at>.jpg
        GET /devices
        POST /devices/earlier
        POST /devices/code
        GET /devices/asked
        POST /devices/asked/decline
        POST /devices/links
        POST /devices/others
        POST /devices/<device_id>
        POST /devices/<device_id>/revoke
    """,
}
# Of the game that is on the table these are for watchers, too.
OF_ITS_GAME: Final = frozenset(
    f"/games/<game_id>/{page}"
    for page in (
        "game.<form>",
        "log",
        "boxes/<row>/<int:seat>",
        "steps/<int:number>",
        "steps/<int:number>.jpg",
        "race",
    )
)
RIGHTS: Final[Mapping[str, Role]] = {
    address.strip(): role
    for role, addresses in _WHO_MAY.items()
    for address in addresses.strip().splitlines()
}

COOKIE_KEPT: Final = timedelta(days=365)
LOG: Final = logging.getLogger(__name__)


class Access:
    """Decides what each device may do at a table; any thread may ask.

    `watching` is who may watch without being a player: everybody (`open`), whoever has a link
    (`code`), nobody (`closed`). Whoever watches without a link sees the game that is on, and
    earlier ones where an owner opened them: then there is the file `opened`, if it has a place.
    """

    def __init__(
        self,
        devices: Devices,
        pairing: Pairing,
        watching: Watching = "open",
        opened: Path | None = None,
    ) -> None:
        self.devices: Final = devices
        self.pairing: Final = pairing
        self.watching: Final = watching
        self._opened: Final = opened
        self.shows_earlier = opened is not None and opened.exists()

    @classmethod
    def forgetful(cls, watching: Watching = "open") -> Access:
        """One whose devices are forgotten when the program ends."""
        devices = Devices(utc_now)
        return cls(devices, Pairing(devices, utc_now), watching)

    def show_earlier(self, *, shown: bool) -> None:
        """Open earlier games to everybody who may watch, or close them. Raises StoreError."""
        try:
            if self._opened is not None and shown:
                self._opened.touch(mode=0o600)
            elif self._opened is not None:
                self._opened.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                message(
                    "{file} cannot be written ({reason}): give the right to its folder.",
                    file=str(self._opened),
                    reason=error.strerror or str(error),
                )
            ) from error
        self.shows_earlier = shown

    def asker(self) -> Asker:
        """Who sends the current request, as it stands now: a device may be removed meanwhile."""
        secret = request.cookies.get(cookie_name(), "")
        if is_own_key(secret) or (not secret and _is_own_program()):
            return Asker("owner", here=True)
        watcher: Role = "guest" if self.shows_earlier else "watcher"
        stranger = Asker(watcher if self.watching == "open" else "stranger")
        device = self.devices.of(secret)
        if device is None or (device.role == "watcher" and self.watching == "closed"):
            return stranger
        return Asker("guest" if device.role == "watcher" else device.role, device=device)


def is_own_key(secret: str) -> bool:
    """Whether that is the key of this machine's own browser, which the start text shows."""
    return secrets.compare_digest(secret.encode(), str(current_app.secret_key).encode())


def _is_own_program() -> bool:
    """Whether a script of the table's own user asks, which could read the key as well."""
    address, port = request.remote_addr or "", request.environ.get("REMOTE_PORT", "")
    if not is_loopback(address) or not port.isdecimal():
        return False
    return is_own_program(address, int(port), int(request.environ["SERVER_PORT"]))


def needed_role(method: str, rule: str) -> Role:
    """The role that may ask for an address; that of the owner where the list lacks it."""
    asked = "GET" if method in READING_METHODS else method
    return RIGHTS.get(f"{asked} {rule}", "owner")


def cookie_name() -> str:
    """The name of the cookie: two tables on one machine differ in their ports alone."""
    return f"device-{request.environ['SERVER_PORT']}"


def give_cookie(answer: Response, secret: str) -> None:
    """Have the browser prove itself by this secret from now on."""
    answer.set_cookie(
        cookie_name(),
        secret,
        max_age=COOKIE_KEPT,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
    )


def admit(app: Flask, access: Access, game_on: Callable[[], str | None]) -> None:
    """Check the right of every request of the application, and tell the templates of it.

    `game_on` gives the game that is on the table.
    """
    app.jinja_env.globals.update(
        by_loopback=lambda: is_loopback(host_name(request.host)),
        may=lambda needed: access.asker().may(needed),
    )

    @app.before_request
    def check() -> None:
        if request.url_rule is None:  # no such page, which everybody may know
            return
        g.asker = asker = access.asker()
        rule = request.url_rule.rule
        needed = needed_role(request.method, rule)
        if rule in OF_ITS_GAME and (request.view_args or {})["game_id"] == game_on():
            needed = "watcher"
        if not asker.may(needed):
            level = logging.DEBUG if request.method in READING_METHODS else logging.INFO
            LOG.log(level, "refused, a %s: %s %s", asker.role, request.method, request.endpoint)
            raise NotAllowedError(needed)
        if asker.device is not None:
            access.devices.note_use(asker.device.device_id)
