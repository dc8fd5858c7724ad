"""The application as a whole: its addresses and what binds its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import web.table
from tests.web.table_fake import FACTS, NO_GAME, FakeTable
from web.shared.plan import Facts
from web.shared.words import LANGUAGES

WEB = Path(web.table.__file__).parent
ADDRESSES_IN_WORDS = (  # names and remarks, which nothing asks for
    "http://www.w3.org/2000/svg",
    "https://github.com/leeoniya/uPlot",
    "https://github.com/catdad/canvas-confetti/issues/209",
    "https://developer.mozilla.org/en-US/docs/Web/API/DOMMatrix/DOMMatrix",
    "https://nolanlawson.com/2022/04/08/the-struggle-of-using-native-emoji-on-the-web/",
    "https://github.com/richtr/NoSleep.js/issues/15",
    "https://web.dev/wakelock/#wake-lock-lifecycle",
    "https://github.com/hodgef/simple-keyboard",
    "https://github.com/hodgef",
)


def test_two_tables_do_not_share_anything() -> None:
    """There is no global state: each application shows its own table."""
    one, other = FakeTable(), FakeTable()
    apps = [fake.app() for fake in (one, other)]
    texts = [app.test_client().get("/").text for app in apps]
    assert one.live.run in texts[0]
    assert one.live.run not in texts[1]


def scripts_and_styles() -> Iterator[tuple[str, str]]:
    """The name and the text of each."""
    for path in (WEB / "static").rglob("*"):
        if path.suffix in {".css", ".js", ".svg"}:
            yield path.name, path.read_text(encoding="utf-8")


def test_scripts_and_styles_ask_for_nothing_elsewhere() -> None:
    """No request leaves the machine."""
    for name, whole in scripts_and_styles():
        text = whole
        for words in ADDRESSES_IN_WORDS:
            text = text.replace(words, "")
        elsewhere = r"https?:|//[a-z]+\.|url\((?!\"fonts/)|@import|import\("
        assert not re.search(elsewhere, text), name


def test_every_class_that_a_template_names_is_styled_or_scripted() -> None:
    """A class that nothing knows is a leftover."""
    known = "".join(text for _, text in scripts_and_styles())
    for path in (WEB / "templates").glob("*.html"):
        plain = re.sub(r"{%.*?%}|{{.*?}}", " \0", path.read_text(encoding="utf-8"))
        for names in re.findall(r'class="([^"]*)"', plain):
            for name in names.split():
                if "\0" not in name and not name.endswith("-"):
                    assert f".{name}" in known, f"{name} in {path.name}"


def about(facts: Facts, **changes: Any) -> str:
    """The page's text for these facts."""
    app = FakeTable().app(facts=facts, **changes)
    text = app.test_client().get("/about").text
    return " ".join(text.split())


def test_the_demo_says_that_it_is_one() -> None:
    """Simulated camera and buttons, no network, and the version, for a report of a fault."""
    text = about(FACTS)
    assert f"Tablescore, version {version('tablescore')}" in text
    assert text.count(">simulated<") == 2
    assert "This is the demo:" in text
    assert "So far only this computer can reach the table" in text


def test_a_real_table_on_a_network_says_who_may_act() -> None:
    """Everybody there, and under which addresses."""
    real = replace(FACTS, camera_simulated=False, buttons_simulated=False, demo=False)
    facts = replace(real, open_to_network=True)
    text = about(facts, addresses=lambda: ("http://table.local:8000/",))
    assert text.count(">real<") == 2
    assert "Everybody who has the address may watch" in text
    assert "http://table.local:8000/" in text
    assert "This is the demo:" not in text
    assert "Up to 50 devices" in text
    assert "sets two cookies: the language that you choose" in text


OWN = {"Origin": "http://localhost"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_device_keeps_the_language_that_was_chosen(language: str) -> None:
    """It is the language of all pages from then on, whatever the browser wishes."""
    client = FakeTable(NO_GAME).app().test_client()
    answer = client.post("/language", data={"language": language}, headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    page = client.get("/setup", headers={"Accept-Language": "ja, en"}).text
    assert f'<html lang="{language}"' in page


def test_the_browsers_wish_counts_until_then() -> None:
    """A language that there is no catalogue for is English."""
    client = FakeTable(NO_GAME).app().test_client()
    assert (
        '<html lang="ko"'
        in client.get("/", headers={"Accept-Language": "ko-KR,ko;q=0.9,en-US;q=0.8"}).text
    )
    assert '<html lang="en"' in client.get("/", headers={"Accept-Language": "xx"}).text
    answer = client.post("/language", data={"language": "tlh"}, headers=OWN)
    assert "Set-Cookie" not in answer.headers
