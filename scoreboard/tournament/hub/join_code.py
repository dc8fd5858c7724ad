"""Codes by which a table joins: short, of signs that are not taken for each other."""

from __future__ import annotations

from random import Random
from typing import Final

SIGNS: Final = "ACDEFGHJKMNPQRTUVWXY34679"  # no 0 and O, 1 and I and L, 2 and Z, 5 and S, 8 and B
HALF: Final = 4  # 25^8 codes: nobody guesses one before it expires


def drawn_code(random: Random) -> str:
    """A new code, in two halves: `ACDE-3467`."""
    halves = ("".join(random.choices(SIGNS, k=HALF)) for _ in range(2))
    return "-".join(halves)


def read_code(text: str) -> str:
    """A code as it was drawn, however somebody typed it: small letters, blanks, no dash."""
    signs = "".join(sign for sign in text.upper() if sign.isalnum())
    return f"{signs[:HALF]}-{signs[HALF:]}"
