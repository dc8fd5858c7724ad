"""A format as a form: every field with what stands in it, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from scoreboard.errors import NotationError
from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.tournament.model.format_text import (
    FIELDS,
    MOST_STAGES,
    STAGE_FIELDS,
    FieldDomain,
    FormatField,
    ListOf,
    OneOf,
    WholeNumber,
    YesNo,
    format_from_document,
)
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat
from web.hub import rules_form
from web.hub.filled_field import FilledField, Widget

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
    "snake": message("over the tables and back"),
    "blocks": message("the best at the first table"),
    "odd-even": message("1-3-5-7 and 2-4-6-8"),
    **{name: game.title for name, game in GAMES.items()},
}
FEWEST_BLANK_STAGES: Final = 1
_PLAIN: Final = tuple(each for each in FIELDS if each.name != rules_form.FIELD)
GROUPS: Final[tuple[tuple[Message, tuple[str, ...]], ...]] = (
    (
        message("The event"),
        ("name", "game", "system", "rounds", "games", "meetings", "counted"),
    ),
    (
        message("Tables and seats"),
        (
            "table_size",
            "smallest_table",
            "by_standing_from",
            "seating",
            "accessible_tables",
            "mates_apart",
        ),
    ),
    (
        message("What counts"),
        (
            "reckoning",
            "zero_sum",
            "place_points",
            "win",
            "draw",
            "loss",
            "winner_bonus",
            "most_lost",
            "joker_penalty",
            "unmelded_penalty",
            "grand_final_twice",
        ),
    ),
    (message("Who is not there"), ("bye", "no_show", "forfeit", "missed_round")),
    (message("The standing"), ("tiebreaks",)),
)


def filled(form: TournamentFormat) -> dict[str, str]:
    """What a form holds that shows this format."""
    fields = {each.name: _written(getattr(form, each.name)) for each in _PLAIN}
    fields |= rules_form.house_filled(form)
    for number, stage in enumerate(form.stages):
        for each in STAGE_FIELDS:
            fields[f"stage-{number}-{each.name}"] = _written(getattr(stage, each.name))
    return fields


def grouped(
    fields: Mapping[str, str],
) -> tuple[tuple[Message, tuple[FilledField, ...]], ...]:
    """The fields of the form under their headings, as they are filled."""
    known = {each.name: each for each in FIELDS}
    return tuple(
        (heading, tuple(_filled(known[name], name, fields) for name in names))
        for heading, names in GROUPS
    )


def stages(fields: Mapping[str, str]) -> tuple[tuple[FilledField, ...], ...]:
    """The stages of the form, and an empty one to fill in as long as more are allowed."""
    count = sum(bool(fields.get(f"stage-{number}-name")) for number in range(MOST_STAGES))
    blank = Stage("", 4)
    rows = []
    for number in range(min(count + FEWEST_BLANK_STAGES, MOST_STAGES)):
        empty = {
            f"stage-{number}-{each.name}": _written(getattr(blank, each.name))
            for each in STAGE_FIELDS
        }
        have = {**empty, **fields}
        rows.append(
            tuple(_filled(each, f"stage-{number}-{each.name}", have) for each in STAGE_FIELDS)
        )
    return tuple(rows)


def format_of(fields: MultiDict[str, str]) -> TournamentFormat:
    """The format that a form says.

    Raises:
        FormatError: it cannot be played; its `faults` are all that is wrong.
        NotationError: a figure is none.
    """
    document: dict[str, Any] = {
        each.name: _read(each, fields.get(each.name, "")) for each in _PLAIN
    }
    document[rules_form.FIELD] = rules_form.house_read(fields, document["game"])
    document["stages"] = list(_stages(fields))
    return format_from_document(document)


def _stages(fields: MultiDict[str, str]) -> Iterator[dict[str, Any]]:
    for number in range(MOST_STAGES):
        if fields.get(f"stage-{number}-name", "").strip():
            yield {
                each.name: _read(each, fields.get(f"stage-{number}-{each.name}", ""))
                for each in STAGE_FIELDS
            }


def _filled(field: FormatField, key: str, fields: Mapping[str, str]) -> FilledField:
    hint = None
    if isinstance(field.domain, ListOf):
        hint = message("With commas between.")
    if field.name == "tiebreaks":
        hint = message("In order, with commas: {names}.", names=", ".join(TIEBREAKS))
    return FilledField(
        key,
        field.label,
        _widget(field.domain),
        fields.get(key, ""),
        tuple((update, CHOICES[update]) for update in _words(field.domain)),
        hint,
    )


def _widget(domain: FieldDomain) -> Widget:
    match domain:
        case WholeNumber():
            return "number"
        case YesNo():
            return "yes-no"
        case OneOf():
            return "choice"
        case ListOf():
            return "list"
    return "words"


def _words(domain: FieldDomain) -> tuple[str, ...]:
    return domain.words if isinstance(domain, OneOf) else ()


def _written(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else ""
        case tuple():
            return ", ".join(map(str, value))
    return str(value)


def _read(field: FormatField, text: str) -> Any:
    match field.domain:
        case WholeNumber():
            return _figure(field, text)
        case YesNo():
            return text == "yes"
        case ListOf(each=WholeNumber()):
            return [_figure(field, each) for each in text.replace(",", " ").split()]
        case ListOf():
            return text.replace(",", " ").split()
    return text.strip()


def _figure(field: FormatField, text: str) -> int:
    try:
        return int(text.strip())
    except ValueError as error:
        raise NotationError(
            message("{label}: write a whole number, not “{text}”.", label=field.label, text=text)
        ) from error
