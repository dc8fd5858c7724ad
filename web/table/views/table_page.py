"""How the table is shown: as a page, as the part of it that changes, as an answer to an act."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from flask import Response, jsonify, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.games.engine.game import OfferKind
from scoreboard.games.engine.scoresheet import Row, Scoresheet
from scoreboard.message import Message, message
from scoreboard.table.requests import Answer, TableRequest, TableSight
from scoreboard.table.view import TableView
from web.live import SharedDrawing
from web.security import whole_number
from web.table.demo import EVENINGS
from web.table.ports import Table
from web.table.views import event_status, outlines, table_words
from web.words import language, translate

STATUSES: Final = {
    "done": HTTPStatus.OK,
    "unchanged": HTTPStatus.OK,
    "stale": HTTPStatus.CONFLICT,
    "refused": HTTPStatus.UNPROCESSABLE_ENTITY,
}
# The camera of the page asks for a new picture as long as what it shows may change.
CHANGING_SIGHTS: Final = frozenset(
    {TableSight.NOTHING, TableSight.MOVING, TableSight.READING, TableSight.STILL}
)

LOG: Final = logging.getLogger(__name__)
ROLLING: Final = frozenset({"starting", "rolling", "choosing"})


class StaleError(ValueError):
    """An act that refers to a view which the table no longer shows."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a person wrote into a form of the table that was refused, and why it was.

    `act` is `roll` or the key of an open offer.
    """

    act: str
    text: str
    fault: Message

    @classmethod
    def of(cls, fields: Mapping[str, str], fault: Message) -> Written | None:
        """Read it from a form's fields; None where nothing is written in it."""
        if "roll" in fields:
            return cls("roll", fields["roll"], fault)
        if "filling" in fields:
            return cls(fields.get("offer", ""), fields["filling"], fault)
        return None


class Showing:
    """Draws one table; each state once, however many browsers ask."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._drawing = SharedDrawing(self._draw)

    def document(self, view: TableView) -> dict[str, str | int]:
        """What a watching script is told: the life of the table, the version and the HTML."""
        html = self._drawing.of(view, language())
        now = int(self.table.clock().timestamp() * 1000)
        return {"run": self.table.live.run, "version": view.version, "now": now, "html": html}

    def page(
        self,
        status: int = HTTPStatus.OK,
        notice: Message | None = None,
        refused: Written | None = None,
    ) -> Response:
        """The whole table page, with a notice for this reader alone.

        What was `refused` stands in its field again, with the fault, where it is still asked for.
        """
        view, now = self.table.view(), int(self.table.clock().timestamp() * 1000)
        html = self._draw(view, refused) if refused else self._drawing.of(view, language())
        lost = refused if refused is not None and not is_asked(view, refused.act) else None
        return make_response(
            render_template(
                "table_page.html", live=html, view=view, said=notice, lost=lost, now=now
            ),
            status,
        )

    def answer(self, answer: Answer) -> AnyResponse:
        """What the sender of an act is told: the script a document, a plain form a page.

        A notice that the table shows to all is not told once more. The script's document holds
        the verdict, and its status says only that it is one: browsers report any other as an
        error of the page, and a press that came too late is none.
        """
        status, view = STATUSES[answer.verdict], self.table.view()
        notice = None if answer.notice == view.notice else answer.notice
        if "application/json" in request.accept_mimetypes.values():
            told = translate(notice) if notice else None
            document = self.document(view)
            return make_response(jsonify(verdict=answer.verdict, notice=told, **document))
        if status is HTTPStatus.OK:
            if notice is None:
                return redirect(url_for("table.show"), HTTPStatus.SEE_OTHER)
            return self.page(status, notice)
        refused = Written.of(request.form, answer.notice) if answer.notice else None
        in_place = refused is not None and is_asked(view, refused.act)
        return self.page(status, None if in_place else notice, refused)

    def submit(self, table_request: TableRequest) -> AnyResponse:
        """Put the message on the table and tell the sender what became of it."""
        return self.answer(self.table.submit(table_request))

    def expected(self) -> int:
        """The version that the sender of this form saw.

        A form on a page of its own may name the step of the game that it is about: then it fits
        until the game goes on, whatever the camera sees meanwhile.

        Raises:
            StaleError: the form is of another life of the table, or names no version.
        """
        run, _, written = request.form.get("seen", "").partition(".")
        version = whole_number(written)
        if run != self.table.live.run or version is None:
            raise StaleError(f"A form that is not of the run {self.table.live.run} was sent.")
        view = self.table.view()
        return view.version if request.form.get("step") == step_of(view) else version

    def stale(self, _error: StaleError) -> AnyResponse:
        """Answer a form that was left over from before a restart."""
        LOG.info("stale: %s, from a page of before the last start", request.endpoint)
        notice = message(
            "The table was restarted since this page was shown. Here is how it stands."
        )
        return self.answer(Answer("stale", self.table.view().version, notice))

    def _draw(self, view: TableView, refused: Written | None = None) -> str:
        pictured = view.game in EVENINGS or not self.table.facts.demo
        watched = outlines.is_watched(view) and pictured
        return render_template(
            "table_live.html",
            view=view,
            refused=refused,
            run=self.table.live.run,
            facts=self.table.facts,
            uploads=self.table.upload is not None,
            headline=event_status.event_headline(view) or table_words.headline(view),
            progress=table_words.progress(view),
            instruction=event_status.event_instruction(view) or table_words.instruction(view),
            coming=self.table.coming and self.table.coming(view),
            resting=event_status.is_resting(view),
            signs=event_status.signs(view),
            roll_number=table_words.current_roll_number(view.turn) if view.turn else 0,
            buttons=table_words.button_meanings(view),
            sight=(table_words.PIECES_SIGHTS if watched else table_words.SIGHTS)[view.sight],
            light=table_words.light(view),
            light_words=table_words.LIGHTS.get(table_words.light(view)),
            reads_again=table_words.reads_again(view),
            calibrates=can_calibrate(self.table),
            moving_picture=view.sight in CHANGING_SIGHTS,
            panes=sheet_panes(view.preview or view.scoresheet),
            asking=table_words.offer_of(view, view.asking),
            fouls=tuple(offer for offer in view.offers if OfferKind.FOUL.is_kind_of(offer.key)),
            leaves=any(OfferKind.LEAVE.is_kind_of(offer.key) for offer in view.offers),
            dice_in_order=table_words.dice_in_order(view),
            step=step_of(view),
            played_keys=table_words.played_keys(view),
            drawable=table_words.drawable(view),
            clock_face=table_words.clock_face,
            watched=watched,
            kind=outlines.kind(view),
            corners=outlines.corners,
            foot=outlines.foot,
            spoken=outlines.spoken,
        )


def step_of(view: TableView) -> str:
    """The step of the game that the table is at."""
    return f"{view.game_id}.{view.sequence}"


def can_calibrate(table: Table) -> bool:
    """Whether the page that calibrates a tray can change it, or has something to show."""
    if table.tray is None:
        return False
    standing = table.tray.standing()
    return standing.obstacle is None or bool(standing.corners)


def is_asked(view: TableView, act: str) -> bool:
    """Whether the page has a field for this act just now: `roll`, or the key of an open offer."""
    if act == "roll":
        return view.stage in ROLLING
    return any(offer.key == act and offer.entry is not None for offer in view.offers)


def sheet_panes(sheet: Scoresheet | None) -> tuple[tuple[Row, ...], ...]:
    """The sheet's rows in two panes to lay side by side, parted between sections in the middle."""
    rows = () if sheet is None else sheet.rows
    borders = [at for at in range(1, len(rows)) if rows[at - 1].section != rows[at].section]
    if not borders:
        return (rows,) if rows else ()
    middle = min(borders, key=lambda at: abs(len(rows) - 2 * at))
    return rows[:middle], rows[middle:]
