"""The sheet, the turn and the offers of Tong Tong as a page shows them, and its lines of text."""

from __future__ import annotations

import pytest

from scoreboard.errors import NotationError
from scoreboard.games.engine.game import OpenOffer, Turn
from scoreboard.games.engine.printout import printout, summary
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.tongtong.acts import (
    CardPlayed,
    Command,
    GameScored,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PilesEntered,
    PlayCard,
    TrickTaken,
)
from scoreboard.games.tongtong.cards import Card, Cards, Piles
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.state import State
from tests.scoreboard.games.tongtong.playing import (
    begun,
    column,
    entered,
    events_of,
    keys,
    quick_game,
    read,
    refusal,
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
    assert described(state, "piles Ben, R5 B6 +2") == ["Ben’s piles (R5 B6 +2)"]
    quick = entered(begun(mode="quick"), "mission low-5", "piles Ann, -", "piles Ben, -")
    assert described(quick, "piles Cem, -") == ["Cem’s piles (empty)", "the points of game 1"]


def described(state: State, line: str) -> list[str]:
    """What a line led to, in words."""
    after = entered(state, line)
    return [str(GAME.describe(after, event)) for event in events_of(state, line)]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("mission high-9", MissionChosen("high-9")),
        ("leader Ann Lee", LeaderNamed("Ann Lee")),
        ('leader "a #b"', LeaderNamed("a #b")),
        ("play  r8", PlayCard(Card("R", 8))),
        ("hand Ann , r8  B1", HandShown("Ann", Cards((Card("R", 8), Card("B", 1))))),
        ('hand "say ""x""", -', HandShown('say "x"', Cards())),
        ("piles Ann,B3 R5", PilesEntered("Ann", Piles((Card("R", 5), Card("B", 3))))),
        ("piles Ann, R5 B3 +2", PilesEntered("Ann", Piles((Card("R", 5), Card("B", 3)), 2))),
        ("piles Ann, -", PilesEntered("Ann", Piles())),
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


HANDS = (
    "hand Ann, R8 R7 B8 B2 G1 G2 G3 G4",
    "hand Ben, R1 R2 B1 B3 B4 G5 G6 G7",
    "hand Cem, R3 R4 R5 R6 B5 B6 B7 G8",
)


def led(*lines: str, players: int = 3) -> State:
    """A game of `high-12` that Ann leads, after these lines."""
    return entered(begun(players), "mission high-12", "leader Ann", *lines)


def quick(players: int = 3, **options: str) -> State:
    """A match of which only the piles are entered, of all five missions."""
    return begun(players, mode="quick", play="advanced", **options)


def test_the_pages_example() -> None:
    """TT-8 to TT-11: A busts at 13 and has a 6; B and C share the first rank; D is third."""
    state = quick_game(quick(4), "high-12", "R6 B7 +1", "B3 G6 +2", "R3 G1 P5 +1", "-")
    assert column(state, "game-1-sum") == (13, 9, 9, 0)
    assert column(state, "game-1-mission") == (0, 10, 10, 4)
    assert column(state, "game-1-bonus") == (1, 2, 1, 0)
    assert column(state, "game-1-total") == column(state, "grand") == (1, 12, 11, 4)


def test_a_game_is_scored_by_one_event_that_has_every_figure() -> None:
    """A later change of a rule never rewrites an old evening."""
    state = entered(quick(), "mission sum-10", "piles Ann, R3 B6 +2", "piles Ben, -")
    assert events_of(state, "piles Cem, R8 G2") == (
        PilesEntered("Cem", Piles.parse("R8 G2")),
        GameScored("sum-10", *map(Scores.parse, ("9 0 10", "9 0 0", "2 0 0", "11 0 0"))),
    )


@pytest.mark.parametrize(
    ("mission", "piles", "points"),
    [
        ("high-9", ("R8", "B8 G1", "-"), (10, 0, 7)),
        ("high-12", ("R8 G3", "B8 P4", "-"), (10, 0, 7)),
        ("low-5", ("R6 +1", "B5", "-"), (10, 0, 0)),
        ("sum-10", ("R8 B1", "G8 B2", "-"), (9, 0, 0)),
        ("signed-11", ("R8 P2", "R7 P4", "-"), (10, 0, 0)),
        ("signed-11", ("R3 B5", "-", "Y8 P5 G3"), (-2, 0, 10)),
        ("low-5", ("R5", "B6 +1", "R2 G4", "R8 B4"), (0, 10, 10, 4)),
        ("high-9", ("R8", "R7", "R4", "R3", "-"), (10, 7, 4, 1, 0)),
    ],
)
def test_what_a_mission_earns(
    mission: str, piles: tuple[str, ...], points: tuple[int, ...]
) -> None:
    """TT-10, TT-11: at the edges where sums bust; equal ones share a rank, the fifth earns 0."""
    state = quick_game(quick(5), mission, *(*piles, "-", "-")[:5])
    assert column(state, "game-1-mission")[: len(points)] == points


def test_the_floor_comes_before_the_bonus() -> None:
    """TT-12: a total of 1, then -2 for the mission and a 6: max(0, 1 - 2) + 1 = 1."""
    state = quick_game(quick(), "sum-10", "R1", "-", "-")
    assert column(state, "grand") == (1, 0, 0)
    state = quick_game(state, "signed-11", "R3 B5 +1", "R5 G8 +2", "-")
    assert column(state, "game-2-mission") == (-2, -3, 0)
    assert column(state, "game-2-total") == (1, 2, 0)


def test_a_trick_is_taken_and_led_on() -> None:
    """TT-5, TT-6: green 8, played later, takes blue 8's trick; the player of the last 4 leads."""
    state = begun(4, colours="R B G Y")
    state = entered(state, "mission low-5", "leader Ann", "play B8 B4 G8")
    assert events_of(state, "play Y4") == (
        CardPlayed("Dora", Card("Y", 4)),
        TrickTaken("Cem", "Dora"),
    )
    state = entered(state, "play Y4")
    assert GAME.turn(state).player == 3
    assert [(str(heap.label), heap.pieces) for heap in GAME.pieces_on_table(state)] == [
        ("Cem’s tops", ("B4", "G8", "Y4"))
    ]


def test_the_colour_that_was_led_is_followed() -> None:
    """TT-4: whose hand is known must follow, whose hand is not is believed."""
    state = entered(begun(), "mission low-5", *HANDS[:2], "play G1")
    assert keys(state, "play:") == ["G5", "G6", "G7"]
    refused = refusal(state, "play R1")
    assert refused.rule == "TT-4"
    assert str(refused) == "Ben must follow green 1: the hand has its colour."
    state = entered(state, "play G7")
    assert "R3" in keys(state, "play:")
    assert "R1" not in keys(state, "play:")


def pile_of(state: State, seat: int) -> tuple[str, ...]:
    """The tops that lie before a player."""
    return tuple(map(str, state.deal.piles[seat].tops))


def test_seven_tricks_end_a_game() -> None:
    """TT-3: the eighth card stays; the last trick is taken, and the game is scored with it."""
    blue, green = ("play B8 B1 B2", "play B7 B3 B5"), ("play G8 G1 G2", "play G7 G3 G5")
    state = led("play R8 R1 R2", "play R7 R3 R5", *blue, *green, "play B6 R6")
    awaited = GAME.turn(state).awaited
    assert awaited is not None
    assert str(awaited.progress) == "Game 1 of 3 · trick 7 of 7"
    assert events_of(state, "play G6") == (
        CardPlayed("Cem", Card("G", 6)),
        TrickTaken("Cem", "Cem"),
        GameScored("high-12", *map(Scores.parse, ("9 0 18", "10 7 0", "0 0 3", "10 7 3"))),
    )
    state = entered(state, "play G6")
    assert keys(state, "mission:") == ["high-9", "low-5"]
    assert GAME.pieces_on_table(state) == ()
    assert GAME.outcome(state) is None


def test_red_8_leads_without_further_word() -> None:
    """TT-3: a known hand tells; else somebody must."""
    state = entered(begun(), "mission low-5", HANDS[1])
    assert keys(state, "leader:") == ["0", "2"]
    assert GAME.turn(state).player is None
    state = entered(state, HANDS[0])
    assert keys(state, "leader:") == []
    assert GAME.turn(state).player == 0
    assert refusal(state, "leader Cem").rule == "TT-3"
    state = entered(state, "hand Ann, R7 B8 B2 G1 G2 G3 G4 G8")
    assert keys(state, "leader:") == ["2"]


def test_a_correction_of_piles_holds_on() -> None:
    """TT-7: after the first trick what lies before a player can be set right."""
    state = led("play R5 R1 R2")
    assert keys(led("play R5"), "piles:") == []
    assert keys(state, "piles:") == ["0", "1", "2"]
    state = entered(state, "piles Ann, -", "piles Ben, R2 B6 +1", "play R3 R7 B2")
    assert (pile_of(state, 0), pile_of(state, 1)) == ((), ("R3", "B2"))
    assert state.deal.piles[1].sixes == 1


# The games of a match, the totals after it, those that decide, and the places.
ENDS = """
sum-10: R8 B5 G3, high-9: - - -, signed-11: B3 - R2 | 15 15 15 | 15 15 15 | 1 Cem 2 Ben 3 Ann
sum-10: R5 R3 -, signed-11: R3 R5 -, low-5: - - - | 8 8 0 | 8 8 0 | 1 Ben 2 Ann 3 Cem
signed-11: B3 - -, sum-10: - - -, low-5: - - - | 0 0 0 | 0 0 0 | 1 Ben 1 Cem 3 Ann
sum-10: R8 B5 G3 P4, low-5: - - - R7, signed-11: B6+1 - R4 - | 3 5 7 14 | 10 19 10 19 \
    | 1 Ben 1 Dora 2 Ann 2 Cem
sum-10: R3 B4 G5 P4, signed-11: R2 P3 - -, low-5: R5+1 - - - | 6 7 5 4 | 11 11 11 11 \
    | 1 Ann 1 Cem 2 Ben 2 Dora
sum-10: R3 B4 G5 P4, low-5: - - - -, signed-11: - - - - | 3 4 5 4 | 8 8 8 8 \
    | 1 Ann 1 Cem 1 Ben 1 Dora
"""


@pytest.mark.parametrize(
    ("games", "own", "decisive", "places"),
    [[cell.strip() for cell in row.split("|")] for row in ENDS.strip().splitlines()],
)
def test_the_end_of_a_match(games: str, own: str, decisive: str, places: str) -> None:
    """TT-13: of equal totals the latest game decides, by its points before the floor of TT-12.

    TT-15: four play as partners here, whose totals and games are added; a place may be shared.
    """
    players = len(own.split())
    state = quick(players, teams="yes" if players == 4 else "no")
    for game in games.split(", "):
        assert GAME.outcome(state) is None
        mission, _, piles = game.partition(": ")
        state = quick_game(state, mission, *(each.replace("+", " +") for each in piles.split()))
    assert column(state, "game-3-total") == tuple(map(int, own.split()))
    assert column(state, "grand") == tuple(map(int, decisive.split()))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert " ".join(f"{each.place} {each.player}" for each in outcome.ranking) == places
    grand = dict(zip(state.players, column(state, "grand"), strict=True))
    assert {each.player: each.points for each in outcome.ranking} == grand
