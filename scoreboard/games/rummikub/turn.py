"""What a game of Rummikub waits for, in words, and what the buttons and the clock do."""

from __future__ import annotations

from scoreboard.games.engine.game import Awaited, Sight, Turn
from scoreboard.games.rummikub import racks
from scoreboard.games.rummikub.box import CLASSIC
from scoreboard.games.rummikub.start import start
from scoreboard.games.rummikub.state import State
from scoreboard.message import Message, message


def turn(state: State) -> Turn:
    """Where the game stands, as the table must know it."""
    if state.ended:
        return Turn(state.turns, "finished", None)
    return Turn(state.turns, "playing", _player(state), awaited=_awaited(state))


def _player(state: State) -> int | None:
    match state.round.stage:
        case "drawing":
            return start(state.round).drawer
        case "counting":
            return None
        case _:
            return state.round.seat if state.house.judged else None


def _awaited(state: State) -> Awaited:
    return Awaited(
        _progress(state),
        _instruction(state),
        second=_second(state),
        seconds=state.house.seconds if state.round.stage == "playing" else None,
        time_up="fail",
        sight=_sight(state),
    )


def _sight(state: State) -> Sight | None:
    """What a camera over the table, or a phone's photo, tells at this moment."""
    offer = _seen_for(state)
    if offer is None:
        return None
    lasting = state.round.stage in ("playing", "restoring")
    unmoved = "untouched" if state.round.stage == "restoring" else None  # RK-18
    return Sight("tiles" if state.box == CLASSIC else "tiles-xp", offer, lasting, unmoved)


def _seen_for(state: State) -> str | None:
    match state.round.stage:
        case "drawing":
            return None if start(state.round).drawer is None else "tile"
        case "playing" if state.house.judged:
            return "lay"
        case "restoring":
            return "restored"
        case "counting":
            return f"rack:{racks.untold(state)[0]}"
        case _:
            return None


def _second(state: State) -> str | None:
    """The second button draws a tile, or says that a table is put back."""
    match state.round.stage:
        case "playing" if state.house.judged:
            return "pass" if state.left == 0 else "draw"
        case "restoring":
            return "restored"
        case _:
            return None


def _progress(state: State) -> Message:
    number = len(state.scores) + 1
    if state.pool is None or state.round.stage in {"drawing", "counting"}:
        return message("Round {number}", number=number)
    return message("Round {number} · {pool} tiles in the pool", number=number, pool=state.pool)


def _instruction(state: State) -> Message:
    match state.round.stage:
        case "drawing":
            return message("Everyone draws a tile: the highest number begins. Then take 14 each.")
        case "restoring":
            return message(
                "Put every tile back as it lies here. Penalty tiles to draw: {tiles}.",
                tiles=state.round.drawn,
            )
        case "counting":
            return _counting(state)
        case "playing" if not state.house.judged:
            return message("Play the round; then say how it ended.")
        case _:
            return _laying(state)


def _laying(state: State) -> Message:
    if not state.round.melded[state.round.seat]:
        return message("Lay a first meld of 30 or more, or draw a tile.")
    return message("Lay at least one tile, or draw one.")


def _counting(state: State) -> Message:
    player = state.players[racks.untold(state)[0]]
    if state.round.winner is None:
        return message("Nobody is out, the lowest rack wins. What is on {player}’s?", player=player)
    winner = state.players[state.round.winner]
    return message(
        "Rummikub of {winner}! What is left on {player}’s rack?", winner=winner, player=player
    )
