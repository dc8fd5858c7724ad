"""The chess federation's report file: its columns, its marks, and names and ratings from one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scoreboard.tournament.model.disputes import AwardPenalty
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Withdraw
from scoreboard.tournament.model.entry_list import read_entries
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, StartRound
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.trf import entries_of_trf, has_trf, write_trf
from tests.scoreboard.tournament.model.directing import KIM, Directing, DrawByHand

DUEL = replace(FORMATS["yahtzee-duel-swiss"], dutch=True, games=1, rounds=3)
RATINGS = {1: 1500, 2: 1900, 3: None, 4: 1700, 5: 1800}
TWO_ROUNDS = Path(__file__).with_name("two_rounds.trf").read_text(encoding="utf-8")


def two_rounds(form: TournamentFormat = DUEL) -> Directing:
    """Five players, a win, a draw and a bye; then a no-show, and one who came late wins."""
    directing = Directing(form)
    players = (Entrant(each, f"Player {each}", rating=of) for each, of in RATINGS.items())
    directing.give(*map(Enter, players))
    directing.play_by_hand("1: 2 4 | 2: 1 5 | bye 3", {1: "2 200, 4 100", 2: "1 100, 5 100"})
    late = EnterLate(Entrant(6, "Łucja Müller", rating=1000), **KIM)
    directing.give(late, Withdraw(4, **KIM), Withdraw(2, **KIM))
    directing.play_by_hand("1: 5 1 | 2: 6 3", {1: "5 100, 1 no-show", 2: "6 300, 3 forfeit"})
    return directing.give(AwardPenalty(1, "points", "2", **KIM))


def test_a_file_has_each_round_and_the_points_of_chess() -> None:
    """Late entries are last, byes U, rounds missed Z, matches not played + and -."""
    assert write_trf(two_rounds().state) == TWO_ROUNDS


def test_other_points_than_those_of_chess_are_named() -> None:
    form = replace(DUEL, win=3, draw=1, bye=2, missed_round=1, dutch=False)
    text = write_trf(two_rounds(form).state)
    assert "092 Individual: Swiss-System\nXXR 3\nXXS W=3.0 D=1.0 L=0.0 ZPB=1.0 PAB=2.0\n" in text
    assert f"{'1900':>10}{'':29}4.0    2     3 w 1  0000 - Z" in text


def test_only_rounds_that_are_closed_are_written() -> None:
    directing = two_rounds()
    before = write_trf(directing.state)
    directing.give(DrawByHand(Draw.parse("1: 1 3 | 2: 6 5"), **KIM), StartRound())
    assert write_trf(directing.report(1, "1 100, 3 200").state) == before
    after = write_trf(directing.report(2, "6 1, 5 2").give(CloseRound()).state)
    assert "2.5    1     4 b =     4 w +     6 b 1\n" in after


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_only_duels_by_the_swiss_system_have_the_file(name: str) -> None:
    assert has_trf(FORMATS[name]) == (name == "yahtzee-duel-swiss")
    assert not has_trf(replace(DUEL, reckoning="points"))


def test_names_and_ratings_of_a_file_are_a_list_of_entries() -> None:
    """As Swiss-Manager and Vega write them: surname first, and what is private is dropped."""
    text = (
        "012 Open of Ålesund\r\n"
        "001    1 mGM  Berg, Nora                        2480 NOR     1503014 1990/11/30"
        "  0.0    1\r\n"
        "001    2 w    Ødegård, Åse;Mia                     0 NOR                       "
        "  0.0    2\r\n"
        "001    3      한지민\r\n"
        "001 none F    Late, Lea                         18OO\r\n"
        "013 Team                                1    2\r\n"
    )
    listed = entries_of_trf(text)
    assert listed == 'name;rating\nBerg, Nora;2480\n"Ødegård, Åse;Mia";0\n한지민;\nLate, Lea;18OO\n'
    read = read_entries(listed)
    assert [(each.name, each.rating) for each in read.entrants] == [
        ("Nora Berg", 2480), ("Åse;Mia Ødegård", None), ("한지민", None)
    ]  # fmt: skip
    assert not read.is_guess
    assert [each.text for each in read.faults] == ["Late, Lea;18OO"]


def test_a_written_file_is_a_list_of_its_players() -> None:
    read = read_entries(entries_of_trf(TWO_ROUNDS))
    assert [(each.name, each.rating) for each in read.entrants] == [
        ("Player 2", 1900), ("Player 5", 1800), ("Player 4", 1700), ("Player 1", 1500),
        ("Player 3", None), ("Łucja Müller", 1000),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "001 Nora Berg\n002 Emil\n", "name;rating\n001;1800\n"])
def test_other_lists_stay_as_they_are(text: str) -> None:
    assert entries_of_trf(text) == text
