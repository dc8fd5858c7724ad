"""Who asks: the account of the session, a player by their link, or somebody who may look."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from flask import g, session

from scoreboard.tournament.protocol.audit_log import Account, Actor
from web.hub.hub import Hub
from web.hub.keys import same

SESSION_LIFETIME: Final = timedelta(hours=14)
NAME: Final = "name"
STAMP: Final = "stamp"
SESSION: Final = "session"
ENDED_FOR: Final = SESSION_LIFETIME + timedelta(hours=1)  # then its cookies are out of date anyway
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
    session[SESSION] = secrets.token_urlsafe()
    g.pop("visitor", None)


def signed_out(hub: Hub) -> None:
    """End the session: a copy of its cookie opens nothing any more. Raises StoreError."""
    if SESSION in session:
        now = hub.clock()
        hub.store.people.forget_expired(now)
        hub.store.people.end_session(session[SESSION], now + ENDED_FOR)
    session.clear()
    g.pop("visitor", None)


def let_look(hub: Hub) -> None:
    """Remember that somebody knew the viewing code."""
    session.permanent = True
    session[MAY_LOOK] = hub.keys.viewing


def _found(hub: Hub) -> Visitor:
    account = _account(hub)
    knows_code = same(session.get(MAY_LOOK, ""), hub.keys.viewing)
    if account is not None or knows_code:
        session.modified = True  # so its cookie lasts on; that of an ended one is never renewed
    if account is not None:
        return Visitor(account.role, account.name)
    return Visitor("viewer" if knows_code or hub.house.viewers == "open" else "stranger")


def _account(hub: Hub) -> Account | None:
    """Whose session it is; None where it is nobody's, or was ended."""
    people = hub.store.people
    if SESSION not in session or people.is_ended(session[SESSION]):
        return None
    account = people.account(session[NAME])
    if account is None or not same(session[STAMP], hub.keys.stamp(account.password_hash)):
        return None
    return account
