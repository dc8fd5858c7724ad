"""Messages become sentences of the reader's language here and only here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from babel.dates import format_datetime
from babel.support import Translations
from flask import Flask, has_request_context, request
from flask_babel import Babel, get_locale, gettext

from scoreboard.games import RULE_TEXTS
from scoreboard.message import Message, message, message_in, without_context

LOCALE_FOLDER: Final = Path(__file__).parents[1] / "locale"
LANGUAGES: Final = {"en": "English", "ko": "한국어", "ja": "日本語"}
DEFAULT: Final = "en"
DAYS: Final = {"en": "EEEE, d MMMM y", "ko": "y년 M월 d일 EEEE", "ja": "y年M月d日 EEEE"}
MOMENTS: Final = {"en": "d MMM y, HH:mm", "ko": "y년 M월 d일 HH:mm", "ja": "y年M月d日 HH:mm"}
COLON: Final = message(": ")  # between two parts of a line that are printed one by one
COOKIE: Final = "language"  # what this device's reader chose; else its browser's wish counts


def translate(sentence: Message, words: Callable[[str], str] = gettext) -> str:
    """The sentence in the reader's language, or in that of `words`; also messages in its gaps."""
    values = {
        name: translate(value, words) if isinstance(value, Message) else value
        for name, value in sentence.values
    }
    # without a translation, the key comes back with its context
    return without_context(words(sentence.template)).format(**values)


def translator(language: str) -> Callable[[Message], str]:
    """A function that translates into that language outside of a request."""
    catalogue = Translations.load(LOCALE_FOLDER, [language])
    return partial(translate, words=catalogue.gettext)


def localized(value: Any) -> Any:
    """What a template prints: a message in the reader's language, anything else as it is."""
    return translate(value) if isinstance(value, Message) else value


def bracketed(note: Message | str | int) -> Message:
    """The note in brackets behind what it is about."""
    return message(" ({note})", note=note)


def moment(at: datetime) -> str:
    """A time of day and date as the reader writes it, in this machine's time zone."""
    locale = str(get_locale() or DEFAULT)
    return format_datetime(at.astimezone(), MOMENTS[locale], locale=locale)


def day(at: datetime) -> str:
    """A date in words with its weekday; `at` is a local time."""
    locale = str(get_locale() or DEFAULT)
    return format_datetime(at, DAYS[locale], locale=locale)


def language() -> str:
    """The reader's language, as far as there is a catalogue for it."""
    if not has_request_context():
        return DEFAULT
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES) or DEFAULT


def add_translations(app: Flask) -> None:
    """Let the templates of this application print messages."""
    app.jinja_options = {**app.jinja_options, "finalize": localized}
    Babel(
        app,
        default_locale=DEFAULT,
        default_translation_directories=str(LOCALE_FOLDER),
        locale_selector=language,
    )
    app.jinja_env.globals.update(
        message=message,
        message_in=message_in,
        language=language,
        languages=LANGUAGES,
        rulings=RULE_TEXTS,
        colon=COLON,
        pairs=partial(zip, strict=True),
    )
    app.jinja_env.filters["bracketed"] = bracketed
    app.jinja_env.filters["moment"] = moment
    app.jinja_env.filters["localized"] = localized  # for what is cut or joined before it is printed
