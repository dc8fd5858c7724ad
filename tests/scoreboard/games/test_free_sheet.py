"""A free score sheet: who writes, what is added up, who wins, and what cards are worth."""

from __future__ import annotations

from functools import partial

import pytest

from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.games.engine.game import Setup
from scoreboard.games.free_sheet import GAME, MOST_ROWS, EntryDomain
from tests.scoreboard.games import playing
from tests.scoreboard.games.free_sheet_playing import begun, entered

column = partial(playing.column, GAME)


def test_points_are_added_up_in_whatever_order_they_are_written() -> None:
    """Each fills the player's next row; the turn goes on to the next seat."""
    state = entered(begun(), "write Ann, 24", "write Cem, -6", "write Ann, 10")
    assert column(state, "round-1") == (24, None, -6)
    assert column(state, "round-2") == (10, None, None)
    assert column(state, "grand") == (34, 0, -6)
    assert GAME.turn(state).player == GAME.scoresheet(state).current == 1


def test_another_player_may_be_called_up() -> None:
    """The camera's cards are theirs then."""
    state = entered(begun(), "next Cem")
    turn = GAME.turn(state)
    assert turn.player == 2
    assert turn.awaited is not None
    assert turn.awaited.expected is not None
    assert (turn.awaited.expected.reader, turn.awaited.expected.offer) == ("own", "write:2")
    assert "for:2" not in [offer.key for offer in GAME.offers(state)]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("24", 24),
        ("-6", -6),
        ("\u22126", -6),
        ("\uff0d\uff11\uff12", -12),  # as a Japanese keyboard has it
        ("\u0661\u0662", 12),
        ("8 5 11", 24),
        ("8,5,11", 24),
        ("8, 5", 13),
        ("8\u30015", 13),
        ("1 + 200", 201),
        ("1+200", 201),
        ("8 - 5", 3),
        ("R12 B3", 15),
        ("R12 200", 212),
        ("Sun3, K10", 13),
    ],
)
def test_numbers_and_cards_are_added(text: str, points: int) -> None:
    """A card counts the number at the end of its name."""
    assert EntryDomain.parse(text) == points


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Type the points"),
        ("R1 J", "“J” has no number to add"),
        ("R1 ?", "“[?]” has no number to add"),
        ("123456", "too much: write at most 99999"),
        ("9" * 5000, "too much"),
        ("1,5", "Is “1,5” 1.5 or 1 \\+ 5\\? Type whole numbers"),
        ("10.5", "10.5 or 10 \\+ 5"),
        ("-1,5", "1.5 or 1 \\+ 5"),
        ("1 200", "1200 or 1 \\+ 200"),
        ("1\u00a0200", "1200 or 1 \\+ 200"),
        ("1,200", "1200 or 1 \\+ 200"),
        ("1.200", "1200 or 1 \\+ 200"),
        ("1\u2019200", "1200 or 1 \\+ 200"),
        ("8 1,5 11", "“1,5”"),
        ("\uff11\uff0c\uff15", "1.5 or 1 \\+ 5"),
    ],
)
def test_what_cannot_be_added_is_told(text: str, why: str) -> None:
    """With what to do instead."""
    with pytest.raises(NotationError, match=why):
        EntryDomain.parse(text)


def test_cards_that_are_seen_are_judged_before_they_count() -> None:
    """The sum is shown first; a card without a number is named, and nothing is guessed."""
    state = begun()
    seen = GAME.judge(state, "write:0", "R1 R4\nB5")
    assert str(seen.label) == "Ann’s points: 3 pieces, 10 points"
    assert seen.remarks == ()
    assert GAME.judge(state, "write:0", "5 200").filling == "205"  # cards lie apart
    strange = GAME.judge(state, "write:0", "R1 Joker")
    assert [(each.rule, each.pieces) for each in strange.remarks] == [("FS-1", ("Joker",))]
    with pytest.raises(ValueError, match="write:7"):
        GAME.judge(state, "write:7", "R1")


@pytest.mark.parametrize(("winner", "first"), [("highest", "Ann"), ("lowest", "Ben")])
def test_the_players_say_when_it_is_over_and_who_wins(winner: str, first: str) -> None:
    """An empty sheet cannot end."""
    state = begun(2, winner=winner)
    with pytest.raises(RuleViolationError):
        entered(state, "end")
    state = entered(state, "write Ann, 9", "write Ben, 4", "end")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranking[0].player == first
    assert GAME.scoresheet(state).current is None


def test_a_wrong_number_is_corrected_in_its_place() -> None:
    """FS-5: what came after it stays, and who is awaited."""
    state = entered(begun(), "write Ann, 24", "write Ben, 7", "write Cem, 5", "write Ann, 3")
    fixed = entered(state, "fix Ann, 42 3")
    assert column(fixed, "round-1") == (42, 7, 5)
    assert column(fixed, "grand") == (45, 7, 5)
    assert GAME.turn(fixed).player == GAME.turn(state).player == 1
    for line in ("fix Ann, 24 3", "fix Ann, 24", "fix Ann, 24 3 9"):
        with pytest.raises(RuleViolationError):
            entered(state, line)
    with pytest.raises(RuleViolationError):
        entered(entered(state, "end"), "fix Ben, 8")


@pytest.mark.parametrize(("rounds", "rows"), [("open", MOST_ROWS), ("2", 2)])
def test_after_the_last_round_keep_ends_the_game(rounds: str, rows: int) -> None:
    """A sheet has 99 rows, or as many as was agreed."""
    state = entered(begun(1, rounds=rounds, word="hand"), *["write Ann, 1"] * rows)
    assert [offer.key for offer in GAME.offers(state)] == ["fix:0", "end"]
    assert len(GAME.scoresheet(state).rows) == rows + 1
    awaited = GAME.turn(state).awaited
    assert awaited is not None
    assert (str(awaited.progress), awaited.first) == (f"Hand {rows}", "end")


def test_a_game_of_ones_own_has_a_name() -> None:
    """FS-4: without a break or a comment in it, for it is written in one line."""
    assert str(GAME.title_under({"name": "Hearts"})) == "Hearts"
    assert GAME.title_under({}) == GAME.title_under({"name": ""}) == GAME.title
    row = GAME.scoresheet(begun(word="Lap")).row("round-1")
    assert str(row.label) == "Lap 1"
    for name in ("Uno #2", "x" * 41):
        with pytest.raises(RuleViolationError, match="up to 40 letters"):
            begun(name=name)


def test_too_many_players_find_no_room() -> None:
    """Ten columns fit on a page."""
    with pytest.raises(RuleViolationError, match="1 to 10"):
        GAME.start(Setup(tuple(f"P{each}" for each in range(11))))
