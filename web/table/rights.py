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
    """The sender of a request: their role, and the device known by its cookie."""

    role: Role
    here: bool = False
    device: Device | None = None

    @property
    def called(self) -> str:
        """The sender as stored: `here` at the table's own machine, or the device's id.

        Empty for an unknown one.
        """
        if self.here:
            return "here"
        return "" if self.device is None else self.device.device_id

    def may(self, needed: Role) -> bool:
        """Whether their role includes that one."""
        return suffices(self.role, needed)


class NotAllowedError(Forbidden):
    """A request of a device without the right; `needed` is the role with it."""

    def __init__(self, needed: Role) -> None:
        super().__init__()
        self.needed = needed


def suffices(role: Role, needed: Role) -> bool:
    """Whether a role includes the `needed` one."""
    return ROLES.index(role) >= ROLES.index(needed)


def who_asks() -> str:
    """The sender of the current request for storage with events; see `Asker.called`."""
    asker: Asker = g.asker
    return asker.called
