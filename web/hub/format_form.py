"""An event's format and house rules as form fields, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from scoreboard.errors import NotationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Option
from scoreboard.message import Message, message
from scoreboard.tournament.model import format_text
from scoreboard.tournament.model.format_text import MOST_STAGES, STAGE_FIELDS
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_format import (
    EQUALS,
    KNOCKOUTS,
    Stage,
    TournamentFormat,
    adds_up_to_zero,
    house_options,
    house_values,
)
from scoreboard.typed_numbers import typed_list
from web.hub.forms import whole

HOUSE_FIELD: Final = "house_rules"
SYSTEMS: Final[Mapping[str, Message]] = {
    "tables": message("At tables"),
    "swiss": message("Duels (Swiss)"),
    "dutch": message("Duels (Dutch, as in chess)"),
    "round-robin": message("Everybody against everybody"),
    "knockout": message("Knockout"),
    "double-knockout": message("Double knockout"),
    "blind": message("Hand in scores"),
}
CHOICES: Final[Mapping[str, Message]] = {
    "knockout": message("knockout"),
    "double-knockout": message("double knockout"),
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
}
ANSWERED: Final = ("game", "system")  # by questions, which decide what else is asked
MAIN: Final = ("rounds", "games", "table_size")  # what is asked before "More settings"
_KNOWN: Final = {
    each.name: each for each in format_text.FIELDS if each.name not in {HOUSE_FIELD, "dutch"}
}
GROUPS: Final[Mapping[Message, str]] = {
    message("The event"): (
        "name rounds games round_minutes meetings counted propose_draws sign_for_all"
    ),
    message("Tables and seats"): (
        "table_size smallest_table by_standing_from seating accessible_tables mates_apart"
        " table_numbers"
    ),
    message("Scoring"): (
        "reckoning zero_sum place_points team_counted win draw loss winner_bonus most_lost"
        " joker_penalty unmelded_penalty grand_final_twice third_place next_match"
    ),
    message("Byes and absences"): "bye no_show forfeit missed_round",
    message("Tie-breaks"): "tiebreaks",
}
_OF_TABLES: Final = "table_size smallest_table by_standing_from seating"
_OF_EVENINGS: Final = f"{_OF_TABLES} rounds meetings mates_apart reckoning place_points"
IDLE: Final[Mapping[str, str]] = {  # the fields that mean nothing in a system
    "swiss": _OF_TABLES,
    "dutch": f"{_OF_TABLES} mates_apart",
    "round-robin": f"{_OF_TABLES} mates_apart rounds",
    "knockout": f"{_OF_EVENINGS} counted missed_round grand_final_twice",
    "double-knockout": f"{_OF_EVENINGS} counted missed_round third_place",
    "blind": " ".join({*_KNOWN} - {"name", "counted", "team_counted", "tiebreaks"}),
}
_OF_RACKS: Final = frozenset({"zero_sum", "joker_penalty", "unmelded_penalty"})
_OF_BRACKETS: Final = frozenset({"grand_final_twice", "third_place", "next_match"})


@dataclass(frozen=True, slots=True)
class FilledField:
    """A form field with its value as typed, valid or not."""

    key: str
    label: Message
    domain: str  # the name of the class of its values
    value: str
    choices: tuple[tuple[str, Message], ...] = ()
    hint: Message | None = None


def starting_format(game: str, system: str) -> TournamentFormat:
    """The format that an event of this game and system begins from: of the preset that is nearest.

    An unknown game or system is the first that is offered.
    """
    game = game if game in GAMES else next(iter(GAMES))
    system = system if system in SYSTEMS else next(iter(SYSTEMS))
    plain = ({"dutch": "swiss"}.get(system, system), 1, ())
    near = min(
        (form for form in FORMATS.values() if (form.system, form.meetings, form.stages) == plain),
        key=lambda form: (form.game != game, form.zero_sum != adds_up_to_zero(game)),
    )
    name = near.name if near.game == game else SYSTEMS[system].template
    return replace(near, name=name, game=game, dutch=system == "dutch", next_match="called")


def answered(asked: Mapping[str, str], begun: TournamentFormat) -> dict[str, str]:
    """The form's fields: as `begun`, or after the answer to a question in `asked`.

    What is unlike how an event with the old answers begins stays; the rest is as one with the new.
    """
    question, _, answer = asked.get("choose", "").partition(":")
    if question not in ANSWERED:
        return filled(begun)
    old = {each: asked.get(each, "") for each in ANSWERED}
    now, before = old | {question: answer}, filled(starting_format(**old))
    shown = {*before, *asked} - {*ANSWERED, *IDLE.get(now["system"], "").split()}
    changed = {key: text for key in shown if (text := asked.get(key, "")) != before.get(key, "")}
    return filled(starting_format(**now)) | changed


def form_parts(
    fields: Mapping[str, str], *, drawn: bool = False, teams: bool = False
) -> dict[str, Any]:
    """All of the form as its template names it; what means nothing here is kept unseen.

    Once round 1 is `drawn`, the questions are not asked again; without `teams` none of those.
    """
    game, system = fields.get("game", ""), fields.get("system", "")
    systems = {system, *(fields.get(f"stage-{at}-system", "") for at in range(MOST_STAGES))}
    idle = {*ANSWERED, *IDLE.get(system, "").split()}
    idle |= set() if teams else {"team_counted"}
    idle |= set() if adds_up_to_zero(game) else _OF_RACKS
    idle |= set() if KNOCKOUTS & systems else _OF_BRACKETS
    main = [name for name in MAIN if name not in idle] or ["counted"]
    if system == "tables" and fields.get("games") == "1":
        main.remove("games")
    return {
        "systems": SYSTEMS,
        "questions": () if drawn else ANSWERED,
        "fields": fields,
        "filled": {name: _filled(each, name, fields) for name, each in _KNOWN.items()},
        "main": main,
        "groups": GROUPS,
        "idle": idle,
        "house": [each for option in house_options(game) for each in _rule_fields(option, fields)],
        "stages": () if system in KNOCKOUTS | {"blind"} else stages(fields),
        "now": _in_words(fields),
    }


def _in_words(fields: Mapping[str, str]) -> tuple[Message, ...]:
    """The settings beyond the game and its rounds; none where they can't be played."""
    try:
        return format_text.printed_details(format_of(fields))
    except NotationError:  # the page says what is wrong when the form is sent
        return ()


def house_read(fields: Mapping[str, str], game: str) -> list[str]:
    """The chosen game's house rules that differ from their default, in a format's notation.

    A custom value goes before the choice; the format checks whether it can be read.
    """
    rules = []
    for option in house_options(game):
        own = " ".join(fields.get(f"own-{option.name}", "").split()) if option.own else ""
        value = own or fields.get(f"house-{option.name}", option.default)
        if value != option.default:
            rules.append(f"{option.name}{EQUALS}{value}")
    return rules


def _rule_fields(option: Option, fields: Mapping[str, str]) -> Iterator[FilledField]:
    label, key = option.label, f"house-{option.name}"
    choices = tuple((choice.value, choice.label) for choice in option.choices)
    if len(choices) > 1:
        yield FilledField(key, label, "OneOf", fields.get(key, option.default), choices)
        label = message("{option}, or your own", option=label)
    if option.own:
        key = f"own-{option.name}"
        yield FilledField(key, label, "ShortText", fields.get(key, ""), hint=option.own.hint)


def filled(form: TournamentFormat) -> dict[str, str]:
    """The field values for a format."""
    fields = {each.name: _written(getattr(form, each.name)) for each in _KNOWN.values()}
    fields |= {"system": "dutch"} if form.dutch else {}
    offered = {(each.name, one.value) for each in house_options(form.game) for one in each.choices}
    for each in house_values(form).items():
        fields[f"{'house' if each in offered else 'own'}-{each[0]}"] = each[1]
    return fields | _stage_fields(enumerate(form.stages))


def stages(fields: Mapping[str, str]) -> tuple[tuple[FilledField, ...], ...]:
    """The form's stages, plus an empty one while more are allowed."""
    count = sum(bool(fields.get(f"stage-{at}-name")) for at in range(MOST_STAGES))
    shown = min(count + 1, MOST_STAGES)
    blank = _stage_fields(enumerate([Stage("", 4)] * shown))
    return tuple(
        tuple(
            _filled(each, f"stage-{at}-{each.name}", {**blank, **fields}) for each in STAGE_FIELDS
        )
        for at in range(shown)
    )


def _stage_fields(stages: Iterable[tuple[int, Stage]]) -> dict[str, str]:
    return {
        f"stage-{at}-{each.name}": _written(getattr(stage, each.name))
        for at, stage in stages
        for each in STAGE_FIELDS
    }


def format_of(fields: Mapping[str, str]) -> TournamentFormat:
    """The format in the form, less what game or system lack. Raises FormatError, NotationError."""
    document = {name: _read(each, name, fields) for name, each in _KNOWN.items()}
    if document["system"] == "dutch":
        document |= {"system": "swiss", "dutch": True}
    document[HOUSE_FIELD] = house_read(fields, document["game"])
    document["stages"] = [
        {each.name: _read(each, f"stage-{at}-{each.name}", fields) for each in STAGE_FIELDS}
        for at in range(MOST_STAGES)
        if fields.get(f"stage-{at}-name", "").strip()
    ]
    return format_text.format_from_document(format_text.fitting(document))


def _filled(field: format_text.FormatField, key: str, fields: Mapping[str, str]) -> FilledField:
    hint, words = None, field.domain.words if isinstance(field.domain, format_text.OneOf) else ()
    if isinstance(field.domain, format_text.ListOf):
        hint = message("Separate with commas.")
    if field.name == "tiebreaks":
        hint = message("In order, separated by commas: {names}.", names=", ".join(TIEBREAKS))
    kind, value = type(field.domain).__name__, fields.get(key, "")
    choices = tuple((word, CHOICES[word]) for word in words if word in CHOICES)
    return FilledField(key, field.label, kind, value, choices, hint)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _read(field: format_text.FormatField, key: str, fields: Mapping[str, str]) -> Any:
    text = fields.get(key, "")
    match field.domain:
        case format_text.WholeNumber():
            return whole(key, text)
        case format_text.YesNo():
            return text == "yes"
        case format_text.ListOf(each=format_text.WholeNumber()):
            return [whole(key, each) for each in typed_list(text)]
        case format_text.ListOf():
            return typed_list(text)
    return text.strip()
