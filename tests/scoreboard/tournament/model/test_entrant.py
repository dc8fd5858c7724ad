"""Entries: their notation, and lists of them as CSV."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.errors import NotationError
from scoreboard.players import plain_text
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entry_list import read_entries, write_entries

plain = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters=","
    ),
    min_size=1,
    max_size=20,
).filter(lambda text: text == text.strip() and not text.startswith(("=", "+", "-", "@")))
entrants = st.builds(
    Entrant,
    st.integers(1, 999_999),
    plain,
    plain | st.just(""),
    st.none() | st.integers(1, 999_999),
    st.booleans(),
    plain | st.just(""),
    st.none() | st.integers(1, 999_999),
    st.none() | st.integers(1, 999_999),
)


def composed(entrant: Entrant) -> Entrant:
    """The entrant as somebody types it today."""
    name, club, team = (
        normalize("NFC", each) for each in (entrant.name, entrant.club, entrant.team)
    )
    return replace(entrant, name=name, club=club, team=team)


def is_seen(entrant: Entrant) -> bool:
    """Whether every sign of it can be seen."""
    try:
        return all(plain_text(each) == each for each in (entrant.name, entrant.club, entrant.team))
    except NotationError:
        return False


@given(entrants)
def test_notation_is_an_identity(entrant: Entrant) -> None:
    """What is written is read back as it was."""
    assert Entrant.parse(str(entrant)) == entrant


typed = st.builds(composed, entrants).filter(is_seen)


UNLIKE = (lambda each: each.number, lambda each: each.name.casefold())


@given(st.lists(typed, min_size=1, unique_by=UNLIKE))
def test_csv_is_an_identity(entries: list[Entrant]) -> None:
    """A list that is exported is read back without a fault, and nothing of it is lost."""
    found = read_entries(write_entries(entries))
    assert not found.faults
    assert list(found.entrants) == entries


def test_an_entry_says_only_what_there_is() -> None:
    """Club, seed, access, team, rating and table are left out where they say nothing."""
    assert str(Entrant(7, "Anna Berg")) == "7 Anna Berg"
    full = Entrant(7, "Anna Berg", "Almere", 3, True, "Reds", 1830, 5)  # noqa: FBT003 -- as it is written
    assert str(full) == (
        "7 Anna Berg, club Almere, seed 3, accessible, team Reds, rating 1830, table 5"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Anna", "write it as 7 Anna Berg"),
        ("0 Anna", "write it as 7 Anna Berg"),
        ("7 Anna, captain", "write club, seed, accessible, team, rating or table"),
        ("7 Anna, seed 0", "write club, seed, accessible, team, rating or table"),
        ("7 Anna, club A, club B", "stands twice"),
        ("7 =1+1", "formula"),
    ],
)
def test_an_entry_that_is_none_is_refused(text: str, fault: str) -> None:
    """The message names the fault and its cure."""
    with pytest.raises(NotationError, match=fault):
        Entrant.parse(text)


@pytest.mark.parametrize("entrant", [(0, "A"), (1, " A"), (1, "A", "", 0), (1, "A", "-B")])
def test_an_entrant_that_could_not_be_written_is_refused(entrant: tuple[int, str]) -> None:
    """Whatever is an entrant has a notation."""
    with pytest.raises(NotationError):
        Entrant(*entrant)


def test_columns_stand_in_any_order_and_case() -> None:
    """A spreadsheet's own separator and byte order mark do no harm; numbers fill the gaps."""
    text = "\ufeffClub;NAME;number;accessible\nAlmere;Anna;2;x\n;;;\n\n;Bea;;no\n;Cas;;\n"
    found = read_entries(text)
    assert not found.faults
    assert [str(each) for each in found.entrants] == [
        "2 Anna, club Almere, accessible",
        "1 Bea",
        "3 Cas",
    ]


def test_all_faults_are_told_at_once() -> None:
    """Each with its line and its cure; the good lines are taken, the bad ones kept as text."""
    found = read_entries(
        "name,number,seed,accessible,club\n"
        "Anna,1,,,\n"
        ",2,,,\n"
        "anna,1,,,\n"
        "Bea,x,0,maybe,=1\n"
        'Cas,3,,,"Almere, North",more\n'
        "Dee,4,1,yes,\n"
    )
    assert [str(each) for each in found.entrants] == ["1 Anna", "4 Dee, seed 1, accessible"]
    assert [(fault.line, str(fault.why)) for fault in found.faults] == [
        (3, "A name has 1 to 60 characters."),
        (4, "“anna” stands in line 2 too: tell them apart, by the town say."),
        (4, "The number 1 is that of line 2 too: leave one of them empty."),
        (5, "“=1”: begin it with a letter, not with a sign."),
        (5, "“x” in column number: write a whole number from 1, or leave it empty."),
        (5, "“0” in column seed: write a whole number from 1, or leave it empty."),
        (5, "“maybe” in column accessible: write yes or no."),
        (6, "There are more cells than columns (“more”): put a cell with a comma in quotes."),
        (6, "“Almere, North”: a club or team has at most 40 characters and no comma."),
    ]
    assert found.faults[0].text == ",2,,,"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["The list is empty"]),
        ("\n \n", ["The list is empty"]),
        ("name;club\n;\n", ["The list is empty"]),
        ("sep=;\n", ["The list is empty"]),
        (f"name\n{'x' * 200_000}\n", ["The line has more than 10000 characters"]),
        ("number,club\n1,A\n", ["No column is called name"]),
        ("name,name,nickname\n", ["Two columns are called name"]),
    ],
)
def test_a_header_that_is_none_is_told(text: str, faults: list[str]) -> None:
    """Without knowing the columns nothing is taken, so that nothing is lost silently."""
    found = read_entries(text)
    assert not found.entrants
    assert all(str(f.why).startswith(w) for f, w in zip(found.faults, faults, strict=True))


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Each line is taken or told."""
    found = read_entries(f"name,club\n{text}")
    assert len({each.number for each in found.entrants}) == len(found.entrants)


def test_a_late_list_goes_on_after_the_entries_that_are_there() -> None:
    """Free numbers follow on theirs; who entered already is told by line, a taken number too."""
    before = (Entrant(3, "Anna Berg"), Entrant(7, "Boris"))
    read = read_entries("name,number\nChen,\nDora,8\nEmil,\n", before)
    assert [(each.number, each.name) for each in read.entrants] == [
        (9, "Chen"), (8, "Dora"), (10, "Emil"),
    ]  # fmt: skip
    faults = read_entries("name,number\nanna  berg,\nDora,7\n", before).faults
    assert [(each.line, str(each.why)) for each in faults] == [
        (2, "“anna  berg” is entry 3 already: remove the line, or tell the two apart."),
        (3, "The number 7 is taken: leave it empty."),
    ]


def test_a_number_that_is_too_long_is_a_fault_of_its_line() -> None:
    """However long it is."""
    (fault,) = read_entries(f"name,number\nAnna,{'9' * 5000}\n").faults
    assert fault.line == 2
    assert "in column number: write a whole number" in str(fault.why)


def test_a_list_has_numbers_in_the_digits_of_any_script() -> None:
    """Of a Korean, Japanese or Arabic spreadsheet."""
    (read,) = read_entries(
        "name,number,seed,rating\nAnna,\uff17,\u0663,\uff11\uff18\uff10\uff10\n"
    ).entrants
    assert (read.number, read.seed_rank, read.rating) == (7, 3, 1800)


def test_a_list_may_bring_addresses_that_no_entry_has() -> None:
    """They come beside the entries, by number; what is none is a fault."""
    read = read_entries("name;email\nAnna;anna@club.example\nBoris;\n")
    assert read.emails == {1: "anna@club.example"}
    assert "anna@" not in write_entries(read.entrants)
    for text in ("anna", "=a@b", "a@b,c@d", f"{'a' * 200}@b"):
        (fault,) = read_entries(f"name;email\nAnna;{text}\n").faults
        assert "no e-mail address" in str(fault.why)
