"""The reference in the documentation says what the code says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from scoreboard.games import GAMES

DOCS = Path(__file__).parent.parent / "docs"


def test_the_games_page_is_current() -> None:
    """Boxes, options and rules as the rulebooks have them."""
    written = runpy.run_path(str(DOCS / "write_reference.py"))["page"]()
    kept = (DOCS / "reference" / "games.md").read_text(encoding="utf-8")
    assert kept == written, "run `python docs/write_reference.py`"


def test_the_notation_page_names_every_option_and_keyword() -> None:
    """What can be written is documented, game by game."""
    page = (DOCS / "reference" / "notation.md").read_text(encoding="utf-8")
    for game in GAMES.values():
        assert f"`{game.name}`" in page
        for option in game.options:
            assert option.own is None or f"`option {option.name} " in page
            for choice in option.choices[1:] if option.own is None else ():
                assert f"`option {option.name} {choice.value}`" in page
        for keyword in game.notation.readers:
            assert re.search(rf"\| `{keyword}[` ]", page), keyword
