"""Messages become sentences of the reader's language here and only here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from babel.dates import format_date, format_datetime, format_skeleton
from babel.support import Translations
from flask import Blueprint, Flask, current_app, has_request_context, redirect, request
from flask_babel import Babel, get_locale, gettext
from werkzeug.wrappers import Response

from scoreboard.games import RULE_TEXTS
from scoreboard.message import Message, message, message_in, without_context

LOCALE_FOLDER: Final = Path(__file__).parents[1] / "locale"
LANGUAGES: Final = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "ko": "한국어",
    "ja": "日本語",
}
HUB_LANGUAGES: Final = {name: LANGUAGES[name] for name in ("en", "ko", "ja")}
DEFAULT: Final = "en"
MOMENTS: Final = {
    "en": "d MMM y, HH:mm",
    "de": "d. MMM y, HH:mm",
    "fr": "d MMM y, HH:mm",
    "ko": "y년 M월 d일 HH:mm",
    "ja": "y年M月d日 HH:mm",
}
RECENT: Final = (  # today and yesterday: before noon, before six, after it
    (message("this morning"), message("this afternoon"), message("this evening")),
    (message("yesterday morning"), message("yesterday afternoon"), message("yesterday evening")),
)
NIGHT: Final = timedelta(hours=6)  # what ends at one in the night belongs to the day before
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
    return format_date(at, "full", _day_first())


def spoken_day(at: datetime, now: datetime) -> Message | str:
    """A time as a family says it: "yesterday evening", "Saturday 21 November"."""
    day, today = at.astimezone() - NIGHT, now.astimezone() - NIGHT
    ago = (today.date() - day.date()).days
    if ago in range(len(RECENT)):
        return RECENT[ago][min(2, day.hour // 6)]
    parts = "MMMMEEEEd" if day.year == today.year else "yMMMMEEEEd"
    return format_skeleton(parts, day, locale=_day_first())


def _day_first() -> str:
    """The reader's locale; of English the one that has the day before the month."""
    locale = str(get_locale() or DEFAULT)
    return "en_GB" if locale == "en" else locale


def language() -> str:
    """The reader's language, where the application has its pages in it."""
    if not has_request_context():
        return DEFAULT
    offered: Mapping[str, str] = current_app.config["LANGUAGES"]
    chosen = request.cookies.get(COOKIE, "")
    if chosen in offered:
        return chosen
    return request.accept_languages.best_match(offered) or DEFAULT


def wished_languages() -> list[str]:
    """The languages that the reader wants, also those without a translation here, best first."""
    chosen = request.cookies.get(COOKIE, "")
    return [chosen] if chosen else [*request.accept_languages.values()]


def add_translations(app: Flask, languages: Mapping[str, str] = LANGUAGES) -> None:
    """Let the templates of this application print messages."""
    app.config["LANGUAGES"] = languages
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
        languages=languages,
        rulings=RULE_TEXTS,
        colon=COLON,
        pairs=partial(zip, strict=True),
    )
    app.jinja_env.filters["bracketed"] = bracketed
    app.jinja_env.filters["moment"] = moment
    app.jinja_env.filters["localized"] = localized  # for what is cut or joined before it is printed


def keep_choice(answer: Response, cookie: str, value: str, samesite: str = "Lax") -> None:
    """Have the browser keep what its reader chose, or its secret, for a year, below this page."""
    answer.set_cookie(
        cookie,
        value,
        max_age=timedelta(days=365),
        path=f"{request.script_root}/",
        secure=request.is_secure,
        httponly=True,
        samesite=samesite,
    )


def language_views(right: str, page: Callable[[], str]) -> Blueprint:
    """`/language`, which chooses one of the application's and goes on to that page."""
    views = Blueprint("language", __name__)

    @views.post("/language", right=right, seen="nothing")
    def choose() -> Response:
        answer, chosen = redirect(page(), HTTPStatus.SEE_OTHER), request.form.get("language", "")
        if chosen in current_app.config["LANGUAGES"]:
            keep_choice(answer, COOKIE, chosen)
        return answer

    return views
