"""Who asks: the account of the session, a player by their link, or somebody who may look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from flask import g, session

from scoreboard.access import Account
from scoreboard.logbook import Actor
from web.hub.hub import Hub
from web.hub.keys import same

SESSION_LIFETIME: Final = timedelta(hours=14)
NAME: Final = "name"
STAMP: Final = "stamp"
MAY_LOOK: Final = "may-look"
VisitorRole = Literal["director", "referee", "viewer", "stranger"]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody at the pages; `name` is the account's, empty without one."""

    role: VisitorRole
    name: str = ""

    @property
    def directs(self) -> bool:
        """Whether it is a director."""
        return self.role == "director"

    @property
    def decides(self) -> bool:
        """Whether it is a director or a referee."""
        return self.role in {"director", "referee"}

    @property
    def looks(self) -> bool:
        """Whether it may look."""
        return self.role != "stranger"

    @property
    def actor(self) -> Actor:
        """The visitor as the logbook calls them. Raises LookupError for who has no account."""
        if self.role == "director" or self.role == "referee":  # noqa: PLR1714 -- narrows the type
            return Actor(self.role, self.name)
        raise LookupError(self.role)


def visitor(hub: Hub) -> Visitor:
    """Who asks now; found out once a request."""
    if "visitor" not in g:
        g.visitor = _found(hub)
    known: Visitor = g.visitor
    return known


def signed_in(hub: Hub, account: Account) -> None:
    """Begin a session of the account."""
    session.clear()
    session.permanent = True
    session[NAME] = account.name
    session[STAMP] = hub.keys.stamp(account.password_hash)
    g.pop("visitor", None)


def signed_out() -> None:
    """End the session."""
    session.clear()
    g.pop("visitor", None)


def let_look(hub: Hub) -> None:
    """Remember that somebody knew the viewing code."""
    session.permanent = True
    session[MAY_LOOK] = hub.keys.viewing


def _found(hub: Hub) -> Visitor:
    account = hub.store.people.account(session[NAME]) if NAME in session else None
    if account is not None and same(session.get(STAMP, ""), hub.keys.stamp(account.password_hash)):
        return Visitor(account.role, account.name)
    known = hub.house.viewers == "open" or same(session.get(MAY_LOOK, ""), hub.keys.viewing)
    return Visitor("viewer" if known else "stranger")
