"""Rummikub, classic for two to four players, with the XP set for five and six."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Game, Outcome, PieceGroup, Setup
from scoreboard.games.rummikub.acts import KINDS, NOTATION, BeginnerNamed, Command, Event
from scoreboard.games.rummikub.house import MOST_ROUNDS, OPTIONS, HouseRules
from scoreboard.games.rummikub.racks import RACKS, penalties_printed
from scoreboard.games.rummikub.rules import decide
from scoreboard.games.rummikub.sets import as_read
from scoreboard.games.rummikub.state import Round, State, evolve
from scoreboard.games.rummikub.tiles import Box, points
from scoreboard.games.rummikub.view import (
    describe,
    judgement,
    offers,
    scoresheet,
    set_verdicts,
    turn,
)
from scoreboard.message import Message, message

SEATS: Final = range(2, 7)


def start(setup: Setup) -> State:
    """A game before its first round (RK-1).

    Raises:
        RuleViolationError: too few or too many players, or an option that there is not.
    """
    house, players = HouseRules.of(setup.options), len(setup.players)
    if players not in SEATS:
        raise RuleViolationError("RK-1", message("Rummikub is for 2 to 6 players."))
    fresh = Round.fresh(players, house)
    return State(setup.players, Box.of(players), house, fresh)


def outcome(state: State) -> Outcome | None:
    """RK-14: the highest total first, equal ones share the place; None before the end."""
    totals = state.totals
    return Outcome.ranked(state.players, totals, totals) if state.ended else None


def scores(setup: Setup) -> range:
    """Nobody gains or loses more than all tiles of the box cost, in each round (RK-11)."""
    house = HouseRules.of(setup.options)
    most = points(Box.of(len(setup.players)).tiles, house.joker) * (house.rounds or MOST_ROUNDS)
    return range(-most, most + 1)


def pieces_on_table(state: State) -> tuple[PieceGroup, ...]:
    """The sets on the table, each as it is read."""
    return tuple(
        PieceGroup("tiles", tuple(map(str, as_read(laid).pieces)))
        for laid in state.round.table.sets
    )


RULE_TEXTS: Final[Mapping[str, Message]] = {
    "RK-1": message("106 tiles: 1 to 13 in four colours, each twice, and two jokers; XP has 160."),
    "RK-2": message("Everyone draws a tile: the highest number begins. Each then takes 14 tiles."),
    "RK-3": message("A group: three or four tiles of one number, all of different colours."),
    "RK-4": message("A run: three or more numbers of one colour in a row; 1 never follows 13."),
    "RK-5": message(
        "A first meld: complete sets from the own rack alone, worth 30 or more; a joker counts "
        "the most that its set allows, whichever side it lies on, or what the player says."
    ),
    "RK-6": message("Who cannot or will not lay draws one tile, and the turn passes."),
    "RK-7": message("When the time is up, the table is put back and three tiles are drawn."),
    "RK-8": message("At least one tile comes from the rack; in the end every tile is in a set."),
    "RK-9": message("A joker that is freed goes into a new set at once, never to a rack."),
    "RK-10": message("A joker left on a rack costs 30, or what the table agreed on."),
    "RK-11": message("The others lose what is left on their racks; who is out gains it all."),
    "RK-12": message("With an empty pool, the first who lays nothing ends the round."),
    "RK-13": message(
        "Nobody out: the lowest rack gains what the others hold more than it; equal lowest racks "
        "share it, and the odd points go to whichever of them would have played next."
    ),
    "RK-14": message("The rounds are added up; the highest total wins."),
    "RK-15": message("Each round begins with a new draw; the players say which is the last."),
    "RK-16": message("A joker stands for any tile that its set needs."),
    "RK-17": message("A freed joker's set must not hold the whole of a set that lay there."),
    "RK-18": message("Who laid and moved nothing when the time is up draws one tile only."),
    "CS-1": message(
        "Clock and scores: nobody enters what is laid. The table times the turns, counts the tiles "
        "drawn, and adds up the racks; the players watch the sets."
    ),
}
GAME: Final[Game[State, Command, Event]] = Game(
    name="rummikub",
    title=message("Rummikub"),
    seats=SEATS,
    options=OPTIONS,
    kinds=KINDS,
    start=start,
    decide=decide,
    evolve=evolve,
    offers=offers,
    scoresheet=scoresheet,
    outcome=outcome,
    turn=turn,
    describe=describe,
    notation=NOTATION,
    rule_texts=RULE_TEXTS,
    pieces_on_table=pieces_on_table,
    judge=judgement,
    judge_sets=set_verdicts,
    scores=scores,
    hand_count=RACKS,
    needs=message("Rummikub tiles"),
    minutes=60,
    begins=(BeginnerNamed,),
    bgg_id=811,
    zero_sum=True,
    penalties=penalties_printed,
    taught=(
        message(
            "The camera reads any ordinary Rummikub set. Are yours unusual? Teach it your own "
            "tiles, and choose there which are read."
        ),
        message("Your own tiles"),
    ),
    review="turns",
)
