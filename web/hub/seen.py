"""Forms on outdated pages: a press there only shows the current page.

A form's hidden field `seen` is the version of the event, or of what it changes, on its page. Of a
second press, a stale tab or a lost answer that is sent again only the first one counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Flask, g, request
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from scoreboard.tournament.protocol.audit_log import OutdatedError
from web.hub.hub import Hub
from web.shared.security import READING_METHODS

# What a form has to have seen newest; that of any other is the record of its event.
_WHAT_ELSE: Final = {
    "messages.send": "messages",
    "events.create": "events",
    "trial.make": "events",
    "life.copy": "events",
    "seasons.change": "seasons",
}
# Forms that need not know what else happened, and why.
FREE: Final[Mapping[str, str]] = {
    "they change no event": """
        doors.enter doors.make_director doors.show_code doors.sign_out language.choose
        people.add people.change people.remove registry.change registry.erase registry.merge
        seasons.delete trial.save_preset trial.delete_preset
    """,
    "tables and their JSON name what they mean; a code is worth one table": """
        api.join api.prove api.greet api.deliver api.photo tables.offer tables.revoke
    """,
    "a result names its game, and says what it was: those of other tables come all the time": """
        results.report results.sign results.sign_all results.dispute results.uphold results.settle
        results.correct problems.sign_round player.report player.sign player.dispute
        scores.submit scores.correct slips.read slips.save slips.discard
    """,
    "it names players or a match, as many people do at once, and twice is once": """
        calls.call entries.add entries.upload check_in.mark check_in.pay check_in.allow
        check_in.leave_out player.check_in sign_up.enter sign_up.cancel
    """,
    "it says all that it sets or takes away, and twice is once": """
        messages.take_away player.seen penalties.note sign_up.change
        life.mark life.delete bin.restore bin.erase events.take_over
    """,
}
_FREE: Final = frozenset(" ".join(FREE.values()).split())


def newest_seen(hub: Hub, endpoint: str, tournament_id: str) -> int | None:
    """The version that a form must have seen; None for one that need not. Raises StoreError."""
    if endpoint in _FREE:
        return None
    match _WHAT_ELSE.get(endpoint):
        case "messages":
            return max(
                (each.message_id for each in hub.store.messages.of(tournament_id)), default=0
            )
        case "events":
            return len(hub.store.tournaments.headers())
        case "seasons":
            return len(hub.store.players.seasons())
    return hub.service.snapshot(tournament_id).changes.official


def refuse_stale(app: Flask, hub: Hub) -> None:
    """Give the templates `seen(endpoint)`, and refuse each form that saw something else."""

    @pass_context
    def seen(context: Context, endpoint: str = "") -> Markup:
        """The hidden field: by the state on the page, not a newer one."""
        newest = (
            newest_seen(hub, endpoint, context.get("id", ""))
            if endpoint
            else context["snapshot"].changes.official
        )
        return Markup('<input type="hidden" name="seen" value="{}">').format(newest)

    @app.before_request
    def check() -> None:
        if request.method in READING_METHODS or not g.get("let_in", False):
            return
        endpoint, asked = str(request.endpoint), request.view_args or {}
        newest = newest_seen(hub, endpoint, asked.get("tournament_id", ""))
        saw = request.form.get("seen")
        if newest is None or saw is None:  # a director's script has no page and means what is now
            return
        if saw != str(newest):
            raise OutdatedError
        g.seen = newest  # checked again in one step with what is done: two may ask at once

    app.jinja_env.globals["seen"] = seen
