"""Entrants: one entry and its notation, and the list of entries as CSV.

The CSV is as a spreadsheet writes it: a header row, and columns in any order.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from unicodedata import normalize

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.players import JOINERS, LINE_BREAKS, plain_text, player_name
from scoreboard.typed_numbers import plain_digits, typed_number

LONGEST_WORDS: Final = 40
HIGHEST_NUMBER: Final = 999_999
_ENTRANT: Final = re.compile(r"([1-9][0-9]{0,5})\s+(\S.*)")
_FORMULA: Final = ("=", "+", "-", "@")


COLUMNS: Final = ("number", "name", "club", "seed", "accessible", "team", "rating", "table")
IMPORTED: Final = (*COLUMNS, "email")  # an address is private: no record and no export has it
NUMBERS: Final = ("number", "seed", "rating", "table")
YES: Final = frozenset({"yes", "y", "true", "x", "1"})
NO: Final = frozenset({"", "no", "n", "false", "0"})
LONGEST_LINE: Final = 10_000
_NUMBER: Final = re.compile(r"(?=0*[1-9])[0-9]{1,6}")
_EMAIL: Final = re.compile(r"[^@\s,;<>\"=+-][^@\s,;<>\"]*@[^@\s,;<>\"]+")
LONGEST_EMAIL: Final = 200
_SEPARATORS: Final = (";", "\t", ",")


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entry; notation `7 Anna Berg, club Almere, seed 3, accessible, team Reds, table 5`.

    `number` is the entry number, from 1; `seed_rank` counts from 1, the strongest, and is None
    for who is not seeded; `club` and `team` are empty for none. `rating`, as in `rating 1830`, is
    the playing strength, by which the unseeded rank; `table` is where the entrant always sits.

    Raises:
        NotationError: a number out of bounds, or a text that could not be written and read back.
    """

    number: int
    name: str
    club: str = ""
    seed_rank: int | None = None
    needs_accessible_table: bool = False
    team: str = ""
    rating: int | None = None
    table: int | None = None

    def __post_init__(self) -> None:
        for number in (self.number, self.seed_rank, self.rating, self.table):
            if number is not None:
                _require_counted(number)
        _require_kept(self.name, entrant_name(self.name))
        _require_kept(self.club, short_words(self.club))
        _require_kept(self.team, short_words(self.team))

    @classmethod
    def parse(cls, text: str) -> Entrant:
        """Read the notation.

        Raises:
            NotationError: the text is no entry; the message says what is wrong with it.
        """
        found = _ENTRANT.fullmatch(text.strip())
        if found is None:
            raise NotationError(
                message("“{text}” is no entry: write it as 7 Anna Berg, club Almere.", text=text)
            )
        name, *parts = found[2].split(",")
        return cls(int(found[1]), entrant_name(name), **_members(parts))

    def __str__(self) -> str:
        parts = [
            f"{self.number} {self.name}",
            f"club {self.club}" if self.club else "",
            f"seed {self.seed_rank}" if self.seed_rank else "",
            "accessible" if self.needs_accessible_table else "",
            f"team {self.team}" if self.team else "",
            f"rating {self.rating}" if self.rating else "",
            f"table {self.table}" if self.table else "",
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of an entry number from a round on.

    `name` is how they are spelled now, `entered_as` how they were when they came.
    """

    name: str
    entered_as: str
    from_round: int = 1


def entrant_name(text: str) -> str:
    """Check an entrant's name and return it without surrounding blanks.

    Raises:
        NotationError: no player may be called so, or a spreadsheet would take it for a formula.
    """
    name = player_name(text)
    if name.startswith(_FORMULA):
        raise NotationError(
            message(
                "“{name}”: a spreadsheet would take it for a formula; begin it with a letter.",
                name=name,
            )
        )
    return name


def spelling_key(name: str) -> str:
    """What names share that look alike: older ones are not all composed."""
    return normalize("NFC", " ".join(JOINERS.sub("", name).split())).casefold()


def short_words(text: str) -> str:
    """Check a club's or a team's name, which may be empty, and strip it.

    Raises:
        NotationError: it is longer than 40 characters, has a comma or a line break, or would be
            taken for a formula.
    """
    words = text.strip()
    if len(words) > LONGEST_WORDS or "," in words or LINE_BREAKS & set(words):
        raise NotationError(
            message(
                "“{words}”: a club or team has at most {most} characters and no comma.",
                words=words,
                most=LONGEST_WORDS,
            )
        )
    if words.startswith(_FORMULA):
        raise NotationError(
            message("“{words}”: begin it with a letter, not with a sign.", words=words)
        )
    return words


def _members(parts: list[str]) -> Mapping[str, Any]:
    members: dict[str, Any] = {}
    for part in map(str.strip, parts):
        keyword, _, rest = part.partition(" ")
        value: object = rest.strip()
        match keyword, value:
            case "club" | "team", words if words:
                pass
            case "accessible", "":
                keyword, value = "needs_accessible_table", True
            case "seed" | "rating" | "table", str(digits) if re.fullmatch(
                r"[1-9][0-9]{0,5}", digits
            ):
                keyword, value = "seed_rank" if keyword == "seed" else keyword, int(digits)
            case _:
                raise NotationError(
                    message(
                        "“{part}” in an entry: write club, seed, accessible, team, rating or "
                        "table.",
                        part=part,
                    )
                )
        if keyword in members:
            raise NotationError(message("“{part}” stands twice in one entry.", part=part))
        members[keyword] = value
    return members


def _require_counted(number: int) -> None:
    if not 1 <= number <= HIGHEST_NUMBER:
        raise NotationError(
            message(
                "{number}: entries, seeds, ratings and tables go from 1 to {most}.",
                number=number,
                most=HIGHEST_NUMBER,
            )
        )


def _require_kept(given: str, stripped: str) -> None:
    if given != stripped:
        raise NotationError(message("“{words}” has blanks at its ends: drop them.", words=given))


@dataclass(frozen=True, slots=True)
class EntryFault:
    """A fault of a line of the list, counted from 1, and its cure.

    `text` is the line as it was given, so that nothing of it is lost.
    """

    line: int
    text: str
    why: Message


@dataclass(frozen=True, slots=True)
class EntryList:
    """A list as read: the entries that can be taken, and every fault of the others.

    `emails` has the addresses that the list gave, by entry number.
    """

    entrants: tuple[Entrant, ...]
    faults: tuple[EntryFault, ...] = ()
    emails: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    text: str
    cells: Mapping[str, str]
    spilt: tuple[str, ...]


def read_entries(text: str, before: Iterable[Entrant] = (), last_number: int = 0) -> EntryList:
    """Read a list of entries; commas, semicolons or tabs part its columns.

    The header row names the columns in any order and case; only `name` is needed. `before` are
    those who entered already: an entry without a number gets the next one after theirs and after
    `last_number` that is free, in the order of the lines. Empty lines are passed over. Nothing is
    raised: a line that cannot be taken, or whose player entered already, is among the faults.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    too_long = message("The line has more than {most} characters: is it CSV?", most=LONGEST_LINE)
    if faults := tuple(  # no spreadsheet writes such lines: this is another kind of file
        EntryFault(number, line, too_long)
        for number, line in enumerate(lines, start=1)
        if len(line) > LONGEST_LINE
    ):
        return EntryList((), faults)
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        empty = message("The list is empty: give it a header row with the column name.")
        return EntryList((), (EntryFault(1, "", empty),))
    separator = max(_SEPARATORS, key=lines[first].count)
    header = [
        cell.strip().lower() for cell in next(csv.reader([lines[first]], delimiter=separator))
    ]
    faults = tuple(_header_faults(header, first + 1, lines[first]))
    if faults:
        return EntryList((), faults)
    reading = _Reading(before, last_number)
    kept = [row for row in _rows(lines, first, header, separator) if reading.checks(row)]
    entrants = tuple(reading.entrants(kept))
    emails = {
        each.number: email
        for each, row in zip(entrants, kept, strict=True)
        if (email := row.cells.get("email", ""))
    }
    return EntryList(entrants, tuple(reading.faults), emails)


def write_entries(entrants: Iterable[Entrant]) -> str:
    """The list as CSV with every column, which `read_entries` reads back as it was."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entrant in entrants:
        writer.writerow(
            (
                entrant.number,
                entrant.name,
                entrant.club,
                entrant.seed_rank or "",
                "yes" if entrant.needs_accessible_table else "",
                entrant.team,
                entrant.rating or "",
                entrant.table or "",
            )
        )
    return out.getvalue()


def _header_faults(header: list[str], line: int, text: str) -> Iterator[EntryFault]:
    columns = ", ".join(IMPORTED)
    if "name" not in header:
        missing = message("No column is called name: the columns are {columns}.", columns=columns)
        yield EntryFault(line, text, missing)
    for index, name in enumerate(header):
        if name not in IMPORTED:
            unknown = message(
                "No column is called “{name}”: rename or remove it; there are {columns}.",
                name=name,
                columns=columns,
            )
            yield EntryFault(line, text, unknown)
        elif name in header[:index]:
            yield EntryFault(line, text, message("Two columns are called {name}.", name=name))


def _rows(lines: list[str], first: int, header: list[str], separator: str) -> Iterator[_Row]:
    for number, line in enumerate(lines[first + 1 :], start=first + 2):
        cells = next(csv.reader([line], delimiter=separator), [])
        if any(cell.strip() for cell in cells):
            composed = (normalize("NFC", cell.strip()) for cell in cells)
            named = dict(zip(header, composed, strict=False))
            named |= {each: plain_digits(named[each]) for each in NUMBERS if each in named}
            yield _Row(number, line, named, tuple(filter(None, cells[len(header) :])))


class _Reading:
    """The rows of one list as they are read: what is taken, and the faults so far."""

    def __init__(self, before: Iterable[Entrant], last_number: int) -> None:
        self.faults: list[EntryFault] = []
        self.names: dict[str, int] = {}
        self.numbers: dict[int, int] = {}
        self.before = {spelling_key(each.name): each.number for each in before}
        self.taken = frozenset(self.before.values())
        self.free = max(last_number, *self.taken, 0) + 1

    def checks(self, row: _Row) -> bool:
        """Note the faults of a row, all of them, and whether there are none."""
        faults = [*_cell_faults(row), *self._doubles(row)]
        self.faults += [EntryFault(row.line, row.text, why) for why in faults]
        self.names.setdefault(spelling_key(row.cells.get("name", "")), row.line)
        if not faults and (number := row.cells.get("number")):
            self.numbers[int(number)] = row.line
        return not faults

    def entrants(self, rows: Iterable[_Row]) -> Iterator[Entrant]:
        """The entries of rows without fault, numbered where they were not."""
        free = self.free
        for row in rows:
            number = int(row.cells.get("number") or 0)
            if not number:
                while free in self.numbers:
                    free += 1
                number, free = free, free + 1
            cells = row.cells
            yield Entrant(
                number,
                cells["name"],
                cells.get("club", ""),
                int(cells["seed"]) if cells.get("seed") else None,
                cells.get("accessible", "").lower() in YES,
                cells.get("team", ""),
                int(cells.get("rating") or 0) or None,
                int(cells.get("table") or 0) or None,
            )

    def _doubles(self, row: _Row) -> Iterator[Message]:
        name = row.cells.get("name", "")
        if known := self.before.get(spelling_key(name)):
            yield message(
                "“{name}” is entry {number} already: remove the line, or tell the two apart.",
                name=name,
                number=known,
            )
        if line := self.names.get(spelling_key(name)):
            yield message(
                "“{name}” stands in line {line} too: tell them apart, by the town say.",
                name=name,
                line=line,
            )
        number = typed_number(row.cells.get("number", "")) or 0
        if line := self.numbers.get(number):
            yield message(
                "The number {number} is that of line {line} too: leave one of them empty.",
                number=number,
                line=line,
            )
        if number in self.taken:
            yield message("The number {number} is taken: leave it empty.", number=number)


def _cell_faults(row: _Row) -> Iterator[Message]:
    if row.spilt:
        yield message(
            "There are more cells than columns (“{cell}”): put a cell with a comma in quotes.",
            cell=row.spilt[0],
        )
    checks = (
        *((plain_text, cell) for cell in row.cells.values()),
        (entrant_name, row.cells.get("name", "")),
        *((short_words, row.cells.get(column, "")) for column in ("club", "team")),
    )
    for check, cell in checks:
        try:
            check(cell)
        except NotationError as error:
            yield error.message
    for column in NUMBERS:
        text = row.cells.get(column, "")
        if text and not _NUMBER.fullmatch(text):
            yield message(
                "“{text}” in column {column}: write a whole number from 1, or leave it empty.",
                text=text,
                column=column,
            )
    text = row.cells.get("accessible", "")
    if text.lower() not in YES | NO:
        yield message("“{text}” in column accessible: write yes or no.", text=text)
    text = row.cells.get("email", "")
    if text and (len(text) > LONGEST_EMAIL or not _EMAIL.fullmatch(text)):
        yield message("“{text}” is no e-mail address: correct it, or leave it empty.", text=text)
