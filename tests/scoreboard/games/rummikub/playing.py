"""Ways to bring a game of Rummikub about at random, within its offers."""

from __future__ import annotations

from functools import partial
from itertools import chain
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoreboard.games.engine.game import Offer, OpenOffer, Setup
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.rummikub.acts import (
    BeginnerNamed,
    Command,
    DrawTile,
    EnterRackPoints,
    Event,
    GameEnded,
    LayTiles,
    RackCounted,
    RackShown,
    RoundCorrected,
    RoundScored,
    RoundStopped,
    RummikubCalled,
    StartDrawn,
    TableRestored,
    TurnAct,
)
from scoreboard.games.rummikub.domains import (
    CountDomain,
    DrawnDomain,
    PointsDomain,
    RackDomain,
    RestoredDomain,
    ScoresDomain,
    StartTileDomain,
    TableDomain,
)
from scoreboard.games.rummikub.game import GAME
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.state import State, after_rummikub, after_stalemate
from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Count, Piece, Tile, Tiles
from tests.scoreboard.games import playing

NAMES = ("North", "South", "East", "West", "Up", "Down")
SEVERAL = 3  # rounds at most: the pool of each has to be drawn empty
SELDOM = 0.03


RACKS = {  # written in capitals in the tables
    "KNOWN": "K10 R10 B10 O10 K1 K3 K5 K7 R1 R3 R5 R7 B2 B4",  # 40 + 16 + 16 + 6 = 78
    "LEFT": "O10 K1 K3 K5 K7 R1 R3 R5 R7 B2 B4",  # without the first three
    "PAIRS": "K10 K10 R1 R2 R4 R5 R7 R8 R10 R11 R13 B1 B2 B4",
}


def setup_of(seed: int, names: tuple[str, ...] = NAMES) -> Setup:
    """Some house rules for two to six players; the game has an end by itself or by offer."""
    chance = Random(seed)
    options = {
        "turns": chance.choice(("judged", "judged", "clock", "scores")),
        "clock": chance.choice(("60", "45", "off")),
        "rounds": chance.choice(("open", "1", "2")),
        "target": chance.choice(("none", "20")),
        "building": chance.choice(("no", "yes")),
        "empty_pool": chance.choice(("first", "nobody")),
        "bridging": chance.choice(("no", "yes")),
        "bank": chance.choice(("none", "2")),
        "begins": chance.choice(("draw", "winner", "loser", "next")),
        "unmelded": chance.choice(("none", "100")),
        "bonus": chance.choice(("none", "50")),
        "most_lost": chance.choice(("none", "60")),
        "joker": chance.choice(("30", "25", "50")),
    }
    return Setup(names[: chance.randint(2, len(names))], options)


def seated(seed: int, names: tuple[str, ...] = NAMES) -> State:
    """That game before its first round."""
    return GAME.start(setup_of(seed, names))


evolved = partial(playing.evolved, GAME)


def rows(table: str) -> list[list[str]]:
    """The vectors of a table."""
    for name, tiles in RACKS.items():
        table = table.replace(name, tiles)
    return [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]


def begun(setup: str) -> State:
    """A fresh game of these players, with house rules as in `joker=50`."""
    players = tuple(word for word in setup.split() if "=" not in word)
    options = dict(word.split("=") for word in setup.split() if "=" in word)
    return GAME.start(Setup(players, options))


def events(state: State, line: str) -> tuple[Event, ...]:
    """What a line of the notation leads to."""
    return GAME.decide(state, playing.read(GAME, line))


def played(state: State | str, lines: str) -> State:
    """The game after these lines, none of which may be refused."""
    state = begun(state) if isinstance(state, str) else state
    return playing.entered(GAME, state, lines.split(" / ") if lines else ())


def random_events(state: State, seed: int, most: int = 10_000) -> tuple[Event, ...]:
    """The events of a random game, up to its end or of so many acts."""
    return tuple(chain(*playing.random_steps(GAME, state, random_command, seed, most)))


def random_command(state: State, chance: Random) -> Command:
    """One command that an offer makes; those apart are seldom taken."""
    while True:
        offers = [
            offer for offer in GAME.offers(state) if not offer.aside or chance.random() < SELDOM
        ]
        ending = [offer for offer in offers if offer.key == "end"]
        if ending and len(state.scores) >= SEVERAL:
            return ending[0].command  # type: ignore[union-attr]  # it is a closed one
        command = made(chance.choice(offers), state, chance) if offers else None
        if command is not None:
            return command


def made(
    offer: Offer[Command] | OpenOffer[Command], state: State, chance: Random
) -> Command | None:
    """The offer's command, filled in at random; None where no such filling was found."""
    if isinstance(offer, Offer):
        return offer.command
    filling = random_filling(offer.domain, state, chance)
    return offer.fill(filling) if offer.domain.admits(filling) else None


def random_filling(domain: Any, state: State, chance: Random) -> Any:  # noqa: PLR0911 -- a domain each
    """Something that likely lies in the domain."""
    match domain:
        case TableDomain(standing, overruling):
            some = random_tiles(chance, chance.randint(1, 3)) if overruling else random_set(chance)
            return Laid((*standing.before.sets, some))
        case RestoredDomain(before):
            return Laid(tuple(laid for laid in before.sets if chance.random() < 0.9))
        case RackDomain(count=count):
            return random_tiles(chance, count.tiles or chance.randint(1, 9))
        case StartTileDomain() | DrawnDomain():
            return random_tiles(chance, 1)
        case CountDomain(most):
            return Count(chance.choice((None, chance.randint(1, max(1, most)))))
        case PointsDomain():
            return chance.randint(1, 90)
        case ScoresDomain(players, winner, stopped, total):
            costs = [chance.randint(1, 90) for _ in range(players)]
            if stopped and not total:
                return Scores(after_stalemate(costs, state.round.seat))
            out = chance.randrange(players) if winner is None else winner
            costs[out] = 0
            scores = after_rummikub(costs, out)
            return Scores(tuple(each + total * (at == out) for at, each in enumerate(scores)))
    raise AssertionError(domain)


def random_set(chance: Random) -> Tiles:
    """A group or a run, one in six with a joker."""
    if chance.random() < 0.5:
        number = chance.choice(NUMBERS)
        pieces: list[Piece] = [
            Tile(colour, number) for colour in chance.sample(COLOURS, chance.randint(3, 4))
        ]
    else:
        first, length = chance.randint(1, 11), chance.randint(3, 5)
        colour = chance.choice(COLOURS)
        pieces = [Tile(colour, each) for each in range(first, min(first + length, 14))]
    if chance.random() < 1 / 6:
        pieces[chance.randrange(len(pieces))] = JOKER
    return Tiles(tuple(pieces))


def random_tiles(chance: Random, tiles: int) -> Tiles:
    """Tiles at random, now and then a joker among them."""
    return Tiles(
        tuple(
            JOKER
            if chance.random() < 0.03
            else Tile(chance.choice(COLOURS), chance.choice(NUMBERS))
            for _ in range(tiles)
        )
    )


is_admitted = partial(playing.is_admitted, GAME)
names = st.sampled_from([*NAMES, "Nobody"])
seeds = st.integers(0, 2**32)
chances = seeds.map(Random)
loose = st.builds(random_tiles, chances, st.integers(0, 4))
tables = st.lists(chances.map(random_set) | loose, max_size=3).map(lambda sets: Laid(tuple(sets)))
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(StartDrawn, names, loose),
    st.builds(BeginnerNamed, names),
    st.builds(LayTiles, tables, st.booleans()),
    st.builds(DrawTile, loose),
    st.sampled_from(TurnAct),
    st.builds(TableRestored, tables),
    st.builds(RackCounted, names, st.builds(Count, st.none() | st.integers(0, 170))),
    st.builds(RackShown, names, loose),
    st.builds(EnterRackPoints, names, st.integers(-1, 1200)),
    st.builds(RummikubCalled, names),
    st.builds(RoundStopped, names),
    st.builds(RoundScored, st.lists(st.integers(-30, 30), max_size=6).map(tuple).map(Scores)),
    st.builds(
        RoundCorrected,
        st.integers(0, 3),
        st.lists(st.integers(-30, 30), max_size=6).map(tuple).map(Scores),
    ),
    st.just(GameEnded()),
)
