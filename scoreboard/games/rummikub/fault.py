"""What is wrong with a turn, and what is wrong with a set."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.games.rummikub.sets import LARGEST_GROUP, LEAST, is_set
from scoreboard.games.rummikub.tile_names import listed, named
from scoreboard.games.rummikub.tiles import NUMBERS, Tile, Tiles, in_order
from scoreboard.message import Message, message


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the rule that is broken, the tiles that it concerns, and what would mend it."""

    rule: str
    tiles: Tiles
    message: Message

    def __str__(self) -> str:
        return f"{self.rule} {self.tiles}"


def fault_of(laid: Tiles) -> Fault | None:
    """Why these tiles, which lie together, are no set; None where they are one."""
    if is_set(laid):
        return None
    if not laid.numbered:
        return Fault(
            "RK-16", laid, message("Jokers alone are no set: lay a numbered tile with them.")
        )
    if len(laid) < LEAST:
        return _too_few(laid)
    if any(joker.stands_for for joker in laid.jokers) and is_set(_plainly(laid)):
        why = message("{tiles}: the joker cannot stand for that here.", tiles=str(laid))
        return Fault("RK-16", laid, why)
    return _not_alike(laid)


def _plainly(laid: Tiles) -> Tiles:
    return in_order(laid.counts.elements())


def _too_few(laid: Tiles) -> Fault:
    if len(laid) == 1:
        alone = named(laid.pieces[0])
        why = message("{tile} is left alone: a set has three tiles or more.", tile=alone)
        return Fault("RK-8", laid, why)
    why = message("{tiles} are too few: a set has three tiles or more.", tiles=listed(laid))
    return Fault("RK-8", laid, why)


def _not_alike(laid: Tiles) -> Fault:
    numbers = {tile.number for tile in laid.numbered}
    colours = {tile.colour for tile in laid.numbered}
    if len(numbers) == 1:
        return _no_group(laid)
    if len(colours) == 1:
        return _no_run(laid)
    why = message("{tiles}: neither all of one number nor all of one colour.", tiles=listed(laid))
    return Fault("RK-3", laid, why)


def _no_group(laid: Tiles) -> Fault:
    twice = _twice(laid)
    if twice.pieces:
        why = message("{tiles} twice: a group has each colour once.", tiles=listed(twice))
        return Fault("RK-3", laid, why)
    why = message("A group has at most {most} tiles.", most=LARGEST_GROUP)
    return Fault("RK-3", laid, why)


def _no_run(laid: Tiles) -> Fault:
    twice = _twice(laid)
    if twice.pieces:
        why = message("{tiles} twice: a run has each number once.", tiles=listed(twice))
        return Fault("RK-4", laid, why)
    numbers = {tile.number for tile in laid.numbered}
    if {NUMBERS[0], NUMBERS[-1]} <= numbers:
        return Fault("RK-4", laid, message("1 is the lowest number: it never follows 13."))
    missing = _missing(laid)
    if not missing.pieces:
        return Fault("RK-4", laid, message("A run goes from 1 to 13 at most."))
    why = message("{tiles} missing: the numbers of a run follow each other.", tiles=listed(missing))
    return Fault("RK-4", laid, why)


def _twice(laid: Tiles) -> Tiles:
    numbered = Tiles(laid.numbered).counts
    return in_order(tile for tile, count in numbered.items() if count > 1)


def _missing(laid: Tiles) -> Tiles:
    colour = laid.numbered[0].colour
    numbers = {tile.number for tile in laid.numbered}
    inside = range(min(numbers), max(numbers))
    return Tiles(tuple(Tile(colour, number) for number in inside if number not in numbers))
