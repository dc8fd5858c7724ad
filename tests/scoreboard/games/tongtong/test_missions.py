"""Tricks, piles and missions: the vectors of the rules page."""

from __future__ import annotations

import pytest

from scoreboard.errors import NotationError
from scoreboard.games.tongtong.cards import Card, CardColour, Piles, Play, Trick, follows
from scoreboard.games.tongtong.mission import MISSIONS, running_total

NAMED = {mission.name: mission for mission in MISSIONS}


def cards(text: str) -> tuple[Card, ...]:
    """Cards in notation."""
    return tuple(map(Card.parse, text.split()))


def tops(total: int) -> Piles:
    """Piles whose tops sum to so much."""
    high, low = divmod(total, 8)
    numbers = [8] * high + ([low] if low else [])
    colours: tuple[CardColour, ...] = ("R", "P", "Y", "B", "G")
    return Piles(tuple(map(Card, colours, numbers)))


def test_the_pages_example() -> None:
    """high-12: A busts; B and C share the first rank; D, who won nothing, is third."""
    piles = [tops(13), tops(9), tops(9), Piles()]
    points = NAMED["high-12"].points(piles)
    assert points == (0, 10, 10, 4)
    assert [running_total(0, own, six) for own, six in zip(points, (1, 2, 1, 0), strict=True)] == [
        1,
        12,
        11,
        4,
    ]


@pytest.mark.parametrize(
    ("mission", "sums", "points"),
    [
        ("high-9", (8, 9), (10, 0)),
        ("high-12", (11, 12), (10, 0)),
        ("low-5", (6, 5, 0), (10, 0, 0)),
        ("sum-10", (9, 10), (9, 0)),
        ("signed-11", (10, 11), (10, 0)),
        ("low-5", (5, 6, 6, 12), (0, 10, 10, 4)),
        ("high-9", (1, 2, 3, 4, 5), (0, 1, 4, 7, 10)),
    ],
)
def test_where_a_sum_busts(mission: str, sums: tuple[int, ...], points: tuple[int, ...]) -> None:
    """TT-8, TT-10, TT-11: the edges, shared ranks, and a fifth rank that gets nothing."""
    assert NAMED[mission].points([tops(each) for each in sums]) == points


def test_signed_sums_may_be_negative() -> None:
    """TT-10, TT-12: red 3 and blue 5 are -2; 1 and -2 stop at 0; then the 6 counts."""
    (points,) = NAMED["signed-11"].points([Piles(cards("R3 B5"))])
    assert points == -2
    assert running_total(1, points, 1) == 1


def test_the_lowest_new_card_lies_on_top() -> None:
    """TT-7, TT-9: whatever lay there; the 6s count on."""
    piles = Piles(cards("R5")).with_won(cards("R7 R3"))
    assert piles.tops == cards("R3")
    piles = piles.with_won(cards("R6 G8 G2 P4"))
    assert (piles.tops, piles.sixes) == (cards("R6 G2 P4"), 1)


def test_who_takes_a_trick_and_who_leads_next() -> None:
    """TT-5, TT-6: the later of equal highest numbers; the later 4 takes the lead."""
    trick = Trick(tuple(Play(seat, card) for seat, card in enumerate(cards("B8 B4 G8 Y4"))))
    assert (trick.winner, trick.next_leader) == (2, 3)
    plain = Trick(tuple(Play(seat, card) for seat, card in enumerate(cards("B1 B7 B3"))))
    assert (plain.winner, plain.next_leader) == (1, 1)
    assert plain.cards == cards("B1 B7 B3")


@pytest.mark.parametrize(
    ("card", "hand", "lawful"),
    [("B4", "B4 G8", True), ("G8", "B4 G8", False), ("G8", "G8 Y4", True)],
)
def test_the_led_colour_is_followed(card: str, hand: str, *, lawful: bool) -> None:
    """TT-4."""
    assert follows(Card.parse(card), Card.parse("B8"), cards(hand)) == lawful


@pytest.mark.parametrize("text", ["R9", "R0", "K4", "8", ""])
def test_what_is_no_card_is_refused(text: str) -> None:
    """The sentence says how cards are written."""
    with pytest.raises(NotationError, match="is no card"):
        Card.parse(text)
