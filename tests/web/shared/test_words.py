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
from babel.messages.pofile import read_po
from babel.support import Translations
from flask import Flask, render_template_string
from flask_babel import force_locale

from scoreboard.message import message, message_in
from web.shared.words import (
    DEFAULT,
    HUB_LANGUAGES,
    LANGUAGES,
    LOCALE_FOLDER,
    add_translations,
    language,
    moment,
    spoken_day,
    translate,
)

ROOT = Path(__file__).parents[3]
FOREIGN = sorted(set(LANGUAGES) - {DEFAULT})  # English is the source
CURE = "run `make words`"


@cache
def sentences(*, of_hub: bool = True) -> set[str]:
    """Every key that `message` and `message_in` are given in the packages' code and templates.

    Without those of the hub alone where they are not asked for.
    """
    keywords = {"message": None, "refused": None, "worded": None, "message_in": ((1, "c"), 2)}
    methods = [("**/templates/**.html", "jinja2"), ("**.py", "python")]
    if not of_hub:
        folders = ("hub", "tournament/hub", "tournament/model", "tournament/storage")
        methods = [*((f"{folder}/**", "ignore") for folder in folders), *methods]
    return {
        key(template, context)
        for package in ("scoreboard", "vision", "hardware", "web")
        for _, _, template, _, context in extract_from_dir(
            str(ROOT / package), methods, {}, keywords=keywords
        )
        if isinstance(template, str)
    }


def key(template: str, context: str | None) -> str:
    """What a catalogue finds a sentence by: its context comes first, if it has one."""
    return template if context is None else f"{context}\x04{template}"


def read(path: Path) -> dict[str, str]:
    """The sentences of a catalogue by their keys."""
    with path.open("rb") as file:
        return {
            key(str(each.id), each.context): str(each.string) for each in read_po(file) if each.id
        }


def translating_app() -> Flask:
    """An application that knows how to print messages, and nothing else."""
    app = Flask(__name__)
    add_translations(app)
    return app


def test_each_language_is_complete_and_compiled() -> None:
    """What is compiled is what is written down, for the sentences that there are."""
    for name in FOREIGN:
        written, compiled = catalogue(name), Translations.load(LOCALE_FOLDER, [name])
        assert written.keys() == sentences(of_hub=name in HUB_LANGUAGES), CURE
        for english, words in written.items():
            assert compiled.gettext(english) == (words or english), CURE


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


def catalogue(name: str) -> dict[str, str]:
    """The sentences of one language by their English."""
    return read(LOCALE_FOLDER / name / "LC_MESSAGES" / "messages.po")


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
    for english, (term, _) in TERMS["glossary"].get(name, {}).items():
        assert english in translated or english in WITHIN_SENTENCES[name], english
        assert translated.get(english, term) == term, english


@pytest.mark.parametrize("name", FOREIGN)
def test_a_thing_has_one_name_throughout(name: str) -> None:
    """A rack is a rack in every sentence, or players would look for two things."""
    for english, sentence in catalogue(name).items():
        for word, term in TERMS["words"][name].items():
            if re.search(rf"\b{word}s?\b", re.sub(r"{.*?}|.*\x04", "", english)):
                assert term in sentence, (english, sentence)


@pytest.mark.parametrize("name", FOREIGN)
def test_no_sentence_has_a_second_word_for_a_thing(name: str) -> None:
    """One word and one spelling each, and the marks of the language."""
    for sentence in catalogue(name).values():
        for never, instead in TERMS["never"][name].items():
            assert not re.search(never, sentence), (sentence, instead)


@pytest.mark.parametrize("name", FOREIGN)
def test_the_sheets_print_these_terms(name: str) -> None:
    """Each term stands in the sheet that it is said to be from."""
    if not SHEETS.is_dir():
        pytest.skip("the rule sheets lie beside the project on its makers' machines only")
    for term, sheet in TERMS["glossary"].get(name, {}).values():
        assert term in (SHEETS / sheet).read_text(encoding="utf-8"), term


def test_every_language_folder_is_offered() -> None:
    """A catalogue that nobody can choose would rot."""
    folders = {path.name for path in LOCALE_FOLDER.iterdir() if path.is_dir()}
    assert folders == set(FOREIGN)


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


@pytest.mark.parametrize(
    ("reader", "english", "context", "words", "words_there"),
    [
        ("en", "Aces", "Chaser", "Aces", "Aces"),
        ("ko", "Aces", "Chaser", "숫자 1", "에이시즈"),
        ("en", "Round {number}", "Rummikub", "Round 2", "Round 2"),
        ("ko", "Round {number}", "Rummikub", "라운드 2", "게임 2"),
    ],
)
def test_one_english_word_may_be_two_of_the_reader(
    reader: str, english: str, context: str, words: str, words_there: str
) -> None:
    """By its context, also in the gap of a sentence; in English both are the same."""
    plain, there = message(english, number=2), message_in(context, english, number=2)
    with translating_app().test_request_context(), force_locale(reader):
        for sentence, shown in ((plain, words), (there, words_there)):
            assert translate(message("{box}: {points}", box=sentence, points=3)).startswith(shown)


def test_templates_print_messages_and_escape_what_is_in_them() -> None:
    """A name with markup stays a name."""
    with translating_app().test_request_context():
        translated = message("{player}’s turn", player="<script>alert(1)</script>")
        assert render_template_string("{{ translated }}|{{ 3 }}", translated=translated) == (
            "&lt;script&gt;alert(1)&lt;/script&gt;’s turn|3"
        )


def test_templates_join_what_they_print_by_the_marks_of_the_reader() -> None:
    """Colons and brackets are full width in Japanese: `colon` and `bracketed` print them."""
    joined = re.compile(r"[}%]\}(</\w+>)?: |(\}\}|%\}) \(\{")
    for path in ROOT.glob("web/*/templates/**/*.html"):
        assert not joined.search(path.read_text(encoding="utf-8")), path


def test_the_reader_chooses_among_the_catalogues() -> None:
    """An unknown language falls back to English, and so does no request at all."""
    with translating_app().test_request_context(headers={"Accept-Language": "xx, en;q=0.5"}):
        assert language() == "en"
    assert language() == "en"


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("2026-11-28 20:00", "this evening"),
        ("2026-11-28 00:30", "yesterday evening"),
        ("2026-11-27 10:00", "yesterday morning"),
        ("2026-11-21 13:00", "Saturday 21 November"),
        ("2025-12-24 13:00", "Wednesday, 24 December 2025"),
    ],
)
def test_a_day_is_called_as_a_family_calls_it(at: str, words: str) -> None:
    """In this machine's time; what ends in the night belongs to the evening before."""
    ended, now = (datetime.fromisoformat(each).astimezone() for each in (at, "2026-11-28 21:00"))
    with translating_app().test_request_context(), force_locale("en"):
        assert str(spoken_day(ended, now)) == words


@pytest.mark.parametrize(
    ("reader", "date"),
    [
        ("en", "1 May 2026, "),
        ("de", "1. Mai 2026, "),
        ("fr", "1 mai 2026, "),
        ("ko", "2026년 5월 1일 "),
        ("ja", "2026年5月1日 "),
    ],
)
def test_a_moment_is_written_as_the_reader_writes_it(reader: str, date: str) -> None:
    """Words and order are those of the reader's language."""
    with translating_app().test_request_context(), force_locale(reader):
        assert moment(datetime(2026, 5, 1, 12, 0, tzinfo=UTC)).startswith(date)
