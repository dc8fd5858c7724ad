"""A game as text: what can be read, what is refused, and that nothing is lost on the way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.errors import NotationError
from scoreboard.games.dice.acts import DiceKept, DiceRolled, PlayerLeft, StartRolled
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.transcript import (
    Abandoned,
    GameHeader,
    RecordedEvent,
    Resumed,
    Retraction,
)
from scoreboard.games.notation import UNTIMED, Replayed, ReplayError, export_text, replay_text
from scoreboard.players import player_names

HEAD = "game yahtzee\nplayers North, South\n"
WRITTEN = """\
game yahtzee
players North, South
start North 55521        # roll-off lines; without them the first named starts
start South 33211
roll 55521
keep 555                 # optional; `keep -` keeps none
roll 55536
keep 555
roll 55555
score yahtzee 50         # points optional, checked when given: the box's own, without bonuses
"""


def after(*lines: str) -> Replayed:
    """North and South after these lines."""
    return replay_text(HEAD + "\n".join(lines))


def refusal(text: str) -> ReplayError:
    """Why a text is refused."""
    with pytest.raises(ReplayError) as caught:
        replay_text(text)
    return caught.value


def test_a_game_as_a_person_writes_it() -> None:
    """The notation's own example: South is next, North has 50 in Yahtzee."""
    replayed = replay_text(WRITTEN)
    assert replayed.state.cards[0].values["yahtzee"] == 50
    assert GAME.turn(replayed.state).player == 1
    assert replayed.setup.players == ("North", "South")


def test_export_writes_the_acts_and_no_comments() -> None:
    """The written game comes back line by line, in one plain form."""
    replayed = replay_text(WRITTEN)
    lines = [line.split("#")[0].strip() for line in WRITTEN.splitlines()]
    assert export_text(replayed.header, replayed.records).splitlines() == lines


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + HEAD + "roll 55521\n",
        HEAD.replace("\n", "\r\n") + "roll 55521\r\n",
        "# Friday\n\n  game   yahtzee # here\nplayers North ,South#\n\troll\t55521",
        "#\n" + HEAD + '   # "quoted\n  roll 55521   # he said "six"\n\n',
    ],
)
def test_comments_blanks_and_line_ends_do_not_matter(text: str) -> None:
    """Whoever writes by hand may leave blanks, comments and a byte order mark."""
    replayed = replay_text(text)
    assert replayed.state.rolls.roll == Roll.parse("55521")
    assert replayed.setup.players[0] == "North"


EVERY_LINE = [
    (["start North 55521"], "start North 55521"),
    (["roll 55521"], "roll 55521"),
    (["roll 55521", "keep 555"], "keep 555"),
    (["roll 55521", "keep -"], "keep -"),
    (["roll 55521", "reroll-one 2 -> 6"], "reroll-one 2 -> 6"),
    (["roll 55521", "reroll-one 2->6"], "reroll-one 2 -> 6"),
    (["roll 55521", "correct roll 55526"], "correct roll 55526"),
    (["roll 55521", "correct   roll   55526"], "correct roll 55526"),
    (["roll 55521", "score fives"], "score fives 15"),
    (["roll 55521", "score fives 15"], "score fives 15"),
    (["leave South"], "leave South"),
    (["roll 55521", "undo"], "undo"),
]


@pytest.mark.parametrize(("lines", "last"), EVERY_LINE)
def test_every_kind_of_line(lines: list[str], last: str) -> None:
    """Each kind of line is read, and written in its plain form."""
    replayed = after(*lines)
    assert export_text(replayed.header, replayed.records).splitlines()[-1] == last


REFUSED = [
    ("notation", "", 1),
    ("notation", "roll 55521", 1),
    ("notation", "game chess\nplayers North", 1),
    ("notation", "# only\ngame yahtzee\nroll 55521", 3),
    ("notation", "game yahtzee\nplayers North, North", 2),
    ("notation", "game yahtzee\nplayers North,, South", 2),
    ("notation", "game yahtzee\nplayers " + "x" * 61, 2),
    ("notation", "game yahtzee\nplayers", 2),
    ("YZ-1", "game yahtzee\nplayers " + ", ".join(map(str, range(21))), 2),
    ("notation", HEAD + "throw 55521", 3),
    ("notation", HEAD + "ROLL 55521", 3),
    ("notation", HEAD + "roll", 3),
    ("notation", HEAD + "roll 55527", 3),
    ("notation", HEAD + "roll 5 5 5 2 1", 3),
    ("notation", HEAD + "roll \u2464\u2464\u2464\u2461\u2460", 3),
    ("notation", HEAD + "start North", 3),
    ("notation", HEAD + "start", 3),
    ("notation", HEAD + "roll 55521\nkeep", 4),
    ("notation", HEAD + "roll 55521\nkeep --", 4),
    ("notation", HEAD + "roll 55521\nreroll-one 2 6", 4),
    ("notation", HEAD + "roll 55521\nreroll-one 2 -> 7", 4),
    ("notation", HEAD + "roll 55521\ncorrect 55526", 4),
    ("notation", HEAD + "roll 55521\ncorrect roll", 4),
    ("notation", HEAD + "roll 55521\nscore", 4),
    ("YZ-6", HEAD + "roll 55521\nscore flush 40", 4),
    ("notation", HEAD + "roll 55521\nscore fives -15", 4),
    ("notation", HEAD + "roll 55521\nscore fives 15 16", 4),
    ("notation", HEAD + "leave", 3),
    ("notation", HEAD + "undo", 3),
    ("notation", HEAD + "roll 55521\nundo\nundo", 5),
    ("notation", HEAD + "roll 55521\nundo 2", 4),
    ("notation", HEAD + "game yahtzee", 3),
    ("YZ-4", HEAD + "roll 55521\nroll 55521\nroll 55521\n\n# one more\nroll 55521", 8),
]


@pytest.mark.parametrize(("rule", "text", "line"), REFUSED)
def test_a_refused_line_names_its_number_and_rule(rule: str, text: str, line: int) -> None:
    """The first line that cannot be played is told by number, text, sentence and rule."""
    error = refusal(text)
    assert (error.rule, error.line) == (rule, line)
    assert error.text == (text.splitlines() or [""])[line - 1]
    assert str(error.message)
    assert isinstance(error, NotationError)


def test_a_missing_kept_die_is_named() -> None:
    """YZ-4: the sentence says which die should have been there."""
    error = refusal(HEAD + "roll 55521\nkeep 552\nroll 55566")
    assert str(error) == "A kept 2 is missing in 5 5 5 6 6."


@pytest.mark.parametrize(
    "names",
    [
        ("#1", "North #2"),
        ('"', '""'),
        ('a"', 'b" #'),
        ('say "North"', "North"),
        ("North South 55521", "North"),
        ("홍 길동", "😀 👩‍👩‍👧"),
        ("a\xa0b", "a b"),
        ("=1+1", "@x", "-"),
        ("a#b", "c\t#d", "\x00"),
    ],
)
def test_names_survive_the_text(names: tuple[str, ...]) -> None:
    """Whatever a name may hold, it is read back as it was, in every line that has one."""
    lines = [f"start {quoted(name)} 11111" for name in names]
    text = f"game yahtzee\nplayers {', '.join(map(quoted, names))}\n" + "\n".join(lines)
    replayed = replay_text(f"{text}\nleave {quoted(names[-1])}\n")
    assert replayed.setup.players == names
    assert export_text(replayed.header, replayed.records).splitlines()[2:-1] == [
        line if needs_quotes(name) else f"start {name} 11111"
        for name, line in zip(names, lines, strict=True)
    ]


def quoted(name: str) -> str:
    """The name in quotation marks, which every name may have."""
    return '"' + name.replace('"', '""') + '"'


def needs_quotes(name: str) -> bool:
    """Whether a name could be misread without its quotation marks."""
    return '"' in name or any(
        sign == "#" and (at == 0 or name[at - 1].isspace()) for at, sign in enumerate(name)
    )


def test_quotation_marks_written_by_hand_may_stay() -> None:
    """Marks around a part of a name are a part of the name."""
    assert replay_text('game yahtzee\nplayers The "Best" One, 5" North\n').setup.players == (
        'The "Best" One',
        '5" North',
    )


def test_a_step_of_two_events_is_written_as_two_lines_and_two_undos() -> None:
    """KEEP records a roll and that the player stands; one undo takes both back."""
    header = GameHeader("g", "yahtzee", ("North", "South"), UNTIMED)
    roll = Roll.parse("55521")
    events = [DiceRolled(roll), DiceKept(roll), Retraction(2), Retraction(1), DiceRolled(roll)]
    steps = [1, 1, 3, 3, 5]
    records = [
        RecordedEvent("g", number, UNTIMED, "button", step, event)
        for number, (event, step) in enumerate(zip(events, steps, strict=True), start=1)
    ]
    text = export_text(header, records)
    assert text == HEAD + "roll 55521\nkeep 55521\nundo\nundo\nroll 55521\n"
    assert [record.event for record in replay_text(text).records] == events


def test_putting_a_game_away_is_not_written() -> None:
    """Abandoning and taking up again are the table's, not the game's."""
    replayed = after("roll 55521")
    (rolled,) = replayed.records
    away = [replace(rolled, sequence=2, step=2, event=Abandoned())]
    back = [replace(rolled, sequence=3, step=3, event=Resumed())]
    text = export_text(replayed.header, [rolled, *away, *back])
    assert text == HEAD + "roll 55521\n"


signs = st.sampled_from('#" \t\xa0\u3000=-+@>:5aB가😀\u0301\u200d\x00\x1f') | st.characters()
tables = (
    st.lists(st.text(signs, min_size=1, max_size=30), min_size=1, max_size=4)
    .filter(
        lambda texts: all(
            not set(text) & set(",\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029") and text.strip()
            for text in texts
        )
    )
    .filter(lambda texts: len({text.strip() for text in texts}) == len(texts))
    .map(player_names)
)


@given(tables)
@example(("#", '"', "North"))
def test_any_name_survives_the_text(names: tuple[str, ...]) -> None:
    """In the heading, and in each of the two kinds of line that has one."""
    header, roll = GameHeader("text", "yahtzee", names, UNTIMED), Roll.parse("55521")
    events: list[object] = [*(StartRolled(name, roll) for name in names), PlayerLeft(names[0])]
    records = tuple(
        RecordedEvent("text", at, UNTIMED, "hub", at, event) for at, event in enumerate(events, 1)
    )
    replayed = replay_text(export_text(header, records))
    assert (replayed.setup.players, replayed.records) == (names, records)


def test_house_rules_are_written_and_read() -> None:
    """Each that is not at its default has its line; one that is none is refused by its line."""
    rules = "game chaser\nplayers A\noption start first\noption strict_full_house yes\n"
    replayed = replay_text(rules + "roll 55556\nscore choice\n")
    assert replayed.header.options == {"start": "first", "strict_full_house": "yes"}
    assert export_text(replayed.header, replayed.records) == (
        rules + "roll 55556\nscore choice 26\n"
    )
    assert refusal(rules + "roll 55556\nscore full-house 26").rule == "CH-3"
    wrong = refusal("game chaser\nplayers A\noption strict_full_house perhaps")
    assert (wrong.rule, wrong.line) == ("CH-3", 3)
    assert refusal("game chaser\nplayers A\noption dice six").line == 3


words = st.sampled_from(
    [
        "game",
        "players",
        "yahtzee",
        "start",
        "roll",
        "keep",
        "score",
        "undo",
        "leave",
        "correct",
        "reroll-one",
        "North",
        "South",
        ",",
        "#",
        "-",
        "->",
        '"',
        "3",
        "6",
        "50",
        "55521",
        "555",
        "fives",
        "chance",
        "\n",
        "\nroll",
        "\nscore",
    ]
) | st.text(max_size=3)


def played_or_refused(text: str) -> Replayed | ReplayError:
    """What becomes of a text; any other error is a fault."""
    try:
        return replay_text(text)
    except ReplayError as error:
        return error


@given(st.lists(words, max_size=60))
@example(["start"])
def test_no_text_does_worse_than_be_refused(parts: list[str]) -> None:
    """Whatever is written, it is played or refused with a line and a rule."""
    for text in (" ".join(parts), HEAD + " ".join(parts)):
        became = played_or_refused(text)
        assert isinstance(became, Replayed) or (became.rule and became.line >= 1)
