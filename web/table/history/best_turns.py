"""The best turns of a game that are over: `/games/<id>/best`, and one of them move by move."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from flask import Blueprint, abort, render_template, request

from scoreboard.games import GAMES
from scoreboard.games.advice.best_ends import best_play, games_ended
from scoreboard.games.advice.best_turns import TurnReview, best_turn, counted, replay_turn, reviews
from scoreboard.games.engine.game import Setup, replay
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import message
from web.table.history.archive import Archive
from web.table.history.games import known_game
from web.table.parts import Parts

Coaches = Callable[[str], bool]  # whether players of that game switched the coach on just now
TOO_LONG: Final = message("This turn has too many possibilities to work out here.")
IN_EVENT: Final = message("There are no hints while the table takes part in an event.")
_best_turn = lru_cache(64)(best_turn)  # the same one for each step of a page


def best_views(parts: Parts, archive: Archive, coaches: Coaches) -> Blueprint:
    """`/games/<id>/best`: only what is over, and nothing in an event."""
    views = Blueprint("best", __name__, url_prefix="/games/<game_id>/best")

    @views.get("", right="player")
    def show(game_id: str) -> str:
        header, events = _played(parts, archive, game_id)
        if parts.session.view.event is not None:
            return _page(header, fault=IN_EVENT)
        if GAMES[header.game].review == "ends":
            return _page(header, ended=games_ended(events), turns={})
        turns = _reviews(header, events, coached=coaches(header.game_id))
        return _page(header, turns=turns, coach_off=not coaches(header.game_id))

    @views.get("/<int:number>", right="player")
    def one(game_id: str, number: int) -> str:
        header, events = _played(parts, archive, game_id)
        if parts.session.view.event is not None:
            return _page(header, fault=IN_EVENT)
        if GAMES[header.game].review == "ends":
            start = GAMES[header.game].start(Setup(header.players, header.options))
            return _page(header, end=best_play(start, events, number) or abort(404))
        review = _reviews(header, events, coached=coaches(header.game_id)).get(number) or abort(404)
        try:
            return _turn_page(header, review, number, request.args.get("step", 0, type=int))
        except TimeoutError:
            return _page(header, fault=TOO_LONG)

    return views


def _played(parts: Parts, archive: Archive, game_id: str) -> tuple[GameHeader, tuple[Any, ...]]:
    header, events = archive.played(known_game(parts, archive, game_id).game_id)
    return (header, events) if GAMES[header.game].review else abort(404)


def _reviews(
    header: GameHeader, events: tuple[Any, ...], *, coached: bool
) -> dict[int, TurnReview]:
    """The turns by number: all of finished rounds, and of the open one the last.

    That one shows a rack still in play, so it is included only with the coach on.
    """
    game, setup = GAMES[header.game], Setup(header.players, header.options)
    found = dict(enumerate(reviews(game.start(setup), events), start=1))
    open_round = len(replay(game, setup, events).scores) + 1
    last = len(found) if coached else 0
    return {at: review for at, review in found.items() if review.number < open_round or at == last}


def _turn_page(header: GameHeader, review: TurnReview, number: int, step: int) -> str:
    """The table after that many moves of the best turn, and the tiles still on the rack."""
    shown = replay_turn(review.standing, _best_turn(review.standing), step)
    worth = counted(header.options)
    return _page(header, review=review, number=number, points=worth, **shown._asdict())


def _page(header: GameHeader, **shown: object) -> str:
    return render_template("best.html", header=header, title=GAMES[header.game].title, **shown)
