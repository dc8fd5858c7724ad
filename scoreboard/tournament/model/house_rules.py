"""The house rules of an event: options of the rulebook, settled once for every table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Choice, Option
from scoreboard.message import Message, message
from scoreboard.tournament.model.tournament_format import TournamentFormat

EQUALS: Final = "="
# How long a game is, who begins and what a joker costs are fields of the format or follow from the
# seating; colours and teams depend on how many sit at a table, which differs in one round.
SETTLED_OTHERWISE: Final = frozenset({"rounds", "target", "start", "joker", "colours", "teams"})


def house_options(game: str) -> tuple[Option, ...]:
    """The options of a rulebook that an event may settle; none where there is no such rulebook."""
    options = GAMES[game].options if game in GAMES else ()
    return tuple(option for option in options if option.name not in SETTLED_OTHERWISE)


def house_values(form: TournamentFormat) -> Mapping[str, str]:
    """The settled options by name, in their stored form, as far as the rulebook has them."""
    return {
        option.name: choice.value
        for option, choice in _choices(form)
        if choice.value != option.default
    }


def house_rules_printed(form: TournamentFormat) -> Iterator[Message]:
    """How a sheet prints each that is not at its default."""
    for option, choice in _choices(form):
        if choice.value != option.default and choice.printed is not None:
            yield choice.printed


def house_faults(form: TournamentFormat) -> Iterator[Message]:
    """What is wrong with the house rules of a format, each with its cure."""
    options = {option.name: option for option in house_options(form.game)}
    for written in form.house_rules:
        name, equals, value = written.partition(EQUALS)
        if not equals or name not in options:
            yield message(
                'house_rules: "{written}" names no house rule of {game}: write "NAME=VALUE" with '
                "one of {names}.",
                written=written,
                game=GAMES[form.game].title,
                names=", ".join(options),
            )
            continue
        try:
            options[name].settled({name: value})
        except RuleViolationError as error:
            yield error.message
    names = [written.partition(EQUALS)[0] for written in form.house_rules]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield message("house_rules: {name} is settled twice: write it once.", name=name)


def _choices(form: TournamentFormat) -> Iterator[tuple[Option, Choice]]:
    options = {option.name: option for option in house_options(form.game)}
    for written in form.house_rules:
        name, _, value = written.partition(EQUALS)
        if name in options:
            yield options[name], options[name].settled({name: value})
