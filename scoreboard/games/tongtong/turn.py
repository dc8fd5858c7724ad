"""What a match waits for, in words, and what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator

from scoreboard.games.engine.game import Awaited, Sight, Turn
from scoreboard.games.engine.piece_group import PieceGroup
from scoreboard.games.tongtong.state import GAMES, TRICKS, State
from scoreboard.message import Message, message


def turn(state: State) -> Turn:
    """Where the match stands, as the table must know it."""
    if state.is_finished:
        return Turn(state.acts, "finished", None)
    awaited = Awaited(
        _progress(state),
        _instruction(state),
        sight=_sight(state),
        pieces=tuple(map(str, state.deck)),
    )
    return Turn(state.acts, "playing", state.deal.seat, awaited=awaited)


def lying(state: State) -> tuple[PieceGroup, ...]:
    """The open trick in the order played, and the tops of everyone who won cards (TT-7)."""
    return tuple(_heaps(state))


def _sight(state: State) -> Sight | None:
    """The card that is played next; or at the end of a game what lies before one player."""
    deal = state.deal
    if deal.mission is None:
        return None
    if not state.house.quick:
        return None if deal.seat is None else Sight("cards", "play", lasting=True)
    untold = [seat for seat, _ in state.seated() if seat not in deal.told]
    return Sight("cards", f"piles:{untold[0]}") if untold else None


def _progress(state: State) -> Message:
    game = len(state.games) + 1
    if state.deal.mission is None or state.house.quick:
        return message("Game {game} of {games}", game=game, games=GAMES)
    return message(
        "Game {game} of {games} · trick {trick} of {tricks}",
        game=game,
        games=GAMES,
        trick=len(state.deal.taken) + 1,
        tricks=TRICKS,
    )


def _instruction(state: State) -> Message:
    deal = state.deal
    if deal.mission is None:
        return message("Turn up a mission card and tell which it is.")
    if state.house.quick:
        return message("Play the seven tricks, then tell what lies before each player.")
    if deal.seat is None:
        return message("Everyone takes eight cards. Who holds red 8?")
    player = state.players[deal.seat]
    if not deal.trick.plays:
        return message("{player} leads: tap the card that was played.", player=player)
    return message("{player} follows: tap the card that was played.", player=player)


def _heaps(state: State) -> Iterator[PieceGroup]:
    deal = state.deal
    if deal.trick.plays:
        yield PieceGroup("cards", tuple(map(str, deal.trick.cards)), message("The trick"))
    for seat, player in state.seated():
        if deal.piles[seat].tops:
            tops = tuple(map(str, deal.piles[seat].tops))
            yield PieceGroup("cards", tops, message("{player}’s tops", player=player))
