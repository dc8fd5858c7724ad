"""Text files as editors save them."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from scoreboard.text_files import read_text


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", ""), ("utf-8", "\ufeff"), ("utf-16-le", "\ufeff"), ("utf-16-be", "\ufeff"),
        ("utf-32-le", "\ufeff"), ("utf-32-be", "\ufeff"),
    ],
)  # fmt: skip
def test_the_byte_order_mark_names_the_encoding(tmp_path: Path, encoding: str, mark: str) -> None:
    """The mark is no part of the text; without one it is UTF-8."""
    file = tmp_path / "a.txt"
    file.write_bytes(f"{mark}Jiří\r\n김\rß\n".encode(encoding))
    assert read_text(file) == "Jiří\n김\nß\n"


def test_another_encoding_is_not_guessed(tmp_path: Path) -> None:
    """Half a sign is none, either."""
    file = tmp_path / "a.txt"
    for content in ("Küche".encode("cp1252"), codecs.BOM_UTF16_LE + b"a"):
        file.write_bytes(content)
        with pytest.raises(UnicodeDecodeError):
            read_text(file)
