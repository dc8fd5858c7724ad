"""The same roll under all games of dice."""

from __future__ import annotations

import pytest

from tests.web.table_fake import NO_GAME, FakeTable
from web.table.app import create_app
from web.table.views.compare import compared

VALUES = {
    "Yahtzee": ("Full house", 25),
    "Yahtzee (Board Game Arena)": ("Full house", 30),
    "Yams": ("Full house", 49),
    "Chaser": ("Full house", 19),
}


def test_one_throw_is_worth_something_else_in_each_game() -> None:
    """Threes and fives: the best box first."""
    best = {str(column.title): column.boxes[0][:2] for column in compared("33355")}
    assert {game: (str(label), points) for game, (label, points) in best.items()} == VALUES


@pytest.mark.parametrize(
    ("roll", "status"),
    [("33355", "25"), ("3335", "has 5 dice"), ("abc", "is no roll")],
)
def test_the_page_tells_what_is_wrong(roll: str, status: str) -> None:
    """A roll that is none is told, and the field keeps it."""
    client = create_app(FakeTable(NO_GAME).table()).test_client()
    answer = client.get("/compare", query_string={"roll": roll})
    assert answer.status_code == 200
    assert status in answer.text
    assert f'value="{roll}"' in answer.text
