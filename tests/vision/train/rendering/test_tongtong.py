"""The scripted match of Tong Tong: its rules, its tables, and its pictures on disk."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from scoreboard.games.tongtong.cards import BONUS, LEADING, Piles, Play, Trick
from tests.vision.train.rendering.staging import GreyStudio
from vision.learn.quads import overlap
from vision.train.rendering import tongtong
from vision.train.rendering.evening import read_picture
from vision.train.rendering.tongtong import (
    BUNTING,
    LENS,
    PLAYERS,
    PlayedGame,
    ShownCards,
    any_match,
    held_back_takes,
    replayed,
    tables,
    taught,
    teaching_takes,
    the_match,
)

SEATS = len(PLAYERS)
TOTALS = (17, 28, 22)


def tricks(game: PlayedGame) -> Iterator[Trick]:
    """The seven tricks with their players, each led by whom the one before says."""
    leader = game.leader
    for first in range(0, len(game.played), SEATS):
        cards = game.played[first : first + SEATS]
        plays = (Play((leader + nth) % SEATS, card) for nth, card in enumerate(cards))
        yield (trick := Trick(tuple(plays)))
        leader = trick.next_leader


@pytest.mark.parametrize("quick", [False, True])
def test_the_rules_take_every_step(quick: bool) -> None:  # noqa: FBT001 -- a parameter
    """Card by card and by its piles alone the match ends with the same totals."""
    assert replayed(the_match(), quick=quick).totals == TOTALS


@pytest.mark.parametrize("seed", range(3))
def test_any_match_is_played_to_its_end(seed: int) -> None:
    """Whatever chance deals: 21 cards a game, red 8 first, and both ways of telling agree."""
    match = any_match(np.random.default_rng(seed))
    assert [len(game.played) for game in match] == [21, 21, 21]
    assert {game.played[0] for game in match} == {LEADING}
    assert replayed(match, quick=False).totals == replayed(match, quick=True).totals


def test_a_4_takes_the_lead_in_every_game() -> None:
    """TT-6: somewhere another than the winner leads the next trick."""
    for game in the_match():
        assert any(trick.next_leader != trick.winner for trick in tricks(game))


def test_piles_are_told_by_what_lies_there() -> None:
    """TT-7, TT-9: the tops, every other 6 beside them, and in the first game three of those."""
    for game in the_match():
        for seat in range(SEATS):
            lying, piles = game.lying(seat), game.piles[seat]
            assert lying[: len(piles.tops)] == piles.tops
            sixes = sum(card.number == BONUS for card in lying)
            assert Piles(piles.tops, sixes) == piles
    beside = sum(each.sixes - each.open_sixes for each in the_match()[0].piles)
    assert beside == 3


MARGIN = 25.0


@pytest.fixture(scope="module")
def shown() -> dict[str, ShownCards]:
    """Every table by its step."""
    return {each.step: each for each in tables(the_match())}


def test_the_trick_grows_card_by_card(shown: dict[str, ShownCards]) -> None:
    """Each table shows what was there, and what is fresh last; a card stays where it fell."""
    first = [shown[f"play-{act:02}"] for act in (2, 3, 4)]
    for before, after in pairwise(first):
        assert after.laid[: len(before.laid)] == before.laid
    for step, each in shown.items():
        if step.startswith("play"):
            last = each.laid[-len(each.fresh) :]
            assert [one.face for one in last] == list(map(str, each.fresh)), step


def test_no_card_touches_another(shown: dict[str, ShownCards]) -> None:
    """Seen from above there is table between all of them."""
    for each in shown.values():
        quads = [one.corners(BUNTING.length, 0.05).astype(np.float32) for one in each.laid]
        assert all(overlap(one, other) == 0 for one, other in combinations(quads, 2)), each.step


def test_every_card_is_within_the_picture(shown: dict[str, ShownCards]) -> None:
    """With a little of the table around it."""
    size = np.array([LENS.width, LENS.height])
    for each in shown.values():
        for one in each.laid:
            corners = one.corners(BUNTING.length)
            pixels = LENS.pixels(np.column_stack([corners, np.zeros(4)]))
            assert (pixels > MARGIN).all(), each.step
            assert (pixels < size - MARGIN).all(), each.step


ROOT = Path(__file__).parents[4]
TRUTH = ROOT / "tests" / "hardware" / "cameras" / "demo_tongtong_truth.json"


def test_pictures_are_taken_once_and_named_by_their_step(tmp_path: Path) -> None:
    """A broken-off run goes on where it stopped, and the second run takes none anew."""
    studio = GreyStudio()
    darkroom = tongtong.CardDarkroom(tmp_path / "cache", studio)
    first = next(tongtong.write_match(darkroom, tmp_path / "out"))
    again = next(tongtong.write_match(darkroom, tmp_path / "out"))
    assert first == again
    assert set(studio.traced.values()) == {1}
    picture = read_picture(tmp_path / "out" / "piles-0-01" / "throw0" / "00.webp")
    assert picture.shape == (720, 960, 3)


def test_every_face_is_photographed_three_times_and_once_to_examine() -> None:
    """In four scenes, each with a light and a table of its own."""
    lesson, held_back = list(teaching_takes(BUNTING)), list(held_back_takes(BUNTING))
    for takes, times in ((lesson, 3), (held_back, 1)):
        faces = Counter(one.face for take in takes for one in take.shooting.laid)
        assert faces == dict.fromkeys(BUNTING.faces, times)
    assert len({id(take.setting) for take in (*lesson, *held_back)}) == 4


def test_photographs_without_cards_teach_nothing(tmp_path: Path) -> None:
    """The fault names the photograph."""
    darkroom = tongtong.CardDarkroom(tmp_path / "cache", GreyStudio())
    folder = tmp_path / "lesson" / "R1 R2"
    folder.mkdir(parents=True)
    take = next(teaching_takes(BUNTING))
    darkroom.picture(take).rename(folder / "0.png")
    with pytest.raises(ValueError, match=r"0\.png"):
        taught("bunting", tmp_path / "lesson", tmp_path / "lesson", tmp_path)


def test_the_truth_that_ships_is_that_of_the_script(tmp_path: Path) -> None:
    """Whoever changes the script renders the pictures again."""
    shown = list(tables(the_match()))
    tongtong.write_truth(tmp_path / "truth.json", shown)
    told = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert told == json.loads(TRUTH.read_text(encoding="utf-8"))
