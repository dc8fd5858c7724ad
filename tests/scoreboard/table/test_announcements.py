"""What is told, by which sound, and what is celebrated: from two views, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from scoreboard.games.engine.game import Outcome, Place
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.games.notation import replay_text
from scoreboard.message import message
from scoreboard.table.announcements import announced, result
from scoreboard.table.game_session import GameSession
from scoreboard.table.pending_acts import Pending
from scoreboard.table.requests import Action, TableStatus
from scoreboard.table.view import Announcement, TableView
from scoreboard.table.view_builder import shown
from tests.scoreboard.table.fakes import Table, reading
from tests.scoreboard.table.seen import seen

PLAYTHROUGHS: Final = Path(__file__).parents[2] / "playthroughs"


def views(text: str) -> Iterator[tuple[str, TableView]]:
    """Each act of a game in notation, and the table after it; the first is before all acts."""
    replayed = replay_text(text)
    lines = [line.partition("  #")[0].strip() for line in text.splitlines()]
    acts = [each for each in lines if each.partition(" ")[0] not in {"game", "players", "option"}]
    acts = ["", *(act for act in acts if act and not act.startswith("#"))]
    steps = sorted({record.step for record in replayed.records})
    for act, step in zip(acts, [0, *steps], strict=True):
        records = tuple(record for record in replayed.records if record.step <= step)
        session = GameSession.of(replayed.header, replayed.game, records)
        pending = Pending(session)
        yield act, shown(pending, pending.button_actions())


def told(text: str) -> list[tuple[str, Announcement | None]]:
    shown_after = list(views(text))
    pairs = pairwise(shown_after)
    return [(act, announced(before, after)) for (_, before), (act, after) in pairs]


def spoken(text: str) -> list[tuple[str, str | None]]:
    return [(act, str(each.sentence) if each else None) for act, each in told(text)]


YAHTZEE: Final = "game yahtzee\nplayers Anna, Ben\noption start first\n"
RUMMIKUB: Final = "game rummikub\nplayers Ann, Ben\ntile Ann, R9\ntile Ben, K4\n"
FULL_UPPER: Final = (
    "game yahtzee\nplayers Solo\noption start first\n"
    + "".join(
        f"roll {face}{face}{face}{face}{7 - face}\nscore {box}\n"
        for face, box in enumerate(("aces", "twos", "threes", "fours", "fives"), start=1)
    )
    + "roll 66635\nscore sixes\n"
)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            YAHTZEE + "roll 44446\nkeep 4444\nroll 44446\nscore four-of-a-kind\nundo\n",
            [
                ("roll 44446", "4 fours, 6"),
                ("keep 4444", None),
                ("roll 44446", None),
                (
                    "score four-of-a-kind",
                    "Anna: 4 fours, 6. 22 in 4 of a kind. Ben, roll the dice.",
                ),
                ("undo", "Undone: 22 in 4 of a kind for Anna. Anna’s turn"),
            ],
        ),
        (
            "game yahtzee\nplayers Anna, Ben\nstart Anna 55521\nstart Ben 66655\nundo\n",
            [
                ("start Anna 55521", "1, 2, 3 fives. Ben rolls for the start"),
                ("start Ben 66655", "start roll 6 6 6 5 5 of Ben. Ben, roll the dice."),
                ("undo", "Undone: start roll 6 6 6 5 5 of Ben. Ben rolls for the start"),
            ],
        ),
        (
            YAHTZEE + "roll 13356\nreroll-one 6 -> 5\ncorrect roll 13355\nleave Anna\n",
            [
                ("roll 13356", "1, 2 threes, 5, 6"),
                ("reroll-one 6 -> 5", "1, 2 threes, 2 fives"),
                ("correct roll 13355", None),
                ("leave Anna", "Anna left. Ben, roll the dice."),
            ],
        ),
        (
            RUMMIKUB + "lay K10 R10 B10\ndraw\nlay K10 R10 B10 O10\n",
            [
                ("tile Ann, R9", "R9 drawn by Ann. Ben’s turn"),
                ("tile Ben, K4", "K4 drawn by Ben, Ann beginning. Ann’s turn"),
                ("lay K10 R10 B10", "Ann lays 3. Ben’s turn"),
                ("draw", "a tile drawn by Ben. Ann’s turn"),
                ("lay K10 R10 B10 O10", "Ann lays 1. Ben’s turn"),
            ],
        ),
        (
            "game free-sheet\nplayers Ann, Ben\nwrite Ann, 12\nwrite Ben, 12\nend\n",
            [
                ("write Ann, 12", "12 points of Ann. Ben’s turn"),
                ("write Ben, 12", "12 points of Ben. Ann’s turn"),
                ("end", "Ann and Ben share the win with 12!"),
            ],
        ),
    ],
    ids=["a turn", "roll-off", "corrections", "rummikub", "free sheet"],
)
def test_each_act_is_told_in_a_sentence(text: str, sentences: list[tuple[str, str | None]]) -> None:
    """What was scored, whose turn it is, what was undone and who has won; a keep tells nothing."""
    assert spoken(text) == sentences


def test_tong_tong_tells_cards_and_tricks() -> None:
    text = (PLAYTHROUGHS / "tongtong-three.txt").read_text(encoding="utf-8")
    sentences = [sentence or "" for _, sentence in spoken(text)]
    assert any("the trick of" in sentence for sentence in sentences)
    assert sum(" of Ann" in sentence for sentence in sentences) > 10


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda path: path.stem)
def test_every_game_is_told_to_its_end(path: Path) -> None:
    """All rulebooks: nothing fails on the way, and the end is told and celebrated."""
    news = [each for _, each in told(path.read_text(encoding="utf-8")) if each is not None]
    assert news[-1].celebration == "end"
    assert re.search(r"wins|share the win|points", str(news[-1].sentence))


def ended(points: str, gone: str = "", *, better: int = 1, best: int | None = None) -> TableView:
    """A finished game of as many players, by their places."""
    totals = [*map(int, points.split())]
    names = ("Anna", "Ben", "Cem")[: len(totals)]
    sheet = Scoresheet("any", names, (), better=better, gone=frozenset(map(int, gone)))
    merits = [(str(seat) not in gone, better * total) for seat, total in enumerate(totals)]
    outcome = Outcome.ranked(names, totals, merits)
    view = TableView(1, "finished", TableStatus.NOTHING, scoresheet=sheet, outcome=outcome)
    return replace(view, best=best)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (ended("200 250 90"), "Ben wins by 50!"),
        (ended("20 12", better=-1), "Ben wins by 8!"),
        (ended("212 90 212"), "Anna and Cem share the win with 212!"),
        (ended("5 5 5"), "Anna, Ben and Cem share the win with 5!"),
        (ended("100 250", gone="1"), "Anna wins!"),
        (ended("100 250", gone="01"), "The game is over"),
        (ended("254"), "You scored 254 points."),
        (ended("254", best=254), "You scored 254 points."),
        (ended("254", best=253), "254 points, your best so far!"),
    ],
)
def test_the_result_names_the_winner(view: TableView, words: str) -> None:
    """By how much, or who shares the win; nobody wins against those who left."""
    assert str(result(view)) == words


def test_who_wins_by_a_tie_break_wins_by_no_points() -> None:
    view = ended("30 30")
    broken = Outcome((Place(1, "Ben", 30), Place(2, "Anna", 30)))
    assert str(result(replace(view, outcome=broken))) == "Ben wins!"


@pytest.mark.parametrize(
    ("text", "celebrated"),
    [
        (YAHTZEE + "roll 44444\nkeep 44444\nscore yahtzee\n", [None, None, "five alike"]),
        (YAHTZEE + "roll 44444\nscore fours\nundo\n", [None, "five alike", None]),
        (YAHTZEE + "roll 44444\nscore small-straight\n", [None, None]),
        (YAHTZEE + "roll 44446\nscore chance\n", [None, None]),
        (FULL_UPPER, [None, None] * 5 + [None, "bonus"]),
    ],
    ids=["Yahtzee", "undone", "for nothing", "four alike", "bonus"],
)
def test_what_is_celebrated(text: str, celebrated: list[str | None]) -> None:
    """Five alike that are scored for points, and the upper bonus at the box that fills it."""
    assert [each.celebration for _, each in told(text) if each] == celebrated


def test_the_bonus_is_told_with_its_box() -> None:
    """YZ-9: who hears the score hears the bonus that came with it."""
    assert spoken(FULL_UPPER)[-1][1] == "Solo: 3, 5, 3 sixes. 18 in Sixes. Bonus: 35"


def test_a_joker_is_told_with_its_bonus() -> None:
    """YZ-17: 100 points come on top of the box."""
    first = "roll 66666\nscore yahtzee\n"
    text = "game yahtzee\nplayers Solo\noption start first\n" + first + "roll 66666\nscore sixes\n"
    assert spoken(text)[-1][1] == "Solo: 5 sixes. 30 in Sixes. Yahtzee bonus: 100"
    text += "roll 66666\nscore chance\n"
    assert spoken(text)[-1][1] == "Solo: 5 sixes. 30 in Chance. Yahtzee bonus: 100"


def news(table: Table) -> list[tuple[str, str | None]]:
    """Everything told so far: the sentence and its sound."""
    told_once = {each.announced for each in table.announcer.views if each.announced}
    ordered = sorted(told_once, key=lambda each: each.version)
    return [(str(each.sentence), each.cue) for each in ordered]


def test_a_reading_is_told_once() -> None:
    table = Table().opened("Anna", "Ben")
    table.roll("44446")
    table.tick()
    table.press(Action.KEEP)
    table.choose("score:four-of-a-kind")
    assert news(table) == [
        ("Anna, roll the dice.", None),
        ("4 fours, 6. Anna, press KEEP or roll again.", "settled"),
        ("Anna, choose a box.", None),
        ("Anna: 4 fours, 6. 22 in 4 of a kind. Ben, roll the dice.", None),
    ]


def test_who_rolls_again_is_called_by_name() -> None:
    """REROLL was pressed on what was read: a child hears what comes next."""
    table = Table().opened("Anna", "Ben")
    table.roll("44446")
    table.press(Action.REROLL)
    assert news(table)[-1] == ("Anna, roll again.", None)


def test_a_doubt_is_told_in_place_of_the_roll() -> None:
    """Who cannot see the mark hears another sound, and what to look at."""
    table = Table().opened("Anna", "Ben")
    table.show(reading("44446", doubts=(message("A die leans."),)))
    assert news(table)[1:] == [("Anna, check the dice. A die leans.", "doubt")]


def test_the_question_about_a_0_is_told() -> None:
    """A child that cannot read it would press KEEP once more."""
    table = Table().opened("Anna", "Ben")
    table.enter("44446")
    table.keep()
    table.choose("score:aces")
    assert news(table)[-1] == ("Anna. Aces: 0? Press KEEP for yes, UNDO for no.", "doubt")


def test_a_roll_entered_by_hand_is_told_as_it_is_recorded() -> None:
    """No reading came before it."""
    table = Table().opened("Anna", "Ben")
    table.choose("roll", "11235")
    assert news(table)[1:] == [("2 ones, 2, 3, 5", None)]


def test_tiles_that_are_read_are_told_once_a_turn() -> None:
    """People go on laying, and each tile would talk into their turn."""
    table = Table().begin("rummikub", "Ann", "Ben", turns="judged")
    table.choose("tile", "R9") if table.view.stage == "playing" else None
    told_before = len(news(table))
    table.show(seen("K4"))
    table.show(seen("K5"))
    assert len(news(table)) == told_before + 1


def test_a_new_game_begins_with_whose_turn_it_is() -> None:
    """Also one that is resumed; a closed one says nothing."""
    table = Table().opened("Anna", "Ben")
    assert news(table) == [("Anna, roll the dice.", None)]
