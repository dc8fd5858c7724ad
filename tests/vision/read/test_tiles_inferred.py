"""What is believed of the tiles of one picture, the rules considered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scoreboard.games.rummikub.tiles import CLASSIC, XP
from tests.vision.read.tile_readings import LIMITS, lying
from vision.read.tiles import InferredTiles, inferred

TABLE = "K7 R7 B7, O1 O2 O3, "  # two sets that were seen surely: a settled table
RACK = "K7 R2 B9 O4, O1 O2 O3, "  # a row that is none: loose tiles, or a rack

# why, the rows as the eye sees them, what is believed of the last row, and what is asked
BELIEVED = [
    ("sure tiles stay", TABLE + "B3 B4 B5", "B3 B4 B5", []),
    (
        "the set tells 6 from 9",
        TABLE + "K9 R6/9 B9",
        "K9 R9* B9",
        ["Told by the rules, not seen: R9."],
    ),
    (
        "the set fills a gap",
        TABLE + "K4 K5 ? K7",
        "K4 K5 K6* K7",
        ["Told by the rules, not seen: K6."],
    ),
    (
        "a row with a doubtful tile shows a settled table",
        "K7 R7 B7 O6/7@50, K9 R6/9 B9",
        "K9 R9* B9",
        [
            "Told by the rules, not seen: O7.",
            "Told by the rules, not seen: R9.",
        ],
    ),
    ("and one that can be no set does not", "K7 R2 B9 O6/7@50, K9 R6/9 B9", "K9 R6 B9", []),
    (
        "a row is asked about once",
        TABLE + "K4 K5 ? ? K8",
        "K4 K5 K6* K7* K8",
        ["Told by the rules, not seen: K6 K7."],
    ),
    ("nothing is settled on a rack", RACK + "K9 R6/9 B9", "K9 R6 B9", []),
    ("nor where no row was seen surely", "K9 R6/9 B9", "K9 R6 B9", []),
    ("nor by two tiles", "K7 R7, K9 R6/9 B9", "K9 R6 B9", []),
    (
        "the box speaks on a rack, too",
        RACK + "R2 R2 B12",
        "R2! R2! B12",
        ["A tile looks like R2, which does not fit."],
    ),
]


def answers(table: InferredTiles) -> Iterator[str]:
    """Each tile in notation: `*` where the rules chose it, `!` where they speak against it."""
    for each in table.settled:
        yield f"{each.piece or '?'}{'*' * each.inferred}{'!' * each.disputed}"


@pytest.mark.parametrize(
    ("why", "seen", "last", "asked"), BELIEVED, ids=lambda told: str(told)[:40]
)
def test_a_table_is_believed(why: str, seen: str, last: str, asked: list[str]) -> None:
    """Row by row: what the eye is sure of, what the sets tell, and what a person is asked."""
    table = inferred(lying(seen), LIMITS, CLASSIC)
    assert [*answers(table)][-len(last.split()) :] == last.split(), why
    assert [str(each) for each in table.doubts] == asked


# the row, what its set tells of each tile, whether it is legal, and by which rule
JUDGED = [
    ("K9 R6/9 B9", ("K9", "R9", "B9"), True, "RK-3"),
    ("K4 K5 ? K7", ("K4", "K5", "K6", "K7"), True, "RK-4"),
    ("B3 B4 B6", ("B3", "B4", "B6"), False, "RK-4"),
    ("B3 B4", ("B3", "B4"), False, "RK-8"),
    ("O9 O11 ?", ("O9", "O11", "?"), None, None),
    ("O9 R8@30", ("O9", "?"), None, None),
]


@pytest.mark.parametrize(("row", "pieces", "legal", "rule"), JUDGED, ids=[row[0] for row in JUDGED])
def test_a_set_is_judged_as_it_is_believed(
    row: str,
    pieces: tuple[str, ...],
    legal: bool | None,  # noqa: FBT001 - a column of the table
    rule: str | None,
) -> None:
    """Settled tiles count as what they are, unreadable and hardly readable ones as unknown."""
    last = inferred(lying(TABLE + row), LIMITS, CLASSIC).sets[-1]
    assert (last.pieces, last.legal, last.rule) == (pieces, legal, rule)


def test_tiles_come_in_reading_order() -> None:
    """However the finder told them; the sets' indices are those of that order."""
    tiles = lying(TABLE + "B3 B4 B5")
    table = inferred([tiles[at] for at in (5, 0, 8, 2, 3, 7, 1, 6, 4)], LIMITS, CLASSIC)
    assert list(table.readings) == tiles
    assert [each.indices for each in table.sets] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]


def test_a_larger_box_holds_more_of_each() -> None:
    """Three of a tile are one too many in the classic box, and none in the XP box."""
    tiles = lying("K7 K8 K9, K7 R7 B7, K7 O7 B7")
    assert inferred(tiles, LIMITS, CLASSIC).doubts
    assert not inferred(tiles, LIMITS, XP).doubts
