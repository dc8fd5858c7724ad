"""What an event was, in words, as in “undo takes back roll 33516”."""

from __future__ import annotations

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import (
    CategoryScored,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    PlayerLeft,
    RollCorrected,
    StartRolled,
)
from scoreboard.games.dice.form import Form
from scoreboard.games.dice.state import State
from scoreboard.message import Message, message


def describe(state: State, event: Event) -> Message:  # noqa: PLR0911 -- one arm a member
    """Say what the event was, in a game that stands as `state` after it."""
    match event:
        case StartRolled(player, roll):
            return message("start throw {roll} of {player}", roll=str(roll), player=player)
        case DiceRolled(roll):
            return message("roll {roll}", roll=str(roll))
        case DiceKept(roll):
            return _keep(state.form, roll)
        case FoulDieRerolled(was, now):
            return message("foul die {was} now {now}", was=was, now=now)
        case RollCorrected(roll):
            return message("correction to {roll}", roll=str(roll))
        case CategoryScored():
            return _score(state.form, event)
        case PlayerLeft(player):
            return message("{player} left", player=player)


def _keep(form: Form, kept: Roll) -> Message:
    if not kept.faces:
        return message("keeping none")
    if len(kept) == form.dice:
        return message("standing on {roll}", roll=str(kept))
    return message("keeping {roll}", roll=str(kept))


def _score(form: Form, event: CategoryScored) -> Message:
    box = form.boxes[form.keys.index(event.category)].label
    if not event.bonus:
        return message(
            "{points} in {box} for {player}", points=event.points, box=box, player=event.player
        )
    return message(
        "{points} in {box} and a bonus of {bonus} for {player}",
        points=event.points,
        box=box,
        bonus=event.bonus,
        player=event.player,
    )
