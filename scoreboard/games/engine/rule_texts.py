"""Rules in one sentence each, under their identifiers: the answer to a player's “why?”."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.message import Message, message

RULE_TEXTS: Final[Mapping[str, Message]] = {
    "YZ-2": message("Everyone throws all dice once: the highest total starts."),
    "YZ-4": message("A turn has at most three rolls, of any of the dice."),
    "YZ-5": message("A die that fell off or leans is thrown again, it alone."),
    "YZ-6": message("After the last roll one empty box is filled, and never changed."),
    "YZ-7": message("A box takes what the dice are worth in it: 0 where its condition fails."),
    "YZ-8": message("The dice that show the number of the box are added."),
    "YZ-9": message("Six upper boxes of 63 or more together earn 35."),
    "YZ-10": message("At least three dice alike: all five dice are added."),
    "YZ-11": message("At least four dice alike: all five dice are added."),
    "YZ-12": message("Three of one number and two of another: 25."),
    "YZ-13": message("At least four dice in sequence: 30."),
    "YZ-14": message("Five dice in sequence: 40."),
    "YZ-15": message("Five dice alike: 50."),
    "YZ-16": message("Any dice: all five are added."),
    "YZ-17": message("A further Yahtzee earns 100 where the Yahtzee box holds 50."),
    "YZ-18": message(
        "A joker goes to its upper box, else to a lower one at full value, else to 0."
    ),
    "YZ-19": message("The grand total is the upper total, the lower sum and the Yahtzee bonus."),
    "YZ-21": message(
        "While the Yahtzee box is empty, five alike are no full house and no straight."
    ),
    "YB-1": message("Two re-rolls of any dice; then a box must be filled, at 0 if need be."),
    "YB-2": message("Three of one number and two of another: 30, or what the table agreed on."),
    "YB-3": message("The row shows how much is missing to 63; then it becomes 35 by itself."),
    "YB-4": message("A further Yahtzee earns 100, then fills its upper box, else a lower one."),
    "YB-6": message("While the Yahtzee box is empty, a Yahtzee is an ordinary roll."),
    "YM-1": message("The dice that show the number of the box are added."),
    "YM-2": message("An upper sum of 60 earns 30, and each point above it one more."),
    "YM-3": message("Any dice: their sum is recorded, and scores only through Delta."),
    "YM-4": message("Plus minus Minus, by itself, and never below 0."),
    "YM-5": message("At least four dice alike: all five dice are added, and 40."),
    "YM-6": message("Three alike and the other two alike, five alike too: all dice and 30."),
    "YM-7": message("Four in sequence: 40, or what the table agreed on; five in sequence: 50."),
    "YM-8": message("Five dice alike: all dice are added, and 50."),
    "YM-9": message("Four dice alike and the fifth shows the face opposite to theirs: 50."),
    "YM-11": message("Every box is filled once; the highest total wins."),
    "YM-12": message("Upper sum, bonus, Delta and the other boxes; Plus and Minus are not added."),
    "CH-1": message("Three rolls of any dice; then one empty box is filled."),
    "CH-2": message("A made hand scores only when its condition holds, else 0."),
    "CH-3": message(
        "A pair and three alike; by the sheet's example four alike and one other, too."
    ),
    "CH-4": message("A pair, and another pair among the other three dice: all dice are added."),
    "CH-5": message("The number times how many dice show it."),
    "CH-6": message("The twelve boxes are added; the highest sum wins."),
    "CH-7": message("Any empty box may be filled; it takes what the dice are worth in it."),
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
