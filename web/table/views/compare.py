"""The same roll under all games of dice: what it would take in each box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request

from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.games import DICE_GAMES
from scoreboard.games.engine.game import Game, Offer, OfferKind, Setup, replay
from scoreboard.message import Message

FIRST = "33355"


@dataclass(frozen=True, slots=True)
class Column:
    """One game's boxes for the roll, the best first; only those that take points."""

    title: Message
    boxes: tuple[tuple[Message, int, str], ...]


def compare_views() -> Blueprint:
    """`/compare`."""
    views = Blueprint("compare", __name__)

    @views.get("/compare")
    def show() -> str:
        roll = request.args.get("roll", "").strip() or FIRST
        try:
            columns, fault = tuple(compared(roll)), None
        except (NotationError, RuleViolationError) as error:
            columns, fault = (), error.message
        return render_template("compare.html", roll=roll, columns=columns, fault=fault)

    return views


def compared(roll: str) -> Iterator[Column]:
    """The roll on an empty card of each game of dice, under the sheets' rules.

    Raises:
        NotationError: the text is no roll.
        RuleViolationError: it has not as many dice as a throw.
    """
    for game in DICE_GAMES.values():
        yield Column(game.title, tuple(_boxes(game, game.notation.readers[OfferKind.ROLL](roll))))


def _boxes(game: Game[Any, Any, Any], command: object) -> Iterator[tuple[Message, int, str]]:
    setup = Setup(("-",), {"start": "first"})
    state = replay(game, setup, game.decide(game.start(setup), command))
    labels = {OfferKind.SCORE.key(row.key): row.label for row in game.scoresheet(state).rows}
    for offer in game.offers(state):
        if isinstance(offer, Offer) and offer.points:
            yield labels[offer.key], offer.points, offer.rule
