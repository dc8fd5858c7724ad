"""The house rules of an event as a form: options of every game, those of the chosen one read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Option
from scoreboard.message import Message, message
from scoreboard.tournament.model.tournament_format import (
    EQUALS,
    TournamentFormat,
    house_options,
    house_values,
)
from web.hub.filled_field import FilledField

FIELD: Final = "house_rules"


def house_filled(form: TournamentFormat) -> dict[str, str]:
    """What a form holds that shows the house rules of this format."""
    fields = {}
    for name, value in house_values(form).items():
        option = next(each for each in house_options(form.game) if each.name == name)
        key = _key if value in _values(option) else _own_key
        fields[key(form.game, option)] = value
    return fields


def house_grouped(
    fields: Mapping[str, str],
) -> tuple[tuple[Message, tuple[FilledField, ...]], ...]:
    """The house rules of each game under its heading, as they are filled."""
    return tuple(
        (
            message("House rules of {game}", game=GAMES[game].title),
            tuple(field for option in options for field in _fields(game, option, fields)),
        )
        for game in GAMES
        if (options := house_options(game))
    )


def house_read(fields: Mapping[str, str], game: str) -> list[str]:
    """The house rules of the chosen game that are not at their default, as a format has them.

    A value of one's own goes before the choice; whether it can be read, the format says.
    """
    return [
        f"{option.name}{EQUALS}{value}"
        for option in house_options(game)
        if (value := _typed(fields, game, option)) != option.default
    ]


def _typed(fields: Mapping[str, str], game: str, option: Option) -> str:
    own = " ".join(fields.get(_own_key(game, option), "").split()) if option.own else ""
    return own or fields.get(_key(game, option), option.default)


def _fields(game: str, option: Option, fields: Mapping[str, str]) -> Iterator[FilledField]:
    key = _key(game, option)
    choices = tuple((choice.value, choice.label) for choice in option.choices)
    if len(choices) > 1:
        value = fields.get(key, option.default)
        yield FilledField(key, option.label, "choice", value, choices)
    if option.own:
        label = (
            message("{option}, or else", option=option.label) if len(choices) > 1 else option.label
        )
        key = _own_key(game, option)
        yield FilledField(key, label, "words", fields.get(key, ""), hint=option.own.hint)


def _values(option: Option) -> tuple[str, ...]:
    return tuple(choice.value for choice in option.choices)


def _key(game: str, option: Option) -> str:
    return f"house-{game}-{option.name}"


def _own_key(game: str, option: Option) -> str:
    return f"own-{game}-{option.name}"
