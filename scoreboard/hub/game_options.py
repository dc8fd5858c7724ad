"""The house rules by which a game of an event is played at its tables."""

from __future__ import annotations

from collections.abc import Mapping

from scoreboard.errors import RuleViolationError
from scoreboard.games import GAMES
from scoreboard.option import Option
from scoreboard.tournament.house_rules import house_values
from scoreboard.tournament.tournament_format import TournamentFormat


def game_options(form: TournamentFormat) -> Mapping[str, str]:
    """The options of the format's rulebook, as far as it has them.

    One game is one round of Rummikub, the first seat begins, a joker costs what the format says,
    and the event's house rules hold; what the rulebook does not know is left at its default.
    """
    wished = {
        "rounds": "1",
        "start": "first",
        "joker": str(form.joker_penalty),
        **house_values(form),
    }
    options = GAMES[form.game].options if form.game in GAMES else ()
    return {
        option.name: wished[option.name]
        for option in options
        if option.name in wished and _has(option, wished)
    }


def _has(option: Option, wished: Mapping[str, str]) -> bool:
    try:
        option.settled(wished)
    except RuleViolationError:
        return False
    return True
