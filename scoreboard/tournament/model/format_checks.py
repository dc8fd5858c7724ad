"""Whether a format can be played: field by field, and then as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from scoreboard.message import Message, message
from scoreboard.tournament.model.draw import DrawError
from scoreboard.tournament.model.format_fields import FIELDS, MOST_STAGES, STAGE_FIELDS
from scoreboard.tournament.model.house_rules import house_faults
from scoreboard.tournament.model.seating import table_sizes
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, Stage, TournamentFormat


def format_faults(form: TournamentFormat) -> tuple[Message, ...]:
    """All that is wrong with a format, each with its cure; empty where it can be played."""
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
    return tuple(single) or (
        *_table_faults(form),
        *_plan_faults(form),
        *house_faults(form),
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
    if form.system == "tables" and form.smallest_table < 2:  # noqa: PLR2004 -- nobody plays alone
        yield message("A table needs two players: write smallest_table = 2 or more.")
    if form.reckoning == "places" and len(form.place_points) < form.table_size:
        yield message(
            "place_points has {given} places, but a table {size}: write one for each.",
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
    if form.zero_sum and form.game != "rummikub":
        yield message("Only Rummikub's scores add up to 0: write zero_sum = false.")
    if len(form.stages) > MOST_STAGES:
        yield message("There are at most {most} stages: drop some.", most=MOST_STAGES)
    if form.stages and form.system in KNOCKOUTS | {"blind"}:
        yield message("{system} knows no cut: drop the stages.", system=form.system)
    yield from _stage_faults(form.stages)
    if form.smallest_table <= form.table_size:
        yield from _seat_faults(form)


def _seat_faults(form: TournamentFormat) -> Iterator[Message]:
    for stage in form.stages:
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
    names = [stage.name for stage in stages]
    if len(set(names)) < len(names):
        yield message("Two stages have the same name: give each its own.")
