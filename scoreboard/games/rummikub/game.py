"""Rummikub, classic for two to four players, with the XP set for five and six."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from statistics import fmean
from typing import Final

from scoreboard.errors import NotationError, refused
from scoreboard.games.engine.game import CountField, Game, HandCount, Outcome, PieceGroup, Setup
from scoreboard.games.rummikub import acts, view
from scoreboard.games.rummikub.house import MOST_ROUNDS, OPTIONS, HouseRules
from scoreboard.games.rummikub.rules import decide
from scoreboard.games.rummikub.sets import as_read
from scoreboard.games.rummikub.state import Round, State, after_rummikub, after_stalemate, evolve
from scoreboard.games.rummikub.tiles import XP, Box, points
from scoreboard.message import Message, message

_FIELDS: Final = (
    CountField("numbers", message("Sum of the numbers"), most=9999),
    CountField(
        "jokers",
        message("Jokers"),
        lambda name: message("Jokers on the rack of {name}", name=name),
        XP.jokers,  # of the larger box
    ),
    CountField(
        "unmelded",
        message("No first meld"),
        lambda name: message("{name} made no first meld", name=name),
    ),
)


def penalties_printed(penalties: Mapping[str, int]) -> tuple[Message, ...]:
    """The cost of a rack in addition to its numbers, in sentences."""
    joker = message("A joker left on the rack costs {penalty}.", penalty=penalties["joker"])
    if not (more := penalties["unmelded"]):
        return (joker,)
    return (joker, message("A rack without a first meld costs {more} more.", more=more))


def scores_from_racks(
    racks: Sequence[Mapping[str, int]], penalties: Mapping[str, int]
) -> tuple[int, ...]:
    """The plus and minus points of a round, in the order of the racks.

    The winner gains the cost of all other racks (RK-11); with no rack empty the lowest rack gains
    the others' excess over it (RK-13), a remainder going to the first. Raises NotationError if two
    racks are empty.
    """
    out = [seat for seat, rack in enumerate(racks) if not rack["numbers"] and not rack["jokers"]]
    if len(out) > 1:
        why = message("Count the racks again: two are empty, but only one player can go out.")
        raise NotationError(why)
    costs = [
        rack["numbers"]
        + rack["jokers"] * penalties["joker"]
        + rack.get("unmelded", 0) * penalties["unmelded"]
        for rack in racks
    ]
    if not out:
        return after_stalemate(costs, to_play=0)
    costs[out[0]] = 0
    return after_rummikub(costs, out[0])


RACKS: Final = HandCount(
    name="racks",
    title=message("Or count what is left on the racks"),
    button=message("Enter the racks"),
    # a missing first meld is asked for only if it costs something
    fields=lambda penalties: _FIELDS if penalties["unmelded"] else _FIELDS[:2],
    hint=lambda penalties: message(
        "Leave both at 0 for the player who went out. A joker costs {penalty}. The player who went "
        "out, or else the one with the least left, gains what the others lose.",
        penalty=penalties["joker"],
    ),
    scores=scores_from_racks,
)


SEATS: Final = range(2, 7)


def start(setup: Setup) -> State:
    """A game before its first round (RK-1). Raises RuleViolationError."""
    house, players = HouseRules.of(setup.options), len(setup.players)
    if players not in SEATS:
        raise refused("Rummikub is for 2 to 6 players.", "RK-1")
    fresh = Round.fresh(players, house)
    return State(setup.players, Box.of(players), house, fresh, extended=(0,) * players)


def outcome(state: State) -> Outcome | None:
    """RK-14: the highest total first, equal ones share the place; None before the end."""
    return Outcome.ranked(state.players, state.totals, state.totals) if state.ended else None


def scores(setup: Setup) -> range:
    """The range of scores: each round costs no more than all tiles of the box (RK-11)."""
    house, players = HouseRules.of(setup.options), len(setup.players)
    tiles = points(Box.of(players).tiles, house.joker)
    most = (tiles + house.bonus + players * house.unmelded) * (house.rounds or MOST_ROUNDS)
    return range(-most, most + 1)


def pieces_on_table(state: State) -> tuple[PieceGroup, ...]:
    """The sets on the table, each in reading order."""
    return tuple(PieceGroup("tiles", as_read(laid).labels) for laid in state.round.table.sets)


HABITS: Final = {
    "rounds-won": message("Rounds won"),
    "rack-left": message("Lost in a lost round"),
    "seconds": message("Seconds a turn"),
    "penalties": message("Penalty tiles"),
}
_TurnBeginning = acts.TurnEnding | acts.BeginnerNamed | acts.TableRestored | acts.PenaltyReduced


def habits(
    states: Sequence[State], steps: Sequence[tuple[acts.Event, datetime]]
) -> Sequence[Mapping[str, int]]:
    """What `HABITS` names: sums of the game, and averages of its lost rounds and of turns."""
    seconds = defaultdict[int, list[int]](list)
    penalties, since = Counter[int](), None
    for before, (event, at) in zip(states, steps, strict=False):
        if isinstance(event, acts.RoundScored):
            penalties.update(dict(enumerate(before.round.penalties)))
        if isinstance(event, acts.TurnEnding) and since is not None:
            seconds[before.round.seat].append(round((at - since).total_seconds()))
        since = at if isinstance(event, _TurnBeginning) else since
    found = []
    for seat, scores in enumerate(zip(*states[-1].scores, strict=True)):
        means = {"rack-left": [-each for each in scores if each < 0], "seconds": seconds[seat]}
        sums = {"rounds-won": sum(each > 0 for each in scores), "penalties": penalties[seat]}
        found.append(sums | {name: round(fmean(each)) for name, each in means.items() if each})
    return found


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
GAME: Final[Game[State, acts.Command, acts.Event]] = Game(
    name="rummikub",
    title=message("Rummikub"),
    seats=SEATS,
    options=OPTIONS,
    kinds=acts.KINDS,
    start=start,
    decide=decide,
    evolve=evolve,
    offers=view.offers,
    scoresheet=view.scoresheet,
    outcome=outcome,
    turn=view.turn,
    describe=view.describe,
    notation=acts.NOTATION,
    rule_texts=RULE_TEXTS,
    pieces_on_table=pieces_on_table,
    judge=view.judgement,
    judge_sets=view.set_verdicts,
    scores=scores,
    hand_count=RACKS,
    needs=message("Rummikub tiles"),
    minutes=60,
    begins=(acts.BeginnerNamed,),
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
    habits=habits,
    habit_names=HABITS,
)
