"""The doors of the hub: sign in and out, the first director, the viewing code."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message, message
from scoreboard.tournament.protocol.audit_log import Account
from web.hub.accounts import account_name
from web.hub.hub import Hub
from web.hub.keys import same
from web.hub.views.command_form import back
from web.hub.visitors import let_look, signed_in, signed_out
from web.security import is_from_loopback

LONGEST_CODE: Final = 9
LOG: Final = logging.getLogger(__name__)
WRONG: Final = message("Name and password do not fit together. Try again, or ask the director.")
WRONG_CODE: Final = message("That is not the viewing code of this hub. The director knows it.")


def door_views(hub: Hub) -> Blueprint:
    """`/sign-in`, `/sign-out`, `/look`, `/set-up`, and `/join`, which tells how a table joins."""
    views = Blueprint("doors", __name__)
    _add_signing(views, hub)
    _add_code(views, hub)
    _add_set_up(views, hub)

    @views.get("/join/<code>")
    def join(code: str) -> str:
        return render_template("join.html", code=code[:LONGEST_CODE].upper())

    return views


def _add_signing(views: Blueprint, hub: Hub) -> None:
    @views.get("/sign-in")
    def sign_in() -> str:
        return render_template("sign_in.html", next=wanted_page(), fault=None)

    @views.post("/sign-in")
    def enter() -> AnyResponse:
        name = request.form.get("name", "").strip()
        account = hub.store.people.account(name)
        given, here = request.form.get("password", ""), is_from_loopback(request)
        if not hub.passwords.opens(account, given, waits=here) or account is None:
            # the name is not told: some type their password there
            LOG.info("a sign-in was refused: name and password do not fit together")
            page = render_template("sign_in.html", next=wanted_page(), fault=WRONG, name=name)
            return make_response(page, HTTPStatus.UNAUTHORIZED)
        signed_in(hub, account)
        LOG.info("signed in: %s %s", account.role, account.name)
        return redirect(wanted_page(), HTTPStatus.SEE_OTHER)

    @views.post("/sign-out")
    def sign_out() -> AnyResponse:
        signed_out(hub)
        return back("events.show")


def _add_code(views: Blueprint, hub: Hub) -> None:
    @views.get("/look")
    def look() -> str:
        return render_template("look.html", next=wanted_page(), fault=None)

    @views.post("/look")
    def show_code() -> AnyResponse:
        if not same(request.form.get("code", ""), hub.keys.viewing):
            LOG.info("a viewer was refused: that is not the viewing code")
            page = render_template("look.html", next=wanted_page(), fault=WRONG_CODE)
            return make_response(page, HTTPStatus.UNAUTHORIZED)
        let_look(hub)
        return redirect(wanted_page(), HTTPStatus.SEE_OTHER)


def _add_set_up(views: Blueprint, hub: Hub) -> None:
    @views.get("/set-up/<secret>")
    def set_up(secret: str) -> str:
        _require_first(hub, secret)
        return render_template("set_up.html", secret=secret, fault=None)

    @views.post("/set-up/<secret>")
    def make_director(secret: str) -> AnyResponse:
        _require_first(hub, secret)
        try:
            signed_in(hub, _director(hub))
        except ScoreboardError as error:
            return _again(secret, error.message)
        return back("events.show")


def _require_first(hub: Hub, secret: str) -> None:
    """Whether it is the secret of the first start, and nobody has used it yet."""
    if has_director(hub) or not same(secret, hub.keys.set_up):
        abort(HTTPStatus.NOT_FOUND)


def has_director(hub: Hub) -> bool:
    """Whether somebody may direct already."""
    return any(each.role == "director" for each in hub.store.people.accounts())


def _director(hub: Hub) -> Account:
    password_hash = hub.passwords.hashed(request.form.get("password", ""))
    account = Account(account_name(request.form.get("name", "")), "director", password_hash)
    hub.store.people.add_account(account)
    LOG.info("set up: director %s", account.name)
    return account


def _again(secret: str, fault: Message) -> Response:
    page = render_template("set_up.html", secret=secret, fault=fault)
    return make_response(page, HTTPStatus.UNPROCESSABLE_ENTITY)


def wanted_page() -> str:
    """Where the visitor wanted to go: a page of this hub, the list of events otherwise."""
    wanted = request.values.get("next", "")
    parts = urlsplit(wanted)
    own = wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
    return wanted if own and not parts.netloc and wanted.isprintable() else "/"
