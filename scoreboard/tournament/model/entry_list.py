r"""The list of entries as text, pasted or uploaded by spreadsheets, other programs and people.

read = read_entries("Name;Club;Rtg\nBerg, Nora;Hill;1800\n")
read.entrants    # Nora Berg of Hill
read.faults      # each line that cannot be taken, and why
read.left        # those lines with their header, to be mended
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from unicodedata import east_asian_width, normalize

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.players import plain_text
from scoreboard.tournament.model.entrant import Entrant, entrant_name, short_words, spelling_key
from scoreboard.typed_numbers import plain_digits, typed_number

COLUMNS: Final = ("number", "name", "club", "seed", "accessible", "team", "rating", "table")
YES: Final = frozenset({"yes", "y", "true", "x", "1"})
NO: Final = frozenset({"", "no", "n", "false", "0"})
LONGEST_LINE: Final = 10_000
LONGEST_EMAIL: Final = 200
LONGEST_ADDRESSED: Final = 2 * LONGEST_EMAIL  # a name followed by the address
MOST_TITLES: Final = 10  # rows above the headings
MOST_WORDS: Final = 2  # without headings: name and club
MOST_BREAKS: Final = 8  # in the cells of one row
_HEADINGS: Final[Mapping[str, str]] = {
    heading: column
    for column, headings in tomllib.loads(
        Path(__file__).with_name("entry_headings.toml").read_text(encoding="utf-8")
    ).items()
    for heading in headings
}
# A heading of other words with one of these is that of a name, or of a part of it
_NAME_WORDS: Final = re.compile(r"\b(?:name|nom|nombre|nachname)\b|이름|성함|名前|氏名")
_NAME_PARTS: Final = re.compile(
    r"\b(?:first|given|middle|last|family|vorname|prénoms?|segundo|apellidos?|surname)\b"
)
_SEPARATORS: Final = (";", "\t", ",", "|", "；", "，", "、")  # noqa: RUF001 -- of East Asia
_SEPARATOR_LINE: Final = re.compile(r"sep=([^\w\s\"]|\t)\s*", re.IGNORECASE)
_ROW_END: Final = re.compile(r"\r\n|\r|\n")
_BREAKS: Final = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_BULLET: Final = re.compile(
    r"\s*(?:[#(（]?\d{1,4}(?:[.)．）、:：]+|\s|$)|[①-⑳]|[-–—•*·●▪◦○□☐☑✓✔✅‣](?:\s*\[.?\])?)\s*"  # noqa: RUF001
)
# A message of a chat: when, who, what
_CHAT: Final = re.compile(
    r"\u200e?\[?(?:[0-9./-]{5,10},? )?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[ap]\.?m\.?)?"
    r"(?:, [0-9./-]{5,10})?\]?(?: -)? ([^:]+): .*",
    re.IGNORECASE,
)
_PHONE: Final = re.compile(r"[,:]?\s*[(+]*\d(?:[ ()/.\u2010-\u2015-]*\d){6,}")
_NUMBER: Final = re.compile(r"(?=0*[1-9])[0-9]{1,6}")
_DIGITS: Final = "0123456789"
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:[ .,'’][0-9]{3})+")
_WITH_ZEROS: Final = re.compile(r"([0-9]+)[.,]0{1,2}")
# No rating, and one that is provisional or estimated
_UNRATED: Final = re.compile(r"\W*|0+(?:[.,]0*)?|n/?[ar]|unr(?:ated|\.)?|none", re.IGNORECASE)
_ESTIMATED: Final = re.compile(
    r"\A(?:~|≈|ca\.?)?\s*([0-9 .,'’]+)(?:\([^0-9]*\)|[*?p]|prov\.?)?\Z", re.IGNORECASE
)
_DASHES: Final = frozenset("-–—−")  # noqa: RUF001 -- for nothing
_SUFFIXES: Final = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})
_EMAIL: Final = re.compile(r"[^@\s,;<>\"=+-][^@\s,;<>\"]*@[^@\s,;<>\"]+")
_IN_BRACKETS: Final = re.compile(rf"[<(\[]?({_EMAIL.pattern}?)[>)\]]?(?=\s|$)")
_QUOTED_NAME: Final = re.compile(r'"([^"]+)"(?=\s*<[^<>\s]+@)')


@dataclass(frozen=True, slots=True)
class EntryFault:
    """A fault of a line of the list, counted from 1, with the original line, and its cure."""

    line: int
    text: str
    why: Message


@dataclass(frozen=True, slots=True)
class EntryList:
    """A list as read: the accepted entries, and every fault of the others.

    `emails` are by entry number; `columns` gives each heading's column, "" for an ignored one;
    `is_guess` is true if no heading named several columns, or titles are above the headings.
    """

    entrants: tuple[Entrant, ...]
    faults: tuple[EntryFault, ...] = ()
    emails: Mapping[int, str] = field(default_factory=dict)
    columns: tuple[tuple[str, str], ...] = ()
    separator: str = ""
    is_guess: bool = False
    header: str = ""

    @property
    def left(self) -> str:
        """The rejected lines, below their header."""
        lines = {each.line: each.text for each in self.faults}
        return "\n".join([*filter(None, [self.header]), *lines.values()]) if lines else ""


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    text: str
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Row:
    record: _Record
    cells: Mapping[str, str]
    faults: tuple[Message, ...]


def read_entries(text: str, before: Iterable[Entrant] = (), last_number: int = 0) -> EntryList:
    """Read a list of entries; its columns are separated by commas, semicolons or tabs.

    A header names the columns in any order and several languages; without one the first words of a
    line are a name, the next a club, a number a rating. Of entries without a number each gets the
    next free one after `before` and `last_number`. It never raises: what is rejected is a fault.
    """
    given = _ROW_END.split(text.removeprefix("\ufeff"))
    lines = [_QUOTED_NAME.sub(r"\1", _CHAT.sub(r"\1", each)) for each in given]
    too_long = message("The line has more than {most} characters: is it CSV?", most=LONGEST_LINE)
    if faults := tuple(  # no spreadsheet writes such lines: this is another kind of file
        EntryFault(number, line, too_long)
        for number, line in enumerate(lines, start=1)
        if len(line) > LONGEST_LINE
    ):
        return EntryList((), faults)
    first = next((at for at, line in enumerate(lines) if line.strip(" \t,;\"'")), 0)
    separator = _separator(lines, first)
    if _SEPARATOR_LINE.fullmatch(lines[first]):
        first += 1
    records = [*_records(lines, first, separator)]
    broken = [each for each in records if isinstance(each, EntryFault)]
    rows = [each for each in records if isinstance(each, _Record)]
    titles, columns = _found_header(rows)
    header = rows[titles] if columns else None
    rows = rows[titles + 1 :] if columns else rows
    if header is not None and (faults := tuple(_header_faults(header, columns))):
        return EntryList((), faults)
    headings = [each.strip() for each in header.cells] if header else []
    is_guess = titles > 0 or lines != given
    if len(headings) <= 1:
        plain = [*_plain_rows(rows)]
        rows, is_guess = plain, is_guess or len(plain) > len(rows)
    if not rows and not broken:
        empty = message("The list is empty: write one player a line.")
        return EntryList((), (EntryFault(1, "", empty),))
    columns = columns or _guessed_columns(rows, separator)
    reading = _Reading(before, last_number)
    read = (_row(each, columns, named=bool(header)) for each in rows)
    kept = [row for row in read if reading.checks(row)]
    entrants = tuple(reading.entrants(kept))
    emails = zip(entrants, (row.cells.get("email") for row in kept), strict=True)
    named = tuple(zip(headings or [""] * len(columns), columns, strict=False))
    return EntryList(
        entrants,
        tuple(sorted((*broken, *reading.faults), key=lambda each: each.line)),
        {entrant.number: email for entrant, email in emails if email},
        named,
        separator,
        is_guess=is_guess
        or (header is None and len(columns) > 1)
        or any(map(_is_of_names, (each for each, column in named if not column))),
        header=header.text if header else "",
    )


def write_entries(entrants: Iterable[Entrant], separator: str = ",") -> str:
    """The list as CSV with every column, which `read_entries` reads back unchanged."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
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


def _separator(lines: Sequence[str], first: int) -> str:
    """The separator of the columns: from a line `sep=;`, else the first row's commonest."""
    if found := _SEPARATOR_LINE.fullmatch(lines[first]):
        return found[1]
    if not {*_SEPARATORS} & {*lines[first]} and _named_columns([lines[first]]):
        return ";"  # a header of one column: all of each line is the name
    text = "\n".join(lines[first:])
    return max(_SEPARATORS, key=lambda each: (lines[first].count(each), text.count(each)))


def _records(lines: Sequence[str], first: int, separator: str) -> Iterator[_Record | EntryFault]:
    """The rows with their cells; a cell in quotation marks may go on in the next lines."""
    at = first
    while at < len(lines):
        for end in range(at + 1, min(at + 2 + MOST_BREAKS, len(lines) + 1)):
            text = "\n".join(lines[at:end])
            try:
                cells = next(csv.reader(io.StringIO(text), delimiter=separator, strict=True), [])
            except csv.Error:
                continue
            if any(cell.strip() for cell in cells):
                yield _Record(at + 1, text, cells)
            at = end
            break
        else:
            open_mark = message(
                'A quotation mark (") is open or stands within the words: close it, or take it out.'
            )
            yield EntryFault(at + 1, lines[at], open_mark)
            at += 1


def _plain_rows(rows: Sequence[_Record]) -> Iterator[_Record]:
    cells = [each for each in rows[0].cells if each.strip()] if len(rows) == 1 else []
    in_line = len(cells) > MOST_WORDS and all(_digits(each, "").strip(_DIGITS) for each in cells)
    if in_line or (len(cells) > 1 and all("@" in each for each in cells)):
        rows = [_Record(rows[0].line, each, [each]) for each in cells]
    if 2 * sum(bool(_BULLET.match(each.cells[0])) for each in rows) > len(rows):
        rows = [
            replace(each, cells=[_BULLET.sub("", each.cells[0], 1), *each.cells[1:]])
            for each in rows
        ]
    yield from (each for each in rows if any(cell.strip() for cell in each.cells))


def _found_header(rows: Sequence[_Record]) -> tuple[int, tuple[str, ...]]:
    """The row of headings, the first after any titles, and its columns; none for none."""
    named = [_named_columns(each.cells) for each in rows[: MOST_TITLES + 1]]
    for at, columns in enumerate(named):
        if {"name", "first", "last"} & {*columns} and len({*columns} - {""}) > 1:
            return at, columns
    return 0, named[0] if named else ()


def _named_columns(cells: Sequence[str]) -> tuple[str, ...]:
    """The columns named by a header's cells, "" for ignored ones; none if it is no header."""
    headings = [_heading(cell) for cell in cells]
    columns = [_HEADINGS.get(heading, "") for heading in headings]
    if not {"name", "first", "last"} & {*columns}:
        likely = [
            at
            for at, heading in enumerate(headings)
            if not columns[at] and _NAME_WORDS.search(heading)
        ]
        if len(likely) == 1:
            columns[likely[0]] = "name"
    if not any(columns):
        return ()
    chosen: dict[str, str] = {}  # of several that mean the same the plain word, or the first
    for heading, column in zip(headings, columns, strict=True):
        chosen[column] = column if column in headings else chosen.get(column, heading)
    return tuple(
        column if heading == chosen[column] else ""
        for heading, column in zip(headings, columns, strict=True)
    )


def _heading(cell: str) -> str:
    return " ".join(re.findall(r"\w+", normalize("NFKC", cell).casefold().replace("_", " ")))


def _is_of_names(heading: str) -> bool:
    return any(each.search(_heading(heading)) for each in (_NAME_WORDS, _NAME_PARTS))


def _header_faults(header: _Record, columns: Sequence[str]) -> Iterator[EntryFault]:
    if not {"name", "first", "last"} & {*columns}:
        missing = message(
            "No column is called name: the columns are {columns}.",
            columns=", ".join((*COLUMNS, "email")),
        )
        yield EntryFault(header.line, header.text, missing)
    for column in dict.fromkeys(filter(None, columns)):
        if columns.count(column) > 1:
            doubled = message("Two columns are called {name}.", name=column)
            yield EntryFault(header.line, header.text, doubled)


def _guessed_columns(rows: Sequence[_Record], separator: str) -> tuple[str, ...]:
    """Without a header: words are a name, then a club; numbers a rating, unless they come first."""
    width = max((len(each.cells) for each in rows), default=1)
    free, columns = ["name", "club"], []
    for at in range(width):
        cells = [cell for each in rows for cell in each.cells[at : at + 1] if cell.strip()]
        if 2 * sum(bool(_EMAIL.fullmatch(cell.strip())) for cell in cells) > len(cells):
            columns.append("email" if width > 1 else "name")
        elif 2 * sum(bool(_PHONE.fullmatch(cell.strip())) for cell in cells) > len(cells):
            columns.append("")
        elif 2 * sum(not _digits(cell, "").strip("#.)" + _DIGITS) for cell in cells) > len(cells):
            columns.append("rating" if at else "")
        else:
            columns.append(free.pop(0) if free and cells else "")
    if (
        separator == ","
        and columns == ["name", "club"]
        and all(each.cells[1].startswith(" ") for each in rows if each.cells[1:])
    ):
        return ("last", "first")
    if "name" not in columns:
        columns[0] = "name"
    return tuple(each if columns.index(each) == at else "" for at, each in enumerate(columns))


def _row(record: _Record, columns: Sequence[str], *, named: bool) -> _Row:
    cells, faults = {}, []
    if spilt := [each for each in record.cells[len(columns) :] if each.strip()]:
        faults.append(
            message(
                "There are more cells than columns (“{cell}”): put a cell with a comma in quotes.",
                cell=spilt[0],
            )
        )
    for column, cell in zip(columns, record.cells, strict=False):
        if column:
            words = _BREAKS.sub(" ", cell.strip())
            try:
                cells[column] = plain_text(words).strip()
            except NotationError as error:
                cells[column] = words
                faults.append(error.message)
    for column in {"number", "seed", "rating", "table"} & cells.keys():
        cells[column] = _digits(cells[column], column)
    cells["name"] = name = _full_name(cells)
    if (not named or len(columns) == 1) and len(name) <= LONGEST_ADDRESSED:
        # What is private follows a name, as in a chat
        if found := _IN_BRACKETS.search(name):
            name = f"{name[: found.start()]} {name[found.end() :]}"
            cells.setdefault("email", found[1])
        cells["name"] = _PHONE.sub("", " ".join(name.split()))
    return _Row(record, cells, tuple(faults))


def _full_name(cells: Mapping[str, str]) -> str:
    """The name in spoken order: from two columns, or from one with a comma after the surname."""
    name = cells.get("name", "")
    if "first" in cells or "last" in cells:
        return _joined(cells.get("first", name), cells.get("last", name))
    last, *first = (each.strip() for each in name.split(","))
    if len(first) != 1:
        return name
    return f"{last} {first[0]}" if first[0].lower() in _SUFFIXES else _joined(first[0], last)


def _joined(first: str, last: str) -> str:
    if any(each.isalpha() and east_asian_width(each) == "W" for each in first + last):
        return f"{last}{first}"
    return f"{first} {last}".strip()


def _digits(cell: str, column: str) -> str:
    text = plain_digits(cell).strip()
    if column == "rating":
        text = "" if _UNRATED.fullmatch(text) else _ESTIMATED.sub(r"\1", text).strip()
    if _GROUPED.fullmatch(text):
        text = "".join(each for each in text if each in _DIGITS)
    elif found := _WITH_ZEROS.fullmatch(text):
        text = found[1]
    return "" if text in _DASHES else text


class _Reading:
    def __init__(self, before: Iterable[Entrant], last_number: int) -> None:
        self.faults: list[EntryFault] = []
        self.names: dict[str, int] = {}
        self.numbers: dict[int, int] = {}
        self.before = {spelling_key(each.name): each.number for each in before}
        self.taken = frozenset(self.before.values())
        self.free = max(last_number, *self.taken, 0) + 1

    def checks(self, row: _Row) -> bool:
        """Note all faults of a row; whether there are none."""
        line = row.record.line
        faults = [*row.faults, *_cell_faults(row.cells), *self._doubles(row.cells)]
        self.faults += [EntryFault(line, row.record.text, why) for why in faults]
        self.names.setdefault(spelling_key(row.cells["name"]), line)
        if not faults and (number := row.cells.get("number")):
            self.numbers[int(number)] = line
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

    def _doubles(self, cells: Mapping[str, str]) -> Iterator[Message]:
        name = cells["name"]
        if known := self.before.get(spelling_key(name)):
            yield message(
                "“{name}” is entry {number} already: remove the line, or tell the two apart.",
                name=name,
                number=known,
            )
        if name and (line := self.names.get(spelling_key(name))):
            yield message(
                "“{name}” stands in line {line} too: tell them apart, by the town say.",
                name=name,
                line=line,
            )
        number = typed_number(cells.get("number", "")) or 0
        if line := self.numbers.get(number):
            yield message(
                "The number {number} is that of line {line} too: leave one of them empty.",
                number=number,
                line=line,
            )
        if number in self.taken:
            yield message("The number {number} is taken: leave it empty.", number=number)


def _cell_faults(cells: Mapping[str, str]) -> Iterator[Message]:
    for check, column in ((entrant_name, "name"), (short_words, "club"), (short_words, "team")):
        try:
            check(cells.get(column, ""))
        except NotationError as error:
            yield error.message
    for column in ("number", "seed", "rating", "table"):
        text = cells.get(column, "")
        if text and not _NUMBER.fullmatch(text):
            yield message(
                "“{text}” in column {column}: write a whole number from 1, or leave it empty.",
                text=text,
                column=column,
            )
    text = cells.get("accessible", "")
    if text.lower() not in YES | NO:
        yield message("“{text}” in column accessible: write yes or no.", text=text)
    text = cells.get("email", "")
    if text and (len(text) > LONGEST_EMAIL or not _EMAIL.fullmatch(text)):
        yield message("“{text}” is no e-mail address: correct it, or leave it empty.", text=text)
