"""Text files as editors save them, and files that outlive a power cut."""

from __future__ import annotations

import codecs
import re
import shutil
import subprocess
import sys
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


WRITE = (
    "import pathlib, sys; from scoreboard.text_files import write_whole; "
    "write_whole(pathlib.Path(sys.argv[1]), b'new')"
)


def traced(file: Path, *options: str) -> str:
    """The calls that reach the disk while `file` is written over, in order, with their paths."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    calls = file.with_name("calls")
    watch = ["strace", "-qq", "-y", "-e", "trace=fsync,/^rename", *options, "-o", str(calls)]
    subprocess.run([*watch, sys.executable, "-c", WRITE, str(file)], check=False)
    return calls.read_text(encoding="utf-8")


def test_a_file_and_its_folder_are_on_the_disk_before_the_writer_goes_on(tmp_path: Path) -> None:
    """The content before the rename, and the rename itself before the next act."""
    calls = traced(tmp_path / "a")
    found = re.findall(r"^(fsync|rename).*[/.](\w+)[>\"]\) += 0$", calls, re.MULTILINE)
    assert found == [("fsync", "new"), ("rename", "a"), ("fsync", tmp_path.name)]


@pytest.mark.parametrize(
    ("call", "left"), [("fsync", "old"), ("/^rename", "old"), ("fsync:when=2", "new")]
)
def test_whenever_the_plug_is_pulled_the_file_is_the_old_or_the_new_one(
    tmp_path: Path, call: str, left: str
) -> None:
    """The writer is killed on its way into each call that reaches the disk, which fails."""
    file = tmp_path / "a"
    file.write_text("old", encoding="utf-8")
    name, _, when = call.partition(":")
    traced(file, "-e", ":".join(filter(None, (f"inject={name}:error=EIO:signal=KILL", when))))
    assert file.read_text(encoding="utf-8") == left
