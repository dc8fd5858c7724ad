"""Tong Tong by camera: the trick card by card, and what lies before everyone at the end."""

from __future__ import annotations

import pytest

from scoreboard.games.tongtong.acts import CardPlayed
from scoreboard.message import message
from scoreboard.table.requests import Chosen
from tests.scoreboard.table.fakes import Table
from tests.scoreboard.table.seen import seen

PLAYERS = ("Ann", "Ben", "Cid")


def opened(**options: str) -> Table:
    """A match of three whose first mission is turned up; where tricks are played Ann leads."""
    table = Table().begin("tongtong", *PLAYERS, **options)
    mission = next(each.key for each in table.view.offers if each.key.startswith("mission:"))
    table.choose(mission)
    if any(each.key == "leader:0" for each in table.view.offers):
        table.choose("leader:0")
    return table


def quick() -> Table:
    return opened(mode="quick")


def remarks(table: Table) -> list[str]:
    assert table.view.pieces is not None
    return [f"{each.rule} {each.text}" for each in table.view.pieces.remarks]


def test_a_trick_is_read_card_by_card() -> None:
    table = opened()
    table.show(seen("R7"))
    assert str(table.view.keep) == "Ann played red 7"
    table.keep()
    table.show(seen("R7 R2", frame=2))
    assert str(table.view.keep) == "Ben played red 2"
    table.keep()
    table.show(seen("B4 R7 R2", frame=3))
    assert str(table.view.keep) == "Cid played blue 4"
    assert table.keep().verdict == "done"


def test_a_doubtful_card_is_called_a_card() -> None:
    table = opened()
    table.show(seen("R7", doubts=(message("It is blurred."),), unsure={"R7": ("R1",)}))
    assert str(table.view.keep) == "Check the doubtful cards first"


def test_cards_that_were_played_are_no_news() -> None:
    """They may lie there until they are taken up, and before their winner afterwards."""
    table = opened()
    table.show(seen("R7"))
    table.keep()
    table.show(seen("R7", frame=2))
    assert table.view.pieces is None


def test_two_new_cards_at_once_are_asked_about() -> None:
    """TT-4: nobody saw which came first."""
    table = opened()
    table.show(seen("R7 R2"))
    assert remarks(table) == ["TT-4 red 7, red 2 are new: tap them in the order played."]
    assert table.keep().verdict == "refused"
    asked = table.readings_asked
    table.choose("play:R7")
    assert table.readings_asked == asked + 1
    table.show(seen("R7 R2", frame=2))
    assert str(table.view.keep) == "Ben played red 2"


@pytest.mark.parametrize(
    ("cards", "piles"), [("R5 B3", "R5 B3 +0"), ("R5 B6 B3 G6", "R5 B3 G6 +2"), ("G1", "G1 +0")]
)
def test_piles_are_read_with_their_sixes_laid_beside(cards: str, piles: str) -> None:
    """TT-7, TT-9: of two of a colour the 6 was won and the other is the top."""
    table = quick()
    table.show(seen(cards))
    assert str(table.view.keep) == f"The piles of Ann: {piles}"
    assert table.keep().verdict == "done"


def test_two_tops_of_a_colour_are_refused() -> None:
    """TT-7: one of them lies below the other."""
    table = quick()
    table.show(seen("R5 R3"))
    assert remarks(table)[0] == "TT-7 Of each colour one card is the top: red 5, red 3."


def after_a_revoke() -> Table:
    """Ben played blue though red was led, and holds red 2: it is his card that is awaited."""
    table = opened()
    for card in ("R8", "B1", "R7", "R1"):
        table.choose(f"play:{card}")
    return table


def test_a_revoke_is_named_before_its_card_is_recorded_by_hand() -> None:
    """TT-4: asked once; KEEP plays on, UNDO takes the card back."""
    table = after_a_revoke()
    player = table.view.player
    table.choose("play:R2")
    assert "Ben held red 2 when red 8 was led in trick 1" in str(table.view.notice)
    assert (table.view.asking, table.view.player) == ("play:R2", player)
    table.undo()
    assert table.view.asking is None
    table.choose("play:R2")
    assert table.keep().verdict == "done"
    assert [str(each) for each in table.view.piece_groups[0].pieces] == ["R1", "R2"]


def test_a_revoke_is_named_before_its_card_is_recorded_from_the_picture() -> None:
    """TT-4: the first KEEP names it, the second plays on."""
    table = after_a_revoke()
    table.show(seen("R1 R2"))
    table.keep()
    assert "Ben held red 2 when red 8 was led in trick 1" in str(table.view.notice)
    assert table.keep().verdict == "done"
    assert [str(each) for each in table.view.piece_groups[0].pieces] == ["R1", "R2"]


def test_cards_tapped_one_after_the_other_all_count() -> None:
    """Each with the version that is shown after the tap before, in no time (tiles A5)."""
    table = opened()
    for card in ("R7", "R2", "B4"):
        answer = table.send(Chosen(f"play:{card}", table.view.version))
        assert answer.verdict == "done"
    assert [str(each.card) for each in table.events if isinstance(each, CardPlayed)] == [
        "R7",
        "R2",
        "B4",
    ]
