"""Which dice were kept: position proposes it, the values check it, a tap decides it.

A kept die may stay where it lies, be pushed aside, or leave the picture for a holder. So with
k of n dice kept, n - k dice seen are a throw of the others, and n dice seen must contain the
kept values (YZ-4). Anything else is asked about, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scoreboard.dice import Roll
from scoreboard.phrase import Phrase, phrase
from scoreboard.table.places import LyingDie, Pair, unmoved
from scoreboard.table.reading import PendingDie

UNREADABLE: Final = phrase("A die cannot be read: tap it and say what it shows.")
TAP_KEPT: Final = phrase("Tap the dice that were kept.")
NOTHING_THROWN: Final = phrase("All dice are marked as kept: tap those that were thrown again.")


@dataclass(frozen=True, slots=True)
class Before:
    """The turn's last throw: how it lies, and which dice of it are said to be kept.

    `marks` are indices tapped by a person, None while nobody tapped; `announced` is what
    the game recorded as kept, None while nothing is.
    """

    lying: tuple[LyingDie, ...] = ()
    marks: frozenset[int] | None = None
    announced: Roll | None = None

    @property
    def chosen(self) -> frozenset[int] | None:
        """The kept dice as a person said, by tap or by announcement; None when nobody did."""
        if self.marks is not None or self.announced is None:
            return self.marks
        return _indices(self.announced, [die.face for die in self.lying])

    def faces(self, dice: Iterable[int]) -> Roll:
        """The faces of these dice, ascending."""
        return Roll(tuple(sorted(self.lying[die].face for die in dice)))


@dataclass(frozen=True, slots=True)
class Throw:
    """What a pending reading amounts to.

    `roll` is the whole throw with the kept dice, ascending, None while an `obstacle` keeps
    it from being one; `kept` the faces kept before it, None when that is not known; the
    kept dice's indices among those seen and among those of the last throw; `doubts` arise
    from places; `lying` is how the dice would lie, in the roll's order.
    """

    roll: Roll | None = None
    kept: Roll | None = None
    kept_seen: frozenset[int] = frozenset()
    kept_before: frozenset[int] = frozenset()
    obstacle: Phrase | None = None
    doubts: tuple[Phrase, ...] = ()
    lying: tuple[LyingDie, ...] = ()


def judged(seen: Sequence[PendingDie], dice: int, before: Before) -> Throw:
    """What the dice seen amount to in a game of `dice` dice, after the throw `before`."""
    chosen = before.chosen or frozenset()
    if any(die.face is None for die in seen):
        return Throw(obstacle=UNREADABLE, kept_before=chosen)
    if not before.lying:
        return _whole(seen) if len(seen) == dice else Throw(obstacle=_wrong_number(seen, dice))
    if before.chosen is not None:
        return _with_known_kept(seen, dice, before, chosen)
    return _by_position(seen, dice, before)


def _by_position(seen: Sequence[PendingDie], dice: int, before: Before) -> Throw:
    if len(seen) < dice:
        return Throw(obstacle=TAP_KEPT)
    if len(seen) > dice:
        return Throw(obstacle=_wrong_number(seen, dice))
    same, changed = _unmoved(seen, before)
    doubts = tuple(_changed(before.lying[pair.before], seen[pair.now]) for pair in changed)
    if not 0 < len(same) < dice:
        return _whole(seen, doubts=doubts)
    return _whole(seen, before=before, pairs=same, doubts=doubts)


def _with_known_kept(
    seen: Sequence[PendingDie], dice: int, before: Before, chosen: frozenset[int]
) -> Throw:
    pairs = _kept_in_sight(seen, dice, before, chosen)
    thrown = dice - len(chosen)
    kept = before.faces(chosen)
    if not thrown:
        return Throw(obstacle=NOTHING_THROWN, kept_before=chosen)
    if len(seen) == dice and len(pairs) < len(chosen):
        missing = kept.missing_from(_roll(seen))
        return Throw(obstacle=_missing(missing, seen), kept_before=chosen)
    if len(seen) - len(pairs) != thrown:
        return Throw(obstacle=_wrong_number_kept(seen, kept, thrown), kept_before=chosen)
    away = chosen - {pair.before for pair in pairs}
    doubts = _kept_among_thrown(seen, before, away)
    return _whole(seen, before=before, pairs=pairs, away=away, doubts=doubts)


def _kept_among_thrown(
    seen: Sequence[PendingDie], before: Before, away: frozenset[int]
) -> tuple[Phrase, ...]:
    """The doubt about a die taken for a thrown one that lies just as one kept lay."""
    same, _ = _unmoved(seen, before)
    return tuple(
        phrase(
            "A {face} lies where the kept one lay: was it thrown?",
            face=before.lying[pair.before].face,
        )
        for pair in same
        if pair.before in away and not seen[pair.now].told
    )


def _kept_in_sight(
    seen: Sequence[PendingDie], dice: int, before: Before, chosen: frozenset[int]
) -> tuple[Pair, ...]:
    """The kept dice that are in the picture, by place first.

    Only where all dice are in the picture may values find those that were pushed aside;
    where some are missing, a thrown die may show the value of a kept one on the holder.
    """
    same, _ = _unmoved(seen, before)
    pairs = [pair for pair in same if pair.before in chosen]
    if len(seen) == dice - len(chosen):
        return ()
    if len(seen) == dice:
        for index in sorted(chosen - {pair.before for pair in pairs}):
            free = (at for at in range(len(seen)) if all(at != pair.now for pair in pairs))
            match = next((at for at in free if seen[at].face == before.lying[index].face), None)
            if match is not None:
                pairs.append(Pair(index, match))
    return tuple(pairs)


def _unmoved(
    seen: Sequence[PendingDie], before: Before
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """The dice in the place of one before: those of the same face, and the changed ones."""
    pairs = unmoved([die.box for die in before.lying], [die.box for die in seen])
    same = tuple(pair for pair in pairs if before.lying[pair.before].face == seen[pair.now].face)
    changed = tuple(pair for pair in pairs if pair not in same and not seen[pair.now].told)
    return same, changed


def _whole(
    seen: Sequence[PendingDie],
    *,
    before: Before | None = None,
    pairs: Sequence[Pair] = (),
    away: Iterable[int] = (),
    doubts: tuple[Phrase, ...] = (),
) -> Throw:
    """A legal throw of the dice seen and the kept ones `away` from the picture."""
    gone = () if before is None else tuple(LyingDie(before.lying[die].face) for die in away)
    here = tuple(LyingDie(die.face, die.box) for die in seen if die.face is not None)
    lying = tuple(sorted((*here, *gone), key=lambda die: die.face))
    kept_before = frozenset({pair.before for pair in pairs} | set(away))
    return Throw(
        roll=Roll(tuple(die.face for die in lying)),
        kept=None if before is None else before.faces(kept_before),
        kept_seen=frozenset(pair.now for pair in pairs),
        kept_before=kept_before,
        doubts=doubts,
        lying=lying,
    )


def _indices(roll: Roll, faces: Sequence[int]) -> frozenset[int]:
    """Where the dice of `roll` stand among `faces`, each die once."""
    left = list(enumerate(faces))
    found = set()
    for wanted in roll.faces:
        for entry in left:
            if entry[1] == wanted:
                left.remove(entry)
                found.add(entry[0])
                break
    return frozenset(found)


def _roll(seen: Sequence[PendingDie]) -> Roll:
    return Roll(tuple(sorted(die.face for die in seen if die.face is not None)))


def _changed(was: LyingDie, now: PendingDie) -> Phrase:
    return phrase(
        "A die that showed {was} lies where it lay and shows {now}: was it thrown again?",
        was=was.face,
        now=now.face or 0,
    )


def _missing(missing: Roll, seen: Sequence[PendingDie]) -> Phrase:
    return phrase(
        "The kept {missing} is not in {roll}: correct the reading, or tap what was kept.",
        missing=str(missing),
        roll=str(_roll(seen)),
    )


def _wrong_number(seen: Sequence[PendingDie], dice: int) -> Phrase:
    if len(seen) > dice:
        return phrase(
            "{seen} dice are seen, {dice} are played: take the others away, or delete them here.",
            seen=len(seen),
            dice=dice,
        )
    return phrase(
        "{seen} of {dice} dice are seen: add those that were missed.",
        seen=len(seen),
        dice=dice,
    )


def _wrong_number_kept(seen: Sequence[PendingDie], kept: Roll, thrown: int) -> Phrase:
    return phrase(
        "Dice seen: {seen}. Kept: {kept}, so {thrown} were thrown. "
        "Correct the reading, or tap what was kept.",
        seen=len(seen),
        kept=str(kept) or "-",
        thrown=thrown,
    )
