"""The sheet, the turn and the offers of Tong Tong as a page shows them, and its lines of text."""

from __future__ import annotations

import pytest

from scoreboard.errors import NotationError
from scoreboard.games.engine.game import OpenOffer, Turn
from scoreboard.games.engine.printout import printout, summary
from scoreboard.games.tongtong.acts import (
    ChooseMission,
    Command,
    EnterPiles,
    HandShown,
    LeaderNamed,
    NameLeader,
    PilesEntered,
    PlayCard,
    ShowHand,
)
from scoreboard.games.tongtong.cards import Card, Cards, Piles
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.state import State
from tests.scoreboard.games.tongtong.playing import (
    begun,
    column,
    entered,
    events_of,
    quick_game,
    read,
)

ROWS = [
    *(f"game-{game}-{name}" for game in (1, 2, 3) for name in ("sum", "mission", "bonus", "total")),
    "grand",
]
HAND = "R8 R7 B8 B2 G1 G2 G3 G4"


def words(state: State) -> tuple[str, str]:
    """What a match says that it waits for."""
    awaited = GAME.turn(state).awaited
    assert awaited is not None
    return str(awaited.progress), str(awaited.instruction)


def entries(state: State) -> dict[str, tuple[str, str]]:
    """What the open offers ask, and what stands in their fields at first."""
    return {
        offer.key: (str(offer.entry.question), offer.entry.written)
        for offer in GAME.offers(state)
        if isinstance(offer, OpenOffer) and offer.entry is not None
    }


def test_an_empty_sheet_has_every_row() -> None:
    """Four rows a game and the total; nothing is written, and nothing is told of missions."""
    sheet = GAME.scoresheet(begun(4))
    assert (sheet.game, sheet.current) == ("tongtong", None)
    assert [row.key for row in sheet.rows] == ROWS
    assert {cell.points for row in sheet.rows for cell in row.cells} == {None}
    assert {len(row.cells) for row in sheet.rows} == {4}
    assert {row.hint for row in sheet.rows} == {None}
    assert [row.section for row in sheet.rows] == [
        *(section for section in ("game-1", "game-2", "game-3") for _ in range(4)),
        "totals",
    ]
    assert [row.kind for row in sheet.rows[:4]] == ["box", "box", "box", "total"]
    assert sheet.rows[-1].kind == "total"


def test_every_row_and_field_names_its_rule() -> None:
    """A tap on it tells why."""
    sheet = GAME.scoresheet(begun())
    assert [row.rule for row in sheet.rows] == [*("TT-8", "TT-10", "TT-9", "TT-12") * 3, "TT-13"]
    assert all({cell.rule for cell in row.cells} == {row.rule} for row in sheet.rows)
    assert GAME.scoresheet(begun(4, teams="yes")).row("grand").rule == "TT-15"


def test_a_sheet_fills_game_by_game() -> None:
    """What is not scored yet stays empty; the mission that holds is told."""
    state = entered(begun(mode="quick", play="advanced"), "mission signed-11")
    assert str(hint_of(state, 1)) == "Red, purple, yellow minus blue, green; bust from 11 on"
    assert column(state, "grand") == (None, None, None)
    state = quick_game(begun(mode="quick", play="advanced"), "signed-11", "R3 B5", "R8 +1", "-")
    assert hint_of(state, 2) is None
    assert column(state, "game-1-sum") == (-2, 8, 0)
    assert column(state, "game-1-total") == column(state, "grand") == (0, 9, 0)
    assert column(state, "game-2-total") == (None, None, None)
    figures = summary(GAME, state)
    assert figures["players"][1]["totals"]["grand"] == 9
    assert not figures["finished"]


def hint_of(state: State, game: int) -> object:
    """What the sheet says of that game's mission."""
    return GAME.scoresheet(state).row(f"game-{game}-mission").hint


def test_a_sheet_can_be_printed() -> None:
    """With the partners' total, the house rules and the ranking."""
    state = begun(4, mode="quick", teams="yes")
    for mission in ("high-9", "high-12", "low-5"):
        state = quick_game(state, mission, "R6 +1", "-", "-", "-")
    text = " ".join(printout(GAME.scoresheet(state), GAME.outcome(state)).split())
    assert "Total of the partners 47 28 47 28" in text
    assert "House rules: team play; only the piles are entered" in text
    assert "2. Ben: 28" in text


def test_a_match_reports_what_it_waits_for() -> None:
    """Where it stands, and the one thing to do."""
    state = begun()
    assert words(state) == ("Game 1 of 3", "Turn up a mission card and choose it here.")
    state = entered(state, "mission low-5")
    assert words(state) == (
        "Game 1 of 3 · trick 1 of 7",
        "Everyone takes eight cards. Who holds red 8?",
    )
    state = entered(state, "leader Ben")
    assert words(state)[1] == "Ben leads: tap the card that was played."
    state = entered(state, "play R1")
    assert words(state)[1] == "Cem follows: tap the card that was played."
    assert GAME.scoresheet(state).current == GAME.turn(state).player == 2
    state = entered(state, "play R2 R3")
    assert words(state) == (
        "Game 1 of 3 · trick 2 of 7",
        "Ann leads: tap the card that was played.",
    )
    assert GAME.turn(state).number == 5
    state = entered(begun(mode="quick"), "mission low-5")
    assert words(state) == (
        "Game 1 of 3",
        "Play the seven tricks, then enter what lies before each player.",
    )
    assert GAME.turn(state).player is None


def test_a_match_that_is_over_waits_for_nothing() -> None:
    """And nobody is to move."""
    state = begun(mode="quick")
    for mission in ("high-9", "high-12", "low-5"):
        state = quick_game(state, mission, "-", "-", "-")
    assert GAME.turn(state) == Turn(12, "finished", None)


def test_the_trick_lies_in_the_order_played() -> None:
    """And before each winner the tops (TT-7)."""
    state = entered(begun(), "mission low-5", "leader Cem", "play R1 B3 R2", "play G7 G1")
    heaps = [(heap.kind, str(heap.label), heap.pieces) for heap in GAME.pieces_on_table(state)]
    assert heaps == [("cards", "The trick", ("G7", "G1")), ("cards", "Ann’s tops", ("R1", "B3"))]
    assert GAME.pieces_on_table(begun()) == ()


def test_open_offers_ask_in_words() -> None:
    """What is known stands in the field, to be set right."""
    state = entered(begun(), "mission low-5", f"hand Ann, {HAND}")
    assert entries(state) == {
        "hand:0": ("Which eight cards does Ann hold?", HAND),
        "hand:1": ("Which eight cards does Ben hold?", ""),
        "hand:2": ("Which eight cards does Cem hold?", ""),
    }
    state = entered(state, "play R8 R1 B6")
    assert entries(state) == {
        "piles:0": ("What lies on top of Ann’s piles?", "R1 B6 +1"),
        "piles:1": ("What lies on top of Ben’s piles?", "-"),
        "piles:2": ("What lies on top of Cem’s piles?", "-"),
    }
    state = entered(begun(mode="quick"), "mission low-5", "piles Ben, -")
    assert entries(state) == {
        "piles:0": ("What lies on top of Ann’s piles?", ""),
        "piles:2": ("What lies on top of Cem’s piles?", ""),
    }


def test_what_need_not_be_entered_is_offered_aside() -> None:
    """Hands and corrections; the piles are not where nothing else is told."""
    state = entered(begun(), "mission low-5")
    assert aside(state) == {"leader": False, "hand": True}
    state = entered(state, "leader Ann", "play R1 R2 R3")
    assert aside(state) == {"play": False, "piles": True}
    assert aside(entered(begun(mode="quick"), "mission low-5")) == {"piles": False}


def aside(state: State) -> dict[str, bool]:
    """Whether each kind of offer is shown apart."""
    return {offer.key.partition(":")[0]: offer.aside for offer in GAME.offers(state)}


def test_closed_offers_name_their_rule_and_their_card() -> None:
    """In words; a mission's are its title."""
    assert [(offer.key, str(offer.label), offer.rule) for offer in GAME.offers(begun())] == [
        ("mission:high-9", "Highest sum first, bust from 9 on", "TT-14"),
        ("mission:high-12", "Highest sum first, bust from 12 on", "TT-14"),
        ("mission:low-5", "Lowest sum first, bust up to 5", "TT-14"),
    ]
    offers = GAME.offers(entered(begun(5), "mission low-5", "leader Ann"))
    labels = {offer.key: (str(offer.label), offer.rule) for offer in offers}
    assert labels["play:P4"] == ("purple 4", "TT-4")
    assert labels["play:B1"] == ("blue 1", "TT-4")
    assert labels["hand:2"] == ("The hand of Cem", "TT-2")
    offers = GAME.offers(entered(begun(), "mission low-5"))
    assert (str(offers[0].label), offers[0].rule) == ("Ann holds red 8", "TT-3")


def test_events_are_reported_in_words() -> None:
    """As in “undo takes back …”."""
    state = entered(begun(), "mission low-5", f"hand Ann, {HAND}", "play R8 R1")
    before = entered(begun(), "mission low-5")
    assert described(begun(), "mission low-5") == ["the mission “Lowest sum first, bust up to 5”"]
    assert described(before, f"hand Ann, {HAND}") == ["the hand of Ann"]
    assert described(before, "leader Ben") == ["that Ben holds red 8"]
    assert described(state, "play R3") == ["red 3 of Cem", "the trick of Ann"]
    state = entered(state, "play R3")
    assert described(state, "piles Ben, R5 B6 +2") == ["the piles R5 B6 +2 of Ben"]
    quick = entered(begun(mode="quick"), "mission low-5", "piles Ann, -", "piles Ben, -")
    assert described(quick, "piles Cem, -") == ["the piles - of Cem", "the points of game 1"]


def described(state: State, line: str) -> list[str]:
    """What a line led to, in words."""
    after = entered(state, line)
    return [str(GAME.describe(after, event)) for event in events_of(state, line)]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("mission high-9", ChooseMission("high-9")),
        ("leader Ann Lee", NameLeader("Ann Lee")),
        ('leader "a #b"', NameLeader("a #b")),
        ("play  r8", PlayCard(Card("R", 8))),
        ("hand Ann , r8  B1", ShowHand("Ann", Cards((Card("R", 8), Card("B", 1))))),
        ('hand "say ""x""", -', ShowHand('say "x"', Cards())),
        ("piles Ann,B3 R5", EnterPiles("Ann", Piles((Card("R", 5), Card("B", 3))))),
        ("piles Ann, R5 B3 +2", EnterPiles("Ann", Piles((Card("R", 5), Card("B", 3)), 2))),
        ("piles Ann, -", EnterPiles("Ann", Piles())),
    ],
)
def test_a_line_is_read(line: str, command: Command) -> None:
    """Blanks and small letters do not matter, and tops come in any order."""
    assert read(line) == command


@pytest.mark.parametrize("line", ["mission ", "leader ", "play ", "hand Ann R8", "piles Ann R5"])
def test_a_line_without_its_parts_cannot_be_read(line: str) -> None:
    """A name ends with a comma where cards follow."""
    keyword, _, rest = line.partition(" ")
    assert GAME.notation.readers[keyword](rest) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("play R9", "“R9” is no card: write R8, B1, G4, P6 or Y3."),
        ("hand Ann, R8, B1", "“R8,” is no card: write R8, B1, G4, P6 or Y3."),
        ("piles Ann,", "Write the tops and how many 6s were won, as in R5 B3 +2; - for none."),
        ("piles Ann, R5 2", "“2” is no card: write R8, B1, G4, P6 or Y3."),
        ("piles Ann, - R5", "“-” is no card: write R8, B1, G4, P6 or Y3."),
        ("piles Ann, R5 +100", "“+100” is no card: write R8, B1, G4, P6 or Y3."),
    ],
)
def test_a_part_that_is_no_value_is_reported(line: str, why: str) -> None:
    """The sentence says how it is written."""
    with pytest.raises(NotationError) as caught:
        read(line)
    assert str(caught.value) == why


def test_names_are_quoted_where_they_could_be_misread() -> None:
    """In every line that has one."""
    written = GAME.notation.written
    assert written(LeaderNamed("a #b")) == 'leader "a #b"'
    assert written(HandShown("a #b", Cards.parse(HAND))) == f'hand "a #b", {HAND}'
    assert written(PilesEntered('"x"', Piles())) == 'piles """x""", -'
