"""Random Dutch events, exported as TRF16 and paired by another program too.

`python -m tests.scoreboard.tournament.protocol.dutch_events 0 200` compares every round with
py4swiss, and prints what both agree on, which is recorded. py4swiss is no dependency, since it has
no wheel for Linux on ARM: `pip install py4swiss` (0.3.1 was compared).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Return, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scoring import as_played
from scoreboard.tournament.protocol.trf import write_trf
from tests.scoreboard.tournament.model.directing import KIM, Directing

EVENTS: Final = 200  # of the second half some players come late, leave, or do not come to a match
_RANKED: Final = re.compile(r"^001 +(\d+) +P(\d+) ", re.MULTILINE)
Pairs = frozenset[frozenset[int]]  # of starting ranks, the bye with 0


@dataclass(frozen=True)
class Paired:
    """A round before it is played: its number, the file so far, and how it was paired here."""

    number: int
    text: str
    pairs: Pairs
    meets_again: bool  # since no Dutch pairing is left


def rounds_of(seed: int) -> Iterator[Paired]:
    """The rounds of a random event, until all would meet again."""
    chance = Random(seed)
    directing = Directing(
        replace(FORMATS["yahtzee-duel-swiss"], dutch=True, games=1, rounds=chance.randint(4, 9))
    )
    restless = 0.3 if seed >= EVENTS // 2 else 0
    players = chance.randint(5, 40)
    for number in range(1, players + 1):
        directing.give(Enter(_player(number, chance)))
    for number in range(1, directing.state.format.rounds + 1):
        before = [as_played(each) for each in directing.state.rounds]
        draw = directing.give(DrawRound(seed)).round.draw
        text = write_trf(directing.state)
        rank = {int(player): int(rank) for rank, player in _RANKED.findall(text)}
        pairs = {frozenset(rank[each] for each in table.seats) for table in draw.tables}
        pairs |= {frozenset((rank[each], 0)) for each in draw.byes}
        met = {frozenset(pair) for each in before for pair in each.meetings()}
        met |= {frozenset((each, 0)) for draw in before for each in draw.byes}
        again = {frozenset((each, 0)) for each in draw.byes}
        again |= {frozenset(table.seats) for table in draw.tables}
        yield Paired(number, text, frozenset(pairs), not met.isdisjoint(again))
        if not met.isdisjoint(again):
            return
        _play(directing, chance, restless)
        players += _come_and_go(directing, chance, restless, players + 1)


def _player(number: int, chance: Random) -> Entrant:
    return Entrant(number, f"P{number}", rating=chance.randint(1000, 2400))


def _play(directing: Directing, chance: Random, restless: float) -> None:
    directing.give(StartRound())
    for table in directing.round.draw.tables:
        scores = [chance.choice((100, 100, 200)), chance.choice((100, 100, 200))]
        words = [str(each) for each in scores]
        if chance.random() < restless / 4:
            absent = chance.choice(((0,), (1,), (0, 1)))
            words = ["no-show" if at in absent else each for at, each in enumerate(words)]
        both = zip(table.seats, words, strict=True)
        directing.report(table.number, ", ".join(f"{seat} {word}" for seat, word in both))
    directing.give(CloseRound())


def _come_and_go(directing: Directing, chance: Random, restless: float, free: int) -> int:
    """Some leave, come back or come late; the number of the last."""
    present = directing.state.present
    if chance.random() < restless and len(present) > 5:
        directing.give(Withdraw(chance.choice(present), **KIM))
    for each in sorted(directing.state.away):
        if chance.random() < restless:
            directing.give(Return(each, **KIM))
    late = chance.random() < restless
    if late:
        directing.give(EnterLate(_player(free, chance), **KIM))
    return int(late)


def digest(rounds: list[Pairs]) -> str:
    """The pairings of an event in short."""
    text = repr([sorted(sorted(pair) for pair in each) for each in rounds])
    return sha256(text.encode()).hexdigest()[:16]


def paired_by_py4swiss(text: str) -> Pairs | None:
    """The pairs of the next round of a file, checked before; None if there is no Dutch pairing.

    No player has a preference for a colour, as if no game had been played with any.
    """
    dutch, trf = (import_module(f"py4swiss.{name}") for name in ("engines.dutch.player", "trf"))
    bracket = import_module("py4swiss.engines.dutch.bracket")
    common = import_module("py4swiss.engines.common")
    validity = import_module("py4swiss.engines.dutch.validity_matcher")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "event.trf"
        path.write_text(text, encoding="utf-8")
        parsed = trf.TrfParser.parse(path)
    parsed.validate_contents()
    none = common.ColorPreference(
        side=common.ColorPreferenceSide.NONE, strength=common.ColorPreferenceStrength.NONE
    )
    plain = {"color_preference": none, "color_difference": 0, "color_double": False, "colors": []}
    players: list[Any] = [
        each.model_copy(update=plain) for each in dutch.get_player_infos_from_trf(parsed)
    ]
    players.sort(reverse=True)
    matcher = validity.ValidityMatcher(players, set())
    if not matcher.is_valid_matching():
        return None
    played = min(len(each.results) for each in parsed.player_sections)
    brackets = bracket.Brackets(players, played + 1)
    found: list[tuple[Any, Any]] = []
    while not brackets.is_finished():
        pairer = bracket.BracketPairer(brackets.get_current_bracket(), matcher, True)  # noqa: FBT003 -- whose colour is first
        pairer.determine_heterogeneous_s1()
        pairer.determine_heterogeneous_s2()
        pairer.determine_homogeneous_exchanges()
        pairer.determine_moves_from_s1_to_s2()
        pairer.determine_moves_from_s2_to_s1()
        pairer.perform_homogeneous_exchanges()
        pairer.transpose_homogeneous_s2()
        if pairer.check_completion_criterium():
            pairs = pairer.get_player_pairs()
            brackets.apply_bracket_pairings(pairs)
            found += pairs
        else:
            brackets.collapse()
    return frozenset(frozenset((one.id, 0 if one == other else other.id)) for one, other in found)


def compare(seed: int) -> str:
    """The line of an event: its seed, rounds and pairs; fails where the two differ."""
    agreed = []
    for each in rounds_of(seed):
        theirs = paired_by_py4swiss(each.text)
        if theirs != (None if each.meets_again else each.pairs):
            raise AssertionError(seed, each.number, each.pairs, theirs)
        if not each.meets_again:
            agreed.append(each.pairs)
    return f"{seed} {len(agreed)} {digest(agreed)}"


if __name__ == "__main__":
    for event in range(*map(int, sys.argv[1:])):
        click.echo(compare(event))
