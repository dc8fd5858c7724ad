"""The house rules of a tournament's games at its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from scoreboard.errors import RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Option, Setup
from scoreboard.message import Message, message
from scoreboard.tournament.model.scores import Score
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import TournamentFormat, house_values


def game_options(form: TournamentFormat) -> Mapping[str, str]:
    """The options of the format's rulebook, as far as it has them.

    A game is one round, the first seat begins, a joker costs what the format says, and the event's
    house rules hold; what the rulebook does not know is left at its default.
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


@lru_cache(maxsize=64)  # working out the largest card takes two thirds of a result's time
def possible_scores(form: TournamentFormat, players: int) -> range | None:
    """The possible scores of a game of that many players, None if unknown.

    If the format counts a missing first meld, each of the others may cost as much more.
    """
    rulebook = GAMES.get(form.game)
    if rulebook is None or rulebook.scores is None:
        return None
    names = tuple(map(str, range(players)))
    try:
        possible = rulebook.scores(Setup(names, game_options(form)))
    except RuleViolationError:  # nobody can play it with so many
        return None
    more = form.unmelded_penalty * (players - 1)
    return range(min(possible.start, possible.start - more), possible.stop + more)


def odd_scores(state: Tournament, scores: Iterable[Score], players: int) -> Iterator[Message]:
    """A warning for each score that no game of that many players ends with."""
    possible = possible_scores(state.format, players)
    for each in scores:
        if each.fate == "played" and possible is not None and each.score not in possible:
            yield message(
                "{name}: {score}. A game of {game} ends with {least} to {most}.",
                name=state.named(each.entrant),
                score=each.score,
                game=GAMES[state.format.game].title,
                least=possible.start,
                most=possible.stop - 1,
            )


def _has(option: Option, wished: Mapping[str, str]) -> bool:
    try:
        option.settled(wished)
    except RuleViolationError:
        return False
    return True
