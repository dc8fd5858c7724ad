"""A tournament's settings, changed after it was opened: what may change when, and the effects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import Attributed, refused
from scoreboard.tournament.model.format_text import (
    FIELDS,
    FormatError,
    new_format_faults,
    read_format,
    shown,
    write_format,
)
from scoreboard.tournament.model.results import GameEvent, scores_message
from scoreboard.tournament.model.round_draw import rounds_of_meeting
from scoreboard.tournament.model.scores import GameResult
from scoreboard.tournament.model.scoring import awarded, closed_round
from scoreboard.tournament.model.tournament import Command, Event, Tournament
from scoreboard.tournament.model.tournament_format import TournamentFormat

# What was drawn and counted so far rests on these: a game under other rules is another tournament.
FIXED_BY_DRAW: Final = frozenset(
    {
        "game",
        "system",
        "meetings",
        "reckoning",
        "zero_sum",
        "house_rules",
        "joker_penalty",
        "unmelded_penalty",
    }
)


class ChangeFormat(Command, Attributed):
    """Give the tournament another title, other settings, or both; results are awarded anew.

    Once round 1 is drawn, the game, the system, what counts and the house rules stay, and the
    rounds drawn and stages reached stay planned.
    """

    title: str
    settings: TournamentFormat

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        before = new_format_faults(state.format)
        if faults := tuple(x for x in new_format_faults(self.settings) if x not in before):
            raise FormatError(faults)
        if (self.title, self.settings) == (state.title, state.format):
            raise refused("The settings stand so already.")
        if state.rounds or state.solo:
            self._require_open(state)
        changed = FormatChanged(
            self.title,
            write_format(self.settings),
            state.title,
            write_format(state.format),
            **self.attribution,
        )
        return (changed, *_awarded_anew(state, self.settings))

    def _require_open(self, state: Tournament) -> None:
        for field in FIELDS:
            same = getattr(self.settings, field.name) == getattr(state.format, field.name)
            if field.name in FIXED_BY_DRAW and not same:
                raise refused(
                    "“{field}” cannot change any more: round 1 is drawn. Copy the event, or "
                    "undo its rounds first.",
                    field=field.label,
                )
        reached = len(state.cuts)
        if self.settings.stages[:reached] != state.format.stages[:reached]:
            raise refused("A stage that was reached stays as it is: change those after it.")
        rounds, least = self.settings.rounds, rounds_of_meeting(state)
        if rounds != state.format.rounds and (rounds < least or state.cuts):
            raise refused("Rounds drawn already: {least}. Plan as many or more.", least=least)


def _awarded_anew(state: Tournament, form: TournamentFormat) -> Iterator[Event]:
    for played in state.rounds:
        own = form.in_stage(played.stage)
        for (number, game), reported in sorted(played.results.items(), key=lambda each: each[0]):
            table, was = played.table(number), reported.result
            if table is not None and set(table.seats) == set(was.scores.entrants):
                result = awarded(own, table, was.scores)
                if result != was:
                    yield ResultAwarded(played.number, number, game, result)


class FormatChanged(Event, Attributed):
    """The tournament has another title or settings, a format's text; `was` are the old ones."""

    title: str
    settings: str
    was_title: str
    was: str

    def apply(self, state: Tournament) -> Tournament:
        form = read_format(self.settings)
        rounds = tuple(
            closed_round(form, each) if each.phase == "closed" else each for each in state.rounds
        )
        return replace(state, title=self.title, format=form, rounds=rounds)

    def describe(self, state: Tournament) -> Message:
        changes = list(format_changes(read_format(self.was), read_format(self.settings)))
        if self.title != self.was_title:
            changes.insert(0, message("“{now}”, not “{was}”", now=self.title, was=self.was_title))
        listed = reduce(lambda one, other: message("{one}; {other}", one=one, other=other), changes)
        return message("The settings were changed: {changes}.", changes=listed)


class ResultAwarded(GameEvent):
    """The same scores earn other points since the settings changed; signatures stay."""

    result: GameResult

    def apply(self, state: Tournament) -> Tournament:
        return self.with_result(state, replace(self.reported(state), result=self.result))

    def sentence(self, state: Tournament) -> Message:
        scores = scores_message(state, self.result.scores)
        return message("{scores}; the points were reckoned anew.", scores=scores)


def format_changes(was: TournamentFormat, now: TournamentFormat) -> Iterator[Message]:
    """Each changed setting, with its old value."""
    for field in FIELDS:
        before, after = getattr(was, field.name), getattr(now, field.name)
        if before != after:
            yield message(
                "{label} {now}, not {was}", label=field.label, now=shown(after), was=shown(before)
            )
    if was.stages != now.stages:
        yield message("the stages after a cut")
