"""The page of measured decks, written from what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from vision.train.rendering.decks.measurement import Measured, Tally

_HEAD: Final = """\
# Taught sets, measured

How well sets are read that nobody trained a model for: decks of 40 long cards of made-up design
(`vision/train/rendering/decks/`) and dice with symbols, rendered by path tracing on plain tables of
felt, wood, linen, leather, plastic, marble, granite and carpet. A deck is taught from sheets of
eight cards in a row, seen from 64 to 90 degrees above the table; each scene has a table, a light
and a camera of its own. It is read in five other scenes: the pieces scattered, none touching
another, turned anyhow, seen from 45 to 90 degrees, with other tables, lights, white balance,
sharpness, noise and compression, in pictures of 800 x 600. The way through is the one that
`tablescore teach` and `tablescore read` take: pieces are looked for in the whole picture, and no
label but the taught names is told.

*Right* pieces bear the right label, doubted or not; *sure* ones of these are not doubted; *silent*
is wrong without any doubt; *asked* is wrong but doubted or refused; *extra* are places read as
pieces where none lies. The reader was tuned on the sets that are said to be so. The errors of the
others were never looked at: abacus and sash were drawn when its first version was finished, and
lanterns, mosaic and weather when this one was.

Written by `python -m vision.train.rendering decks-measure`.
"""
_STRANGERS: Final = """\
Pieces of two other decks (of dice: of the other dice) read with this set, and pieces of this set
whose own face was forgotten: the shares that were refused, doubted or passed over. A forgotten
face is the harder case: all but its numeral, or all but its colour, was taught.
"""
_COLUMNS: Final = (
    "set", "photographs a face", "pieces", "right", "sure", "silent", "asked", "missed", "extra",
)  # fmt: skip


def page(tuned: Sequence[str], measured: Iterable[Measured]) -> str:
    """The whole page; `tuned` are the names of the sets that were tuned on."""
    listed = list(measured)
    most = max(each.photographs for each in listed)
    full = [each for each in listed if each.photographs == most]
    parts = [
        _HEAD,
        f"## {most} photographs a face\n",
        _table(full, tuned),
        "## Strangers\n",
        _STRANGERS,
        _strangers(full),
    ]
    fewer = [each for each in listed if each.photographs < most]
    if fewer:
        parts += ["## Fewer photographs\n", _table(fewer, tuned)]
    return "\n".join(parts)


def _table(measured: Iterable[Measured], tuned: Sequence[str]) -> str:
    rows = [
        (
            f"{each.name}{' (tuned on)' if each.name in tuned else ''}",
            str(each.photographs),
            str(each.own.pieces),
            _share(each.own.right, each.own),
            _share(each.own.sure, each.own),
            *(str(count) for count in _counts(each.own)),
        )
        for each in measured
    ]
    return _markdown(_COLUMNS, rows)


def _counts(tally: Tally) -> tuple[int, ...]:
    return tally.silent, tally.refused, tally.missed, tally.extra


def _strangers(measured: Iterable[Measured]) -> str:
    rows = []
    for each in measured:
        others, forgotten = each.others, each.forgotten
        rows.append(
            (
                each.name,
                str(others.pieces),
                _share(others.refused + others.missed, others),
                str(others.silent),
                str(forgotten.pieces),
                _share(forgotten.refused + forgotten.missed, forgotten),
            )
        )
    columns = ("set", "pieces of others", "refused", "silent", "forgotten faces", "not guessed")
    return _markdown(columns, rows)


def _share(count: int, tally: Tally) -> str:
    return f"{count / tally.pieces:.1%}" if tally.pieces else "–"


def _markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
