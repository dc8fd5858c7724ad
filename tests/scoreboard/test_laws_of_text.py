"""Laws that hold in every game, with undos: its text, its records and its state agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Game, Setup, replay
from scoreboard.games.engine.printout import printout, score_table, summary
from scoreboard.games.engine.transcript import GameHeader, RecordedEvent, events_in_force, undoing
from scoreboard.games.notation import UNTIMED, export_text, replay_text
from tests.scoreboard.games.dice import playing as dice
from tests.scoreboard.games.rummikub import playing as rummikub
from tests.scoreboard.games.tongtong import playing as tongtong

AnyGame = Game[Any, Any, Any]
Drawing = tuple[AnyGame, Setup]


def dice_game(seed: int) -> Drawing:
    """Some game of dice under some house rules."""
    return dice.setup_of(seed)


def rummikub_game(seed: int) -> Drawing:
    """Rummikub under some house rules."""
    return GAMES["rummikub"], rummikub.setup_of(seed)


def tongtong_game(seed: int) -> Drawing:
    """Tong Tong under some house rules."""
    return GAMES["tongtong"], tongtong.setup_of(seed)


FAMILIES: dict[str, tuple[Callable[[int], Drawing], Callable[[Any, Random], Any]]] = {
    "dice": (dice_game, dice.random_command),
    "rummikub": (rummikub_game, rummikub.random_command),
    "tongtong": (tongtong_game, tongtong.random_command),
}


class Evening:
    """A random game with undos: its records, and the state after each step."""

    def __init__(self, family: str, seed: int, acts: int) -> None:
        setting, self.command = FAMILIES[family]
        self.game, self.setup = setting(seed)
        self.chance = Random(seed)
        self.records: list[RecordedEvent] = []
        self.states = [self.game.start(self.setup)]
        for _ in range(acts):
            self.act()

    def act(self) -> None:
        """An undo, one time in six, else an act, as long as the game goes on."""
        if self.chance.random() < 1 / 6:
            self.record(undoing(self.records))
            del self.states[max(1, len(self.states) - 1) :]
        elif self.game.outcome(self.states[-1]) is None:
            events = self.game.decide(self.states[-1], self.command(self.states[-1], self.chance))
            self.record(events)
            self.states.append(reduce(self.game.evolve, events, self.states[-1]))

    def record(self, events: tuple[object, ...]) -> None:
        """Append the events of one step."""
        step = len(self.records) + 1
        self.records += [
            RecordedEvent("g", step + index, UNTIMED, "page", step, event)
            for index, event in enumerate(events)
        ]

    @property
    def header(self) -> GameHeader:
        """What was agreed before it."""
        return GameHeader("g", self.game.name, self.setup.players, UNTIMED, self.setup.options)


laws = settings(max_examples=25)
every_family = pytest.mark.parametrize("family", FAMILIES)
seeds, lengths = st.integers(0, 2**32), st.integers(0, 150)


@every_family
@laws
@given(seeds, lengths)
def test_text_and_records_are_inverse(family: str, seed: int, acts: int) -> None:
    """Written out and replayed, a game has the same records and state, and the same text again."""
    evening = Evening(family, seed, acts)
    text = export_text(evening.header, evening.records)
    replayed = replay_text(text, "g")
    assert [(record.sequence, record.event) for record in replayed.records] == [
        (record.sequence, record.event) for record in evening.records
    ]
    assert replayed.state == evening.states[-1]
    assert export_text(replayed.header, replayed.records) == text


@every_family
@laws
@given(seeds, lengths)
def test_undo_gives_the_state_before(family: str, seed: int, acts: int) -> None:
    """What the events in force give is the state before what was taken back, step by step."""
    evening = Evening(family, seed, acts)
    while len(evening.states) > 1:
        state = replay(evening.game, evening.setup, events_in_force(evening.records))
        assert state == evening.states.pop()
        evening.record(undoing(evening.records))
    assert replay(evening.game, evening.setup, events_in_force(evening.records)) == (
        evening.game.start(evening.setup)
    )


@every_family
@laws
@given(seeds, lengths)
def test_every_view_of_a_game_can_be_drawn(family: str, seed: int, acts: int) -> None:
    """Sheet, figures, table, what lies there, what is awaited, and what each event was in words."""
    evening = Evening(family, seed, acts)
    game, state = evening.game, evening.states[-1]
    sheet, turn = game.scoresheet(state), game.turn(state)
    assert printout(sheet, game.outcome(state))
    assert len(score_table(sheet)) == len(sheet.rows) + 1
    assert summary(game, state)["finished"] == (turn.phase == "finished")
    assert (turn.awaited is None) == (turn.phase != "playing")
    assert all(heap.pieces for heap in game.pieces_on_table(state))
    for event in events_in_force(evening.records):
        assert str(game.describe(state, event))


@every_family
@laws
@given(seeds, lengths)
def test_an_offer_tells_its_rule_and_has_a_key_of_its_own(
    family: str, seed: int, acts: int
) -> None:
    """A page can show why, and a tap means one thing."""
    evening = Evening(family, seed, acts)
    offers = evening.game.offers(evening.states[-1])
    assert len({offer.key for offer in offers}) == len(offers)
    assert all(offer.rule.partition("-")[2].isdecimal() for offer in offers)


@every_family
def test_a_game_of_nobody_is_refused(family: str) -> None:
    """The seats of each game are those that it says."""
    game, _ = FAMILIES[family][0](3)
    too_many = tuple(f"Player {number}" for number in range(game.seats[-1] + 1))
    with pytest.raises(RuleViolationError):
        game.start(Setup(too_many))
