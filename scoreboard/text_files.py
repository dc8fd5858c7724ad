"""Text files in the encodings of common editors, and files replaced as a whole."""

from __future__ import annotations

import codecs
import os
import sys
from pathlib import Path
from typing import Final

# The mark of UTF-32 begins with that of UTF-16
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def marked_encoding(content: bytes) -> str:
    """The encoding of the byte order mark, UTF-8 without one."""
    return next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8-sig")


def decode_text(content: bytes) -> str:
    """The text, in UTF-8 or by its byte order mark, with line feeds. Raises UnicodeDecodeError."""
    return content.decode(marked_encoding(content)).replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path) -> str:
    """The text of a file, decoded by `decode_text`. Raises OSError, UnicodeDecodeError."""
    return decode_text(path.read_bytes())


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Replace a file, or make it with its folder; after a power cut the old or the new one is left.

    Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)  # one left by a power cut may have other rights
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(mode)  # the umask may have taken rights away
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a renamed or deleted file's change survive a power cut. Raises OSError."""
    if sys.platform == "win32":  # which opens no folder
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
