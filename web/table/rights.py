"""Who may do what at a table: roles, who asks, and the refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from flask import g
from werkzeug.exceptions import Forbidden

from scoreboard.storage.devices import Device

Role = Literal["stranger", "watcher", "guest", "player", "owner"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)  # each may do what those before it may


@dataclass(frozen=True, slots=True)
class Asker:
    """Who sent a request: what they may do, and the device that is known by its cookie."""

    role: Role
    here: bool = False
    device: Device | None = None

    @property
    def called(self) -> str:
        """Who it was, as it is stored: `here` at the table's own machine, or the device's id.

        Empty for one that the table does not know.
        """
        if self.here:
            return "here"
        return "" if self.device is None else self.device.device_id

    def may(self, needed: Role) -> bool:
        """Whether they may do what takes that role."""
        return suffices(self.role, needed)


class NotAllowedError(Forbidden):
    """A request of a device that may not make it; `needed` is the role that may."""

    def __init__(self, needed: Role) -> None:
        super().__init__()
        self.needed = needed


def suffices(role: Role, needed: Role) -> bool:
    """Whether a role includes what takes the `needed` one."""
    return ROLES.index(role) >= ROLES.index(needed)


def who_asks() -> str:
    """Who sent the current request, as it is stored beside events; see `Asker.called`."""
    asker: Asker = g.asker
    return asker.called
