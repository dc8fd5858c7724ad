"""Who asks, and what they may do at a table; what no view declares otherwise is the owner's alone.

No address proves who somebody is: a proxy or a tunnel on this machine comes from loopback, too.

A script that its user starts on the table's machine need not bring the key, since it could read the
file that holds it. A forwarder must: a proxy or a tunnel has a connection to its client, or listens
for one. Only Linux reveals this, in its kernel's tables; elsewhere no program is believed.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from flask import Flask, current_app, g, request
from werkzeug.wrappers import Response

from scoreboard.errors import StoreError
from web.shared.addresses import is_loopback
from web.shared.faults import PageRule, asked_rule
from web.shared.security import INGRESS, READING_METHODS, host_name
from web.shared.settings import Watching
from web.shared.words import keep_choice
from web.table.parts import ROLES, Asker, NotAllowedError, Role
from web.table.people.devices import Devices, Pairing

LOG: Final = logging.getLogger(__name__)


class Access:
    """Decides each device's rights at a table; thread-safe.

    `watching` is who may watch without being a player: everybody (`open`), holders of a link
    (`code`), no one (`closed`). A viewer without a link sees the current game, and earlier ones if
    an owner opened them: then there is the file `opened`, if it has a place.
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

    def show_earlier(self, *, shown: bool) -> None:
        """Open earlier games to everybody who may watch, or close them. Raises StoreError."""
        try:
            if self._opened is not None and shown:
                self._opened.touch(mode=0o600)
            elif self._opened is not None:
                self._opened.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError.worded(
                "{file} cannot be written ({reason}): give the right to its folder.",
                file=str(self._opened),
                reason=error.strerror or str(error),
            ) from error
        self.shows_earlier = shown

    def asker(self) -> Asker:
        """The sender of the current request, looked up now: a device may be removed meanwhile."""
        secret = request.cookies.get(cookie_name(), "")
        if is_own_key(secret) or (not secret and _is_own_program()):
            return Asker("owner", here=True)
        watcher: Role = "guest" if self.shows_earlier else "watcher"
        stranger = Asker(watcher if self.watching == "open" else "stranger")
        if request.environ.get(INGRESS):  # somebody signed in, who need not administer anything
            stranger = Asker("player")
        device = self.devices.of(secret)
        if device is None or (device.role == "watcher" and self.watching == "closed"):
            return stranger
        return Asker("guest" if device.role == "watcher" else device.role, device=device)


def is_own_key(secret: str) -> bool:
    """Whether it is the key of this machine's own browser, as in the start text."""
    return secrets.compare_digest(secret.encode(), str(current_app.secret_key).encode())


def _is_own_program() -> bool:
    """Whether a script of the table's own user asks, which could read the key as well."""
    port = request.environ.get("REMOTE_PORT", "")
    if not is_loopback(request.remote_addr or "") or not port.isdecimal():
        return False
    return is_own_program(int(port), int(request.environ["SERVER_PORT"]))


def needed_role(method: str, rule: PageRule) -> Role:
    """The role that may ask so for an address; the owner's for what no view answers."""
    asked = "GET" if method in READING_METHODS else method
    return role_named(rule.right if asked in (rule.methods or ()) else None)


def role_named(right: str | None) -> Role:
    """The role that an address declares as its right; the owner's, where it declares none."""
    return next((role for role in ROLES if role == right), "owner")


def cookie_name() -> str:
    """The name of the cookie: two tables on one machine differ in their ports alone."""
    return f"device-{request.environ['SERVER_PORT']}"


def give_cookie(answer: Response, secret: str) -> None:
    """Have the browser prove itself by this secret from now on."""
    keep_choice(answer, cookie_name(), secret, "Strict")


def admit(app: Flask, access: Access, game_on: Callable[[], str | None]) -> None:
    """Check the right of every request of the application, and pass it to the templates.

    `game_on` gives the game that is on the table.
    """
    app.jinja_env.globals.update(
        by_loopback=lambda: is_loopback(host_name(request.host)),
        may=lambda needed: access.asker().may(needed),
    )

    @app.before_request
    def check() -> None:
        rule = asked_rule()
        if rule is None:  # no such page, which everybody may know
            return
        g.asker = asker = access.asker()
        needed = needed_role(request.method, rule)
        if rule.on_table and (request.view_args or {})["game_id"] == game_on():
            needed = role_named(rule.on_table)
        if not asker.may(needed):
            level = logging.DEBUG if request.method in READING_METHODS else logging.INFO
            LOG.log(level, "refused, a %s: %s %s", asker.role, request.method, request.endpoint)
            raise NotAllowedError(needed)
        if asker.device is not None:
            access.devices.note_use(asker.device.device_id)


PROC: Final = Path("/proc")
TABLES: Final = ("tcp", "tcp6", "udp", "udp6")
LISTENS: Final = "0A"
# The other end of what reaches nothing but this machine: 127.0.0.0/8, also written as IPv6, ::1,
# or none. The kernel writes an address in words of four bytes, the last byte of each first.
STAYS: Final = re.compile(r"(0{16}FFFF0000)?[0-9A-F]{6}7F:.*|0{24}01000000:.*|.*:0000")


def is_own_program(port: int, to: int) -> bool:
    """Whether that end of a connection to our port `to` is a program's of this user.

    One that serves others is not: it listens, or has a connection to another machine.
    """
    try:
        tables = [(PROC / "net" / each).read_text("ascii") for each in TABLES]
        rows = [row.split() for table in tables for row in table.splitlines()[1:]]
        ends = f":{port:04X}", f":{to:04X}"
        asking = [row for row in rows if (row[1][-5:], row[2][-5:]) == ends]
        others = {row[9] for row in rows if row[3] == LISTENS or not STAYS.fullmatch(row[2])}
        holders = [held for held in _held() if not held.isdisjoint(row[9] for row in asking)]
        # all of them: the same port may be another user's at another address
        owned = {row[7] for row in asking} == {str(os.getuid())}
    except (OSError, AttributeError):  # another system, or a kernel that keeps it to itself
        return False
    return owned and bool(holders) and all(map(others.isdisjoint, holders))


def _held() -> Iterator[set[str]]:
    """The numbers of each program's sockets, as far as this user may know them."""
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError):  # another user's, or gone meanwhile
            links = [str(each.readlink()) for each in (folder / "fd").iterdir()]
            yield {link[8:-1] for link in links if link.startswith("socket:[")}
