"""Text files that people edit or hand over, in the forms in which editors save them."""

from __future__ import annotations

import codecs
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
    """The encoding of which the byte order mark speaks, UTF-8 without one."""
    return next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8-sig")


def decode_text(content: bytes) -> str:
    """The text in UTF-8, or as its byte order mark says, with plain line feeds.

    Raises:
        UnicodeDecodeError: it is in another encoding.
    """
    text = content.decode(marked_encoding(content))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path) -> str:
    """The text of a file, as `decode_text` reads it.

    Raises:
        OSError: the file cannot be read.
        UnicodeDecodeError: it is in another encoding.
    """
    return decode_text(path.read_bytes())
