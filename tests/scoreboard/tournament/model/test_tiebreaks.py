"""Unplayed rounds in Buchholz and Sonneborn-Berger: the page's example, a second reckoning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Return, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.scores import Points, shown_points
from scoreboard.tournament.model.standings import qualifying_results, standings_of
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament import Tournament
from tests.scoreboard.tournament.model.directing import KIM, Directing

PAGE = Path("docs/reference/tie-breaks.md")
SWISS = replace(FORMATS["yahtzee-duel-swiss"], games=1, rounds=6)
WIN, DRAW = SWISS.win, SWISS.draw
NAMES = ("buchholz", "buchholz-cut-1", "buchholz-median", "sonneborn-berger")


def values(state: Tournament, name: str) -> Mapping[int, Points]:
    """The values of one tie-break."""
    table = qualifying_results(state)
    return TIEBREAKS[name].values(table, tuple(table.results))


def test_the_example_of_the_reference() -> None:
    directing = Directing(SWISS)
    for number, name in enumerate(("Anna", "Ben", "Cleo", "Dan"), start=1):
        directing.give(Enter(Entrant(number, name)))
    directing.play_by_hand("1: 1 2 | 2: 3 4", {1: "1 200, 2 100", 2: "3 0, 4 no-show"})
    directing.give(EnterLate(Entrant(5, "Eve"), **KIM), Withdraw(4, **KIM))
    directing.play_by_hand("1: 1 3 | 2: 2 5", {1: "1 150, 3 150", 2: "2 100, 5 200"})
    directing.give(Withdraw(2, **KIM))
    directing.play_by_hand("1: 1 5 | bye 3", {1: "1 200, 5 100"})
    state, table = directing.state, qualifying_results(directing.state)
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [[*map(str.strip, line.split("|")[1:-1])] for line in lines if "|" in line]
    found = [values(state, name) for name in (NAMES[0], NAMES[1], NAMES[3])]
    for row, standing in zip(rows[2:], standings_of(state).rows, strict=True):
        each = standing.entrant
        met = [shown_points(Fraction(own.parts, table.scale)) for own in table.opposition(each)]
        assert row[0] == state.names[each]
        assert row[1] == shown_points(table.totals[each])
        assert row[2] == shown_points(Fraction(table.adjusted[each], table.scale))
        assert sorted(part.split()[1] for part in row[3].split(", ")) == sorted(met)
        assert row[4:] == [shown_points(value[each]) for value in found]


@dataclass(frozen=True)
class Played:
    """What one round was for one entrant, as an arbiter writes it down."""

    kind: str  # game, bye, won or lost by forfeit, away
    points: int
    opponent: int = 0


def event(seed: int) -> tuple[Tournament, dict[int, list[Played]]]:
    """A Swiss of four to seven in which people are late, leave, return and do not come."""
    chance = Random(seed)
    many = chance.randint(4, 6)
    directing, card = Directing(SWISS, many), dict[int, list[Played]]()
    card |= {number: [] for number in range(1, many + 1)}
    for number in range(1, chance.randint(2, 6)):
        if number == 2:
            directing.give(EnterLate(Entrant(many + 1, "Late"), **KIM))
            card[many + 1] = [Played("away", 0)]
        for each in card:
            away = each in directing.state.away
            if away and chance.random() < 0.3:
                directing.give(Return(each, **KIM))
            elif not away and chance.random() < 0.2 and len(directing.state.present) > 2:
                directing.give(Withdraw(each, **KIM))
        directing.give(DrawRound(chance.randint(1, 99)))
        draw, scores = directing.round.draw, dict[int, str]()
        for each in card.keys() - set(draw.entrants):
            card[each].append(Played("away", 0))
        for each in draw.byes:
            card[each].append(Played("bye", WIN))
        for table in draw.tables:
            one, other = table.seats
            scores[table.number], found = result(one, other, chance)
            for each, played in found.items():
                card[each].append(played)
        directing.play(scores)
    return directing.state, card


def result(one: int, other: int, chance: Random) -> tuple[str, dict[int, Played]]:
    """The scores of a match, and what it was for both."""
    fate = chance.choice(("won", "lost", "drawn", "no-show", "forfeit", "nobody"))
    match fate:
        case "won" | "lost":
            best, worst = (one, other) if fate == "won" else (other, one)
            return f"{best} 9, {worst} 3", {
                best: Played("game", WIN, worst),
                worst: Played("game", 0, best),
            }
        case "drawn":
            return f"{one} 5, {other} 5", {
                one: Played("game", DRAW, other),
                other: Played("game", DRAW, one),
            }
        case "nobody":
            return f"{one} no-show, {other} no-show", {
                one: Played("lost", 0, other),
                other: Played("lost", 0, one),
            }
    return f"{one} 7, {other} {fate}", {
        one: Played("won", WIN, other),
        other: Played("lost", 0, one),
    }


def for_opponents(own: list[Played]) -> int:
    """The points that an entrant has in the opponents' tie-breaks."""
    rounds = [each.points for each in own]
    for at in reversed(range(len(own))):
        if own[at].kind not in {"away", "lost"}:
            break
        if own[at].kind == "away":
            rounds[at] = DRAW
    return sum(rounds)


def contributions(card: dict[int, list[Played]], number: int) -> Iterator[tuple[bool, int, int]]:
    """Each round's: whether the entrant missed it, the points that count, and what it earned."""
    mine = sum(each.points for each in card[number])
    for each in card[number]:
        if each.kind == "game":
            yield False, for_opponents(card[each.opponent]), each.points
        elif each.opponent:
            counts = min(mine, for_opponents(card[each.opponent]))
            yield each.kind == "lost", counts, each.points
        else:
            yield each.kind == "away", min(mine, DRAW * len(card[number])), each.points


@given(st.integers(0, 10_000))
def test_a_second_reckoning_agrees(seed: int) -> None:
    state, card = event(seed)
    for number in card:
        rounds = [*contributions(card, number)]
        counts = sorted(points for _, points, _ in rounds)
        missed = sorted(points for away, points, _ in rounds if away)
        cut = [*counts]
        cut.remove(missed[0] if missed else counts[0])
        beaten = sum(Fraction(points * earned, WIN) for _, points, earned in rounds)
        expected = (sum(counts), sum(cut), sum(cut[:-1]), beaten)
        assert tuple(values(state, name)[number] for name in NAMES) == expected


def contributed(state: Tournament, number: int) -> list[tuple[int, int, bool]]:
    """What counts for an entrant: points of opponents, outcomes, and what was missed."""
    table = qualifying_results(state)
    assert table.scale == 1
    return [(each.parts, each.outcome, each.missed) for each in table.opposition(number)]


def test_a_game_not_come_to_in_a_round_robin_counts_as_played() -> None:
    """Who meets whom was known before; the round off is a loss against the own points."""
    directing = Directing(replace(FORMATS["round-robin"], games=1), 3).give(DrawRound(1))
    one, other = directing.round.draw.tables[0].seats
    (third,) = directing.round.draw.byes
    directing.play({1: f"{one} 9, {other} no-show"})
    assert contributed(directing.state, one) == [(0, 2, False)]
    assert contributed(directing.state, other) == [(2, 0, False)]
    assert contributed(directing.state, third) == [(0, 0, False)]


def test_at_a_table_what_was_not_played_counts_as_awarded() -> None:
    """There is no draw: a bye is a loss against the own points, and whoever left gets nothing."""
    form = replace(FORMATS["yahtzee-evening"], smallest_table=2, missed_round=-1, bye=2)
    directing = Directing(form, 4)
    directing.play_by_hand("1: 1 2 3 | bye 4", {1: "1 9, 2 5, 3 no-show"})
    directing.give(Withdraw(3, **KIM))
    directing.play_by_hand("1: 1 2 4", {1: "1 5, 2 7, 4 3"})
    assert contributed(directing.state, 1) == [
        (7, 2, False),
        (-1, 2, False),
        (7, 0, False),
        (4, 2, False),
    ]
    assert contributed(directing.state, 3) == [(-1, 0, True), (-1, 0, True), (-1, 0, True)]
    assert contributed(directing.state, 4) == [(7, 0, False), (7, 0, False), (4, 0, False)]
