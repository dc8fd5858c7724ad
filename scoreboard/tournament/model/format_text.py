"""A format as text: its fields' domains, its faults, its TOML, and its settings in words.

The TOML is written for editing by hand, and read back unchanged.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never, get_args

from scoreboard.errors import NotationError
from scoreboard.games import GAMES
from scoreboard.message import Message, listed, message
from scoreboard.tournament.model.draw import DrawError
from scoreboard.tournament.model.seating.constraints import table_sizes
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_format import (
    DUELS,
    KNOCKOUTS,
    LAID_DOWN,
    NextMatch,
    Reckoning,
    Seating,
    Stage,
    StageSeating,
    StageSystem,
    System,
    TableNumbers,
    TournamentFormat,
    adds_up_to_zero,
    house_faults,
    house_rules_printed,
)

MOST_STAGES: Final = 6
USUAL_SMALLEST: Final = 3  # players at a short table, unless somebody says otherwise


class FormatError(NotationError):
    """A format cannot be played; `faults` are all its faults, `message` is the first of them."""

    def __init__(self, faults: tuple[Message, ...]) -> None:
        super().__init__(faults[0])
        self.faults = faults


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """Whole numbers from `least` to `most`."""

    least: int
    most: int

    def faults(self, field: str, value: object) -> Iterator[Message]:
        if type(value) is not int or not self.least <= value <= self.most:
            yield message(
                "{field} = {value}: write a whole number from {least} to {most}.",
                field=field,
                value=shown(value),
                least=self.least,
                most=self.most,
            )


@dataclass(frozen=True, slots=True)
class YesNo:
    """True or false."""

    def faults(self, field: str, value: object) -> Iterator[Message]:
        if type(value) is not bool:
            yield message(
                "{field} = {value}: write true or false.", field=field, value=shown(value)
            )


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    def faults(self, field: str, value: object) -> Iterator[Message]:
        if value not in self.words:
            yield message(
                "{field} = {value}: write one of {words}.",
                field=field,
                value=shown(value),
                words=", ".join(self.words),
            )


@dataclass(frozen=True, slots=True)
class ShortText:
    """A name of 1 to `most` characters on one line."""

    most: int

    def faults(self, field: str, value: object) -> Iterator[Message]:
        if (
            not isinstance(value, str)
            or not 1 <= len(value) <= self.most
            or not value.isprintable()
            or value != value.strip()
        ):
            yield message(
                "{field} = {value}: write a name of 1 to {most} characters on one line.",
                field=field,
                value=shown(value),
                most=self.most,
            )


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of `least` to `most` values of one domain, all different if `once`."""

    each: FieldDomain
    least: int
    most: int
    once: bool = False

    def faults(self, field: str, value: object) -> Iterator[Message]:
        if not isinstance(value, tuple | list) or not self.least <= len(value) <= self.most:
            yield message(
                "{field} = {value}: write a list of {least} to {most}.",
                field=field,
                value=shown(value),
                least=self.least,
                most=self.most,
            )
            return
        for each in value:
            yield from self.each.faults(field, each)
        if self.once and len(set(map(str, value))) < len(value):
            yield message(
                "{field} = {value}: name each of them once.", field=field, value=shown(value)
            )


def shown(value: object) -> str:
    """A value in a format's text."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple() | list():
            return f"[{', '.join(map(shown, value))}]"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


FieldDomain = WholeNumber | YesNo | OneOf | ShortText | ListOf
AWARD: Final = WholeNumber(-10_000, 10_000)
PENALTY: Final = WholeNumber(0, 10_000)


@dataclass(frozen=True, slots=True)
class FormatField:
    """A field: its stored name, its words on a form, and its possible values."""

    name: str
    label: Message
    domain: FieldDomain


FIELDS: Final[tuple[FormatField, ...]] = (
    FormatField("name", message("Format"), ShortText(60)),
    FormatField("game", message("Game"), OneOf(tuple(GAMES))),
    FormatField("system", message("System"), OneOf(get_args(System))),
    FormatField("rounds", message("Rounds"), WholeNumber(1, 100)),
    FormatField("meetings", message("Meetings, each of these rounds"), WholeNumber(1, 60)),
    FormatField("counted", message("How many of the best count (0: all)"), WholeNumber(0, 1000)),
    FormatField(
        "team_counted", message("Players who count for a team (0: all)"), WholeNumber(0, 100)
    ),
    FormatField("games", message("Games in a round"), WholeNumber(1, 50)),
    FormatField("round_minutes", message("Minutes of a round (0: no clock)"), WholeNumber(0, 1440)),
    FormatField("sign_for_all", message("The referee may sign for all"), YesNo()),
    FormatField("table_size", message("Players at a table"), WholeNumber(1, 6)),
    FormatField("smallest_table", message("Players at a short table"), WholeNumber(1, 6)),
    FormatField(
        "by_standing_from", message("Tables by standing from round (0: never)"), WholeNumber(0, 100)
    ),
    FormatField("seating", message("How tables are made by standing"), OneOf(get_args(Seating))),
    FormatField(
        "accessible_tables",
        message("Tables with step-free access"),
        ListOf(WholeNumber(1, 100_000), 0, 1000, once=True),
    ),
    FormatField("mates_apart", message("Club mates apart in round 1"), YesNo()),
    FormatField("reckoning", message("What counts"), OneOf(get_args(Reckoning))),
    FormatField("zero_sum", message("A table's scores must add up to 0"), YesNo()),
    FormatField("place_points", message("Points for the places at a table"), ListOf(AWARD, 2, 6)),
    FormatField("win", message("Points for a match won"), AWARD),
    FormatField("draw", message("Points for a match drawn"), AWARD),
    FormatField("loss", message("Points for a match lost"), AWARD),
    FormatField("winner_bonus", message("Bonus for winning a game"), AWARD),
    FormatField("most_lost", message("Most that a game can cost (0: no limit)"), PENALTY),
    FormatField("joker_penalty", message("Cost of a joker on the rack"), PENALTY),
    FormatField("unmelded_penalty", message("Added cost without a first meld"), PENALTY),
    FormatField("bye", message("Points for a bye"), AWARD),
    FormatField("no_show", message("Points for a game not come to"), AWARD),
    FormatField("forfeit", message("Points for a game given up"), AWARD),
    FormatField("missed_round", message("Points for a round not there for"), AWARD),
    FormatField("grand_final_twice", message("A second grand final where needed"), YesNo()),
    FormatField("third_place", message("A match for third place"), YesNo()),
    FormatField("next_match", message("Next match of a knockout"), OneOf(get_args(NextMatch))),
    FormatField(
        "tiebreaks",
        message("Tie-breaks, in order"),
        ListOf(OneOf(tuple(TIEBREAKS)), 1, 12, once=True),
    ),
    FormatField("house_rules", message("House rules"), ListOf(ShortText(80), 0, 20, once=True)),
    FormatField("dutch", message("Swiss pairs as in chess (FIDE’s Dutch system)"), YesNo()),
    FormatField("propose_draws", message("Look at each draw before it is published"), YesNo()),
    FormatField("table_numbers", message("Who sits at which table"), OneOf(get_args(TableNumbers))),
)
STAGE_FIELDS: Final[tuple[FormatField, ...]] = (
    FormatField("name", message("Stage"), ShortText(40)),
    FormatField("entrants", message("How many reach it"), WholeNumber(2, 1000)),
    FormatField("games", message("Games in it"), WholeNumber(1, 50)),
    FormatField("seating", message("How they are seated"), OneOf(get_args(StageSeating))),
    FormatField("carried", message("The points so far count on"), YesNo()),
    FormatField("best_of_table", message("The best of each table reach it"), YesNo()),
    FormatField("system", message("System"), OneOf(get_args(StageSystem))),
)


def format_faults(form: TournamentFormat) -> tuple[Message, ...]:
    """All faults of a format, each with its cure; empty if it can be played."""
    single = [
        fault
        for field in FIELDS
        for fault in field.domain.faults(field.name, getattr(form, field.name))
    ]
    single += [
        fault
        for stage in form.stages
        for field in STAGE_FIELDS
        for fault in field.domain.faults(f"stages.{field.name}", getattr(stage, field.name))
    ]
    return tuple(single) or (*_table_faults(form), *_plan_faults(form), *house_faults(form))


def new_format_faults(form: TournamentFormat) -> tuple[Message, ...]:
    """As `format_faults`, and senseless counting; existing tournaments are played on."""
    faults = format_faults(form)
    if faults or form.better > 0 or (form.reckoning != "points" and form.system != "blind"):
        return faults
    return (
        message(
            "Where the lowest total wins, points cannot be added up, for whoever plays less has "
            "less: count places at the table or matches won, and play no blind event."
        ),
    )


def _table_faults(form: TournamentFormat) -> Iterator[Message]:
    if form.smallest_table > form.table_size:
        yield message(
            "smallest_table = {smallest} is more than table_size = {size}: lower it.",
            smallest=form.smallest_table,
            size=form.table_size,
        )
    if form.two_player and form.table_size != 2:  # noqa: PLR2004 -- a duel is of two
        yield message(
            "{system} is played in twos: write table_size = 2 and smallest_table = 2.",
            system=form.system,
        )
    if form.third_place and form.in_stage(len(form.stages)).system != "knockout":
        yield message("Only a knockout has a third-place match: write third_place = false.")
    if form.system == "tables" and form.smallest_table < 2:  # noqa: PLR2004 -- players need an opponent
        yield message("A table needs two players: write smallest_table = 2 or more.")
    if form.reckoning == "places" and len(form.place_points) < form.table_size:
        yield message(
            "Write place_points for each place of a table: it has {size} of them, not {given}.",
            given=len(form.place_points),
            size=form.table_size,
        )


def _plan_faults(form: TournamentFormat) -> Iterator[Message]:
    if form.meetings > 1 and form.counted > form.meetings:
        yield message(
            "counted = {counted} is more than the {meetings} meetings: lower it.",
            counted=form.counted,
            meetings=form.meetings,
        )
    if form.by_standing_from and form.seating == "drawn":
        yield message('Tables by standing need seating = "snake" or "blocks".')
    if form.dutch and form.system != "swiss":
        yield message("Only the Swiss system pairs as in chess: write dutch = false.")
    if form.zero_sum and not adds_up_to_zero(form.game):
        yield message("Only Rummikub's scores add up to 0: write zero_sum = false.")
    if len(form.stages) > MOST_STAGES:
        yield message("There are at most {most} stages: drop some.", most=MOST_STAGES)
    if form.stages and form.system in KNOCKOUTS | {"blind"}:
        yield message("{system} knows no cut: drop the stages.", system=form.system)
    yield from _stage_faults(form.stages)
    if form.smallest_table > form.table_size:
        return
    for stage in (each for each in form.stages if not each.is_knockout):
        try:
            table_sizes(stage.entrants, form.table_size, form.smallest_table)
        except DrawError:
            yield message(
                "{stage}: {entrants} cannot sit at tables of {smallest} to {size}: let more or "
                "fewer reach it, or allow smaller tables.",
                stage=stage.name,
                entrants=stage.entrants,
                smallest=form.smallest_table,
                size=form.table_size,
            )


def _stage_faults(stages: tuple[Stage, ...]) -> Iterator[Message]:
    for before, stage in zip((None, *stages), stages, strict=False):
        if before is not None and stage.entrants >= before.entrants:
            yield message(
                "{stage} is for {entrants}, as many as {before} before it: let fewer reach it.",
                stage=stage.name,
                entrants=stage.entrants,
                before=before.name,
            )
        if before is not None and before.is_knockout:
            yield message(
                "{before} is a knockout, which ends the event: drop {stage}.",
                before=before.name,
                stage=stage.name,
            )
        if stage.is_knockout and stage.carried:
            yield message(
                "{stage}: in a knockout matches alone count: write carried = false.",
                stage=stage.name,
            )
    names = [stage.name for stage in stages]
    if len(set(names)) < len(names):
        yield message("Two stages have the same name: give each its own.")


def write_format(form: TournamentFormat) -> str:
    """The format as TOML, every field on a line, each stage a table of its own."""
    lines = list(_lines(form, FIELDS))
    for stage in form.stages:
        # a stage by standing is written as before there were others, so that records stay the same
        fields = [each for each in STAGE_FIELDS if stage.is_knockout or each.name != "system"]
        lines += ["", "[[stages]]", *_lines(stage, fields)]
    return "".join(f"{line}\n" for line in lines)


def read_format(text: str) -> TournamentFormat:
    """Read what `write_format` writes; missing fields get their default. Raises FormatError."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        unread = message("The format is no TOML: {why}.", why=str(error))
        raise FormatError((unread,)) from error
    return format_from_document(document)


def fitting(document: Mapping[str, Any]) -> dict[str, Any]:
    """A format's document with the table sizes of its system, less what it or its game lacks.

    On a page such choices stay ticked, unseen, when another game is chosen.
    """
    last = [document["system"], *(each["system"] for each in document["stages"])][-1]
    missing = {"zero_sum": not adds_up_to_zero(document["game"]), "third_place": last != "knockout"}
    size, smallest = document["table_size"], document["smallest_table"]
    if document["system"] in DUELS:
        size = smallest = 2
    elif size < smallest == USUAL_SMALLEST:  # not asked for, and folded away on the page
        smallest = size
    sizes = {"table_size": size, "smallest_table": smallest}
    return {**document, **sizes, **{name: False for name, unfit in missing.items() if unfit}}


def format_from_document(document: Mapping[str, Any]) -> TournamentFormat:
    """The format of some fields, from a form or TOML. Raises FormatError."""
    stages = document.get("stages", [])
    faults = tuple(_shape_faults(document, stages))
    if faults:
        raise FormatError(faults)
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in document.items()
        if name != "stages"
    }
    form = TournamentFormat(**fields, stages=tuple(Stage(**stage) for stage in stages))
    if wrong := format_faults(form):
        raise FormatError(wrong)
    return form


def _lines(record: object, fields: Sequence[FormatField]) -> Iterator[str]:
    for field in fields:
        yield f"{field.name} = {shown(getattr(record, field.name))}"


def _shape_faults(document: Mapping[str, Any], stages: object) -> Iterator[Message]:
    if "name" not in document:
        yield message('A format needs a name: write name = "Club evening".')
    yield from _unknown(document, (*(field.name for field in FIELDS), "stages"), "")
    if not isinstance(stages, list) or not all(isinstance(stage, dict) for stage in stages):
        yield message("stages: write each stage under a line [[stages]].")
        return
    for stage in stages:
        yield from _unknown(stage, [field.name for field in STAGE_FIELDS], "stages.")
        for needed in ("name", "entrants"):
            if needed not in stage:
                yield message("A stage needs the field {field}.", field=needed)


def _unknown(given: Mapping[str, Any], known: Sequence[str], prefix: str) -> Iterator[Message]:
    for name in given:
        if name not in known:
            yield message(
                "No field is called {field}: there are {known}.",
                field=f"{prefix}{name}",
                known=", ".join(known),
            )


def printed_settings(form: TournamentFormat) -> tuple[Message, ...]:
    """Every setting that affects the standings, a sentence each."""
    return (*printed_plan(form), *printed_details(form))


def printed_details(form: TournamentFormat) -> tuple[Message, ...]:
    """What `printed_plan` leaves out, a sentence each."""
    order = listed(TIEBREAKS[name].label for name in form.tiebreaks)
    return (
        *(message("House rule: {rule}.", rule=rule) for rule in house_rules_printed(form)),
        *_seating(form),
        *_reckoning(form),
        *_absence(form),
        *(
            sentence
            for number, stage in enumerate(form.stages, start=1)
            for sentence in _stage(stage, form.in_stage(number))
        ),
        message("Tie-breaks, in order: {listed}.", listed=order),
    )


def printed_plan(form: TournamentFormat) -> Iterator[Message]:
    """The game, how they meet, and how often, a sentence each."""
    game = GAMES[form.game].title
    if form.system == "blind":
        yield message("{game}: everyone plays alone, and every score handed in counts.", game=game)
        if form.counted:
            yield message("Scores that are added: the best {counted}.", counted=form.counted)
        return
    yield message("{game}, {system}.", game=game, system=_system(form))
    if form.system not in LAID_DOWN:
        yield message("Rounds: {rounds}.", rounds=form.rounds)
    if form.games > 1 and (form.reckoning, form.table_size) == ("wins", 2):
        yield message("Each match: best of {games}.", games=form.games)
    else:
        yield message("Games in a round: {games}.", games=form.games)
    if form.in_stage(len(form.stages)).calls_matches:
        yield message("A match is called as soon as both players are free.")
    if form.meetings > 1:
        yield message(
            "Meetings: {meetings}; the best {counted} count.",
            meetings=form.meetings,
            counted=form.counted or form.meetings,
        )


def _system(form: TournamentFormat) -> Message:
    match form.system:
        case "swiss":
            return message("duels by the Swiss system")
        case "round-robin":
            return message("everyone meets everyone")
        case "knockout":
            third = message("knockout, with a match for third place")
            return third if form.third_place else message("knockout")
        case "double-knockout" if form.grand_final_twice:
            return message("double knockout, with a second grand final where needed")
        case "double-knockout":
            return message("double knockout, with one grand final")
    return message(
        "tables of {size}, short ones of {smallest} or more",
        size=form.table_size,
        smallest=form.smallest_table,
    )


def _seating(form: TournamentFormat) -> Iterator[Message]:
    if form.dutch:
        yield message("Pairs are made as in FIDE’s Dutch system, without colours.")
    match form.table_numbers:
        case "best-first":
            yield message("The best players sit at the first table.")
        case "keep":
            yield message("Players keep their table where it can be.")
        case "spread":
            yield message("Players sit at another table each round where it can be.")
    if form.system != "tables":
        return
    if form.by_standing_from:
        yield message("From round {round} on tables go by standing.", round=form.by_standing_from)
    if form.mates_apart:
        yield message("Club mates sit apart in round 1.")


def _reckoning(form: TournamentFormat) -> Iterator[Message]:
    if form.reckoning == "wins":
        yield message(
            "A match won earns {win}, drawn {draw}, lost {loss}.",
            win=form.win,
            draw=form.draw,
            loss=form.loss,
        )
    elif form.reckoning == "places":
        scale = ", ".join(map(str, form.place_points[: form.table_size]))
        yield message("The places at a table earn {scale}; shared ones the average.", scale=scale)
    elif form.system != "blind":
        yield message("The points of all games are added.")
    if form.winner_bonus:
        yield message("Winning a game earns {bonus} more.", bonus=form.winner_bonus)
    if form.most_lost and form.reckoning == "points":
        yield message("A game costs {most} at most.", most=form.most_lost)
    yield from GAMES[form.game].penalties(form.penalties)
    if form.zero_sum and GAMES[form.game].zero_sum:
        yield message("The scores of a table must add up to 0.")


def _absence(form: TournamentFormat) -> Iterator[Message]:
    if form.system == "blind":
        return
    yield message("A bye earns {points}.", points=form.bye)
    if form.reckoning != "wins":
        yield message("A game not come to counts {points}.", points=form.no_show)
        yield message("A game given up counts {points}.", points=form.forfeit)
    if form.system not in KNOCKOUTS:
        yield message("A round not there for counts {points}.", points=form.missed_round)


def _stage(stage: Stage, form: TournamentFormat) -> Iterator[Message]:
    sentence: dict[str, str | float] = {"stage": stage.name, "entrants": stage.entrants}
    if stage.best_of_table:
        yield message("{stage}: the best of each table, {entrants} in all.", **sentence)
    else:
        yield message("{stage}: the best {entrants}.", **sentence)
    yield message("{stage}: games: {games}.", stage=stage.name, games=stage.games)
    if stage.is_knockout:
        yield message(
            "{stage}: {system}; seeded by the standing, a match goes by games won, then by score.",
            stage=stage.name,
            system=_system(form),
        )
        return
    if stage.carried:
        yield message("{stage}: the points so far count on.", stage=stage.name)
    else:
        yield message("{stage}: all begin with 0 points.", stage=stage.name)
    match stage.seating:
        case "odd-even":
            yield message("{stage}: the places are dealt over the tables.", stage=stage.name)
        case "snake":
            yield message("{stage}: the places go over the tables and back.", stage=stage.name)
        case "blocks":
            yield message("{stage}: the best sit at the first table.", stage=stage.name)
        case _:
            assert_never(stage.seating)
