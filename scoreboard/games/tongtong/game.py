"""Tong Tong, a trick-taking card game in three games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.games.engine.game import Game, Setup
from scoreboard.games.tongtong import view
from scoreboard.games.tongtong.acts import KINDS, NOTATION, CardPlayed, Command, Event
from scoreboard.games.tongtong.house import OPTIONS, SEATS, HouseRules
from scoreboard.games.tongtong.rules import decide, warning
from scoreboard.games.tongtong.state import GAMES, Deal, State, evolve, outcome
from scoreboard.message import Message, message

HIGHEST_SUM: Final = 10  # of a mission whose own sum is earned: the others bust below (TT-16)


def start(setup: Setup) -> State:
    """The match before its first mission. Raises RuleViolationError."""
    return State(HouseRules.of(setup), setup.players, Deal.fresh(len(setup.players)))


def scores(setup: Setup) -> range:
    """Each mission at its best, and all 6s won, in each game (TT-9 to TT-12)."""
    house = HouseRules.of(setup)
    best = max(max(house.points_of(each)) if each.ranks else HIGHEST_SUM for each in house.missions)
    return range(GAMES * (best + len(house.colours)) + 1)


RULE_TEXTS: Final[Mapping[str, Message]] = {
    "TT-1": message("As many colours as players are in play, red always, each with 1 to 8."),
    "TT-2": message("For each game everyone takes eight cards anew, and another mission holds."),
    "TT-3": message("Who holds red 8 leads the first of seven tricks; one card stays in hand."),
    "TT-4": message("The leader plays any card; the others follow its colour if they hold one."),
    "TT-5": message("The highest number of any colour takes the trick; of equals the later one."),
    "TT-6": message("Who played the last 4 leads the next trick; without a 4 the winner does."),
    "TT-7": message("Of each colour just won the lowest card lies on top of its pile."),
    "TT-8": message("The tops of a player's piles are added; who won nothing has the sum 0."),
    "TT-9": message("Every 6 among the cards won earns a point, bust or not."),
    "TT-10": message("The mission says what the sum earns; a sum that busts earns 0."),
    "TT-11": message("The ranks earn 10, 7, 4 and 1, or what the table's own cards print."),
    "TT-12": message("A total never falls below 0 by the mission; then the bonus is added."),
    "TT-13": message("Most points after three games win; of equals the latest game decides."),
    "TT-14": message("Basic play has the three basic missions, advanced play three of all five."),
    "TT-15": message("Partners sit opposite; their totals are added after the last game."),
    "TT-16": message(
        "The three missions that rank are the basic ones, unless the table says else."
    ),
}
GAME: Final[Game[State, Command, Event]] = Game(
    name="tongtong",
    title=message("Tong Tong"),
    seats=SEATS,
    options=OPTIONS,
    kinds=KINDS,
    start=start,
    decide=decide,
    evolve=evolve,
    offers=view.offers,
    scoresheet=view.scoresheet,
    outcome=outcome,
    turn=view.turn,
    describe=view.describe,
    notation=NOTATION,
    rule_texts=RULE_TEXTS,
    pieces_on_table=view.pieces_on_table,
    judge=view.judgement,
    warn=warning,
    scores=scores,
    needs=message("Tong Tong cards"),
    minutes=30,
    begins=(CardPlayed,),
    taught=(
        message(
            "The camera reads the cards of a deck that you taught it; without one, cards are "
            "tapped."
        ),
        message("Teach a set"),
    ),
    review="ends",
)
