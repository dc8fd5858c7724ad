"""Ways to fill a free score sheet: line by line, and at random within its offers."""

from __future__ import annotations

from functools import partial
from random import Random

from hypothesis import strategies as st

from scoreboard.games.engine.game import Offer, Setup
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.free_sheet import (
    GAME,
    MOST_POINTS,
    Command,
    PlayerNamed,
    PointsCorrected,
    PointsEntered,
    SheetEnded,
    State,
)
from tests.scoreboard.games import playing

NAMES = ("Ann", "Ben", "Cem", "Dora")
_END = 0.01  # of the random acts while there is room, lest a sheet be filled to its last row


def begun(players: int = 3, /, **options: str) -> State:
    """An empty sheet of so many players."""
    return GAME.start(Setup(NAMES[:players], options))


def entered(state: State, *lines: str) -> State:
    """The sheet after these lines, all of which must be accepted."""
    return playing.entered(GAME, state, lines)


def setup_of(seed: int) -> Setup:
    """Some players, one of the two ways to win, and often a game of their own."""
    chance = Random(seed)
    options = {"winner": "lowest"} if chance.random() < 0.5 else {}
    if chance.random() < 0.5:
        options |= {"name": "Skat, in pairs", "rounds": str(chance.randint(1, 30)), "word": "Lap"}
    return Setup(NAMES[: chance.randint(1, 4)], options)


def random_command(state: State, chance: Random) -> Command:
    """One command that an offer makes."""
    offers = list(GAME.offers(state))
    if len(offers) > 1 and state.open_seats and chance.random() > _END:
        offers = [each for each in offers if each.key != "end"]
    offer = chance.choice(offers)
    if isinstance(offer, Offer):
        return offer.command
    if offer.key.startswith("fix"):
        row, *_ = column = list(state.entries[int(offer.key.removeprefix("fix:"))])
        return offer.fill(Scores((row + chance.randint(1, 9), *column[1:])))
    return offer.fill(chance.randint(-50, 200))


is_admitted = partial(playing.is_admitted, GAME)
_names = st.sampled_from((*NAMES, "Eve"))
_points = st.one_of(st.integers(-100, 200), st.integers(MOST_POINTS - 1, MOST_POINTS + 2))
commands = st.one_of(
    st.builds(PointsEntered, _names, _points),
    st.builds(
        PointsCorrected, _names, st.lists(_points, max_size=2).map(lambda n: Scores(tuple(n)))
    ),
    st.builds(PlayerNamed, _names),
    st.builds(SheetEnded),
)
