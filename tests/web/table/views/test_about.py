"""The page says what is simulated and who may act."""

from __future__ import annotations

from dataclasses import replace

import web
from tests.web.table_fake import FACTS, FakeTable
from web.table.app import create_app
from web.table.ports import Facts


def about(facts: Facts, **changes: object) -> str:
    """The page's text for these facts."""
    table = FakeTable().table(facts=facts, **changes)
    text = create_app(table).test_client().get("/about").text
    return " ".join(text.split())


def test_the_demo_says_that_it_is_one() -> None:
    """Simulated camera and buttons, and that no network is listened to."""
    text = about(FACTS)
    assert text.count(">simulated<") == 2
    assert "This is the demo evening" in text
    assert "Only this machine reaches the page" in text


def test_the_version_is_told() -> None:
    """Who reports a fault finds it without a terminal."""
    assert f"Tablescore, version {web.__version__}" in about(FACTS)


def test_a_real_table_on_a_network_says_who_may_act() -> None:
    """Everybody there, and under which addresses."""
    facts = replace(
        FACTS,
        camera_simulated=False,
        buttons_simulated=False,
        demo=False,
        open_to_network=True,
    )
    text = about(facts, addresses=lambda: ("http://table.local:8000/",))
    assert text.count(">real<") == 2
    assert "Everybody on this network" in text
    assert "http://table.local:8000/" in text
    assert "demo evening:" not in text
    assert "Up to 50 devices" in text
    assert "sets one cookie: the language that you choose" in text
