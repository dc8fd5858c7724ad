"""Where dice are, and whether each is untouched, nudged, or rolled again.

Dice carry no names. A hand that reaches in moves several of them at once, and two of one value can
be distinguished only by place; so all dice are paired together, by place and value, never one after
the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import hypot
from typing import Final, Literal

from scoreboard.dice import Roll
from scoreboard.table.proposal import Proposal, TableDie

Shift = tuple[float, float]  # to the right and down, in pixels
NO_SHIFT: Final[Shift] = (0.0, 0.0)


def as_seen(proposal: Proposal) -> tuple[TableDie, ...]:
    """The dice of a reading in their places."""
    return tuple(die.placed for die in proposal.sightings)


def distance_in_sides(was: TableDie, seen: TableDie, shift: Shift = NO_SHIFT) -> float:
    """Two dice's distance in sides of the first, less a `shift`; infinite without a place."""
    if was.box is None or seen.box is None:
        return float("inf")
    across, down = shift_between(was, seen)
    side = (was.box[2] - was.box[0] + was.box[3] - was.box[1]) / 2
    return float("inf") if side <= 0 else hypot(across - shift[0], down - shift[1]) / side


def shift_between(was: TableDie, seen: TableDie) -> Shift:
    """The vector from the middle of one die to that of another; zero if a place is unknown."""
    if was.box is None or seen.box is None:
        return NO_SHIFT
    (left, top, right, bottom), to = was.box, seen.box
    return (to[0] + to[2] - left - right) / 2, (to[1] + to[3] - top - bottom) / 2


def relabelled(dice: Sequence[TableDie], roll: Roll) -> tuple[TableDie, ...]:
    """The dice of `roll`, in its order, each in the place of a die of that face.

    If exactly one die shows something new it gets the remaining place: it was corrected, or a foul
    die rolled again. Other new dice have no known place.
    """
    left = list(dice)
    found = list[TableDie | None]()
    for face in roll.faces:
        die = next((each for each in left if each.face == face), None)
        found.append(die)
        if die is not None:
            left.remove(die)
    spare = left[0].box if len(left) == found.count(None) == 1 else None
    known = zip(found, roll.faces, strict=True)
    return tuple(die or TableDie(face, spare) for die, face in known)


UNTOUCHED_SIDES: Final = 0.25  # farther off than this share of its side a die was moved
NUDGED_SIDES: Final = 1.25  # a die that was pushed in passing slides no farther
TURNED_SIDES: Final = 0.5  # and when it turned as well, not so far
SAME_TURN_DEGREES: Final = 15.0
NEIGHBOUR_SIDES: Final = 2.0  # between the middles of dice that lie side by side
LEAST_SHIFTED: Final = 3  # two rolled dice agree on a way by chance, three do not
SHIFTED_SIDES: Final = 6.0  # no tray or camera is pushed farther while dice are there
LEAST_TOGETHER: Final = 3  # as many rolled dice rarely come to rest near their old places
MOST_FOLLOWED: Final = 10  # more dice than any game rolls; the pairing doubles with each
QUARTER_TURN: Final = 90.0
UNTOUCHED_GAIN, NUDGED_GAIN, CHANGED_GAIN = 4.0, 2.0, 0.3  # what pairing two dice is worth

Fate = Literal["untouched", "nudged", "turned", "changed"]
STAYED: Final[frozenset[Fate]] = frozenset({"untouched", "nudged"})


@dataclass(frozen=True, slots=True)
class TrackedDice:
    """Die `now` of those seen is die `before` of the last roll.

    "untouched": it has not moved, or moved with the whole tray; "nudged": it was pushed a little,
    and shows the same; "turned": nudged and turned with no untouched die next to it, so that it may
    have been rolled; "changed": its place has a die that shows something else.
    """

    before: int
    now: int
    fate: Fate


def track_dice(before: Sequence[TableDie], now: Sequence[TableDie]) -> tuple[TrackedDice, ...]:
    """The dice of `now` that lay there before, ordered as `before`.

    A die of neither was rolled, taken away, or moved far. More than MOST_FOLLOWED dice are
    no roll, and none of them is followed.
    """
    if len(before) > MOST_FOLLOWED:
        return ()
    shifts = {NO_SHIFT, common_shift(before, now)}
    apart = {
        (old, new): min(distance_in_sides(was, seen, shift) for shift in shifts)
        for (old, was), (new, seen) in product(enumerate(before), enumerate(now))
    }
    gains: list[dict[int, float]] = [{} for _ in now]
    for (old, new), sides in apart.items():
        gain = _gain(before[old], now[new], sides)
        if gain > 0:
            gains[new][old] = gain
    pairs = paired(gains)
    untouched = {old for old, new in pairs if apart[old, new] <= UNTOUCHED_SIDES}
    return tuple(
        TrackedDice(old, new, _fate(before, old, now[new], untouched)) for old, new in sorted(pairs)
    )


def in_company(followed: Sequence[TrackedDice]) -> tuple[TrackedDice, ...]:
    """The dice taken to be those of before unless a person corrects them.

    Nudged ones need company: a single one may be rolled and land next to its old place.
    """
    moved = [die for die in followed if die.fate in {"nudged", "turned"}]
    alone = not any(die.fate == "untouched" for die in followed) and len(moved) < LEAST_TOGETHER
    return tuple(die for die in followed if not (alone and die in moved))


def by_value(before: Sequence[TableDie], now: Sequence[TableDie]) -> tuple[TrackedDice, ...]:
    """The dice of `now` that may be those of before, when places cannot be compared."""
    left = list(range(len(before)))
    found = []
    for new, seen in enumerate(now):
        old = next((each for each in left if before[each].face == seen.face), None)
        if old is not None:
            left.remove(old)
            found.append(TrackedDice(old, new, "untouched"))
    return tuple(found)


def none_rolled(
    followed: Sequence[TrackedDice], seen: int, free: Collection[int] = frozenset()
) -> bool:
    """Whether the `seen` dice show that none was rolled: all of them stayed.

    Dice may be missing: a player took them up and has not rolled yet. Nudged dice need
    company, because a single die may be rolled and fall where it lay. `free` are dice of
    the roll before that a person means to roll: of them, a nudged one may be rolled.
    """
    if len(followed) < seen or any(die.fate not in STAYED for die in followed):
        return False
    nudged = [die.before for die in followed if die.fate == "nudged"]
    if any(die in free for die in nudged):
        return False
    return seen > 0 and (2 * len(nudged) <= seen or seen >= LEAST_TOGETHER)


def shows_the_same(followed: Sequence[TrackedDice], seen: int) -> bool:
    """Whether each of the `seen` dice shows what it showed, where it lay or near to it."""
    return len(followed) == seen > 0 and all(die.fate != "changed" for die in followed)


def pushed_together(
    before: Sequence[TableDie], now: Sequence[TableDie], followed: Sequence[TrackedDice]
) -> bool:
    """Whether all followed dice went the same way: the tray or the camera was pushed."""
    return all(die.fate == "untouched" for die in followed) and any(
        distance_in_sides(before[die.before], now[die.now]) > UNTOUCHED_SIDES for die in followed
    )


def common_shift(before: Sequence[TableDie], now: Sequence[TableDie]) -> Shift:
    """The shift of tray or camera: the one that most dice of the same value agree on.

    None when fewer than LEAST_SHIFTED agree, or as many are still in place.
    """
    ways = {
        shift_between(was, seen)
        for was, seen in product(before, now)
        if was.face == seen.face and distance_in_sides(was, seen) <= SHIFTED_SIDES
    }
    best = max(ways, key=lambda way: _agreement(before, now, way), default=NO_SHIFT)
    agreeing = _agreement(before, now, best)[0]
    enough = agreeing >= LEAST_SHIFTED and agreeing > _agreement(before, now, NO_SHIFT)[0]
    return best if enough else NO_SHIFT


def paired(gains: Sequence[Mapping[int, float]]) -> tuple[tuple[int, int], ...]:
    """The pairs (key, index in `gains`) with the most total gain, each in one pair at most.

    `gains` has for each index its possible keys and the gain of each (above 0). Exact; its cost
    doubles with each further key, so there should be few.
    """
    best: dict[frozenset[int], tuple[float, tuple[tuple[int, int], ...]]] = {frozenset(): (0.0, ())}
    for index, partners in enumerate(gains):
        for taken, (total, pairs) in tuple(best.items()):
            for key in partners.keys() - taken:
                gained = total + partners[key]
                if gained > best.get(taken | {key}, (0.0,))[0]:
                    best[taken | {key}] = gained, (*pairs, (key, index))
    return max(best.values(), key=lambda each: each[0])[1]


def is_turned(was: TableDie, seen: TableDie) -> bool:
    """Whether the die was turned; a face looks the same from four sides."""
    turn = (seen.angle - was.angle + QUARTER_TURN / 2) % QUARTER_TURN - QUARTER_TURN / 2
    return abs(turn) > SAME_TURN_DEGREES


def _gain(was: TableDie, seen: TableDie, sides: float) -> float:
    """The gain of taking a die for one this far off; 0 when it cannot be.

    A die that stayed comes before one that was pushed: the other die may be anywhere.
    """
    same = was.face == seen.face
    if sides <= UNTOUCHED_SIDES:
        return (UNTOUCHED_GAIN if same else CHANGED_GAIN) - sides
    farthest = TURNED_SIDES if is_turned(was, seen) else NUDGED_SIDES
    return NUDGED_GAIN - sides if same and sides <= farthest else 0.0


def _fate(before: Sequence[TableDie], old: int, seen: TableDie, untouched: set[int]) -> Fate:
    was = before[old]
    if was.face != seen.face:
        return "changed"
    if old in untouched:
        return "untouched"
    near = any(distance_in_sides(was, before[other]) <= NEIGHBOUR_SIDES for other in untouched)
    return "turned" if is_turned(was, seen) and not near else "nudged"


def _agreement(before: Sequence[TableDie], now: Sequence[TableDie], by: Shift) -> tuple[int, float]:
    """How many dice moved by that shift, and (the more the better) how exactly."""
    off = [
        min(
            (distance_in_sides(was, seen, by) for seen in now if seen.face == was.face),
            default=float("inf"),
        )
        for was in before
    ]
    near = [sides for sides in off if sides <= UNTOUCHED_SIDES]
    return len(near), -sum(near)
