"""The accounts of those who direct and decide."""

from __future__ import annotations

import logging
from typing import Final

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.protocol.audit_log import ACCOUNT_ROLES, Account
from web.hub.accounts import account_name
from web.hub.hub import Hub
from web.hub.views.command_form import back
from web.hub.visitors import signed_in, visitor

LOG: Final = logging.getLogger(__name__)
ROLES: Final = {"director": message("director"), "referee": message("referee")}


def people_views(hub: Hub) -> Blueprint:
    """`/people`."""
    views = Blueprint("people", __name__, url_prefix="/people")
    people = hub.store.people

    @views.get("")
    def show() -> str:
        return render_template(
            "people.html", accounts=people.accounts(), roles=ROLES, viewing=hub.keys.viewing
        )

    @views.post("/add")
    def add() -> Response:
        role = request.form.get("role", "")
        if role not in ACCOUNT_ROLES:
            abort(400)
        hashed = hub.passwords.hashed(request.form.get("password", ""))
        name = account_name(request.form.get("name", ""))
        people.add_account(Account(name, role, hashed))
        LOG.info("added: %s %s, by %s", role, name, visitor(hub).name)
        return back("people.show")

    @views.post("/<name>/password")
    def change(name: str) -> Response:
        people.set_password(name, hub.passwords.hashed(request.form.get("password", "")))
        LOG.info("given a new password: %s, by %s", name, visitor(hub).name)
        own = people.account(name)
        if own is not None and name == visitor(hub).name:
            signed_in(hub, own)  # a new password ends all other sessions, not this one
        return back("people.show")

    @views.post("/<name>/remove")
    def remove(name: str) -> Response:
        if name == visitor(hub).name:
            raise ConflictError(
                message("You are signed in as {name}: have another director do it.", name=name)
            )
        people.remove_account(name)
        LOG.info("removed: %s, by %s", name, visitor(hub).name)
        return back("people.show")

    return views
