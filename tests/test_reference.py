"""The reference in the documentation agrees with the code."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import TABLE_KINDS, EventCodec
from scoreboard.tournament.protocol.public_facts import ANSWERS

DOCS = Path(__file__).parent.parent / "docs"


def test_the_games_page_is_current() -> None:
    """Names, boxes, options and rules are those of the rulebooks."""
    written = runpy.run_path(str(DOCS / "write_reference.py"))["page"]()
    kept = (DOCS / "reference" / "games.md").read_text(encoding="utf-8")
    assert kept == written, "run `python docs/write_reference.py`"
    assert all(f"`{name}`" in kept for name in GAMES)


def test_the_hub_protocol_describes_every_event_and_bound() -> None:
    """Its kinds, members, types and examples are those of the rulebooks."""
    kept = (DOCS / "reference" / "hub-protocol.md").read_text(encoding="utf-8")
    written = runpy.run_path(str(DOCS / "write_reference.py"))["protocol"](kept)
    assert kept == written, "run `python docs/write_reference.py`"
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| `(\{.*\})` \|$", kept, re.MULTILINE)
    kinds = {
        **TABLE_KINDS,
        **{kind: own for game in GAMES.values() for kind, own in game.kinds.items()},
    }
    assert {kind for kind, _ in rows} == kinds.keys()
    for kind, example in rows:
        assert type(EventCodec.of({kind: kinds[kind]}).event(json.loads(example))) is kinds[kind]


def test_the_recorded_game_of_the_hub_protocol_is_current() -> None:
    """It is the playthrough, as a table delivers it."""
    kept = (DOCS / "reference" / "hub-protocol-game.json").read_text(encoding="utf-8")
    assert kept == runpy.run_path(str(DOCS / "write_reference.py"))["recorded_game"]()


def test_the_readme_names_the_packages_that_are_looked_for() -> None:
    """For each stage of the one list, which `make test` and .ci/run use."""
    kept = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert kept == runpy.run_path(str(DOCS / "write_reference.py"))["readme"](kept)
    assert kept.count("<!-- packages: ") == 3


def test_the_schema_of_the_reading_api_is_current() -> None:
    """It is what the answers are made of, and the page explains every address of it."""
    kept = (DOCS / "reference" / "reading-api.schema.json").read_text(encoding="utf-8")
    assert kept == runpy.run_path(str(DOCS / "write_reference.py"))["schema"]()
    page = (DOCS / "reference" / "reading-api.md").read_text(encoding="utf-8")
    for answer in ANSWERS:
        assert f"`{answer.__name__}`" in page


def test_the_notation_page_names_every_keyword() -> None:
    """Every keyword is documented, game by game; options are on the page of games."""
    page = (DOCS / "reference" / "notation.md").read_text(encoding="utf-8")
    for game in GAMES.values():
        for keyword in game.notation.readers:
            assert re.search(rf"\| `{keyword}[` ]", page), keyword
