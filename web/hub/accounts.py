"""Signing in and out, the first director, the viewing code, and other accounts."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.protocol.audit_log import ACCOUNT_ROLES, Account
from scoreboard.tournament.storage.hub_store import SqlHubStore
from web.hub.access import MAY_VIEW, known_browser, remember, signed_in, signed_out, visitor
from web.hub.credentials import account_name, same
from web.hub.forms import back
from web.hub.hub import Hub

LONGEST_CODE: Final = 9
LOG: Final = logging.getLogger(__name__)
WRONG: Final = message("Wrong name or password. Try again, or ask the director.")
NO_DIRECTOR: Final = message("No director yet: open the “set up” address that the hub printed.")
WRONG_CODE: Final = message("Wrong viewing code. Ask the director for it.")
ROLES: Final = {"director": message("director"), "referee": message("referee")}


def door_views(hub: Hub) -> Blueprint:
    """`/sign-in`, `/sign-out`, `/look`, `/set-up`, and `/join`, the help for joining tables."""
    views = Blueprint("doors", __name__)

    @views.get("/sign-in", right="anyone")
    def sign_in() -> str:
        fault = None if has_director(hub.store) else NO_DIRECTOR
        return render_template("sign_in.html", next=wanted_page(), fault=fault)

    @views.post("/sign-in", right="anyone", seen="nothing", tries="sign-in")
    def enter() -> AnyResponse | tuple[str, int]:
        name = request.form.get("name", "").strip()
        account = hub.store.people.account(name)
        given, known = request.form.get("password", ""), bool(known_browser(hub, name))
        if not hub.passwords.opens(account, given, waits=known) or account is None:
            # the name is not logged: some people type their password there
            LOG.info("a sign-in was refused: wrong name or password")
            page = render_template("sign_in.html", next=wanted_page(), fault=WRONG, name=name)
            return page, HTTPStatus.UNAUTHORIZED
        signed_in(hub, account)
        LOG.info("signed in: %s %s", account.role, account.name)
        return remember(hub, redirect(wanted_page(), HTTPStatus.SEE_OTHER), account.name)

    @views.post("/sign-out", right="anyone", seen="nothing")
    def sign_out() -> AnyResponse:
        signed_out(hub)
        return back("events.show")

    @views.get("/look", right="anyone")
    def look() -> str:
        return render_template("look.html", next=wanted_page(), fault=None)

    @views.post("/look", right="anyone", seen="nothing", tries="door")
    def show_code() -> AnyResponse | tuple[str, int]:
        if not same(request.form.get("code", ""), hub.keys.viewing):
            LOG.info("a viewer was refused: that is not the viewing code")
            page = render_template("look.html", next=wanted_page(), fault=WRONG_CODE)
            return page, HTTPStatus.UNAUTHORIZED
        session.permanent = True
        session[MAY_VIEW] = hub.keys.viewing
        return redirect(wanted_page(), HTTPStatus.SEE_OTHER)

    _add_set_up(views, hub)

    @views.get("/join/<code>", right="anyone")
    def join(code: str) -> str:
        return render_template("join.html", code=code[:LONGEST_CODE].upper())

    return views


def _add_set_up(views: Blueprint, hub: Hub) -> None:
    def require_first(secret: str) -> None:
        """Answer 404 unless the secret is that of the first start, and unused."""
        if has_director(hub.store) or not same(secret, hub.keys.set_up):
            abort(HTTPStatus.NOT_FOUND)

    @views.get("/set-up/<secret>", right="anyone")
    def set_up(secret: str) -> str:
        require_first(secret)
        return render_template("set_up.html", secret=secret)

    @views.post(
        "/set-up/<secret>", right="anyone", page="doors.set_up", seen="nothing", tries="door"
    )
    def make_director(secret: str) -> AnyResponse:
        require_first(secret)
        password_hash = hub.passwords.hashed(request.form.get("password", ""))
        account = Account(account_name(request.form.get("name", "")), "director", password_hash)
        hub.store.people.add_account(account)
        LOG.info("set up: director %s", account.name)
        signed_in(hub, account)
        return remember(hub, back("events.ask"), account.name)


def has_director(store: SqlHubStore) -> bool:
    """Whether there is a director already."""
    return any(each.role == "director" for each in store.people.accounts())


def wanted_page() -> str:
    """The page the visitor wanted, if it is one of this hub; else the list of events."""
    wanted = request.values.get("next", "")
    parts = urlsplit(wanted)
    own = wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
    return wanted if own and not parts.netloc and wanted.isprintable() else url_for("events.show")


def people_views(hub: Hub) -> Blueprint:
    """`/people`."""
    views = Blueprint("people", __name__, url_prefix="/people")
    people = hub.store.people

    @views.get("", right="director")
    def show() -> str:
        return render_template(
            "people.html", accounts=people.accounts(), roles=ROLES, viewing=hub.keys.viewing
        )

    @views.post("/add", right="director", page="people.show", seen="nothing")
    def add() -> AnyResponse:
        role = request.form.get("role", "")
        if role not in ACCOUNT_ROLES:
            abort(400)
        hashed = hub.passwords.hashed(request.form.get("password", ""))
        name = account_name(request.form.get("name", ""))
        people.add_account(Account(name, role, hashed))
        LOG.info("added: %s %s, by %s", role, name, visitor(hub).name)
        return back("people.show")

    @views.post("/<name>/password", right="director", page="people.show", seen="nothing")
    def change(name: str) -> AnyResponse:
        people.set_password(name, hub.passwords.hashed(request.form.get("password", "")))
        LOG.info("given a new password: %s, by %s", name, visitor(hub).name)
        own = people.account(name)
        if own is not None and name == visitor(hub).name:
            signed_in(hub, own)  # a new password ends all other sessions, not this one
        return back("people.show")

    @views.post("/<name>/remove", right="director", page="people.show", seen="nothing")
    def remove(name: str) -> AnyResponse:
        if name == visitor(hub).name:
            raise ConflictError.worded(
                "Ask another director: you are signed in as {name} and cannot remove yourself.",
                name=name,
            )
        people.remove_account(name)
        LOG.info("removed: %s, by %s", name, visitor(hub).name)
        return back("people.show")

    return views
