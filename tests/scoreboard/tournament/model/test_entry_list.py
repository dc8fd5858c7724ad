"""Lists of entries as spreadsheets, other programs and people give them."""

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

RIGHT = [
    ('name,club\r\n"Nora\r\nBerg",Hill\r\nOmar,Bay\r\n',
     ["1 Nora Berg, club Hill", "2 Omar, club Bay"]),
    ('"Full\nname",club\nNora,"Hill\r\nTop"\n', ["1 Nora, club Hill Top"]),
    ("name\nNora\x0bBerg\nOmar\x85Bay\nIda\u2028Blum\n",
     ["1 Nora Berg", "2 Omar Bay", "3 Ida Blum"]),
    ("name\rNora\rOmar", ["1 Nora", "2 Omar"]),
    ("name;club;;;\r\nNora;Hill;;;\r\n;;;;\r\nOmar;Bay;;;\r\n",
     ["1 Nora, club Hill", "2 Omar, club Bay"]),
    ("\ufeffsep=;\r\nname;club\r\nNora;Hill\r\n", ["1 Nora, club Hill"]),
    ("SEP=|\nname|club\nNora|Hill\n", ["1 Nora, club Hill"]),
    ("name\tclub\nNora\tHill\n", ["1 Nora, club Hill"]),
    ('"Name, first",Club\nNora,Hill\n', ["1 Nora, club Hill"]),
    ('No.;Name;FideID;FED;Rtg;Club/City\n1;"Berg, Nora";99;NOR;1800;Hill\n',
     ["1 Nora Berg, club Hill, rating 1800"]),
    ("First name,Last name\nNora,Berg\n", ["1 Nora Berg"]),
    ("Name;Vorname;Verein\nBerg;Nora;Hill\n", ["1 Nora Berg, club Hill"]),
    ("Nom;Prénom\nBerg;Nora\n", ["1 Nora Berg"]),
    ("Nombre;Apellidos;Ciudad\nNora;Berg;Lugo\n", ["1 Nora Berg, club Lugo"]),
    ("이름,소속\n김민준,서울\n", ["1 김민준, club 서울"]),
    ("姓,名,所属\n佐藤,健,東京\n", ["1 佐藤健, club 東京"]),
    ("Timestamp,Your full name,E-mail\n2026,Nora,n@b.c\n", ["1 Nora"]),
    ("City;Club;Name\nLugo;Hill;Nora\n", ["1 Nora, club Hill"]),
    ("name\nBerg, Nora\nSmith, Jr.\nKing,\n김, 민준\n",
     ["1 Nora Berg", "2 Smith Jr.", "3 King", "4 김민준"]),
    ("Nora\nOmar\n", ["1 Nora", "2 Omar"]),
    ("1. Nora\n2) Omar\n- Ida Blum\n• Ann\n", ["1 Nora", "2 Omar", "3 Ida Blum", "4 Ann"]),
    ("Nora; Hill; 1800\nOmar; Bay; -\n", ["1 Nora, club Hill, rating 1800", "2 Omar, club Bay"]),
    ("Nora;1800\nOmar;0\n", ["1 Nora, rating 1800", "2 Omar"]),
    ("1;Nora;n@b.c\n2;Omar;\n", ["1 Nora", "2 Omar"]),
    ("Berg, Nora\nFalk, Boris\n", ["1 Nora Berg", "2 Boris Falk"]),
    ("Nora\nOmar;Bay\n", ["1 Nora", "2 Omar, club Bay"]),
    ("name\nNo\u200bra\u200e\n", ["1 Nora"]),
    ("Nora Berg <n@b.c>\n", ["1 Nora Berg"]),
    ("Cup 2026;;;\nList of names;;;\nNo.;Name;FED;Rtg\n1;Berg, Nora;NOR;1800\n",
     ["1 Nora Berg, rating 1800"]),
    ("Last name,First name\nBerg,Nora \U0001f3b2\n", ["1 Nora \U0001f3b2 Berg"]),
    ("타임스탬프;성함;소속 클럽\n2026;김민준;서울\n", ["1 김민준, club 서울"]),
    ("日時,お名前を教えてください\n2026,佐藤健\n", ["1 佐藤健"]),
    ("Zeit;Vor- und Nachname\n10:00;Nora Berg\n", ["1 Nora Berg"]),
    ("Nom de famille;Prénom(s)\nBerg;Nora\n", ["1 Nora Berg"]),
    ("name|club\nNora|Hill\n", ["1 Nora, club Hill"]),
    ("佐藤健\uff1b東京\n鈴木\uff1b大阪\n", ["1 佐藤健, club 東京", "2 鈴木, club 大阪"]),
    ("(1) Nora\n2.Omar\n3: Ida\n4.\n", ["1 Nora", "2 Omar", "3 Ida"]),
    ("\uff11\uff0e佐藤健\n②鈴木\n", ["1 佐藤健", "2 鈴木"]),
    ("01 Nora\n#2 Omar\n", ["1 Nora", "2 Omar"]),
    ("● Nora\n☐ Omar\n- [x] Ida\n-Ann\n", ["1 Nora", "2 Omar", "3 Ida", "4 Ann"]),
    ("Players\n1. Nora\n2. Omar\n", ["1 Nora", "2 Omar"]),
    ("1.;Nora;Hill\n2.;Omar;Bay\n", ["1 Nora, club Hill", "2 Omar, club Bay"]),
    ("Nora - Berg\nOmar 2. Falk\n", ["1 Nora - Berg", "2 Omar 2. Falk"]),
    ("Nora, Omar, Ida Blum\n", ["1 Nora", "2 Omar", "3 Ida Blum"]),
    ("佐藤健、鈴木花子、田中太郎\n", ["1 佐藤健", "2 鈴木花子", "3 田中太郎"]),
    ('"Berg, Nora" <n@b.c>; Omar <o@b.c>\n', ["1 Nora Berg", "2 Omar"]),
    ("Berg, Nora <n@b.c>\nFalk, Omar <o@b.c>\n", ["1 Nora Berg", "2 Omar Falk"]),
    ("Nora n@b.c\n", ["1 Nora"]),
    ("1. Nora +49 151 2345678\n2. Omar (010) 1234-5678\n3. Ida: 0611 123456\n",
     ["1 Nora", "2 Omar", "3 Ida"]),
    ("Nora;+49 151 2345678\nOmar;01512345678\n", ["1 Nora", "2 Omar"]),
    ("[25.11.26, 19:32:10] Nora: I come!\n25/11/2026, 19:33 - Omar: me\n", ["1 Nora", "2 Omar"]),
    ("[7:34 PM, 25/11/2026] Ida: +1\n", ["1 Ida"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "entrants"), RIGHT)
def test_a_list_is_read_as_it_is_meant(text: str, entrants: list[str]) -> None:
    """Breaks, separators, headings of other programs and languages, or none at all."""
    found = read_entries(text)
    assert not found.faults
    assert [str(each) for each in found.entrants] == entrants


@pytest.mark.parametrize(
    ("cell", "rating"),
    [
        ("0", None), ("-", None), ("–", None), ("", None), ("0.0", None), ("1800.0", 1800),
        ("1800,00", 1800), ("1 800", 1800), ("1\u202f800", 1800), ("1.800", 1800),
        ("\uff11\uff18\uff10\uff10", 1800),
        ("1.000", 1000), ("1850 (prov.)", 1850), ("1.850*", 1850), ("~1500", 1500),
        ("1500P", 1500), ("--", None), ("?", None), ("n/a", None), ("unrated", None),
    ],
)  # fmt: skip
def test_a_rating_is_read_as_programs_write_it(cell: str, rating: int | None) -> None:
    (entrant,) = read_entries(f"name;rating\nNora;{cell}\n").entrants
    assert entrant.rating == rating


@pytest.mark.parametrize("cell", ["1800.5", "strong", "-5", "1,5", "1500p20"])
def test_a_rating_that_is_none_is_a_fault(cell: str) -> None:
    assert "in column rating" in str(read_entries(f"name;rating\nNora;{cell}\n").faults[0].why)


def test_an_address_beside_a_name_is_no_part_of_it() -> None:
    """It stays private."""
    assert read_entries("Nora Berg <n@b.c>\n").emails == {1: "n@b.c"}


@given(st.text(st.sampled_from("aN1;,\t\n\"'@<>. -=김\u200d")))
def test_any_text_is_a_list_without_an_error(text: str) -> None:
    found = read_entries(text)
    assert found.entrants or found.faults


@pytest.mark.parametrize("sign", ["(", "a", "a@", "1 ", "- "])
def test_a_line_of_thousands_of_signs_is_read_like_any_other(sign: str) -> None:
    """No search in it takes minutes."""
    found = read_entries(sign * (9_999 // len(sign)) + "\nOmar\n")
    assert [each.name for each in found.entrants] == ["Omar"]


def test_an_open_quotation_mark_holds_back_its_own_line_alone() -> None:
    found = read_entries('name,club\n"Nora,Hill\nOmar,Bay\n"Ann" Lee,X\n')
    assert [each.name for each in found.entrants] == ["Omar"]
    assert [(each.line, each.text) for each in found.faults] == [
        (2, '"Nora,Hill'), (4, '"Ann" Lee,X'),
    ]  # fmt: skip
    assert all("quotation mark" in str(each.why) for each in found.faults)


def test_what_was_not_taken_is_left_with_its_header() -> None:
    found = read_entries("name;seed\nNora;1\nA, B, C;x\nOmar;\n")
    assert len(found.faults) == 2
    assert found.left == "name;seed\nA, B, C;x"
    assert read_entries("name\nNora\n").left == ""


def test_it_is_said_what_each_column_was_taken_for() -> None:
    found = read_entries("No.;Name;FED;Rtg;RtgN\n1;Nora;NOR;1800;1700\n")
    assert found.columns == (
        ("No.", ""), ("Name", "name"), ("FED", ""), ("Rtg", "rating"), ("RtgN", ""),
    )  # fmt: skip
    assert not found.is_guess
    assert read_entries("Nora;Hill\n").is_guess
    assert read_entries("Cup;\nName;Club\nNora;Hill\n").is_guess
    assert read_entries("Nombre;Primer apellido\nNora;Berg\n").is_guess
    assert read_entries("Nora, Omar, Ida\n").is_guess
    assert not read_entries("Nora\nOmar\n").is_guess


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
    assert Entrant.parse(str(entrant)) == entrant


typed = st.builds(composed, entrants).filter(is_seen)


UNLIKE = (lambda each: each.number, lambda each: each.name.casefold())


@given(st.lists(typed, min_size=1, unique_by=UNLIKE))
def test_csv_is_an_identity(entries: list[Entrant]) -> None:
    found = read_entries(write_entries(entries))
    assert not found.faults
    assert list(found.entrants) == entries


def test_an_entry_says_only_what_there_is() -> None:
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
    with pytest.raises(NotationError, match=fault):
        Entrant.parse(text)


@pytest.mark.parametrize("entrant", [(0, "A"), (1, " A"), (1, "A", "", 0), (1, "A", "-B")])
def test_an_entrant_that_could_not_be_written_is_refused(entrant: tuple[int, str]) -> None:
    with pytest.raises(NotationError):
        Entrant(*entrant)


def test_columns_stand_in_any_order_and_case() -> None:
    text = "\ufeffClub;NAME;number;accessible\nAlmere;Anna;2;x\n;;;\n\n;Bea;;no\n;Cas;;\n"
    found = read_entries(text)
    assert not found.faults
    assert [str(each) for each in found.entrants] == [
        "2 Anna, club Almere, accessible",
        "1 Bea",
        "3 Cas",
    ]


def test_all_faults_are_told_at_once() -> None:
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
    found = read_entries(f"name,club\n{text}")
    assert len({each.number for each in found.entrants}) == len(found.entrants)


def test_a_late_list_goes_on_after_the_entries_that_are_there() -> None:
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
    (fault,) = read_entries(f"name,number\nAnna,{'9' * 5000}\n").faults
    assert fault.line == 2
    assert "in column number: write a whole number" in str(fault.why)


def test_a_list_has_numbers_in_the_digits_of_any_script() -> None:
    (read,) = read_entries(
        "name,number,seed,rating\nAnna,\uff17,\u0663,\uff11\uff18\uff10\uff10\n"
    ).entrants
    assert (read.number, read.seed_rank, read.rating) == (7, 3, 1800)


def test_a_list_may_bring_addresses_that_no_entry_has() -> None:
    read = read_entries("name;email\nAnna;anna@club.example\nBoris;\n")
    assert read.emails == {1: "anna@club.example"}
    assert "anna@" not in write_entries(read.entrants)
    for text in ("anna", "=a@b", "a@b,c@d", f"{'a' * 200}@b"):
        (fault,) = read_entries(f"name;email\nAnna;{text}\n").faults
        assert "no e-mail address" in str(fault.why)
