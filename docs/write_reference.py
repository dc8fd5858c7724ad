"""Write docs/reference/games.md, what hub-protocol.md is made of, and README's list of packages.

Generated pages can't disagree with the code.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from inspect import cleandoc
from itertools import groupby
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Game, Option, Setup
from scoreboard.games.engine.scoresheet import Row
from scoreboard.games.engine.transcript import (
    TABLE_KINDS,
    Document,
    EventCodec,
    Kinds,
    state_after,
)
from scoreboard.games.notation import replay_text
from scoreboard.tournament.model.scores import HIGHEST_SCORE
from scoreboard.tournament.protocol.documents import (
    LARGEST_SEQUENCE,
    LONGEST_NAME,
    LONGEST_SENTENCE,
    MOST_GAMES,
    MOST_ITEMS,
    MOST_SEATS,
    document_of,
)
from scoreboard.tournament.protocol.hub_update import ResultUpdate
from scoreboard.tournament.protocol.items import (
    EventItem,
    Item,
    Opened,
    Receipt,
    SignedBy,
    StoredItems,
    body_of,
)
from scoreboard.tournament.protocol.public_facts import ANSWERS
from web.hub.access import LARGEST_FORM_BYTES
from web.hub.tables import LARGEST_DELIVERY_BYTES, LONGEST_WAIT_SECONDS

PAGE: Final = Path(__file__).parent / "reference" / "games.md"
README: Final = PAGE.parents[2] / "README.md"
PACKAGES: Final = README.parent / ".ci" / "packages.toml"
LISTED: Final = re.compile(r"(<!-- packages: (\w+) -->).*?(<!-- end -->)")
PROTOCOL: Final = PAGE.with_name("hub-protocol.md")
SCHEMA: Final = PAGE.with_name("reading-api.schema.json")
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
RECORDED: Final = PAGE.with_name("hub-protocol-game.json")
PLAYED: Final = PAGE.parents[2] / "tests" / "playthroughs"  # the source of the examples
HEAD: Final = """\
# The games: sheets, house rules, rules

Written from the rulebooks by `python docs/write_reference.py`. Names in code are those of the
[notation](notation.md) and of JSON. Rows stand in the order of the sheet, each with the rule that
explains it; those in italics fill themselves. The first value of a house rule is its default.
"""


def page() -> str:
    """The whole page; what several games share is explained with the first of them."""
    explained: set[str] = set()
    return HEAD + "".join(
        f"\n{part}\n" for game in GAMES.values() for part in _parts(game, explained)
    )


def _parts(game: Game[Any, Any, Any], explained: set[str]) -> Iterator[str]:
    players = tuple(f"Player {seat}" for seat in range(1, game.seats[0] + 1))
    sheet = game.scoresheet(game.start(Setup(players)))
    yield f"## {game.title} (`{game.name}`), {game.seats[0]} to {game.seats[-1]} players"
    rows = groupby(sheet.rows, key=lambda row: row.rule)
    yield "\n".join(f"- {rule}: {', '.join(map(_row, cited))}" for rule, cited in rows)
    lines = {f"`{option.name}`": _option(option) for option in game.options}
    lines |= {rule: f"- **{rule}** {text}" for rule, text in game.rule_texts.items()}
    if again := [name for name, line in lines.items() if line in explained]:
        yield f"As explained above: {', '.join(again)}."
    yield "\n".join(line for line in lines.values() if line not in explained)
    explained.update(lines.values())


def _option(option: Option) -> str:
    values = [f"`{choice.value}` {choice.label}" for choice in option.choices]
    if option.own is not None:
        values.append(f"a value of your own: {option.own.hint}")
    return f"- House rule `{option.name}`, {option.rule}: {'; '.join(values)}"


def _row(row: Row) -> str:
    return f"`{row.key}` {row.label}" if row.kind == "box" else f"*`{row.key}` {row.label}*"


def _table(head: tuple[str, ...], rows: Any) -> str:
    named, *lines = (f"| {' | '.join(line)} |\n" for line in (head, *rows))
    return "".join((named, "|---" * len(head), "|\n", *lines))


def protocol(written: str) -> str:
    """The page of the protocol with its generated parts brought up to date."""
    for name, part in (("bounds", _bounds()), ("events", _events())):
        begin = f"<!-- {name}: written by docs/write_reference.py -->\n"
        head, rest = written.split(begin)
        written = f"{head}{begin}{part}<!-- end -->{rest.partition('<!-- end -->')[2]}"
    return written


def schema() -> str:
    """The JSON Schema of the reading API's answers, each under its name; more members may come."""
    _, parts = msgspec.json.schema_components(ANSWERS, ref_template="#/$defs/{name}")
    for part in parts.values():  # until Python 3.13 docstrings are indented as in the source
        part["description"] = cleandoc(part["description"])
    title = "Tablescore's reading API, version 1"
    document = {"$schema": DIALECT, "title": title, "$defs": parts}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def readme(written: str) -> str:
    """The README with Debian's packages as .ci/packages.toml lists them."""
    tools = tomllib.loads(PACKAGES.read_text(encoding="utf-8"))["tool"]

    def install(found: re.Match[str]) -> str:
        named = [name for tool in tools if tool["stage"] == found[2] for name in tool["packages"]]
        return f"{found[1]}`sudo apt install {' '.join(named)}`{found[3]}"

    return LISTED.sub(install, written)


def _bounds() -> str:
    bounds = (
        ("numbers", f"{LARGEST_SEQUENCE:,}"),
        ("a score", f"{HIGHEST_SCORE:,}, below zero too"),
        ("items in a delivery", f"{MOST_ITEMS:,}"),
        ("games in a greeting", f"{MOST_GAMES:,}"),
        ("scores, seats", f"{MOST_SEATS}"),
        ("a name", f"{LONGEST_NAME} characters"),
        ("a sentence, a `why`", f"{LONGEST_SENTENCE:,} characters"),
        ("the body of a delivery, and so an item", _size(LARGEST_DELIVERY_BYTES)),
        ("any other body", _size(LARGEST_FORM_BYTES)),
        ("`wait`", f"{LONGEST_WAIT_SECONDS:g} seconds"),
    )
    return _table(("what", "at most"), bounds)


def _size(size: int) -> str:
    return f"{size // 1024:,} KiB"


def _events() -> str:
    """The events of all games; games with the same events share a section."""
    examples = _examples()
    families: dict[int, list[Game[Any, Any, Any]]] = {}
    for game in GAMES.values():
        families.setdefault(id(game.kinds), []).append(game)
    parts = ["### In every game\n", _kinds(TABLE_KINDS, examples)]
    for games in families.values():
        names = ", ".join(f"{game.title} (`{game.name}`)" for game in games)
        parts += [f"### {names}\n", _kinds(games[0].kinds, examples)]
    parts += ["### The values in them\n", _values()]
    return "\n".join(parts)


def _kinds(kinds: Kinds, examples: dict[type[Any], Document]) -> str:
    lines = (
        (
            " ".join((_one_line(event), *_texts(event))),
            f"`{json.dumps(examples[event], ensure_ascii=False)}`",
        )
        for event in kinds.values()
    )
    rows = ((f"`{kind}`", *line) for kind, line in zip(kinds, lines, strict=True))
    return _table(("kind", "meaning", "example"), rows)


def _texts(event: type[Any]) -> Iterator[str]:
    """Which members are values written as text, as which value."""
    for name, hint in get_type_hints(event).items():
        if hint not in {str, int, bool}:
            yield f"`{name}`: {hint.__name__}."


def _values() -> str:
    hints = {
        hint
        for game in GAMES.values()
        for event in game.kinds.values()
        for hint in get_type_hints(event).values()
        if hint not in {str, int, bool}
    }
    found = sorted(hints, key=lambda hint: str(hint.__name__))
    return _table(
        ("value", "written as text"), ((hint.__name__, _one_line(hint)) for hint in found)
    )


def _one_line(described: type[Any]) -> str:
    """A class's docstring in one line, without its Raises section."""
    said = (described.__doc__ or "").partition("Raises:")[0]
    return re.sub(r"\s+", " ", said).strip()


def _examples() -> dict[type[Any], Document]:
    """An event of each class from one of the tests' games."""
    found: dict[type[Any], Document] = {}
    for path in sorted(PLAYED.glob("*.txt")):
        played = replay_text(path.read_text(encoding="utf-8"))
        for record in played.records:
            document = EventCodec.of(played.game.kinds).document(record.event)
            found.setdefault(type(record.event), document)
    put_away = {kind: event for kind, event in TABLE_KINDS.items() if event not in found}
    return found | {event: {"kind": kind} for kind, event in put_away.items()}


def recorded_game() -> str:
    """A whole game as a table delivers it, and what its hub answers; a test delivers it."""
    played = replay_text((PLAYED / "duel.txt").read_text(encoding="utf-8"))
    game, header, seats = played.game, played.header, (1, 2)
    opened_at = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)
    opened = Opened(header.game, header.players, opened_at, 1, 1, 1, seats, dict(header.options))
    moves = [
        EventItem.of(replace(each, recorded_at=opened_at), game.kinds) for each in played.records
    ]
    bodies = [body_of(each) for each in (opened, *moves, *map(SignedBy, seats))]
    items = tuple(Item(number, body) for number, body in enumerate(bodies, start=1))
    outcome = game.outcome(state_after(game, header, played.records))
    points = {place.player: place.points for place in outcome.ranking}
    scores = ", ".join(
        f"{seat} {points[name]}" for seat, name in zip(seats, header.players, strict=True)
    )
    told = ",\n".join(json.dumps(document_of(each)) for each in items)
    receipt = json.dumps(document_of(Receipt(StoredItems(len(items)))))
    result = json.dumps(document_of(ResultUpdate(1, 1, "signed", scores, seats)))
    delivery = f'{{"game_id": "r1-t1-g1-recorded", "items": [\n{told}\n]}}'
    return f'{{"delivery": {delivery},\n"receipt": {receipt},\n"result": {result}}}\n'


if __name__ == "__main__":
    RECORDED.write_text(recorded_game(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
    PROTOCOL.write_text(protocol(PROTOCOL.read_text(encoding="utf-8")), encoding="utf-8")
