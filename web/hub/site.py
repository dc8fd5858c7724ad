"""The public results as files for any web host: pages with relative links, and JSON.

    write_site(folder, site_files(fetch, "en", ()))

Every page is made of answers of the reading API, which are next to it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from jinja2 import Environment, FileSystemLoader

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message, message
from scoreboard.text_files import write_whole
from scoreboard.tournament.protocol import public_facts
from scoreboard.tournament.protocol.documents import value_from_text
from web.hub.progress import PHASES
from web.shared.words import bracketed, translator

Fetch = Callable[[str], bytes]  # the answer at an address of the reading API, "" for the list
Files = dict[str, bytes]
ValueT = TypeVar("ValueT")
TEMPLATES: Final = Path(__file__).with_name("templates") / "site"
WRITTEN: Final = ".tablescore.json"  # the files of the last time, so that no other is ever removed
EVENT_ID: Final = re.compile(r"[a-z0-9-]{1,80}")  # that of a record taken over may be anything


class PublicationError(ScoreboardError, ValueError):
    """The results cannot be published; `message` is the reason, and the cure."""


def site_files(fetch: Fetch, language: str, wanted: Collection[str]) -> Files:
    """All files of the site, of `wanted` or all but tests. Raises PublicationError, WireError."""
    pages = _environment(language)
    listed = value_from_text(public_facts.EventList, fetch("")).events
    known = {each.id for each in listed}
    for each in (*wanted, *known):
        if each not in known or EVENT_ID.fullmatch(each) is None:
            raise PublicationError(message("There is no event “{event}” to publish.", event=each))
    shown = [each for each in listed if (each.id in wanted if wanted else not each.test)]
    files = {"site.css": (TEMPLATES / "site.css").read_bytes()}
    files["index.html"] = _page(pages, "index.html", message("Events"), events=shown)
    files["events.json"] = _document({"events": [each.id for each in shown]})
    for event in shown:
        for name, content in _event_files(pages, fetch, event):
            files[f"{event.id}/{name}"] = content
    return files


def _event_files(
    pages: Environment, fetch: Fetch, event: public_facts.EventSummary
) -> Iterator[tuple[str, bytes]]:
    kept: Files = {}

    def read(kind: type[ValueT], name: str, path: str) -> ValueT:
        kept[f"{name}.json"] = fetch(path)
        return value_from_text(kind, kept[f"{name}.json"])

    facts = read(public_facts.EventFacts, "event", f"/{event.id}")
    standings = read(public_facts.StandingsFacts, "standings", f"/{event.id}/standings")
    rounds = [
        read(public_facts.RoundFacts, f"round-{each.round}", f"/{event.id}/rounds/{each.round}")
        for each in facts.rounds
    ]
    yield from kept.items()
    page = partial(_page, pages, facts=facts, standings=standings)
    yield "index.html", page("event.html", facts.event.title, json="event")
    heading = message("Final standings") if facts.event.finished else message("Standings")
    yield "standings.html", page("standings.html", heading, json="standings")
    yield "players.html", page("players.html", message("Players"), games=_games(rounds))
    if facts.brackets:
        yield "bracket.html", page("bracket.html", message("Bracket"))
    for each in rounds:
        name = f"round-{each.round.round}"
        yield f"{name}.html", page("round.html", each.round.name, played=each, json=name)


def _games(
    rounds: Collection[public_facts.RoundFacts],
) -> Mapping[int, list[tuple[int, int, float]]]:
    """Round, table and points of every entrant, by entry number."""
    found = defaultdict[int, list[tuple[int, int, float]]](list)
    for played in rounds:
        for table in played.tables:
            for seat in table.seats:
                scores = (score for game in table.results for score in game.scores)
                points = sum(each.points for each in scores if each.entrant == seat.entrant)
                found[seat.entrant].append((played.round.round, table.table, points))
    return found


def write_site(folder: Path, files: Files) -> int:
    """Write what is new, each file whole, remove what is gone; how many. Raises OSError."""
    files = {**files, WRITTEN: _document(sorted(files))}
    before = folder / WRITTEN
    earlier = json.loads(before.read_bytes()) if before.is_file() else []
    changed = 0
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            write_whole(path, content, 0o644)  # a web server of another user reads it
            changed += name != WRITTEN
    for name in set(earlier) - files.keys():
        if folder.resolve() in (folder / name).resolve().parents:
            (folder / name).unlink(missing_ok=True)
            changed += 1
    return changed


def _environment(language: str) -> Environment:
    words = translator(language)

    def finished(value: object) -> object:
        return words(value) if isinstance(value, Message) else value

    pages = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, finalize=finished)
    pages.filters["figure"] = lambda points: int(points) if points == int(points) else points
    pages.filters["bracketed"] = bracketed
    pages.globals.update(message=message, language=language, phases=PHASES)
    return pages


def _page(pages: Environment, name: str, heading: object, **values: object) -> bytes:
    return pages.get_template(name).render(heading=heading, **values).encode()


def _document(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
