"""Laws that hold in every game, however it goes: rules, offers, text, records and state agree."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup, replay
from scoreboard.games.engine.printout import printout, summary
from scoreboard.games.engine.transcript import (
    EventCodec,
    GameHeader,
    RecordedEvent,
    events_in_force,
    undoing,
)
from scoreboard.games.notation import UNTIMED, export_text, replay_text
from scoreboard.table.game_session import SWITCH_CLOCK
from tests.scoreboard.games import free_sheet_playing as sheet_playing
from tests.scoreboard.games.dice import playing as dice
from tests.scoreboard.games.rummikub import playing as rummikub
from tests.scoreboard.games.tongtong import playing as tongtong

PLAYING = {
    "rummikub": rummikub,
    "tongtong": tongtong,
    "free-sheet": sheet_playing,
}  # all others are games of dice


class Evening:
    """A random game under some house rules: its records, and the state after each step."""

    def __init__(self, name: str, seed: int, acts: int, *, undos: float = 0.0) -> None:
        self.playing: Any = PLAYING.get(name, dice)
        self.game = GAMES[name]
        self.setup = (
            self.playing.setup_of(seed) if name in PLAYING else dice.setup_of(seed, name=name)[1]
        )
        self.records: list[RecordedEvent] = []
        self.states = [self.game.start(self.setup)]
        chance = Random(seed)
        for _ in range(acts):
            over = self.game.outcome(self.state) is not None
            if over and not undos:
                break
            if chance.random() < undos:
                self.record(undoing(self.records))
                del self.states[max(1, len(self.states) - 1) :]
            elif not over:
                command = self.playing.random_command(self.state, chance)
                events = self.game.decide(self.state, command)
                self.record(events)
                self.states.append(reduce(self.game.evolve, events, self.state))

    def record(self, events: tuple[object, ...]) -> None:
        """Append the events of one step."""
        step = len(self.records) + 1
        self.records += [
            RecordedEvent("g", step + index, UNTIMED, "page", step, event)
            for index, event in enumerate(events)
        ]

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.states[-1]

    @property
    def events(self) -> tuple[Any, ...]:
        """What happened and was not taken back."""
        return events_in_force(self.records)

    def accepts(self, command: object) -> bool:
        """Whether the rules accept the command, with one event at least."""
        try:
            return len(self.game.decide(self.state, command)) > 0
        except RuleViolationError:
            return False


pytestmark = pytest.mark.usefixtures("in_halves")
each_game = pytest.mark.parametrize("name", GAMES)
laws = settings(max_examples=10)
seeds, lengths = st.integers(0, 2**32), st.one_of(st.integers(0, 12), st.integers(0, 200))


@each_game
@settings(max_examples=12)
@given(seeds, lengths, st.data())
def test_the_rules_accept_exactly_what_is_offered(
    name: str, seed: int, acts: int, data: st.DataObject
) -> None:
    """Any command, inside the offers or outside, is accepted if and only if it is offered."""
    evening = Evening(name, seed, acts)
    for command in data.draw(st.lists(evening.playing.commands, min_size=20, max_size=60)):
        admitted = evening.playing.is_admitted(evening.state, command)
        assert evening.accepts(command) == admitted, command


@each_game
@laws
@given(seeds, lengths)
def test_whatever_an_offer_makes_is_accepted(name: str, seed: int, acts: int) -> None:
    """A page that chooses an offer is never refused."""
    evening = Evening(name, seed, acts)
    for attempt in range(10 if evening.game.outcome(evening.state) is None else 0):
        command = evening.playing.random_command(evening.state, Random(seed + attempt))
        assert evening.playing.is_admitted(evening.state, command), command
        assert evening.accepts(command), command


@each_game
@laws
@given(seeds)
def test_random_offers_end_the_game(name: str, seed: int) -> None:
    """Play within the offers ends, and then nothing is offered and nobody is to move."""
    evening = Evening(name, seed, 3_000)
    game, state = evening.game, evening.state
    assert game.outcome(state) is not None
    assert game.offers(state) == ()
    assert game.turn(state).phase == "finished"
    assert game.turn(state).player is game.scoresheet(state).current is None


@each_game
@laws
@given(seeds, lengths)
def test_replaying_the_stored_events_gives_the_live_state(name: str, seed: int, acts: int) -> None:
    """The state is what its events give, also after their way through JSON."""
    evening, kinds = Evening(name, seed, acts), GAMES[name].kinds
    documents = [json.dumps(EventCodec.of(kinds).document(event)) for event in evening.events]
    stored = tuple(EventCodec.of(kinds).event(json.loads(each)) for each in documents)
    assert stored == evening.events
    assert replay(evening.game, evening.setup, stored) == evening.state


@each_game
@laws
@given(seeds, lengths)
def test_text_and_records_are_inverse(name: str, seed: int, acts: int) -> None:
    """A line an act; replayed, a game has the same records and state, and the same text again."""
    evening = Evening(name, seed, acts, undos=1 / 6)
    header = GameHeader("g", name, evening.setup.players, UNTIMED, evening.setup.options)
    text = export_text(header, evening.records)
    replayed = replay_text(text, "g")
    assert [(one.sequence, one.step, one.event) for one in replayed.records] == [
        (one.sequence, one.step, one.event) for one in evening.records
    ]
    assert replayed.state == evening.state
    assert export_text(replayed.header, replayed.records) == text


@each_game
@laws
@given(seeds, lengths)
def test_undo_gives_the_state_before(name: str, seed: int, acts: int) -> None:
    """What the events in force give is the state before what was taken back, step by step."""
    evening = Evening(name, seed, acts, undos=1 / 6)
    while len(evening.states) > 1:
        assert replay(evening.game, evening.setup, evening.events) == evening.states.pop()
        evening.record(undoing(evening.records))
    assert replay(evening.game, evening.setup, evening.events) == evening.state


@each_game
@laws
@given(seeds, lengths)
def test_every_view_of_a_game_can_be_drawn(name: str, seed: int, acts: int) -> None:
    """Sheet, figures, table, pieces, what is awaited, and what each event was in words."""
    evening = Evening(name, seed, acts)
    game, state = evening.game, evening.state
    sheet, turn = game.scoresheet(state), game.turn(state)
    assert printout(sheet, game.outcome(state))
    assert summary(game, state)["finished"] == (turn.phase == "finished")
    assert (turn.awaited is None) == (turn.phase != "playing")
    assert all(group.pieces for group in game.pieces_on_table(state))
    assert all(str(game.describe(state, event)) for event in evening.events)


@each_game
@laws
@given(seeds, lengths)
def test_an_offer_has_its_rule_and_a_key_of_its_own(name: str, seed: int, acts: int) -> None:
    """A page can show why, a tap means one thing, and what stands in a field can be read."""
    evening = Evening(name, seed, acts)
    offers = evening.game.offers(evening.state)
    assert len({offer.key for offer in offers} - {SWITCH_CLOCK}) == len(offers)
    assert all(offer.rule.partition("-")[2].isdecimal() for offer in offers)
    for offer in offers:
        entry = getattr(offer, "entry", None)
        if entry is not None and entry.written:
            read = str(offer.domain.parse(entry.written))  # type: ignore[union-attr]
            assert read.replace(", ", "\n") == entry.written


@each_game
@laws
@given(seeds, lengths)
def test_a_name_changes_no_points(name: str, seed: int, acts: int) -> None:
    """The same game with other names gives the same sheet and the same table."""
    evening = Evening(name, seed, acts)
    renamed = {player: f'=1+1 "{player}" #' for player in evening.setup.players}

    def with_names(event: Any) -> Any:
        named = {
            each: renamed[getattr(event, each)]
            for each in ("player", "leader")
            if hasattr(event, each)
        }
        return replace(event, **named)

    setup = Setup(tuple(renamed.values()), evening.setup.options)
    other = replay(evening.game, setup, map(with_names, evening.events))
    mine, theirs = (evening.game.scoresheet(each) for each in (evening.state, other))
    assert replace(theirs, players=mine.players) == mine
    on_tables = (evening.game.pieces_on_table(each) for each in (evening.state, other))
    assert len({tuple(group.pieces for group in groups) for groups in on_tables}) == 1


@each_game
def test_a_game_of_too_many_is_refused(name: str) -> None:
    """The seats of each game are those that it says."""
    too_many = tuple(f"Player {number}" for number in range(GAMES[name].seats[-1] + 1))
    with pytest.raises(RuleViolationError):
        GAMES[name].start(Setup(too_many))
