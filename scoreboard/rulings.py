"""Rules in one sentence each, under their identifiers: the answer to a player's “why?”."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.phrase import Phrase, phrase

RULINGS: Final[Mapping[str, Phrase]] = {
    "YZ-2": phrase("Everyone throws all dice once: the highest total starts."),
    "YZ-4": phrase("A turn has at most three rolls, of any of the dice."),
    "YZ-5": phrase("A die that fell off or leans is thrown again, it alone."),
    "YZ-6": phrase("After the last roll one empty box is filled, and never changed."),
    "YZ-7": phrase("A box takes what the dice are worth in it: 0 where its condition fails."),
    "YZ-8": phrase("The dice that show the number of the box are added."),
    "YZ-9": phrase("Six upper boxes of 63 or more together earn 35."),
    "YZ-10": phrase("At least three dice alike: all five dice are added."),
    "YZ-11": phrase("At least four dice alike: all five dice are added."),
    "YZ-12": phrase("Three of one number and two of another: 25."),
    "YZ-13": phrase("At least four dice in sequence: 30."),
    "YZ-14": phrase("Five dice in sequence: 40."),
    "YZ-15": phrase("Five dice alike: 50."),
    "YZ-16": phrase("Any dice: all five are added."),
    "YZ-17": phrase("A further Yahtzee earns 100 where the Yahtzee box holds 50."),
    "YZ-18": phrase("A joker goes to its upper box, else to a lower one at full value, else to 0."),
    "YZ-19": phrase("The grand total is the upper total, the lower sum and the Yahtzee bonus."),
    "YZ-21": phrase(
        "While the Yahtzee box is empty, five alike are no full house and no straight."
    ),
    "YB-1": phrase("Two re-rolls of any dice; then a box must be filled, at 0 if need be."),
    "YB-2": phrase("Three of one number and two of another: 30, or what the table agreed on."),
    "YB-3": phrase("The row shows how much is missing to 63; then it becomes 35 by itself."),
    "YB-4": phrase("A further Yahtzee earns 100, then fills its upper box, else a lower one."),
    "YB-6": phrase("While the Yahtzee box is empty, a Yahtzee is an ordinary roll."),
    "YM-1": phrase("The dice that show the number of the box are added."),
    "YM-2": phrase("An upper sum of 60 earns 30, and each point above it one more."),
    "YM-3": phrase("Any dice: their sum is recorded, and scores only through Delta."),
    "YM-4": phrase("Plus minus Minus, by itself, and never below 0."),
    "YM-5": phrase("At least four dice alike: all five dice are added, and 40."),
    "YM-6": phrase("Three alike and the other two alike, five alike too: all dice and 30."),
    "YM-7": phrase("Four in sequence: 40, or what the table agreed on; five in sequence: 50."),
    "YM-8": phrase("Five dice alike: all dice are added, and 50."),
    "YM-9": phrase("Four dice alike and the fifth shows the face opposite to theirs: 50."),
    "YM-11": phrase("Every box is filled once; the highest total wins."),
    "YM-12": phrase("Upper sum, bonus, Delta and the other boxes; Plus and Minus are not added."),
    "CH-1": phrase("Three rolls of any dice; then one empty box is filled."),
    "CH-2": phrase("A made hand scores only when its condition holds, else 0."),
    "CH-3": phrase("A pair and three alike; by the sheet's example four alike and one other, too."),
    "CH-4": phrase("A pair, and another pair among the other three dice: all dice are added."),
    "CH-5": phrase("The number times how many dice show it."),
    "CH-6": phrase("The twelve boxes are added; the highest sum wins."),
    "CH-7": phrase("Any empty box may be filled; it takes what the dice are worth in it."),
}
