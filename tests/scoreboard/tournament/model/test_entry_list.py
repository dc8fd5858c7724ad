"""Lists of entries as spreadsheets, other programs and people give them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.entry_list import read_entries

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
    """Who has none has nothing, a dash or 0."""
    (entrant,) = read_entries(f"name;rating\nNora;{cell}\n").entrants
    assert entrant.rating == rating


@pytest.mark.parametrize("cell", ["1800.5", "strong", "-5", "1,5", "1500p20"])
def test_a_rating_that_is_none_is_a_fault(cell: str) -> None:
    """It is never rounded."""
    assert "in column rating" in str(read_entries(f"name;rating\nNora;{cell}\n").faults[0].why)


def test_an_address_beside_a_name_is_no_part_of_it() -> None:
    """It stays private."""
    assert read_entries("Nora Berg <n@b.c>\n").emails == {1: "n@b.c"}


@given(st.text(st.sampled_from("aN1;,\t\n\"'@<>. -=김\u200d")))
def test_any_text_is_a_list_without_an_error(text: str) -> None:
    """Whatever somebody pastes; each line is taken or told."""
    found = read_entries(text)
    assert found.entrants or found.faults


@pytest.mark.parametrize("sign", ["(", "a", "a@", "1 ", "- "])
def test_a_line_of_thousands_of_signs_is_read_like_any_other(sign: str) -> None:
    """No search in it takes minutes."""
    found = read_entries(sign * (9_999 // len(sign)) + "\nOmar\n")
    assert [each.name for each in found.entrants] == ["Omar"]


def test_an_open_quotation_mark_holds_back_its_own_line_alone() -> None:
    """The line is told, and the lines after it are read."""
    found = read_entries('name,club\n"Nora,Hill\nOmar,Bay\n"Ann" Lee,X\n')
    assert [each.name for each in found.entrants] == ["Omar"]
    assert [(each.line, each.text) for each in found.faults] == [
        (2, '"Nora,Hill'), (4, '"Ann" Lee,X'),
    ]  # fmt: skip
    assert all("quotation mark" in str(each.why) for each in found.faults)


def test_what_was_not_taken_is_left_with_its_header() -> None:
    """Each bad line once, as it was, to be mended."""
    found = read_entries("name;seed\nNora;1\nA, B, C;x\nOmar;\n")
    assert len(found.faults) == 2
    assert found.left == "name;seed\nA, B, C;x"
    assert read_entries("name\nNora\n").left == ""


def test_it_is_said_what_each_column_was_taken_for() -> None:
    """Those passed over have no meaning; without headings several columns are a guess."""
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
