"""Rows as files that spreadsheets open: CSV, and a workbook of one sheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import IO, Final
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from babel import Locale
from babel.localedata import locale_identifiers
from babel.numbers import get_decimal_symbol

Row = Sequence[str | int | float | None]
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
# The parts of a workbook without its one sheet, a line each (ECMA-376, part 1).
WORKBOOK: Final = files("web.shared") / "workbook.txt"
XML: Final = '<?xml version="1.0" encoding="UTF-8"?>'
MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def has_decimal_comma(languages: Iterable[str]) -> bool:
    """Whether who reads the first known of these languages (`de-AT`) writes 3,5 for 3.5.

    Spreadsheets there expect semicolons between the cells of CSV.
    """
    wanted = [each.replace("-", "_") for each in languages]
    locale = Locale.negotiate(wanted, locale_identifiers())
    return locale is not None and get_decimal_symbol(locale) == ","


def as_csv(rows: Iterable[Row], *, decimal_comma: bool = False) -> Iterator[str]:
    """The rows line by line; what is None stays empty."""

    def written(cell: str | float | None) -> str | float | None:
        if isinstance(cell, float) and decimal_comma:
            return str(cell).replace(".", ",")
        if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
            return f"'{cell}"
        return cell

    for row in rows:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=";" if decimal_comma else ",", lineterminator="\n")
        writer.writerow(map(written, row))
        yield text.getvalue()


def write_xlsx(rows: Iterable[Row], file: IO[bytes]) -> None:
    """The rows as a workbook with one sheet."""
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for line in WORKBOOK.read_text(encoding="utf-8").splitlines():
            name, _, text = line.partition(" ")
            packed.writestr(name, text)
        with packed.open("xl/sheet.xml", "w") as sheet:
            sheet.write(f'{XML}<worksheet xmlns="{MAIN}"><sheetData>'.encode())
            for row in rows:
                sheet.write(f"<row>{''.join(map(_cell, row))}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return "<c/>" if value is None else f"<c><v>{value}</v></c>"
