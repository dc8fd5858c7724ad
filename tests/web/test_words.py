"""The catalogue has every sentence, and messages are translated by it."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask import Flask, render_template_string
from flask_babel import force_locale

from scoreboard.message import message
from web.words import LANGUAGES, LOCALE_FOLDER, add_translations, language, moment, translate

ROOT = Path(__file__).parents[2]
CURE = "run `make words`"


@cache
def sentences() -> set[str]:
    """Every literal given to `message` in the packages' code and templates."""
    methods = [("**/templates/**.html", "jinja2"), ("**.py", "python")]
    found = {
        template
        for package in ("scoreboard", "vision", "hardware", "web")
        for _, _, template, _, _ in extract_from_dir(
            str(ROOT / package), methods, {}, keywords={"message": None}
        )
    }
    return {template for template in found if isinstance(template, str)}


def translating_app() -> Flask:
    """An application that knows how to print messages, and nothing else."""
    app = Flask(__name__)
    add_translations(app)
    return app


def test_the_template_of_the_catalogue_has_every_sentence() -> None:
    """A sentence that the catalogue lacks could never be translated."""
    with (LOCALE_FOLDER / "messages.pot").open("rb") as file:
        known = {table_request.id for table_request in read_po(file) if table_request.id}
    assert known == sentences(), CURE


def test_each_language_is_complete_and_compiled() -> None:
    """What is compiled is what is written down, for the sentences that there are."""
    for name in LANGUAGES:
        folder = LOCALE_FOLDER / name / "LC_MESSAGES"
        with (folder / "messages.po").open("rb") as file:
            written = {table_request.id for table_request in read_po(file) if table_request.id}
        with (folder / "messages.mo").open("rb") as file:
            compiled = {
                table_request.id: table_request.string
                for table_request in read_mo(file)
                if table_request.id
            }
        assert written == sentences(), CURE
        assert set(compiled) <= written, CURE


# what the sheet names and no message names alone: it is said in sentences, or in none
WITHIN_SENTENCES = {
    "ko": {
        *("rack", "tile", "trick", "bust", "card", "pile", "initial meld", "first meld"),
        *("Joker rules", "Lower section", "Upper section", "box", "clockwise", "dice tray"),
        *("group", "orange", "run", "set", "starting player", "turn"),
    },
    "ja": {
        *("box", "joker rule", "lower section", "pair", "player", "re-roll", "turn"),
        "roll (what the dice show)",
    },
}
TERMS = tomllib.loads((LOCALE_FOLDER / "terms.toml").read_text(encoding="utf-8"))
SHEETS = ROOT.parent / "shared" / "rules" / "sheets"
FOREIGN = sorted(set(LANGUAGES) - {"en"})


def catalogue(name: str) -> dict[str, str]:
    """The sentences of one language by their English."""
    with (LOCALE_FOLDER / name / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return {str(each.id): str(each.string) for each in read_po(file) if each.id}


def gaps(sentence: str) -> list[str]:
    """The names of a sentence's gaps."""
    return sorted(name for _, name, _, _ in Formatter().parse(sentence) if name)


@pytest.mark.parametrize("name", FOREIGN)
def test_no_translation_is_missing(name: str) -> None:
    """Each sentence is translated, with the same gaps; those alike in both are few and listed."""
    translated = catalogue(name)
    assert not [english for english, words in translated.items() if not words]
    assert not [english for english, words in translated.items() if gaps(english) != gaps(words)]
    same = [english for english, words in translated.items() if words == english]
    assert sorted(same) == TERMS["same"][name]
    assert len(same) <= 0.05 * len(translated)


@pytest.mark.parametrize("name", FOREIGN)
def test_the_terms_are_those_of_the_rule_sheets(name: str) -> None:
    """A player finds on the page the words that the sheet prints."""
    translated = catalogue(name)
    for english, (term, _) in TERMS["glossary"][name].items():
        assert english in translated or english in WITHIN_SENTENCES[name], english
        assert translated.get(english, term) == term, english


@pytest.mark.parametrize("name", FOREIGN)
def test_a_thing_has_one_name_throughout(name: str) -> None:
    """A rack is a rack in every sentence, or players would look for two things."""
    for english, sentence in catalogue(name).items():
        for word, term in TERMS["words"][name].items():
            if re.search(rf"\b{word}s?\b", re.sub(r"{.*?}", "", english)):
                assert term in sentence, (english, sentence)


@pytest.mark.parametrize("name", FOREIGN)
def test_the_sheets_print_these_terms(name: str) -> None:
    """Each term stands in the sheet that it is said to be from."""
    if not SHEETS.is_dir():
        pytest.skip("the rule sheets lie beside the project on its makers' machines only")
    for term, sheet in TERMS["glossary"][name].values():
        assert term in (SHEETS / sheet).read_text(encoding="utf-8"), term


def test_every_language_folder_is_offered() -> None:
    """A catalogue that nobody can choose would rot."""
    folders = {path.name for path in LOCALE_FOLDER.iterdir() if path.is_dir()}
    assert folders == set(LANGUAGES)


def test_no_sentence_breaks_when_its_gaps_are_filled() -> None:
    """Every template is a valid format with named gaps only."""
    for template in sentences():
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        assert all(name.isidentifier() for name in names), template
        assert template.format(**dict.fromkeys(names, "x"))


def test_a_phrase_in_a_gap_is_translated_too() -> None:
    """Gaps are filled after translation, inside out."""
    with translating_app().test_request_context():
        inner = message("Full house")
        assert translate(message("{box}: {points}", box=inner, points=25)) == "Full house: 25"


def test_templates_print_messages_and_escape_what_is_in_them() -> None:
    """A name with markup stays a name."""
    with translating_app().test_request_context():
        translated = message("{player}’s turn", player="<script>alert(1)</script>")
        assert render_template_string("{{ translated }}|{{ 3 }}", translated=translated) == (
            "&lt;script&gt;alert(1)&lt;/script&gt;’s turn|3"
        )


def test_the_reader_chooses_among_the_catalogues() -> None:
    """An unknown language falls back to English, and so does no request at all."""
    with translating_app().test_request_context(headers={"Accept-Language": "xx, en;q=0.5"}):
        assert language() == "en"
    assert language() == "en"


@pytest.mark.parametrize(
    ("reader", "date"), [("en", "1 May 2026, "), ("ko", "2026년 5월 1일 "), ("ja", "2026年5月1日 ")]
)
def test_a_moment_is_written_as_the_reader_writes_it(reader: str, date: str) -> None:
    """Words and order are those of the reader's language."""
    with translating_app().test_request_context(), force_locale(reader):
        assert moment(datetime(2026, 5, 1, 12, 0, tzinfo=UTC)).startswith(date)
