"""An event's format and house rules as form fields, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from werkzeug.datastructures import MultiDict

from scoreboard.errors import NotationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Option
from scoreboard.message import Message, message
from scoreboard.tournament.model import format_text
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_format import (
    EQUALS,
    Stage,
    TournamentFormat,
    house_options,
    house_values,
)
from scoreboard.typed_numbers import typed_list, typed_number

Widget = Literal["words", "number", "yes-no", "choice", "list"]
WIDGETS: Final[Mapping[type[format_text.FieldDomain], Widget]] = {
    format_text.WholeNumber: "number",
    format_text.YesNo: "yes-no",
    format_text.OneOf: "choice",
    format_text.ListOf: "list",
}
HOUSE_FIELD: Final = "house_rules"
CHOICES: Final[Mapping[str, Message]] = {
    "tables": message("tables of several"),
    "swiss": message("duels by the Swiss system"),
    "round-robin": message("everyone meets everyone"),
    "knockout": message("knockout"),
    "double-knockout": message("double knockout"),
    "blind": message("blind: everyone plays alone"),
    "points": message("points"),
    "places": message("places at the table"),
    "wins": message("matches won"),
    "drawn": message("best against others, drawn"),
    "as-drawn": message("as drawn"),
    "snake": message("over the tables and back"),
    "blocks": message("the best at the first table"),
    "best-first": message("the best players at the first table"),
    "keep": message("the same table again, where it can be"),
    "spread": message("another table each round, where it can be"),
    "by-standing": message("tables by standing"),
    "odd-even": message("1-3-5-7 and 2-4-6-8"),
    "by-round": message("with its round"),
    "called": message("when both players are free: the director calls it"),
    "automatic": message("when both players are free: by itself"),
    **{name: game.title for name, game in GAMES.items()},
}
FEWEST_BLANK_STAGES: Final = 1
_PLAIN: Final = tuple(each for each in format_text.FIELDS if each.name != HOUSE_FIELD)
GROUPS: Final[Mapping[Message, str]] = {
    message("The event"): (
        "name game system dutch rounds games round_minutes meetings counted propose_draws"
        " sign_for_all"
    ),
    message("Tables and seats"): (
        "table_size smallest_table by_standing_from seating accessible_tables mates_apart"
        " table_numbers"
    ),
    message("Scoring"): (
        "reckoning zero_sum place_points win draw loss winner_bonus most_lost joker_penalty"
        " unmelded_penalty grand_final_twice third_place next_match"
    ),
    message("Byes and absences"): "bye no_show forfeit missed_round",
    message("Tie-breaks"): "tiebreaks",
}


@dataclass(frozen=True, slots=True)
class FilledField:
    """A form field with its value as typed, valid or not."""

    key: str
    label: Message
    widget: Widget
    value: str
    choices: tuple[tuple[str, Message], ...] = ()
    hint: Message | None = None


def grouped_fields(fields: Mapping[str, str]) -> dict[str, Any]:
    """All fields of the form, as its template names them."""
    houses = house_grouped(fields)
    return {"groups": grouped(fields), "stages": stages(fields), "houses": houses}


def house_filled(form: TournamentFormat) -> dict[str, str]:
    """The field values for a format's house rules."""
    fields = {}
    for name, value in house_values(form).items():
        option = next(each for each in house_options(form.game) if each.name == name)
        key = _rule_key if value in {choice.value for choice in option.choices} else _own_key
        fields[key(form.game, option)] = value
    return fields


def house_grouped(fields: Mapping[str, str]) -> tuple[tuple[Message, tuple[FilledField, ...]], ...]:
    """The house-rule fields of each game under its heading."""
    return tuple(
        (
            message("House rules of {game}", game=GAMES[game].title),
            tuple(field for option in options for field in _rule_fields(game, option, fields)),
        )
        for game in GAMES
        if (options := house_options(game))
    )


def house_read(fields: Mapping[str, str], game: str) -> list[str]:
    """The chosen game's house rules that differ from their default, in a format's notation.

    A custom value goes before the choice; the format checks whether it can be read.
    """
    rules = []
    for option in house_options(game):
        own = " ".join(fields.get(_own_key(game, option), "").split()) if option.own else ""
        value = own or fields.get(_rule_key(game, option), option.default)
        if value != option.default:
            rules.append(f"{option.name}{EQUALS}{value}")
    return rules


def _rule_fields(game: str, option: Option, fields: Mapping[str, str]) -> Iterator[FilledField]:
    key = _rule_key(game, option)
    choices = tuple((choice.value, choice.label) for choice in option.choices)
    if len(choices) > 1:
        value = fields.get(key, option.default)
        yield FilledField(key, option.label, "choice", value, choices)
    if option.own:
        label = option.label
        if len(choices) > 1:
            label = message("{option}, or your own", option=label)
        key = _own_key(game, option)
        yield FilledField(key, label, "words", fields.get(key, ""), hint=option.own.hint)


def _rule_key(game: str, option: Option) -> str:
    return f"house-{game}-{option.name}"


def _own_key(game: str, option: Option) -> str:
    return f"own-{game}-{option.name}"


def filled(form: TournamentFormat) -> dict[str, str]:
    """The field values for a format."""
    fields = {each.name: _written(getattr(form, each.name)) for each in _PLAIN}
    fields |= house_filled(form)
    for number, stage in enumerate(form.stages):
        for each in format_text.STAGE_FIELDS:
            fields[f"stage-{number}-{each.name}"] = _written(getattr(stage, each.name))
    return fields


def grouped(fields: Mapping[str, str]) -> tuple[tuple[Message, tuple[FilledField, ...]], ...]:
    """The form's fields under their headings."""
    known = {each.name: each for each in format_text.FIELDS}
    return tuple(
        (heading, tuple(_filled(known[name], name, fields) for name in names.split()))
        for heading, names in GROUPS.items()
    )


def stages(fields: Mapping[str, str]) -> tuple[tuple[FilledField, ...], ...]:
    """The form's stages, plus an empty one while more are allowed."""
    count = sum(
        bool(fields.get(f"stage-{number}-name")) for number in range(format_text.MOST_STAGES)
    )
    blank = Stage("", 4)
    rows = []
    for number in range(min(count + FEWEST_BLANK_STAGES, format_text.MOST_STAGES)):
        empty = {
            f"stage-{number}-{each.name}": _written(getattr(blank, each.name))
            for each in format_text.STAGE_FIELDS
        }
        have = {**empty, **fields}
        rows.append(
            tuple(
                _filled(each, f"stage-{number}-{each.name}", have)
                for each in format_text.STAGE_FIELDS
            )
        )
    return tuple(rows)


def format_of(fields: MultiDict[str, str]) -> TournamentFormat:
    """The format in the form, less what game or system lack. Raises FormatError, NotationError."""
    document: dict[str, Any] = {
        each.name: _read(each, fields.get(each.name, "")) for each in _PLAIN
    }
    document[HOUSE_FIELD] = house_read(fields, document["game"])
    document["stages"] = list(_stages(fields))
    return format_text.format_from_document(format_text.fitting(document))


def _stages(fields: MultiDict[str, str]) -> Iterator[dict[str, Any]]:
    for number in range(format_text.MOST_STAGES):
        if fields.get(f"stage-{number}-name", "").strip():
            yield {
                each.name: _read(each, fields.get(f"stage-{number}-{each.name}", ""))
                for each in format_text.STAGE_FIELDS
            }


def _filled(field: format_text.FormatField, key: str, fields: Mapping[str, str]) -> FilledField:
    hint, words = None, field.domain.words if isinstance(field.domain, format_text.OneOf) else ()
    if isinstance(field.domain, format_text.ListOf):
        hint = message("Separate with commas.")
    if field.name == "tiebreaks":
        hint = message("In order, separated by commas: {names}.", names=", ".join(TIEBREAKS))
    return FilledField(
        key,
        field.label,
        WIDGETS.get(type(field.domain), "words"),
        fields.get(key, ""),
        tuple((word, CHOICES[word]) for word in words),
        hint,
    )


def _written(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else ""
        case tuple():
            return ", ".join(map(str, value))
    return str(value)


def _read(field: format_text.FormatField, text: str) -> Any:
    match field.domain:
        case format_text.WholeNumber():
            return _figure(field, text)
        case format_text.YesNo():
            return text == "yes"
        case format_text.ListOf(each=format_text.WholeNumber()):
            return [_figure(field, each) for each in typed_list(text)]
        case format_text.ListOf():
            return typed_list(text)
    return text.strip()


def _figure(field: format_text.FormatField, text: str) -> int:
    number = typed_number(text)
    if number is None:
        raise NotationError.worded(
            "{label}: write a whole number, not “{text}”.", label=field.label, text=text
        )
    return number
