"""How a table comes in: a code for a place at the event."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.tournament.protocol.bounds import Code, Name, Number, Token


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A table wants to come in.

    `code` is the one that the director handed out, `table` what the table calls itself, and
    `token` the secret of its own making by which it is known from then on. The same request may
    be sent again until it is answered.
    """

    code: Code
    table: Name
    token: Token


@dataclass(frozen=True, slots=True)
class Joined:
    """The table is in: which event it is, and which number the table has there (`place`)."""

    tournament_id: Name
    title: str
    place: Number
