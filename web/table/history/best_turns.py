"""The best turns of a game that are over: `/games/<id>/best`, and one of them move by move."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

from flask import Blueprint, abort, render_template, request

from scoreboard.games import GAMES
from scoreboard.games.advice.rummikub import TurnReview, best_turn, replayed, reviews
from scoreboard.games.advice.tongtong import best_play
from scoreboard.games.engine.game import Setup, replay
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.games.rummikub import game as rummikub
from scoreboard.games.rummikub.house import HouseRules
from scoreboard.games.rummikub.sets import as_read
from scoreboard.games.rummikub.tiles import NO_TILES, Tiles, points
from scoreboard.games.tongtong import game as tongtong
from scoreboard.games.tongtong.acts import GameScored
from scoreboard.message import message
from web.table.history.archive import REVIEWED, Archive
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
        if header.game == tongtong.GAME.name:
            ended = sum(isinstance(event, GameScored) for event in events)
            return _page(header, ended=ended, turns={})
        turns = _reviews(header, events, coached=coaches(header.game_id))
        return _page(header, turns=turns, coach_off=not coaches(header.game_id))

    @views.get("/<int:number>", right="player")
    def one(game_id: str, number: int) -> str:
        header, events = _played(parts, archive, game_id)
        if parts.session.view.event is not None:
            return _page(header, fault=IN_EVENT)
        if header.game == tongtong.GAME.name:
            start = tongtong.start(Setup(header.players, header.options))
            return _page(header, end=best_play(start, events, number) or abort(404))
        review = _reviews(header, events, coached=coaches(header.game_id)).get(number) or abort(404)
        try:
            return _turn_page(header, review, number, request.args.get("step", 0, type=int))
        except TimeoutError:
            return _page(header, fault=TOO_LONG)

    return views


def _played(parts: Parts, archive: Archive, game_id: str) -> tuple[GameHeader, tuple[Any, ...]]:
    header, events = archive.played(known_game(parts, archive, game_id).game_id)
    return (header, events) if header.game in REVIEWED else abort(404)


def _reviews(
    header: GameHeader, events: tuple[Any, ...], *, coached: bool
) -> dict[int, TurnReview]:
    """The turns by number: all of the rounds that are over, and of the open one the last.

    That one shows a rack that is still played from, so that it is there only with the coach on.
    """
    setup = Setup(header.players, header.options)
    found = dict(enumerate(reviews(rummikub.start(setup), events), start=1))
    open_round = len(replay(rummikub.GAME, setup, events).scores) + 1
    last = len(found) if coached else 0
    return {at: review for at, review in found.items() if review.number < open_round or at == last}


def _turn_page(header: GameHeader, review: TurnReview, number: int, step: int) -> str:
    """The table after so many moves of the best turn, and the tiles that are still on the rack."""
    turn, before = _best_turn(review.standing), review.standing.before
    tables = ((*before.sets,),) if turn is None else replayed(before, turn)
    at = min(max(0, step), len(tables) - 1)
    moves = () if turn is None else turn.moves[:at]
    laid = Tiles(tuple(move.tile for move in moves if move.source is None))
    return _page(
        header,
        review=review,
        number=number,
        turn=turn,
        best=NO_TILES if turn is None else turn.laid,
        points=partial(points, joker=HouseRules.of(header.options).joker),
        sets=[(at, as_read(laid)) for at, laid in enumerate(tables[at], start=1) if laid.pieces],
        rack=(review.standing.rack or NO_TILES).missing_from(laid),
        move=moves[-1] if moves else None,
        step=at,
        steps=len(tables) - 1,
    )


def _page(header: GameHeader, **shown: object) -> str:
    return render_template("best.html", header=header, title=GAMES[header.game].title, **shown)
