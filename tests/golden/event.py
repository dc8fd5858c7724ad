"""Events at a hub, led over its addresses: tables that deliver, players who sign, a referee.

Nothing is left to chance: the clock is set, the seeds are typed in, the hub's secret is given.
Only the codes by which tables join are drawn; they are used and not written. The sentences that
the hub says beside its figures are left out of the exact dumps, and stand among the pages.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.golden.commands import invoke
from tests.golden.visitor import Page, RefusedFormError, Visitor
from tests.web.whole_event import whole_event

DIRECTOR: Final = "Dana"
SET_UP: Final = "/set-up/miwxbaxq7fjayf7u"  # what the secret of the golden hub makes of it
PASSWORD: Final = "four plain small words"  # noqa: S105 -- of an account of a golden hub
NAMES: Final = ("Ann", "Ben", "Cem", "Dora", "Eve", "Fay", "Gus", "Süd", "Ivo")
CLUBS: Final = ("Hill", "Mill", "Bridge")
PAGES: Final = (
    "/",
    "/desk",
    "/board",
    "/standings",
    "/entries",
    "/entries/2",
    "/results",
    "/tables",
    "/annals",
    "/settings",
    "/sheets/entries",
    "/sheets/seating",
    "/sheets/results",
    "/sheets/standings",
    "/sheets/links",
)
PUBLIC: Final = ("/", "/board", "/standings", "/settings", "/sheets/seating")
DOORS: Final = ("/", "/sign-in", "/look", "/join/ACDE-3467")
WHOLE: Final = "event.json"  # worked out of the record, whose figures it names
EXPORTS: Final = (
    "entries.csv",
    "seating.csv",
    "results.csv",
    "standings.csv",
    WHOLE,
    "event.jsonl",
)
SENTENCES: Final = frozenset({"message", "notice", "said"})
ROUNDS: Final = 3
SEE_OTHER: Final = 303
TOKEN: Final = "a-token-of-the-tables-own-making-0123456789-"  # noqa: S105 -- of a golden table


@dataclass(frozen=True, slots=True)
class Place:
    """Where an event is written: `exact` without sentences, `pages` as people read it."""

    exact: Path
    pages: Path

    @classmethod
    def of(cls, folder: Path, name: str) -> Place:
        return cls(folder / "events" / name, folder / "pages" / "hub" / name)

    def put(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")

    def show(self, hub: Visitor, stage: str, pages: Iterable[str], below: str = "") -> None:
        """Write the text of these pages as they stand at this stage."""
        for page in pages:
            name = re.sub(r"[^a-z0-9]+", "-", page).strip("-") or "start"
            self.put(self.pages / stage / f"{name}.txt", Page(hub.get(f"{below}{page}")).text)


def director_at(hub: Visitor) -> None:
    """The first director, by the address that a hub prints at its first start."""
    hub.submit(SET_UP, SET_UP, name=DIRECTOR, password=PASSWORD)


def opened_event(hub: Visitor, preset: str, title: str, names: Mapping[str, str]) -> str:
    """A new event of a preset with these entrants and their clubs; its address."""
    made = hub.submit(f"/new?preset={preset}", "/new", title=title)
    base = made.removesuffix("/entries")
    rows = "".join(f"{name},{club}\n" for name, club in names.items())
    hub.upload(f"{base}/entries/file", f"name,club\n{rows}")
    return base


def document_of(hub: Visitor, base: str) -> Any:
    """All of the event as JSON values."""
    return whole_event(hub.get(f"{base}/export/event.jsonl"))


def whole_text(hub: Visitor, base: str) -> str:
    """All of the event as a file."""
    return json.dumps(document_of(hub, base), ensure_ascii=False, indent=1) + "\n"


def begin_round(hub: Visitor, base: str, seed: int) -> bool:
    """Draw the next round, after the cut where one is due, and start it; false where none is."""
    drawn = hub.post(f"{base}/rounds/draw", seed=str(seed))
    if drawn.status_code != SEE_OTHER and hub.post(f"{base}/cut").status_code == SEE_OTHER:
        drawn = hub.post(f"{base}/rounds/draw", seed=str(seed))
    if drawn.status_code != SEE_OTHER:
        return False
    hub.post(f"{base}/rounds/start")
    return True


def enter_round(hub: Visitor, base: str) -> None:
    """Enter what is missing of the round under way, as far as the hub takes it, and sign it."""
    document = document_of(hub, base)
    form, last = tomllib.loads(document["format"]), document["rounds"][-1]
    for table, seats in last["tables"].items():
        page = f"{base}/rounds/{last['round']}/tables/{table}"
        for game in range(1, last["games"] + 1):
            shown = Page(hub.get(page))
            given = [shown.form(page).fields.get(f"{each}-was") for each in range(1, game + 1)]
            goes_on = "Enter the result" in shown.text or "knockout" in form["system"]
            if not goes_on or given[-1] != "" or "" in given[:-1]:
                continue  # told already, or decided
            scores = scores_of(seats, last["round"] + int(table) + game, zero_sum=form["zero_sum"])
            filled = {f"{game}-score-{seat}": str(each) for seat, each in scores}
            if hub.offer(page, page, **filled).status_code == SEE_OTHER:
                hub.post(f"{page}/games/{game}/sign-all")


def hand_in(hub: Visitor, base: str) -> None:
    """Hand in three scores of everybody, in an event that is played alone."""
    for entrant in document_of(hub, base)["entrants"]:
        for _, score in scores_of([1, 2, 3], entrant["number"], zero_sum=False):
            told = {"entrant": str(entrant["number"]), "score": str(100 + score)}
            hub.submit(f"{base}/scores", f"{base}/scores", **told)


def scores_of(seats: list[int], turn: int, *, zero_sum: bool) -> list[tuple[int, int]]:
    """Scores that differ from seat to seat and from game to game."""
    figures = [20 + (seat * 7 + turn * 11) % 31 for seat in seats]
    if zero_sum:
        winner = turn % len(seats)
        figures = [-each for each in figures]
        figures[winner] = -sum(figures[:winner] + figures[winner + 1 :])
    return list(zip(seats, figures, strict=True))


def write_event_exports(hub: Visitor, base: str, place: Place) -> None:
    """Everything that can be taken along, and what `verify` says of the record."""
    for name in EXPORTS:
        text = whole_text(hub, base) if name == WHOLE else hub.get(f"{base}/export/{name}")
        place.put(place.exact / name, without_sentences(name, text))
        place.put(place.pages / name, text)
    record = place.exact / "event.jsonl"
    place.put(place.pages / "verified.txt", invoke("verify", str(record)))


def without_sentences(name: str, text: str) -> str:
    """An export without the column of sentences that say why one stands above the next."""
    if name == "standings.csv":
        kept = io.StringIO()
        rows = csv.reader(io.StringIO(text))
        csv.writer(kept, lineterminator="\n").writerows(row[:-1] for row in rows)
        return kept.getvalue()
    if name == WHOLE:
        document = json.loads(text)
        for row in document["standings"]:
            del row["why"]
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    return text


def unsaid(value: Any) -> Any:
    """An answer of the protocol without its sentences."""
    if isinstance(value, dict):
        return {name: unsaid(each) for name, each in value.items() if name not in SENTENCES}
    return [unsaid(each) for each in value] if isinstance(value, list) else value


class Table:
    """A table's device as the page of the protocol describes it; keeps all that it hears."""

    def __init__(self, hub: Visitor, place: int) -> None:
        self.hub = hub
        self.token = f"{TOKEN}{place}"
        self.heard: list[Any] = []

    def join(self, director: Visitor, base: str, place: int) -> None:
        """Come in by a fresh code of the director's."""
        page = director.post(f"{base}/tables/codes", first=str(place), last=str(place)).text
        code = re.search(r"\b([A-Z0-9]{4}-[A-Z0-9]{4})\b", Page(page).text)
        if code is None:
            raise RefusedFormError(Page(page).text)
        self._tell("join", {"code": code[1], "table": "corner", "token": self.token})

    def greet(self, **games: int) -> Any:
        """Greet, naming what is not acknowledged; the hub's word."""
        return self._tell("greet", {"games": games, "heard": 0})

    def deliver(self, game_id: str, *bodies: Mapping[str, Any]) -> None:
        items = [{"sequence": number, "body": body} for number, body in enumerate(bodies, 1)]
        self._tell(f"games/{game_id}/items", {"game_id": game_id, "items": items})

    def hear(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        self.heard.append(json.loads(self.hub.get("/api/v1/word?after=0&wait=0", **headers)))

    def _tell(self, path: str, document: Mapping[str, Any]) -> Any:
        told = self.hub.tell(f"/api/v1/{path}", self.token, document)
        self.heard.append(told)
        return told["answer"]
