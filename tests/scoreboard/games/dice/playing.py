"""Ways to bring a game of dice about: by hand, and at random within its offers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES
from scoreboard.games.dice.acts import (
    Command,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    PlayerLeft,
    RollCorrected,
    ScoreCategory,
    StartRolled,
)
from scoreboard.games.dice.family import YachtGame
from scoreboard.games.dice.state import Card, State
from scoreboard.games.engine.game import Domain, KeepDomain, Offer, OpenOffer, RollDomain, Setup
from tests.scoreboard.games import playing

NAMES = ("North", "South", "East", "West")


def game_of(state: State) -> YachtGame:
    """The rulebook of this game."""
    return DICE_GAMES[state.form.game]


def begun(*names: str, game: str = "yahtzee", **options: str) -> State:
    """A fresh game of these players."""
    state: State = DICE_GAMES[game].start(Setup(names or ("North", "South"), options))
    return state


def after(state: State, *commands: Command) -> State:
    """The state after these commands, all of which must be accepted."""
    for each in commands:
        state = evolved(state, game_of(state).decide(state, each))
    return state


def command(state: State, line: str) -> Command:
    """The command of a line of the notation."""
    return playing.read(game_of(state), line)


def card(filled: dict[str, int], bonus: int = 0, game: str = "yahtzee", **options: str) -> Card:
    """A card with these boxes filled."""
    form = begun("Solo", game=game, **options).form
    return Card(form, tuple(filled.get(key) for key in form.keys), bonus)


def rolled(roll: str, filled: dict[str, int], game: str = "yahtzee", **options: str) -> State:
    """A lone player with this card has rolled these dice."""
    state = begun("Solo", game=game, **options)
    held = card(filled, 0, game, **options)
    return after(replace(state, cards=(held,)), DiceRolled(Roll.parse(roll)))


def offered_boxes(state: State) -> dict[str, int]:
    """What each box would take, by the offers."""
    return {
        offer.command.category: offer.points or 0
        for offer in game_of(state).offers(state)
        if isinstance(offer, Offer) and isinstance(offer.command, ScoreCategory)
    }


def setup_of(
    seed: int, names: tuple[str, ...] = (), name: str | None = None
) -> tuple[YachtGame, Setup]:
    """A game of dice, this one or any, and some house rules, for these players or 1 to 4 others."""
    chance = Random(seed)
    game = DICE_GAMES[name or chance.choice(sorted(DICE_GAMES))]
    options = {each.name: chance.choice(each.choices).value for each in game.options}
    return game, Setup(names or NAMES[: chance.randint(1, 4)], options)


def seated(seed: int, name: str | None = None) -> State:
    """That game before its first roll."""
    game, setup = setup_of(seed, name=name)
    return game.start(setup)


def random_roll(chance: Random, dice: int) -> Roll:
    """Dice at random, one roll in four of them all alike."""
    if chance.random() < 0.25:
        return Roll((chance.randint(1, 6),) * dice)
    return Roll(tuple(chance.randint(1, 6) for _ in range(dice)))


def random_command(state: State, chance: Random, *, may_leave: bool = True) -> Command:
    """One command that an offer makes."""
    offers = [
        offer
        for offer in game_of(state).offers(state)
        if not offer.key.startswith("leave") or (may_leave and chance.random() < 0.05)
    ]
    offer = chance.choice(offers)
    if isinstance(offer, Offer):
        return offer.command
    return offer.fill(random_filling(offer.domain, chance))


def random_filling(domain: Domain, chance: Random) -> Roll:
    """A roll within an open offer's domain, in any order."""
    if isinstance(domain, RollDomain):
        free = random_roll(chance, domain.dice - len(domain.containing))
        faces = [*domain.containing.faces, *free.faces]
    else:
        assert isinstance(domain, KeepDomain)
        faces = chance.sample(domain.roll.faces, chance.randint(0, len(domain.roll)))
    chance.shuffle(faces)
    return Roll(tuple(faces))


def random_events(
    state: State, seed: int, most: int = 10_000, *, may_leave: bool = True
) -> tuple[Event, ...]:
    """The events of a random game, up to its end or at most `most`."""
    chance, events = Random(seed), list[Event]()
    while len(events) < most and not state.is_finished:
        decided = game_of(state).decide(state, random_command(state, chance, may_leave=may_leave))
        events += decided
        state = evolved(state, decided)
    return tuple(events)


def evolved(state: State, events: Iterable[Event]) -> State:
    """The state after these events."""
    return playing.evolved(game_of(state), state, events)


def is_admitted(state: State, command: Command) -> bool:
    """Whether an offer makes this command, a box's own points told or not."""
    return any(_makes(offer, command) for offer in game_of(state).offers(state))


def _makes(offer: Offer[Command] | OpenOffer[Command], command: Command) -> bool:
    if isinstance(offer, Offer):
        if isinstance(command, ScoreCategory) and command.points == offer.points:
            command = replace(command, points=None)
        return offer.command == command
    filling = Roll((command.now,)) if isinstance(command, FoulDieRerolled) else _roll(command)
    return filling is not None and offer.domain.admits(filling) and offer.fill(filling) == command


def _roll(command: Any) -> Roll | None:
    return getattr(command, "roll", None)


BOXES = sorted({key for name in DICE_GAMES for key in begun("Solo", game=name).form.keys})
faces = st.integers(1, 6)
rolls = st.one_of(
    st.lists(faces, min_size=5, max_size=5),
    st.lists(faces, max_size=6),
    faces.map(lambda face: [face] * 5),
).map(lambda dice: Roll(tuple(dice)))
names = st.sampled_from([*NAMES, "Nobody"])
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(StartRolled, names, rolls),
    st.builds(DiceRolled, rolls),
    st.builds(DiceKept, rolls),
    st.builds(FoulDieRerolled, faces, faces),
    st.builds(RollCorrected, rolls),
    st.builds(ScoreCategory, st.sampled_from([*BOXES, "flush"]), st.none() | st.integers(0, 50)),
    st.builds(PlayerLeft, names),
)
seeds = st.integers(0, 2**32)
