"""In which encoding a list came: the letters that are taken, and when they are asked about."""

from __future__ import annotations

import pytest

from web.hub.encodings import decodings

SURE = {
    "cp1250": ("Jiří Dvořák", "Růžena Novotná", "Đuro Šarić", "Łukasz Wiśniewski", "Tomáš Černý"),
    "iso8859_2": ("Tomáš Žižka", "Łukasz Wiśniewski"),
    "cp1252": (
        "José Åström; “Zur Brücke” O’Neill",
        "Muñoz",
        "O’Neill",
        "JOSÉ",
        "Åsa Öberg",
        "Hélène Côté",
        "Þórunn Sigþórsdóttir",
    ),
    "cp1254": ("Ayşe Işık", "Şahin İnönü", "Çığır Öğüt"),  # noqa: RUF001 -- Turkish
    "cp1257": ("Jānis Bērziņš", "Šarūnas Jasikevičius", "Ąžuolas"),
    "cp1251": ("Иван Петров", "Щукин", "Юлий"),
    "cp1253": ("Γιώργος Παπαδόπουλος", "Νίκος;Αθήνα"),
    "cp949": ("김민준;서울", "김철수"),
    "cp932": ("佐藤健", "さくら", "田中太郎;東京"),
    "euc_jp": ("佐藤健", "鈴木花子"),
    "gb18030": ("王伟;李娜", "刘洋;张三"),
    "big5": ("王小明;陳怡君",),
    "utf-8": ("Jiří", "김민준"),
    "utf-8-sig": ("Jiří", "김민준"),
    "utf-16": ("Jiří", "김민준"),
    "utf-16-le": ("Nora", "김민준"),
    "utf-16-be": ("Nora", "김민준"),
    "utf-32": ("Nora", "김민준"),
    "iso2022_jp": ("佐藤健",),
}
DOUBTFUL = {
    "cp1250": ("Ernő Tűz", "Řehoř", "Zdeněk", "Aleš"),
    "iso8859_2": ("Aleš",),
    "cp1252": ("Nicolò", "Zoë", "Søren Zoë García"),
    "cp1254": ("Yağmur Yıldız",),  # noqa: RUF001 -- Turkish
    "cp1257": ("Kęstutis",),
    "iso8859_15": ("Žofie Šimon",),
    "mac_roman": ("Núñez", "José Müller"),
    "mac_latin2": ("Vojtěch Kříž",),
    "cp1251": ("ИВАНОВ ПЁТР",),
    "cp1253": ("ΓΙΩΡΓΟΣ",),
    "big5": ("張偉",),
    "cp949": ("뷁궯",),
}


def test_letters_that_only_one_language_has_are_sure() -> None:
    """Spreadsheets save names in the code page of their country."""
    for encoding, names in SURE.items():
        for text in (f"name\r\n{name}\r\n" for name in names):
            choices, sure = decodings(text.encode(encoding))
            assert (sure, choices[0].text) == (True, text), encoding


def test_letters_that_several_languages_have_are_asked_about() -> None:
    """The right ones are among the choices."""
    for encoding, names in DOUBTFUL.items():
        for text in (f"name\r\n{name}\r\n" for name in names):
            choices, sure = decodings(text.encode(encoding))
            assert not sure, (encoding, text)
            assert text in [each.text for each in choices], encoding


def test_letters_of_other_code_pages_are_never_sure() -> None:
    """None of those that are known is taken for them without a question."""
    for encoding, name in (
        ("cp1255", "שלום"), ("koi8_r", "Иван"), ("cp866", "Иван"), ("cp850", "Björn Márquez"),
        ("cp1256", "محمد"), ("cp874", "สมชาย"), ("cp932", "ﾔﾏﾀﾞ"), ("cp850", "Íñigo Martínez"),
    ):  # fmt: skip
        assert not decodings(f"name\r\n{name}\r\n".encode(encoding))[1], encoding


@pytest.mark.parametrize(
    "content", [
        b"PK\x03\x04\0\0", b"name\nAnn\0a\n", b"\x89PNG\r\n\x1a\n\0\0\0\r",
        b"\xef\xbb\xbf<table><tr><td>Ann",
        b'[{"name": "Ann"}]', b"BEGIN:VCARD\nFN:Ann", b"{\\rtf1 Ann}",
    ],
)  # fmt: skip
def test_what_is_no_list_has_no_letters(content: bytes) -> None:
    """Workbooks and pictures have control characters in every encoding; pages are no lists."""
    assert decodings(content) == ((), False)
