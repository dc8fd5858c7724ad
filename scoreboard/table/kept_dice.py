"""Which dice were kept: place and value suggest it, the numbers check it, a tap decides it.

A kept die may stay in place, be pushed aside, or leave the picture for a holder. So with k of n
dice kept, n - k dice seen are a roll of the others, and n dice seen must contain the kept values
(YZ-4). Anything else is asked about, never guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from scoreboard.dice import Roll
from scoreboard.message import Message, message
from scoreboard.table.dice_tracking import (
    STAYED,
    TrackedDice,
    distance_in_sides,
    in_company,
    is_turned,
    paired,
    shows_the_same,
    track_dice,
)
from scoreboard.table.proposal import TableDie

UNREADABLE: Final = message("A die can’t be read: tap it and enter what it shows.")
NONE_ROLLED: Final = message("All dice are marked as kept: tap the ones that were re-rolled.")
SAME_DICE: Final = message("Same dice as before. Rolled? KEEP = yes, REROLL = no.")
NEAR_SIDES: Final = 0.5  # nearer to a kept one's place, a rolled die is asked about
EXACT_SIDES: Final = 0.1  # a die that was only misread is no farther off

Pairs = dict[int, int]  # kept dice: from the index in the roll before to that among those seen


@dataclass(frozen=True, slots=True)
class Question:
    """A die in the place of one that showed `was` shows `now`: only a person knows why.

    `die` is its index among those seen; `kept` the index in the last roll of the die that
    a person marked as kept there, None without a mark.
    """

    die: int
    was: int
    now: int
    kept: int | None = None

    @property
    def text(self) -> Message:
        if self.kept is None:
            return message(
                "A die in the same place showed {was} and now shows {now}: was it re-rolled?",
                was=self.was,
                now=self.now,
            )
        return message(
            "A kept {was} now shows {now}: was it turned over, or misread?",
            was=self.was,
            now=self.now,
        )


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """How many dice are seen of those due; `in_tray`: nothing beyond the tray can be seen."""

    seen: int
    due: int
    in_tray: bool = False

    @property
    def off_tray(self) -> int:
        return max(0, self.due - self.seen) if self.in_tray else 0

    @property
    def _beyond_tray(self) -> Message | None:
        if self.off_tray == 1:
            return message("A die is off the tray: re-roll just that die.")
        if self.off_tray:
            return message("{dice} dice are off the tray: re-roll just those.", dice=self.off_tray)
        return None

    @property
    def of_all(self) -> Message:
        """When all dice were rolled, and not all are seen, or too many."""
        if self.seen > self.due:
            return message(
                "{seen} dice instead of {dice}: remove the others, or delete them here.",
                seen=self.seen,
                dice=self.due,
            )
        return self._beyond_tray or message(
            "I see {seen} of {dice} dice: add what is missing.", seen=self.seen, dice=self.due
        )

    @property
    def of_rolled(self) -> Message:
        """When it is known what was kept, and of the others not all are seen."""
        return self._beyond_tray or message(
            "I see {seen} of the {dice} rolled dice: add what is missing, or tap the ones "
            "you kept.",
            seen=self.seen,
            dice=self.due,
        )

    @property
    def of_unknown(self) -> Message:
        """When not all are seen, and nothing is marked as kept."""
        if self.in_tray:
            return message(
                "{seen} of {dice} dice are in the tray. Tap the dice you kept; re-roll "
                "any other die that is off the tray.",
                seen=self.seen,
                dice=self.due,
            )
        return message(
            "I see {seen} of {dice} dice: tap the ones you kept.", seen=self.seen, dice=self.due
        )


@dataclass(frozen=True, slots=True)
class LastRoll:
    """The turn's last roll: its dice's places, and which a person marked as kept.

    `marks` are indices tapped by a person, None without a tap; `announced` are the kept dice
    recorded by the game, or None.
    """

    dice: tuple[TableDie, ...] = ()
    marks: frozenset[int] | None = None
    announced: Roll | None = None

    @property
    def chosen(self) -> frozenset[int] | None:
        """The kept dice by a person's tap or announcement; None without either."""
        if self.marks is not None or self.announced is None:
            return self.marks
        found = set[int]()  # each die once
        for wanted in self.announced.faces:
            free = (at for at in range(len(self.dice)) if at not in found)
            found.update([at for at in free if self.dice[at].value == wanted][:1])
        return frozenset(found)

    def faces(self, dice: Iterable[int]) -> Roll:
        """The faces of these dice, ascending."""
        return Roll(tuple(sorted(self.dice[die].value for die in dice)))


@dataclass(frozen=True, slots=True)
class RollReading:
    """The interpretation of a pending reading.

    `roll` is the whole roll with the kept dice, ascending, None while there is an `obstacle`;
    `kept` the faces kept before it, None when that is not known; the kept dice's indices among
    those seen and among those of the last roll; `doubts` arise from places; `questions` are those
    of them that have answers to choose from (the obstacle may be one too); `on_table` are the
    dice's places, in the roll's order; `off_tray` is how many dice must be rolled again because
    they left the tray (YZ-5).
    """

    roll: Roll | None = None
    kept: Roll | None = None
    kept_seen: frozenset[int] = frozenset()
    kept_before: frozenset[int] = frozenset()
    obstacle: Message | None = None
    doubts: tuple[Message, ...] = ()
    questions: tuple[Question, ...] = ()
    on_table: tuple[TableDie, ...] = ()
    off_tray: int = 0


def judged(
    seen: Sequence[TableDie], dice: int, before: LastRoll, *, in_tray: bool = False
) -> RollReading:
    """Interpret the dice seen after a roll; `in_tray`: a missing one not kept is off it (YZ-5)."""
    chosen = before.chosen
    if any(die.face is None for die in seen):
        return RollReading(obstacle=UNREADABLE, kept_before=chosen or frozenset())
    if not before.dice:
        asked = CountQuestion(len(seen), dice, in_tray)
        fits = len(seen) == dice
        return _whole(seen) if fits else RollReading(obstacle=asked.of_all, off_tray=asked.off_tray)
    if chosen is None:
        return _by_position(seen, before, CountQuestion(len(seen), dice, in_tray))
    if len(chosen) == dice:
        return RollReading(obstacle=NONE_ROLLED, kept_before=chosen)
    return KeptDice.of(seen, before, chosen).read_roll(dice, in_tray=in_tray)


def _by_position(seen: Sequence[TableDie], before: LastRoll, number: CountQuestion) -> RollReading:
    if number.seen != number.due:
        fewer = number.seen < number.due
        return RollReading(obstacle=number.of_unknown if fewer else number.of_all)
    followed = in_company(track_dice(before.dice, [die.placed for die in seen]))
    stayed = {die.before: die.now for die in followed if die.fate in STAYED}
    questions = _questions(seen, before, followed, frozenset())
    doubts = tuple(
        message(
            "A {face} moved a little and turned: if you kept it, tap it in the last roll.",
            face=before.dice[die.before].value,
        )
        for die in followed
        if die.fate == "turned"
    )
    if shows_the_same(followed, len(seen)):
        return _whole(seen)
    return _asking(_whole(seen, before, stayed or None), questions, doubts)


def _questions(
    seen: Sequence[TableDie],
    before: LastRoll,
    followed: Sequence[TrackedDice],
    kept: Collection[int],
) -> tuple[Question, ...]:
    """About dice that changed in place, except those that a person named.

    Without marks, a die that was turned in its place counts as rolled.
    """
    return tuple(
        Question(
            die.now,
            before.dice[die.before].value,
            seen[die.now].face or 0,
            die.before if die.before in kept else None,
        )
        for die in followed
        if die.fate == "changed"
        and not seen[die.now].corrected
        and (
            die.before in kept
            or not is_turned(before.dice[die.before], seen[die.now])
            or distance_in_sides(before.dice[die.before], seen[die.now]) <= EXACT_SIDES
        )
    )


@dataclass(frozen=True, slots=True)
class KeptDice:
    """The places of the dice that a person marked as kept; keys as in `Pairs`.

    `stayed` are untouched, `pushed` near their old places; `questions` are about places where a die
    shows something else.
    """

    seen: Sequence[TableDie]
    before: LastRoll
    chosen: frozenset[int]
    stayed: Pairs
    pushed: Pairs
    questions: tuple[Question, ...]

    @classmethod
    def of(cls, seen: Sequence[TableDie], before: LastRoll, chosen: frozenset[int]) -> KeptDice:
        """Find the kept dice by their places."""
        followed = track_dice(before.dice, [die.placed for die in seen])
        same = [die for die in followed if die.before in chosen and die.fate != "changed"]
        asked = _questions(seen, before, followed, chosen)
        return cls(
            seen,
            before,
            chosen,
            {die.before: die.now for die in same if die.fate == "untouched"},
            {die.before: die.now for die in same if die.fate != "untouched"},
            tuple(question for question in asked if question.kept is not None),
        )

    def read_roll(self, dice: int, *, in_tray: bool) -> RollReading:
        """The roll, when all dice that are neither rolled nor away are found as kept ones."""
        rolled = dice - len(self.chosen)
        here = len(self.seen) - rolled  # kept dice in the picture, if all rolled ones are there
        if here < len(self.stayed):
            number = CountQuestion(len(self.seen) - len(self.stayed), rolled, in_tray)
            return self._no_roll(number.of_rolled, number.off_tray)
        # of the pushed ones the farthest are not kept where the numbers say that they were rolled
        pushed = sorted(self.pushed.items(), key=self._way)[: here - len(self.stayed)]
        placed = self.stayed | dict(pushed)
        aside, lacking = self._aside(placed), here - len(placed)
        one_face = len({self.before.dice[die].value for die in aside}) == 1
        # none is taken where it is a choice of values
        clear = here == len(self.chosen) or one_face or len(aside) == lacking
        found = placed | dict(tuple(aside.items())[:lacking] if clear and lacking > 0 else ())
        if len(found) < here:
            return self._no_roll(self._unfound(dice))
        # with no kept die in the picture, all are on a holder, and any value may be rolled
        spare = len(placed) + len(aside) - here if here else 0
        doubts = [
            message(
                "A {face} is where the kept one was: was it rolled?",
                face=self.before.dice[pair[0]].value,
            )
            for pair in sorted(self.pushed.items())
            if pair[0] not in found and self._way(pair) <= NEAR_SIDES
        ]
        if spare > 0:
            doubts.append(
                message(
                    "The kept dice may all be here, and {dice} of the rolled ones missing: "
                    "count them.",
                    dice=spare,
                )
            )
        whole = _whole(self.seen, self.before, found, self.chosen - found.keys())
        return _asking(whole, self.questions, doubts)

    def _way(self, pair: tuple[int, int]) -> float:
        return distance_in_sides(self.before.dice[pair[0]], self.seen[pair[1]].placed)

    def _aside(self, placed: Pairs) -> Pairs:
        """The other kept dice that may be elsewhere in the picture, by value, nearest first."""
        free = [at for at in range(len(self.seen)) if at not in placed.values()]
        gains: list[dict[int, float]] = [{} for _ in self.seen]
        for at, die in product(free, sorted(self.chosen - placed.keys())):
            if self.seen[at].face == self.before.dice[die].value:
                gains[at][die] = 1 + 1 / (1 + self._way((die, at)))
        return dict(sorted(paired(gains), key=self._way))

    def _unfound(self, dice: int) -> Message:
        kept = self.before.faces(self.chosen)
        if self.questions and len(self.seen) <= dice:
            return self.questions[0].text
        if len(self.seen) != dice:
            return message(
                "Dice seen: {seen}. Kept: {kept}, so {thrown} were rolled. Fix the "
                "reading, or tap the dice you kept.",
                seen=len(self.seen),
                kept=kept.spaced or "-",
                thrown=dice - len(self.chosen),
            )
        roll = Roll(tuple(sorted(die.face for die in self.seen if die.face is not None)))
        return message(
            "The kept {missing} is not in {roll}: fix the reading, or tap the dice you kept.",
            missing=kept.missing_from(roll).spaced,
            roll=roll.spaced,
        )

    def _no_roll(self, why: Message, off_tray: int = 0) -> RollReading:
        return RollReading(
            kept_seen=frozenset(self.stayed.values()),
            kept_before=self.chosen,
            obstacle=why,
            questions=self.questions,
            off_tray=off_tray,
        )


def _whole(
    seen: Sequence[TableDie],
    before: LastRoll | None = None,
    kept: Pairs | None = None,
    away: Iterable[int] = (),
) -> RollReading:
    """A legal roll of the dice seen and of those kept `away` from view; `kept` None if unknown."""
    gone = () if before is None else tuple(TableDie(before.dice[die].value) for die in away)
    here = tuple(die.placed for die in seen)
    on_table = tuple(sorted((*here, *gone), key=lambda die: die.value))
    kept_before = frozenset({*(kept or ()), *away})
    return RollReading(
        roll=Roll(tuple(die.value for die in on_table)),
        kept=None if before is None or kept is None else before.faces(kept_before),
        kept_seen=frozenset((kept or {}).values()),
        kept_before=kept_before,
        on_table=on_table,
    )


def _asking(
    rolled: RollReading, questions: tuple[Question, ...], doubts: Iterable[Message]
) -> RollReading:
    """The roll with everything a person should check, the questions first."""
    texts = tuple(question.text for question in questions)
    return replace(rolled, doubts=(*texts, *doubts), questions=questions)
