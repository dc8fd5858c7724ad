"""The public results as files for any web host: pages with relative links, and JSON.

    write_site(folder, site_files(hub, ()))

Each JSON file is an answer of the reading API, and each page is made of such answers.
"""

from __future__ import annotations

import io
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from flask import render_template

from scoreboard.errors import ScoreboardError
from scoreboard.message import message
from scoreboard.text_files import write_whole
from scoreboard.tournament.protocol import public_facts
from scoreboard.tournament.protocol.documents import text_of
from web.hub.hub import Hub
from web.hub.progress import PHASES
from web.hub.public_api import event_facts, event_list, round_facts, standings_facts

Files = dict[str, bytes]
STYLE: Final = Path(__file__).with_name("templates") / "site" / "site.css"
WRITTEN: Final = ".tablescore.json"  # the files of the last time, so that no other is ever removed
EVENT_ID: Final = re.compile(r"[a-z0-9-]{1,80}")  # that of a record taken over may be anything


class PublicationError(ScoreboardError, ValueError):
    """The results cannot be published; `message` is the reason, and the cure."""


def site_files(hub: Hub, wanted: Collection[str]) -> Files:
    """All files of the site, of `wanted` or all but tests, in the language of the request.

    Raises PublicationError.
    """
    listed = event_list(hub).events
    known = {each.id for each in listed}
    for each in (*wanted, *known):
        if each not in known or EVENT_ID.fullmatch(each) is None:
            raise PublicationError(message("There is no event “{event}” to publish.", event=each))
    shown = [each for each in listed if (each.id in wanted if wanted else not each.test)]
    files = {"site.css": STYLE.read_bytes()}
    files["index.html"] = _page("index", message("Events"), events=shown)
    files["events.json"] = _document({"events": [each.id for each in shown]})
    for event in shown:
        for name, content in _event_files(hub, event.id):
            files[f"{event.id}/{name}"] = content
    return files


def _event_files(hub: Hub, event: str) -> Iterator[tuple[str, bytes]]:
    facts, standings = event_facts(hub, event), standings_facts(hub, event)
    rounds = [round_facts(hub, event, each.round) for each in facts.rounds]
    yield "event.json", text_of(facts).encode()
    yield "standings.json", text_of(standings).encode()
    page = partial(_page, facts=facts, standings=standings)
    yield "index.html", page("event", facts.event.title, json="event")
    heading = message("Final standings") if facts.event.finished else message("Standings")
    yield "standings.html", page("standings", heading, json="standings")
    yield "players.html", page("players", message("Players"), games=_games(rounds))
    if facts.brackets:
        yield "bracket.html", page("bracket", message("Bracket"))
    for each in rounds:
        name = f"round-{each.round.round}"
        yield f"{name}.json", text_of(each).encode()
        yield f"{name}.html", page("round", each.round.name, played=each, json=name)


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


def _page(name: str, heading: object, **values: object) -> bytes:
    page = render_template(f"site/{name}.html", heading=heading, phases=PHASES, **values)
    return page.encode()


def _document(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def zipped(files: Files) -> bytes:
    """The files as a zip, to be unpacked into the folder of any web host."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


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
